"""A stretch of a window as plain text for the parser, with the way back to the original offsets."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\s]*(?:\s\"[^\"\n]*\")?\)")
_CUT_LINK = re.compile(r"\]\(https?://[^)\s]*\)?")
_CODE = re.compile(r"`([^`\n]+)`")
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|~~|<[^>\n]{1,80}>")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class PlainText:
    """``origin[i]`` is the offset in the window of the character ``text[i]``; ``codes`` are spans set as code."""

    text: str
    origin: tuple[int, ...]
    codes: tuple[tuple[int, int], ...] = ()

    def to_window(self, start: int, end: int) -> tuple[int, int]:
        """Where the plain span [start, end) lies in the window."""
        return self.origin[start], self.origin[end - 1] + 1


def plain_text(window: str, start: int, end: int) -> PlainText:
    """Without Markdown's marks, every run of white space one blank."""
    dropped: set[int] = set()
    coded: set[int] = set()
    for match in _LINK.finditer(window, start, end):
        dropped.update(set(range(match.start(), match.end())) - set(range(match.start(1), match.end(1))))
    for match in _CUT_LINK.finditer(window, start, end):
        dropped.update(range(match.start(), match.end()))
    for match in _CODE.finditer(window, start, end):
        dropped.update((match.start(), match.end() - 1))
        coded.update(range(match.start(1), match.end(1)))
    for match in _EMPHASIS.finditer(window, start, end):
        dropped.update(set(range(match.start(), match.end())) - coded)
    for match in _SPACE.finditer(window, start, end):
        dropped.update(range(match.start() + 1, match.end()))
    origin = tuple(at for at in range(start, end) if at not in dropped)
    text = "".join(" " if window[at].isspace() else window[at] for at in origin)
    return PlainText(text, origin, _runs([at in coded for at in origin]))


def _runs(flags: list[bool]) -> tuple[tuple[int, int], ...]:
    runs: list[tuple[int, int]] = []
    for at, flag in enumerate(flags):
        if flag and at and flags[at - 1]:
            runs[-1] = (runs[-1][0], at + 1)
        elif flag:
            runs.append((at, at + 1))
    return tuple(runs)
