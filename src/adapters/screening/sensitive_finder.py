"""The finder by form and check digits, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from adapters.screening.assignments import assigned_secrets
from adapters.screening.folding import folded
from adapters.screening.numbers import bank_accounts, cards, telephones
from adapters.screening.tokens import keys_and_tokens
from domain.ingestion.sensitive import Finding, SensitiveKind, without_overlaps

REGIONS = ("US", "GB", "VN")
_EMAIL = re.compile(
    r"(?<![\w.+%'/:-])[\w][\w.%+'-]{0,63}(?<![.])@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+[^\W\d_]{2,24}(?![\w-]|\.\w)"
)
_RESERVED = re.compile(r"(?i)(?:^|\.)(?:example\.(?:com|net|org|edu)|example|test|invalid|localhost)$")
_REMOTE = re.compile(r":[\w~./-]+")
_DIGITS = re.compile(r"\d(?:[ ().\u00a0-]{0,3}\d){6}")


class PatternSensitiveFinder:
    """Implements ``SensitiveFinder``. ``regions`` are the countries whose national telephone numbers are known."""

    def __init__(self, regions: Sequence[str] = REGIONS) -> None:
        self._regions = tuple(regions)

    def find(self, text: str) -> list[Finding]:
        """See ``SensitiveFinder``."""
        text = folded(text)
        found = [*keys_and_tokens(text), *assigned_secrets(text)]
        if "@" in text:
            found += _mail_addresses(text)
        if _DIGITS.search(text):
            found += [*cards(text), *telephones(text, self._regions)]
            found += bank_accounts(text)
        return without_overlaps(found) if found else found


def _mail_addresses(text: str) -> Iterator[Finding]:
    for match in _EMAIL.finditer(text):
        local, _, domain = match[0].rpartition("@")
        if _RESERVED.search(domain) or (local == "git" and _REMOTE.match(text, match.end())):
            continue
        yield Finding(SensitiveKind.EMAIL, *match.span())
