"""Keys and tokens that are known by their form: those of detect-secrets, and a few that it has not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.jwt import JwtTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.openai import OpenAIDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

from domain.ingestion.sensitive import Finding, SensitiveKind

_TOKENS = (
    DiscordBotTokenDetector,
    GitHubTokenDetector,
    GitLabTokenDetector,
    MailchimpDetector,
    OpenAIDetector,
    PypiTokenDetector,
    SendGridDetector,
    SlackDetector,
    SquareOAuthDetector,
    StripeDetector,
    TelegramBotTokenDetector,
    TwilioKeyDetector,
)
_OWN_TOKENS = (
    r"npm_[A-Za-z0-9]{36}",
    r"github_pat_[A-Za-z0-9_]{60,90}",
    r"sk-(?:ant|proj|svcacct)-[A-Za-z0-9_-]{32,200}",
    r"hf_[A-Za-z0-9]{30,50}",
    r"xapp-\d-[A-Za-z0-9-]{30,120}",
    r"(?<=[Bb]earer )(?=[A-Za-z0-9._~+/-]*\d)(?=[A-Za-z0-9._~+/-]*[A-Za-z])[A-Za-z0-9._~+/-]{20,400}=*",
    r"(?<=[Bb]asic )(?=[A-Za-z0-9+/]*\d)[A-Za-z0-9+/]{16,400}={0,2}",
)
_FORMS: tuple[tuple[SensitiveKind, re.Pattern[str]], ...] = (
    *((SensitiveKind.CLOUD_KEY, form) for form in (*AWSKeyDetector.denylist, *AzureStorageKeyDetector.denylist)),
    (SensitiveKind.CLOUD_KEY, re.compile(r"AIza[0-9A-Za-z_-]{35}")),
    (
        SensitiveKind.CLOUD_KEY,
        re.compile(r"(?i)aws[\w-]{0,20}secret[\w-]{0,20}['\"]?\s{0,4}[=:]\s{0,4}['\"]?([a-z0-9/+]{40})(?![a-z0-9/+=])"),
    ),
    *((SensitiveKind.TOKEN, form) for plugin in _TOKENS for form in plugin.denylist),
    *((SensitiveKind.TOKEN, re.compile(form)) for form in _OWN_TOKENS),
    (SensitiveKind.ASSAY_KEY, re.compile(r"assay_[A-Za-z0-9_-]{43}")),
)
_JWT = re.compile(r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*")
_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]{0,20000}-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\]{0,20000})"
)
_HINT = re.compile(r"[A-Za-z0-9_-]{16}|-----BEGIN|xox|hooks\.slack|[Bb]asic ")
_ASSIGNED = re.compile(r"[^=:]{1,40}[=:]['\"]?")


def keys_and_tokens(text: str) -> Iterator[Finding]:
    """Private keys, signed tokens, and what a vendor's form tells. In no order; they may overlap."""
    if not _HINT.search(text):
        return
    for match in _PRIVATE_KEY.finditer(text):
        yield Finding(SensitiveKind.PRIVATE_KEY, match.start(), match.end())
    for match in _JWT.finditer(text):
        head, payload, _ = match[0].split(".")
        if JwtTokenDetector.is_formally_valid(f"{head}.{payload}"):
            yield Finding(SensitiveKind.JWT, match.start(), match.end())
    for kind, form in _FORMS:
        for match in form.finditer(text):
            start, end = _span(match)
            if not _inside_a_word(text, start, end):
                yield Finding(kind, start, end)


def _span(match: re.Match[str]) -> tuple[int, int]:
    """The value: a group that is most of it, else what follows the name that it is assigned to."""
    long = [span for span in map(match.span, range(1, (match.re.groups or 0) + 1)) if span[1] - span[0] >= 20]
    if long:
        return long[0]
    named = _ASSIGNED.match(match[0]) if match[0].startswith("AccountKey=") else None
    return match.start() + (named.end() if named else 0), match.end()


def _inside_a_word(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return before.isalnum() or before == "_" or (after.isalnum() and text[end - 1].isalnum())
