"""Stated times in a text, each with the verb that it dates, as bounds of valid time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from spacy.tokens import Doc, Token

from adapters.extraction.offline.dates import DATE, Period, parse_period
from domain.knowledge.time import UNKNOWN_BOUND, Precision, TimeBound


class Extent(StrEnum):
    """How a phrase places its period."""

    DURING = "during"
    SINCE = "since"
    UNTIL = "until"
    SPAN = "span"
    AROUND = "around"


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """Tokens [first, last] with the verb that they date. ``until`` is the second period of a span."""

    first: int
    last: int
    extent: Extent
    period: Period
    until: Period | None
    verb: Token | None


_EXTENTS = {
    "since": Extent.SINCE, "from": Extent.SINCE, "starting": Extent.SINCE, "effective": Extent.SINCE,
    "as of": Extent.SINCE, "until": Extent.UNTIL, "till": Extent.UNTIL, "through": Extent.UNTIL,
    "in": Extent.DURING, "on": Extent.DURING, "during": Extent.DURING, "at": Extent.DURING, "": Extent.DURING,
    "before": Extent.AROUND, "after": Extent.AROUND, "by": Extent.AROUND, "around": Extent.AROUND,
    "about": Extent.AROUND, "to": Extent.AROUND, "for": Extent.AROUND, "of": Extent.DURING,
}  # fmt: skip
_PHRASE = re.compile(
    rf"(?:\b(?P<word>since|from|starting|effective|as of|until|till|through|in|on|during|at|before|after|by|around|"
    rf"about|to|for|of|between)\s+)?(?:(?:early|late|mid|the end of|the beginning of|the spring of|the summer of|on|in)"
    rf"[\s-]+)?(?<![\w.,$€£-])(?P<first>{DATE})(?:\s*(?P<link>to|until|through|and|–|-)\s*(?P<second>{DATE}))?(?![\w-])",
    re.IGNORECASE,
)


def time_phrases(doc: Doc, reference: datetime | None) -> list[TimePhrase]:
    """The times that the text states, in order. Relative ones need a reference."""
    found = []
    for match in _PHRASE.finditer(doc.text):
        period = parse_period(match["first"], reference)
        start = match.start("word") if match["word"] else match.start("first")
        span = doc.char_span(start, match.end(), alignment_mode="expand")
        if period is None or span is None:
            continue
        word, link = (match["word"] or "").casefold(), (match["link"] or "").casefold()
        second = parse_period(match["second"], reference) if match["second"] else None
        extent = Extent.SPAN if second and (word == "between" or link != "and") else _EXTENTS.get(word, Extent.AROUND)
        verb = None if word == "of" and span[0].head.pos_ in ("NOUN", "PROPN") else _governor(span[0], span.root)
        found.append(TimePhrase(span.start, span.end - 1, extent, period, second, verb))
    return found


def _governor(first: Token, root: Token) -> Token | None:
    """The nearest verb above; adverbs and nouns between are climbed through."""
    token = first if first.dep_ in ("prep", "npadvmod", "mark", "advmod") else root
    while token.head != token:
        token = token.head
        if token.pos_ in ("VERB", "AUX") and token.dep_ not in ("aux", "auxpass", "amod"):
            return token
    return token if token.pos_ in ("VERB", "AUX") else None


def covers(phrases: Sequence[TimePhrase], token: Token) -> bool:
    """Whether the token belongs to a stated time."""
    return any(phrase.first <= token.i <= phrase.last for phrase in phrases)


def bounds_of(phrases: Sequence[TimePhrase], starts_only: bool) -> tuple[TimeBound, TimeBound]:
    """Valid time from the phrases of a clause. An event begins then and goes on, unless an end is stated."""
    start, end = UNKNOWN_BOUND, UNKNOWN_BOUND
    for phrase in phrases:
        period = phrase.period
        if phrase.extent in (Extent.DURING, Extent.SINCE, Extent.SPAN) and start == UNKNOWN_BOUND:
            start = TimeBound.stated(period.start, period.precision)
            if phrase.extent is Extent.DURING and not starts_only:
                end = _bound(period.end, period.precision)
        if phrase.extent is Extent.UNTIL:
            end = TimeBound.stated(period.start, period.precision)
        elif phrase.extent is Extent.SPAN and phrase.until is not None:
            end = _bound(phrase.until.end, phrase.until.precision)
    if start.value and end.value and start.value >= end.value:
        return UNKNOWN_BOUND, UNKNOWN_BOUND
    return start, end


def _bound(value: datetime | None, precision: Precision) -> TimeBound:
    return UNKNOWN_BOUND if value is None else TimeBound.stated(value, precision)
