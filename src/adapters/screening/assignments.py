"""Passwords and opaque secrets that are known by the name they are given under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import log2

from detect_secrets.plugins.basic_auth import BasicAuthDetector

from domain.ingestion.sensitive import Finding, SensitiveKind

_WORDS_FOR_IT = r"pass(?:word|wd|phrase)|pwd|mật\s+khẩu|mat_?khau|mã\s+pin"
_OPAQUE = (
    r"secret(?:[_-]?(?:access[_-]?)?key)?|token|api[_-]?key|access[_-]?key|auth[_-]?key|account[_-]?key|"
    r"signing[_-]?key|khóa\s+bí\s+mật"
)
_NAMED = re.compile(
    rf"(?i)(?:(?P<password>{_WORDS_FOR_IT})|{_OPAQUE})(?![^\W_])[\w.-]{{0,20}}[\"']?"
    r"(?:(?:\s+[^\s:=]{1,20}){0,4}\s*:|\s*(?::=|=>|=)|\s+(?:is|was|là))\s*"
    r"(?:\"(?P<double>[^\"\n]{6,200})\"|'(?P<single>[^'\n]{6,200})'|(?P<bare>[^\s\"',;<>()]{6,200}))"
)
_PLACEHOLDER = re.compile(
    r"(?i)\$\{|\{\{|%\(|<|\*{3}|•|x{4}|^\$|^(?:vault|env|file|op|ssm|https?|arn):|environ|getenv|process\.env|"
    r"redacted|placeholder|your[_-]"
)
_NAME_HINTS = ("pass", "pwd", "mật", "mat", "pin", "secret", "token", "key", "://")
LEAST_WORDS_FOR_IT, LEAST_SECRET = 6, 12
LEAST_BITS = 3.0
"""Shannon entropy, in bits a character, of an opaque secret; English words have 2 to 3."""


def assigned_secrets(text: str) -> Iterator[Finding]:
    """Values after a name such as ``password`` or ``api_key``, and passwords in addresses. They may overlap."""
    lowered = text.lower()
    if not any(hint in lowered for hint in _NAME_HINTS):
        return
    for form in BasicAuthDetector.denylist:
        for match in form.finditer(text):
            if not _PLACEHOLDER.search(match[1]):
                yield Finding(SensitiveKind.PASSWORD, *match.span(1))
    for match in _NAMED.finditer(text):
        start, end = next(match.span(g) for g in ("double", "single", "bare") if match[g] is not None)
        if match["bare"] is not None:
            end = start + len(text[start:end].rstrip(".,;:!?)]}"))
        value = text[start:end]
        if _PLACEHOLDER.search(value) is None and (_is_password if match["password"] else _is_secret)(value):
            yield Finding(SensitiveKind.PASSWORD, start, end)


def _is_password(value: str) -> bool:
    """Not a word of the sentence: it has no space, and a digit, or a symbol among letters of both cases."""
    if len(value) < LEAST_WORDS_FOR_IT or any(char.isspace() for char in value):
        return False
    if any(char.isdigit() for char in value):
        return True
    symbols = any(not char.isalnum() and char not in "-_./" for char in value)
    return symbols and any(map(str.isupper, value)) and any(map(str.islower, value))


def _is_secret(value: str) -> bool:
    if len(value) < LEAST_SECRET or any(char.isspace() for char in value):
        return False
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and _bits(value) >= LEAST_BITS


def _bits(value: str) -> float:
    shares = (value.count(char) / len(value) for char in set(value))
    return -sum(share * log2(share) for share in shares)
