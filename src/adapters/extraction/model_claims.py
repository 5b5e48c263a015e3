"""What a model said about a window, held against the window's text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.extraction.claim_schema import ITEM
from adapters.extraction.sentences import Sentence
from application.models.schema_check import first_problem
from domain.errors import InvalidInput, shown
from domain.ingestion.claims import ExtractionWindow, Rejection, SpanClaim
from domain.ingestion.stated_values import end_of, parse_boolean, parse_date, parse_number
from domain.knowledge.assertion import MAX_EXCERPT, Claim, ClaimKind, Mention, Polarity
from domain.knowledge.objects import BooleanValue, Literal, TextValue
from domain.knowledge.predicate import predicate_name
from domain.knowledge.time import UNKNOWN_BOUND, BoundState, Precision, TimeBound

_WORD = re.compile(r"\w+")
_YEAR = re.compile(r"\d{4}")
_SHORT_WORD = 3
_WIDENED_YEARS = 1


class Refused(Exception):
    """An item that is not kept."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code)
        self.rejection = Rejection(code, detail)


@dataclass(frozen=True, slots=True)
class Span:
    """``[start, end)`` of the window."""

    start: int
    end: int


def claims_of(
    items: Sequence[Mapping[str, Any]], window: ExtractionWindow, sentences: Sequence[Sentence]
) -> tuple[tuple[SpanClaim, ...], tuple[Rejection, ...]]:
    """The claims that the window bears out, and why each other item is rejected; every item is in one of them."""
    claims, rejections = [], []
    for item in items:
        try:
            claims.append(_claim(item, window, sentences))
        except Refused as refused:
            rejections.append(refused.rejection)
        except InvalidInput as error:
            rejections.append(Rejection("claim_invalid", error.message))
    return tuple(claims), tuple(rejections)


def _claim(item: Mapping[str, Any], window: ExtractionWindow, sentences: Sequence[Sentence]) -> SpanClaim:
    problem = first_problem(item, ITEM, "claim")
    if problem:
        raise Refused("claim_malformed", problem)
    excerpt = excerpt_span(item["excerpt"], window.text, sentences)
    predicate_name(item["predicate"])
    subject = _mention("subject", item["subject"], item["subject_kind"], window, excerpt)
    start, end = _valid_time(item, window)
    claim = Claim(
        subject=subject,
        predicate=item["predicate"],
        object=_object(item, window, excerpt),
        confidence=float(item["confidence"]),
        polarity=Polarity.REFUTE if item["negated"] else Polarity.SUPPORT,
        kind=ClaimKind(item["kind"]),
        asserter=item["asserter"] if item["asserter"] and _found(item["asserter"], window.text) else None,
        valid_from=start,
        valid_to=end,
        qualifiers={"ended": "true"} if item["ended"] else {},
    )
    text = window.text[excerpt.start : excerpt.end]
    return SpanClaim(claim, text, window.start + excerpt.start, window.start + excerpt.end)


def excerpt_span(stated: str, text: str, sentences: Sequence[Sentence], part: str = "excerpt") -> Span:
    """Where the words are: a listed sentence, else a literal stretch of the text, white space aside. Raises Refused."""
    on_one_line = " ".join(stated.split())
    for sentence in sentences:
        if sentence.shown == on_one_line:
            return Span(sentence.start, sentence.end)
    span = _found(on_one_line, text, whole_words=False, any_case=False)
    if span is None:
        raise Refused(f"{part}_not_in_text", f"{shown(stated)} is not in the text")
    if span.end - span.start > MAX_EXCERPT:
        raise Refused(f"{part}_too_long", f"{shown(stated)} is longer than {MAX_EXCERPT} characters")
    return span


def _mention(part: str, name: str, kind: str | None, window: ExtractionWindow, excerpt: Span) -> Mention:
    """The name in the excerpt; else as an antecedent, nearest before it, then after it, then in the title."""
    kind = window.entities.get(name, kind)
    inside = _found(name, window.text[excerpt.start : excerpt.end])
    if inside:
        start, end = excerpt.start + inside.start, excerpt.start + inside.end
        return Mention(_one_line(window.text[start:end]), kind, window.start + start, window.start + end)
    elsewhere = _nearest(name, window.text, excerpt.start)
    if elsewhere:
        surface = _one_line(window.text[elsewhere.start : elsewhere.end])
        return Mention(surface, kind, window.start + elsewhere.start, window.start + elsewhere.end, antecedent=True)
    if window.title and _found(name, window.title):
        return Mention(_one_line(name), kind, antecedent=True)
    raise Refused(f"{part}_not_in_text", f"{part} {shown(name)} is not in the text")


