"""What an extractor reads and yields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from domain.knowledge.assertion import Claim


@dataclass(frozen=True, slots=True)
class ExtractionWindow:
    """A stretch of a version's text: ``text`` starts at code point ``start`` of it.

    ``reference_time`` (aware, in its own zone) is what "yesterday" is relative to: when the message was sent, when the
    document was published, the date that it bears, else when it was observed; ``dated`` says that it is not the last.
    ``entities`` are names with kinds that the collection declares.
    """

    text: str
    start: int
    title: str | None = None
    reference_time: datetime | None = None
    language: str | None = None
    entities: Mapping[str, str] = field(default_factory=dict)
    dated: bool = False


@dataclass(frozen=True, slots=True)
class SpanClaim:
    """A claim and its literal excerpt: ``excerpt`` is at [start, end) of the version's text."""

    claim: Claim
    excerpt: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Rejection:
    """An item that was not kept: a stable code and what it was."""

    code: str
    detail: str


def place_order(place: str) -> tuple[tuple[bool, int, str], ...]:
    """Sorts places as people count: "row 9" before "row 10"."""
    parts = re.split(r"(\d+)", place)
    return tuple((not each.isdecimal(), int(each) if each.isdecimal() else 0, each) for each in parts)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one window gave. ``requests`` counts model calls."""

    claims: tuple[SpanClaim, ...]
    rejections: tuple[Rejection, ...] = ()
    requests: int = 0
