"""What a model is asked for, and what is looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domain.knowledge.assertion import MAX_NAME, ClaimKind
from domain.knowledge.concept import ConceptKind, ConceptRelation
from domain.knowledge.predicate import MAX_PREDICATE

MAX_CLAIMS = 40
MAX_CONCEPTS = 12
MAX_SEARCH_TERMS = 8
MAX_RELATIONS = 8
OBJECT_TYPES = ("entity", "number", "date", "text", "boolean")
_OPTIONAL_WORD = {"type": ["string", "null"], "maxLength": 60}
_OPTIONAL_DATE = {"type": ["string", "null"], "maxLength": 40}

ITEM: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "subject": {"type": "string", "minLength": 1, "maxLength": MAX_NAME},
        "subject_kind": _OPTIONAL_WORD,
        "predicate": {"type": "string", "minLength": 1, "maxLength": MAX_PREDICATE},
        "object": {"type": "string", "minLength": 1, "maxLength": MAX_NAME},
        "object_type": {"type": "string", "enum": list(OBJECT_TYPES)},
        "object_kind": _OPTIONAL_WORD,
        "negated": {"type": "boolean"},
        "ended": {"type": "boolean"},
        "valid_from": _OPTIONAL_DATE,
        "valid_to": _OPTIONAL_DATE,
        "kind": {"type": "string", "enum": [kind.value for kind in ClaimKind]},
        "asserter": {"type": ["string", "null"], "maxLength": MAX_NAME},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "excerpt": {"type": "string", "minLength": 1},
    },
    "required": [
        "subject", "subject_kind", "predicate", "object", "object_type", "object_kind", "negated", "ended",
        "valid_from", "valid_to", "kind", "asserter", "confidence", "excerpt",
    ],
    "additionalProperties": False,
}  # fmt: skip
"""One claim. Checked item by item: a bad one is rejected, the others stay."""

RELATION: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "relation": {"type": "string", "enum": [relation.value for relation in ConceptRelation]},
        "to": {"type": "string", "minLength": 1, "maxLength": MAX_NAME},
    },
    "required": ["relation", "to"],
    "additionalProperties": False,
}
"""A relation of a concept to another one of the same reply, by its label; checked one by one as well."""

CONCEPT_ITEM: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "label": {"type": "string", "minLength": 1, "maxLength": MAX_NAME},
        "kind": {"type": "string", "enum": [kind.value for kind in ConceptKind]},
        "terms": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 60}},
        "quote": {"type": "string", "minLength": 1},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "relations": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["label", "kind", "terms", "quote", "confidence", "relations"],
    "additionalProperties": False,
}
"""One concept. A bad relation does not cost the concept, a bad concept not the others."""

_OBJECTS = {"type": "array", "items": {"type": "object"}}
ACCEPTED: Mapping[str, Any] = {
    "type": "object",
    "properties": {"claims": _OBJECTS, "concepts": _OBJECTS},
    "required": ["claims"],
}
"""The reply as a whole, wider than what is asked for, so that one bad item does not cost the window."""


def asked_schema(sentences: Sequence[str]) -> dict[str, Any]:
    """Excerpts and quotes are the window's real sentences: a server that obeys schemas cannot invent any."""
    literal = {"type": "string", "enum": list(sentences)}
    claim = {**ITEM, "properties": {**ITEM["properties"], "excerpt": literal}}
    parts = {
        **CONCEPT_ITEM["properties"],
        "quote": literal,
        "terms": {**CONCEPT_ITEM["properties"]["terms"], "maxItems": MAX_SEARCH_TERMS},
        "relations": {"type": "array", "items": RELATION, "maxItems": MAX_RELATIONS},
    }
    return {
        "type": "object",
        "properties": {
            "claims": {"type": "array", "items": claim, "maxItems": MAX_CLAIMS},
            "concepts": {"type": "array", "items": {**CONCEPT_ITEM, "properties": parts}, "maxItems": MAX_CONCEPTS},
        },
        "required": ["claims", "concepts"],
        "additionalProperties": False,
    }