def _object(item: Mapping[str, Any], window: ExtractionWindow, excerpt: Span) -> Mention | Literal:
    stated: str = item["object"]
    match item["object_type"]:
        case "entity":
            return _mention("object", stated, item["object_kind"], window, excerpt)
        case "date":
            date = parse_date(stated, "object", window.reference_time.tzinfo if window.reference_time else None)
            _require_year(stated, window)
            return date
        case "boolean":
            return BooleanValue(parse_boolean(stated, "object"))
        case "number":
            _require_words(stated, window.text)
            try:
                return parse_number(stated, "object")
            except InvalidInput:
                # "$1.2 million": exact as text, which a guess at the number would not be.
                return TextValue(_one_line(stated), window.language)
        case _:
            _require_words(stated, window.text)
            return TextValue(_one_line(stated), window.language)


def _valid_time(item: Mapping[str, Any], window: ExtractionWindow) -> tuple[TimeBound, TimeBound]:
    start, end = (_bound(item[name], name, window) for name in ("valid_from", "valid_to"))
    if start.value and end.value and end.precision and end.value <= start.value:
        # "In 2023" comes as 2023 to 2023.
        after = end_of(end.value, end.precision)
        end = TimeBound.stated(after, end.precision) if after else UNKNOWN_BOUND
    if item["ended"] and end.state is BoundState.UNKNOWN:
        if window.reference_time is None:
            raise Refused("end_unknown", f"{shown(item['excerpt'])} is over, and nothing says since when")
        end = TimeBound.stated(window.reference_time, Precision.DAY)
        if start.value and end.value and start.value >= end.value:
            start = UNKNOWN_BOUND
    return start, end


def _bound(stated: str | None, name: str, window: ExtractionWindow) -> TimeBound:
    if not stated or not stated.strip():
        return UNKNOWN_BOUND
    zone = window.reference_time.tzinfo if window.reference_time else None
    date = parse_date(stated, name, zone)
    _require_year(stated, window)
    return TimeBound.stated(date.value, date.precision)


def _require_year(stated: str, window: ExtractionWindow) -> None:
    """A year must be in the text or title, or be near the time that "last year" is relative to."""
    year = _YEAR.search(stated)
    if year is None or year[0] in window.text or (window.title and year[0] in window.title):
        return
    if window.reference_time and abs(window.reference_time.year - int(year[0])) <= _WIDENED_YEARS:
        return
    raise Refused("time_not_in_text", f"the year of {shown(stated)} is not in the text")


def _require_words(stated: str, text: str) -> None:
    """Every word, but for the shortest, must be in the text: a model may pick words, not bring its own."""
    known = {word.casefold() for word in _WORD.findall(text)}
    for word in _WORD.findall(stated):
        if word.casefold() not in known and (len(word) > _SHORT_WORD or not word.isalpha()):
            raise Refused("object_not_in_text", f"{shown(word)} of object {shown(stated)} is not in the text")


def _pattern(words: str, whole_words: bool, any_case: bool) -> re.Pattern[str]:
    pattern = r"\s+".join(re.escape(word) for word in words.split())
    edges = (r"(?<!\w)", r"(?!\w)") if whole_words else ("", "")
    return re.compile(f"{edges[0]}{pattern}{edges[1]}", re.IGNORECASE if any_case else 0)


def _found(words: str, text: str, *, whole_words: bool = True, any_case: bool = True) -> Span | None:
    if not words.strip():
        return None
    match = _pattern(words, whole_words, any_case).search(text)
    return Span(match.start(), match.end()) if match else None


def _nearest(words: str, text: str, before: int) -> Span | None:
    if not words.strip():
        return None
    spans = [Span(match.start(), match.end()) for match in _pattern(words, True, True).finditer(text)]
    earlier = [span for span in spans if span.end <= before]
    return earlier[-1] if earlier else (spans[0] if spans else None)


def _one_line(text: str) -> str:
    return " ".join(text.split())
