"""Entities as people see and edit them: what they are called, of what kind they are, and who shares a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from domain.identity.ids import EntityId, FactId, GroupId, Revision


@dataclass(frozen=True, slots=True)
class ShownEntity:
    """An entity as it is shown now. ``mentioned_as`` and ``mentioned_kind`` are what it was first mentioned as.

    ``erased`` when its content was taken out; then it has no name.
    """

    id: EntityId
    group_id: GroupId
    name: str
    kind: str | None
    mentioned_as: str
    mentioned_kind: str | None
    erased: bool


@dataclass(frozen=True, slots=True)
class Edited:
    """The last edit of an entity: its revision, 0 for none, and who made it."""

    revision: Revision
    by: str | None


@dataclass(frozen=True, slots=True)
class SaidOf:
    """A fact about an entity that stands now, with a text or the name of a thing as what it says."""

    fact_id: FactId
    predicate: str
    text: str
    object_id: EntityId | None
    subject_id: EntityId


class EntityRecord(Protocol):
    """Reads for edits of entities, in the readable scopes."""

    async def shown(self, entity_id: EntityId) -> ShownEntity | None:
        """The entity; None for an unknown one."""
        ...

    async def hold(self, entity_id: EntityId) -> None:
        """Keep other edits of the entity waiting to the end of the transaction. Comes before every other lock."""
        ...

    async def edited(self, entity_id: EntityId) -> Edited:
        """The last revision that changed what the entity is called, its kind, its aliases or its own description."""
        ...

    async def named(self, normal: str, entity_id: EntityId) -> Sequence[ShownEntity]:
        """Other entities that bear the name (in normal form) now, by id, at most 20."""
        ...

    async def aliases(self, entity_id: EntityId, normal: str) -> Sequence[SaidOf]:
        """The ALIAS_OF facts that give the entity the name (in normal form) now."""
        ...

    async def descriptions(self, entity_id: EntityId) -> Sequence[SaidOf]:
        """The descriptions of the entity that a person gave and that hold now."""
        ...
