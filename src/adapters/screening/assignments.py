"""Passwords and opaque secrets that are known by the name they are given under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import log2

from detect_secrets.plugins.basic_auth import BasicAuthDetector

from domain.ingestion.sensitive import Finding, SensitiveKind

_ACCENT = "[\u0300-\u036f]*"
_GAP = r"[\s_-]{0,3}"
_MAT = f"m[aăâạặậấ]{_ACCENT}t"
_WORDS_FOR_IT = (
    r"pass(?:word|wd|phrase|code)|pwd|"
    rf"{_MAT}{_GAP}kh[aâẩẫấậ]{_ACCENT}u{_ACCENT}|(?<!\w)m[aã]{_ACCENT}{_GAP}pin"
)
"""The Vietnamese words with their accents, in either form of Unicode, and without."""
_OPAQUE = (
    r"secret(?:[\s_-]?(?:access[\s_-]?)?key)?|token|"
    r"(?:api|access|auth|account|signing|private|encryption|master)[\s_-]?key|"
    rf"kho?[oóọ]?{_ACCENT}[aá]{_ACCENT}{_GAP}b[ií]{_ACCENT}{_GAP}{_MAT}"
)
_NAME = rf"(?:(?P<password>{_WORDS_FOR_IT})|(?P<opaque>{_OPAQUE}))(?![^\W_])[\w.-]{{0,20}}"
_NAMED = re.compile(
    rf"(?i){_NAME}[\"']?"
    r"(?:(?:\s+[^\s:=]{1,20}){0,4}\s*:|\s*(?::=|=>|=)|\s+(?:is|was|là|la)(?![^\W_]))\s*"
    r"(?:\"(?P<double>[^\"\n]{6,200})\"|'(?P<single>[^'\n]{6,200})'|(?P<bare>[^\s\"',;<>()]{6,200}))"
)
_WHOLE_NAME = re.compile(rf"(?i){_NAME}\s*(?:\([^)]{{0,40}}\))?\Z")
_PLACEHOLDER = re.compile(
    r"(?i)\$\{|\{\{|%\(|<|\*{3}|•|x{4}|^\$|^(?:vault|env|file|op|ssm|https?|arn):|environ|getenv|process\.env|"
    r"redacted|placeholder|your[_-]"
)
_NAME_HINTS = ("pass", "pwd", "mật", "mat", "\u0302", "pin", "secret", "token", "key", "://")
_LINE = re.compile(r"[^\n]+")
_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r":?-+:?")
_AROUND = " \t\r`\"'"
LONGEST_NAME = 80
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
    at = 0
    while (found := _NAMED.search(text, at)) is not None:
        start, end = next(found.span(g) for g in ("double", "single", "bare") if found[g] is not None)
        if found["bare"] is not None:
            end = start + len(text[start:end].rstrip(".,;:!?)]}"))
        if _tells(found, text[start:end]):
            yield Finding(SensitiveKind.PASSWORD, start, end)
            at = end
        else:
            # What was taken for its value may be the name of the next one.
            at = found.end("password" if found["password"] else "opaque")
    if "|" in text:
        yield from _in_tables(text)


def _in_tables(text: str) -> Iterator[Finding]:
    """Cells of a Markdown table below such a name, or to the right of it."""
    names = before = list[re.Match[str] | None]()
    for line in _LINE.finditer(text):
        if "|" not in line[0]:
            names = before = []
            continue
        cells = list(_cells(text, *line.span()))
        words = [text[start:end] for start, end in cells]
        if all(map(_RULE.fullmatch, words)):
            names = before
            continue
        before = [_WHOLE_NAME.search(word) if len(word) <= LONGEST_NAME else None for word in words]
        for place, (start, end) in enumerate(cells):
            above = names[place] if place < len(names) else None
            left = before[place - 1] if place else None
            if any(name is not None and _tells(name, text[start:end]) for name in (above, left)):
                yield Finding(SensitiveKind.PASSWORD, start, end)


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the cells of a line are, each without the space, the quotes and the marks of code around it."""
    while start < end and text[start].isspace():
        start += 1
    if text[start] == "|":
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start and text[end - 1] == "|":
        end -= 1
    bars = [match.start() for match in _BAR.finditer(text, start, end)]
    for first, last in zip([start, *(bar + 1 for bar in bars)], [*bars, end], strict=True):
        word = text[first:last]
        first += len(word) - len(word.lstrip(_AROUND))
        yield first, max(first, last - (len(word) - len(word.rstrip(_AROUND))))


def _tells(name: re.Match[str], value: str) -> bool:
    """Whether a value under a name of ``_NAME`` looks like what the name says."""
    return _PLACEHOLDER.search(value) is None and (_is_password if name["password"] else _is_secret)(value)


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
