"""Typed triples: one decoded NDJSON object becomes one claim."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeVar

from domain.errors import InvalidInput, shown
from domain.ingestion.concepts import require_two
from domain.ingestion.sensitive import require_name
from domain.ingestion.stated_values import parse_date
from domain.knowledge.assertion import MAX_EXCERPT, Claim, ClaimKind, Mention, Polarity
from domain.knowledge.concept import CONCEPT, relation_name
from domain.knowledge.objects import MAX_TEXT, BooleanValue, DateValue, Literal, NumberValue, TextValue
from domain.knowledge.predicate import predicate_name
from domain.knowledge.time import UNKNOWN_BOUND, Precision, TimeBound

_FIELDS = frozenset(
    {"key", "subject", "predicate", "object", "polarity", "kind", "confidence", "valid_from", "valid_to"}
    | {"observed_at", "asserter", "qualifiers", "excerpt"}
)
_FORBIDDEN = frozenset({"group_id", "organization_id"})
_OBJECT_FORMS = (
    '"a name", {"entity": "a name", "kind": "…"}, {"concept": "a label"}, {"date": "2021-04"}, {"number": "1.5", '
    '"unit": "…"}, {"text": "…", "language": "en"} or {"boolean": true}'
)
_MAX_DETAIL = 200
_POLARITIES = {member.value: member for member in Polarity}
_KINDS = {member.value: member for member in ClaimKind}
_Choice = TypeVar("_Choice")
_predicate = lru_cache(maxsize=4096)(predicate_name)
_stated_date = lru_cache(maxsize=8192)(parse_date)


@dataclass(frozen=True, slots=True)
class TypedTriple:
    """A claim, the client's key for it, and the literal text it gave as evidence, where it gave them."""

    claim: Claim
    key: str | None = None
    excerpt: str | None = None


def typed_triple(line: Mapping[str, Any]) -> TypedTriple:
    """The claim that a decoded line states. Raises InvalidInput that names the field at fault."""
    if not isinstance(line, Mapping):
        raise InvalidInput(f"a line is a JSON object, not {shown(line)}", field="line")
    _known(line, _FIELDS, "")
    claim = Claim(
        subject=_subject(line.get("subject")),
        predicate=_predicate(_text(line.get("predicate"), "predicate")),
        object=stated_object(line.get("object")),
        confidence=_confidence(line["confidence"]) if "confidence" in line else 1.0,
        polarity=_choice(line, "polarity", _POLARITIES, Polarity.SUPPORT),
        kind=_choice(line, "kind", _KINDS, ClaimKind.CLAIM),
        asserter=_text(line["asserter"], "asserter", 500) if line.get("asserter") is not None else None,
        valid_from=stated_bound(line.get("valid_from"), "valid_from"),
        valid_to=stated_bound(line.get("valid_to"), "valid_to"),
        observed_at=_moment(line.get("observed_at")),
        qualifiers=_qualifiers(line["qualifiers"]) if line.get("qualifiers") is not None else {},
    )
    if claim.subject.kind == CONCEPT and isinstance(claim.object, Mention) and claim.object.kind == CONCEPT:
        relation_name(claim.predicate)
        require_two(claim.subject, claim.object)
    key, excerpt = line.get("key"), line.get("excerpt")
    return TypedTriple(
        claim,
        _text(key, "key", _MAX_DETAIL) if key is not None else None,
        _text(excerpt, "excerpt", MAX_EXCERPT) if excerpt is not None else None,
    )


def _known(value: Mapping[str, Any], allowed: frozenset[str], prefix: str) -> None:
    if value.keys() <= allowed:
        return
    name = sorted(str(key) for key in value.keys() - allowed)[0]
    field = f"{prefix}{name}"[:100] or "line"
    if name in _FORBIDDEN:
        raise InvalidInput(f"{name} is not taken from a client; name the workspace or project instead", field=field)
    raise InvalidInput(
        f"{shown(prefix + name)} is not a known field; use one of {', '.join(sorted(allowed))}", field=field
    )


def _text(value: object, field: str, limit: int | None = None) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{field} is a text that is not empty, not {shown(value)}", field=field)
    if limit is not None and len(value) > limit:
        raise InvalidInput(f"{field} has at most {limit} characters, not {len(value)}", field=field)
    if not value.isascii() or "\x00" in value:
        _storable(value, field)
    return value


