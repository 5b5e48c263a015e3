"""Concepts: claims, definitions, events and principles. Each is an entity of one kind, and all else is assertions."""

from __future__ import annotations

from enum import StrEnum

from domain.errors import InvalidInput, shown
from domain.knowledge.objects import TextValue, folded
from domain.knowledge.predicate import predicate_name

CONCEPT = "concept"
"""The entity kind of every concept. Its name is the concept's label."""
HAS_KIND = "HAS_CONCEPT_KIND"
"""Says that a source puts the concept forward, and as what; the evidence is the quote."""
HAS_TERM = "HAS_SEARCH_TERM"
MAX_TERMS = 50
"""Search terms that one source gives a concept."""
MAX_TERM = 200
"""Characters of a search term."""

_KIND_NAMES = frozenset({HAS_KIND, "CONCEPT_KIND", "CONCEPT_TYPE"})


class ConceptKind(StrEnum):
    """What a concept is."""

    CLAIM = "claim"
    DEFINITION = "definition"
    EVENT = "event"
    PRINCIPLE = "principle"


class ConceptRelation(StrEnum):
    """How concepts hang together, from subject to object. Only ``CONTRADICTS`` is the same both ways."""

    IMPLIES = "IMPLIES"
    SUPPORTS = "SUPPORTS"
    CONTRADICTS = "CONTRADICTS"
    CAUSES = "CAUSES"
    PART_OF = "PART_OF"
    INSTANCE_OF = "INSTANCE_OF"
    EXEMPLIFIES = "EXEMPLIFIES"


INVERSES = {
    ConceptRelation.IMPLIES: "IMPLIED_BY",
    ConceptRelation.SUPPORTS: "SUPPORTED_BY",
    ConceptRelation.CONTRADICTS: "CONTRADICTED_BY",
    ConceptRelation.CAUSES: "CAUSED_BY",
    ConceptRelation.PART_OF: "HAS_PART",
    ConceptRelation.INSTANCE_OF: "HAS_INSTANCE",
    ConceptRelation.EXEMPLIFIES: "EXEMPLIFIED_BY",
}
"""The same relations read from object to subject."""
_RELATION_NAMES = frozenset({*(relation.value for relation in ConceptRelation), *INVERSES.values()})


def concept_kind(stated: str) -> ConceptKind:
    """The kind, in any case. Raises InvalidInput."""
    try:
        return ConceptKind(folded(stated))
    except ValueError:
        kinds = ", ".join(ConceptKind)
        raise InvalidInput(f"{shown(stated)} is no kind of concept; use one of {kinds}", field="kind") from None


def relation_name(stated: str) -> str:
    """The relation's predicate, in either direction and any spelling. Raises InvalidInput."""
    name = predicate_name(stated)
    if name not in _RELATION_NAMES:
        relations = ", ".join(ConceptRelation)
        raise InvalidInput(
            f"{shown(stated)} is no relation of concepts; use one of {relations}, or one of these from object to "
            f"subject, such as {INVERSES[ConceptRelation.SUPPORTS]}",
            field="relation",
        )
    return name


def require_known_kind(predicate: str, stated: object) -> None:
    """Refuse a statement about a concept that gives it a kind which there is not. Raises InvalidInput."""
    if predicate_name(predicate) not in _KIND_NAMES:
        return
    if not isinstance(stated, TextValue):
        raise InvalidInput(f"a kind of concept is a text, one of {', '.join(ConceptKind)}", field="object")
    concept_kind(stated.value)
