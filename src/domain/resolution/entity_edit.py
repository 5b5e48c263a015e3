"""What a person wants to be different about an entity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from domain.errors import Conflict, InvalidInput, shown
from domain.identity.ids import EntityId, Revision
from domain.knowledge.naming import checked_description, checked_kind, checked_name
from domain.resolution.names import normal_name

MAX_ALIASES = 50
"""Aliases that one edit adds, or takes back."""


@dataclass(frozen=True, slots=True)
class EntityEdit:
    """An edit of an entity as it was seen at a revision; what is None or empty stays as it is.

    ``homonym`` says that another entity may bear the same name. Texts are kept without space around them, kinds in
    lower case. Raises InvalidInput for an edit that changes nothing or contradicts itself.
    """

    entity_id: EntityId
    saw: Revision
    name: str | None = None
    kind: str | None = None
    aliases: tuple[str, ...] = ()
    not_aliases: tuple[str, ...] = ()
    description: str | None = None
    homonym: bool = False
    reason: str | None = None

    def __post_init__(self) -> None:
        keep = object.__setattr__
        if self.name is not None:
            keep(self, "name", checked_name(self.name, "name"))
        if self.kind is not None:
            keep(self, "kind", checked_kind(self.kind))
        if self.description is not None:
            keep(self, "description", checked_description(self.description))
        for field in ("aliases", "not_aliases"):
            names = getattr(self, field)
            if len(names) > MAX_ALIASES:
                raise InvalidInput(f"at most {MAX_ALIASES} {field} an edit, not {len(names)}", field=field)
            once = {normal_name(name): name for name in (checked_name(each, field) for each in names)}
            keep(self, field, tuple(once.values()))
        if not self.changes:
            raise InvalidInput("say what is to be different: a name, a kind, an alias or a description", field="name")
        added, taken = ({normal_name(name) for name in names} for names in (self.aliases, self.not_aliases))
        if both := added & taken:
            raise InvalidInput(f"{shown(min(both))} is to be an alias and not to be one", field="not_aliases")

    @property
    def changes(self) -> tuple[str, ...]:
        """What it changes, in words."""
        named = {
            "name": self.name,
            "kind": self.kind,
            "aliases": self.aliases or self.not_aliases,
            "description": self.description,
        }
        return tuple(word for word, value in named.items() if value)


def edit_json(edit: EntityEdit) -> dict[str, Any]:
    """An edit as plain JSON values; ``edit_of`` reads it."""
    return {
        "entity_id": str(edit.entity_id),
        "saw": edit.saw,
        "name": edit.name,
        "kind": edit.kind,
        "aliases": list(edit.aliases),
        "not_aliases": list(edit.not_aliases),
        "description": edit.description,
        "homonym": edit.homonym,
        "reason": edit.reason,
    }


def edit_of(data: Mapping[str, object]) -> EntityEdit:
    """The edit that ``edit_json`` wrote. Raises Conflict when it was erased."""
    if "entity_id" not in data:
        raise Conflict("what was proposed was erased; reject the proposal")
    values = cast("Mapping[str, Any]", data)
    return EntityEdit(
        EntityId(UUID(values["entity_id"])),
        Revision(values["saw"]),
        values["name"],
        values["kind"],
        _texts(values["aliases"]),
        _texts(values["not_aliases"]),
        values["description"],
        values["homonym"],
        values["reason"],
    )


def _texts(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(values)