def _storable(value: str, field: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidInput(f"{field} holds half a character: {shown(value)}", field=field) from None
    if "\x00" in value:
        raise InvalidInput(f"{field} holds a NUL character, which cannot be stored: {shown(value)}", field=field)


_NAMED = frozenset({"name", "kind"})
_LABELLED = frozenset({"concept"})


def _subject(value: object) -> Mention:
    if isinstance(value, str):
        return _mention(value, None, "subject", "subject.kind")
    if isinstance(value, Mapping):
        if "concept" in value:
            _known(value, _LABELLED, "subject.")
            return _mention(value["concept"], CONCEPT, "subject.concept", "subject.kind")
        _known(value, _NAMED, "subject.")
        return _mention(value.get("name"), value.get("kind"), "subject.name", "subject.kind")
    raise InvalidInput(
        f'subject is "a name", {{"name": "…", "kind": "…"}} or {{"concept": "a label"}}, not {shown(value)}',
        field="subject",
    )


def _mention(name: object, kind: object, name_field: str, kind_field: str) -> Mention:
    stated = require_name(_text(name, name_field).strip(), name_field)
    return Mention(stated, _text(kind, kind_field, 100).strip() if kind is not None else None)


def stated_object(value: object) -> Mention | Literal:
    """A name or a literal from its decoded form. Raises InvalidInput that names the part at fault."""
    if isinstance(value, str):
        return _mention(value, None, "object", "object.kind")
    if isinstance(value, Mapping):
        for name, (allowed, read) in _OBJECT_READERS.items():
            if name in value:
                _known(value, allowed, "object.")
                return read(value)
    raise InvalidInput(f"object is {_OBJECT_FORMS}, not {shown(value)}", field="object")


def _entity(value: Mapping[str, Any]) -> Mention:
    return _mention(value["entity"], value.get("kind"), "object.entity", "object.kind")


def _concept(value: Mapping[str, Any]) -> Mention:
    return _mention(value["concept"], CONCEPT, "object.concept", "object.kind")


def _date(value: Mapping[str, Any]) -> DateValue:
    return _stated_date(_text(value["date"], "object.date"), "object.date")


def _number(value: Mapping[str, Any]) -> NumberValue:
    unit = value.get("unit")
    return NumberValue(
        _decimal(value["number"], "object.number"), _text(unit, "object.unit", 40) if unit is not None else None
    )


def _decimal(value: object, field: str) -> Decimal:
    """A float is taken at its shortest writing, so 0.1 is exactly 0.1."""
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
            raise ValueError
        number = Decimal(repr(value) if isinstance(value, float) else value)
    except (ValueError, ArithmeticError):
        raise InvalidInput(f"{field} is a number, not {shown(value)}", field=field) from None
    if not number.is_finite() or number.adjusted() > 30 or len(number.as_tuple().digits) > 60:
        raise InvalidInput(f"{field} is a finite number of at most 30 digits, not {shown(value)}", field=field)
    return number


def _literal_text(value: Mapping[str, Any]) -> TextValue:
    language = value.get("language")
    return TextValue(
        _text(value["text"], "object.text", MAX_TEXT),
        _text(language, "object.language", 35) if language is not None else None,
    )


def _boolean(value: Mapping[str, Any]) -> BooleanValue:
    if not isinstance(value["boolean"], bool):
        raise InvalidInput(f"object.boolean is true or false, not {shown(value['boolean'])}", field="object.boolean")
    return BooleanValue(value["boolean"])


_OBJECT_READERS: Mapping[str, tuple[frozenset[str], Callable[[Mapping[str, Any]], Mention | Literal]]] = {
    "entity": (frozenset({"entity", "kind"}), _entity),
    "concept": (_LABELLED, _concept),
    "date": (frozenset({"date"}), _date),
    "number": (frozenset({"number", "unit"}), _number),
    "text": (frozenset({"text", "language"}), _literal_text),
    "boolean": (frozenset({"boolean"}), _boolean),
}


def _confidence(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not (math.isfinite(value) and 0 <= value <= 1):
        raise InvalidInput(f"confidence is a number from 0 to 1, not {shown(value)}", field="confidence")
    return float(value)


def _choice(line: Mapping[str, Any], field: str, choices: Mapping[str, _Choice], default: _Choice) -> _Choice:
    value = line.get(field)
    if value is None:
        return default
    if not isinstance(value, str) or value not in choices:
        raise InvalidInput(f"{field} is one of {', '.join(choices)}, not {shown(value)}", field=field)
    return choices[value]


def stated_bound(value: object, field: str) -> TimeBound:
    """A date as precise as it was written; unknown for None. Raises InvalidInput."""
    if value is None:
        return UNKNOWN_BOUND
    return _read_bound(_text(value, field), field)


@lru_cache(maxsize=8192)
def _read_bound(stated: str, field: str) -> TimeBound:
    date = parse_date(stated, field)
    return TimeBound.stated(date.value, date.precision)


def _moment(value: object) -> datetime | None:
    if value is None:
        return None
    date = _stated_date(_text(value, "observed_at"), "observed_at")
    if date.precision not in (Precision.SECOND, Precision.DAY):
        raise InvalidInput(f"observed_at is a day or a time, not {shown(value)}", field="observed_at")
    return date.value


def _qualifiers(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f'qualifiers are {{"name": "value"}}, not {shown(value)}', field="qualifiers")
    return {
        _text(name, "qualifiers", 100): _text(detail, f"qualifiers.{name}"[:100], _MAX_DETAIL)
        for name, detail in value.items()
    }
