"""How the columns of a record state a concept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from domain.errors import InvalidInput, shown
from domain.ingestion.stated_fields import object_of, optional, required
from domain.knowledge.concept import ConceptKind, concept_kind, relation_name

EXAMPLE = (
    '{"label": "statement", "kind_column": "type", "terms": "keywords", "quote": "words", "split": ";", '
    '"relations": [{"column": "against", "relation": "CONTRADICTS"}]}'
)
_FIELDS = {"label", "kind", "kind_column", "terms", "quote", "split", "relations"}
_RELATION_FIELDS = {"column", "relation"}
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class RelationMapping:
    """A column that names other concepts, and how the record's concept is related to them."""

    column: str
    relation: str


@dataclass(frozen=True, slots=True)
class ConceptMapping:
    """Columns of one concept: its ``label``, its search ``terms``, the ``quote`` that states it, and its relations.

    The ``kind`` is the same for all records, or in a column of its own. ``split`` is a separator, where a cell holds
    several terms or several concepts.
    """

    label: str
    kind: ConceptKind | None = None
    kind_column: str | None = None
    terms: str | None = None
    quote: str | None = None
    split: str | None = None
    relations: tuple[RelationMapping, ...] = ()

    def columns(self) -> set[str]:
        """Every column that it names."""
        named = {self.label, self.kind_column, self.terms, self.quote, *(r.column for r in self.relations)}
        return {column for column in named if column is not None}


def parse_concepts(stated: object) -> tuple[ConceptMapping, ...]:
    """The list that decoded JSON states. Raises InvalidInput naming the field, like ``concepts[0].kind``."""
    if not isinstance(stated, list):
        raise InvalidInput(f"concepts is a list, for example [{EXAMPLE}]", field="concepts")
    return tuple(_concept(item, f"concepts[{at}]") for at, item in enumerate(stated))


def _concept(stated: object, where: str) -> ConceptMapping:
    fields = object_of(stated, where, _FIELDS, EXAMPLE)
    kind, column = optional(fields, "kind", f"{where}.kind"), optional(fields, "kind_column", f"{where}.kind_column")
    if (kind is None) == (column is None):
        raise InvalidInput(f"{where} takes a kind for all records, or a kind_column; give one", field=f"{where}.kind")
    relations = fields.get("relations", [])
    if not isinstance(relations, list):
        raise InvalidInput(f"{where}.relations is a list, not {shown(relations)}", field=f"{where}.relations")
    return ConceptMapping(
        label=required(fields, "label", f"{where}.label", EXAMPLE),
        kind=None if kind is None else _named(concept_kind, kind, f"{where}.kind"),
        kind_column=column,
        terms=optional(fields, "terms", f"{where}.terms"),
        quote=optional(fields, "quote", f"{where}.quote"),
        split=optional(fields, "split", f"{where}.split"),
        relations=tuple(_relation(item, f"{where}.relations[{at}]") for at, item in enumerate(relations)),
    )


def _relation(stated: object, where: str) -> RelationMapping:
    fields = object_of(stated, where, _RELATION_FIELDS, EXAMPLE)
    relation = required(fields, "relation", f"{where}.relation", EXAMPLE)
    return RelationMapping(
        required(fields, "column", f"{where}.column", EXAMPLE), _named(relation_name, relation, f"{where}.relation")
    )


def _named(reader: Callable[[str], _Read], stated: str, where: str) -> _Read:
    try:
        return reader(stated)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error.message}", field=where) from error
