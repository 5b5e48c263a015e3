"""Telling code from prose, also in a window that was cut out of the middle of a code block."""

from __future__ import annotations

import re

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*(\S*)", re.MULTILINE)
_OPENING = re.compile(
    r"\s*(?:(?:async\s+)?def \w|class \w+[(:]|import \w|from [\w.]+ import |return\b|elif |except\b|await |const |let "
    r"|function \w|#!|\$ |//|/\*|@\w+\(|[\w.\[\]\"']+\s*=\s*\S|[}\])]+[;,]?\s*$"
    r"|(?:echo|curl|sudo|docker|kubectl|npm|pip|git|openssl|psql|cd|cp|mv|rm)\s"
    r"|(?:GET|POST|PUT|PATCH|DELETE)\s+/"
    r"|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|FROM|WHERE|RETURN|MATCH)\s)"
)
_ENDING = re.compile(r"[;{]\s*$")
_SIGNS = re.compile(r"[{}\[\]=<>$|\\]|\(\)|->|::|\w_\w|\w\(\w")
_SPANS = re.compile(r"`[^`\n]*`|\[[^\]\n]*\]\([^)\n]*\)")
_LETTERS_A_SIGN = 14


def opens_in_code(window: str) -> bool:
    """Whether a cut window starts inside a fence: only an opening fence names a language."""
    tags = _FENCE.findall(window)
    if any(tags):
        return any(tags[1::2])
    return len(tags) % 2 == 1 and _mostly_code(window[: window.index(_FENCE.search(window)[0])])  # type: ignore[index]


def _mostly_code(text: str) -> bool:
    lines = [line for line in text.splitlines() if line.strip()]
    return sum(map(is_code, lines)) * 2 >= len(lines)


def is_code(line: str) -> bool:
    """Whether an unfenced line looks like a program, a query or a command; code spans and links do not count."""
    bare = _SPANS.sub("", line)
    if _OPENING.match(bare) or _ENDING.search(bare):
        return True
    signs = len(_SIGNS.findall(bare))
    return signs >= 2 and signs * _LETTERS_A_SIGN > len(bare.strip())
