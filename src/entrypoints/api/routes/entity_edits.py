"""Edits of entities, by a person and as proposals."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import post
from litestar.params import FromPath, JSONBody

from application.knowledge.edit_entity import EntityEdited
from application.knowledge.propose_entity_edit import EntityEditProposed
from domain.identity.ids import EntityId, Revision
from domain.knowledge.naming import MAX_DESCRIPTION, MAX_KIND
from domain.resolution.entity_edit import MAX_ALIASES, EntityEdit
from entrypoints.api.routes.sources import Reason
from entrypoints.api.sign_in import App, Caller

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class EntityEditWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What is to be different about an entity as it was read at the revision ``saw``; what is left out stays.

    ``name`` is what it is called from now on; its former names go on leading to it. ``aliases`` are names to add,
    ``not_aliases`` names to take back. With ``homonym``, another entity of the kind may bear the name, too.
    """

    saw: Annotated[int, msgspec.Meta(ge=0)]
    name: Name | None = None
    kind: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_KIND)] | None = None
    aliases: Annotated[list[Name], msgspec.Meta(max_length=MAX_ALIASES)] = []
    not_aliases: Annotated[list[Name], msgspec.Meta(max_length=MAX_ALIASES)] = []
    description: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_DESCRIPTION)] | None = None
    homonym: bool = False
    reason: Reason | None = None

    def edit(self, entity_id: UUID) -> EntityEdit:
        """For the use case. Raises InvalidInput for an edit that changes nothing or contradicts itself."""
        return EntityEdit(
            EntityId(entity_id),
            Revision(self.saw),
            self.name,
            self.kind,
            tuple(self.aliases),
            tuple(self.not_aliases),
            self.description,
            self.homonym,
            self.reason,
        )


@post("/entities/{entity_id:uuid}/edit", status_code=200, tags=["entities"])
async def edit_entity(
    app: App, access: Caller, entity_id: FromPath[UUID], data: JSONBody[EntityEditWish]
) -> EntityEdited:
    """Rename an entity, change its kind, add or take back aliases, describe it: a person's word, which outranks what
    was observed before it. 409 when it was edited after the revision that was seen, or another one bears the name."""
    return await app.knowledge.edit_entity(access, data.edit(entity_id))


@post("/entities/{entity_id:uuid}/edits/proposals", status_code=201, tags=["entities"])
async def propose_entity_edit(
    app: App, access: Caller, entity_id: FromPath[UUID], data: JSONBody[EntityEditWish]
) -> EntityEditProposed:
    """Propose an edit: it waits under /proposals for a curator, and changes nothing until one approves it. Agents
    may. 409 as the edit itself would be."""
    return await app.knowledge.propose_entity_edit(access, data.edit(entity_id))
