"""What a model is asked for, and what is looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domain.knowledge.assertion import MAX_NAME, ClaimKind
from domain.knowledge.predicate import MAX_PREDICATE

MAX_CLAIMS = 40
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

ACCEPTED: Mapping[str, Any] = {
    "type": "object",
    "properties": {"claims": {"type": "array", "items": {"type": "object"}}},
    "required": ["claims"],
}
"""The reply as a whole, wider than what is asked for, so that one bad claim does not cost the window."""


def asked_schema(sentences: Sequence[str]) -> dict[str, Any]:
    """The excerpt is one of the window's real sentences: a server that obeys schemas cannot invent any."""
    properties = {**ITEM["properties"], "excerpt": {"type": "string", "enum": list(sentences)}}
    items = {**ITEM, "properties": properties}
    return {
        "type": "object",
        "properties": {"claims": {"type": "array", "items": items, "maxItems": MAX_CLAIMS}},
        "required": ["claims"],
        "additionalProperties": False,
    }
