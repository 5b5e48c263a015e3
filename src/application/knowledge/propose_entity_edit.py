"""Proposing an edit of an entity: it waits for a person, and changes nothing until one approves it."""

from __future__ import annotations

from dataclasses import dataclass

from application.ingestion.intake import Intake
from application.knowledge.entity_claims import claims_of, require_possible
from domain.identity.access import Access
from domain.identity.ids import EntityId, ProposalId, Revision
from domain.identity.permissions import Action, permit
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork
from domain.resolution.entity_edit import EntityEdit, edit_json

ENTITY_EDIT = "entity_edit"
"""The kind of a proposal whose payload is an edit, as ``edit_json`` writes it, with the entity's name then."""


@dataclass(frozen=True, slots=True)
class EntityEditProposed:
    """What waits now, and the revision at which it was written down; None when the same waited already."""

    proposal_id: ProposalId
    entity_id: EntityId
    revision: Revision | None


class ProposeEntityEdit:
    """Writes a proposal to edit an entity; agents may, with the role member.

    - It is approved or rejected by a person with the role curator; an approved one is written as theirs.
    - It is refused as the edit itself would be: an entity that was edited since, a name that another one bears.
    - The same again from the same principal is the one that waits already.
    """

    def __init__(self, unit_of_work: UnitOfWork, ids: Ids, intake: Intake | None = None) -> None:
        self._unit_of_work = unit_of_work
        self._ids = ids
        self._intake = intake

    async def __call__(self, access: Access, edit: EntityEdit) -> EntityEditProposed:
        """Raises NotFound, InvalidInput, Forbidden and Conflict; nothing is written then."""
        permit(access, Action.ASSERT)
        proposal_id = ProposalId(self._ids.new())
        async with self._unit_of_work(access) as tx:
            entity = await require_possible(tx, access, edit)
            await claims_of(tx, entity, edit)
            if self._intake is not None:
                words = (edit.name, *edit.aliases, edit.description, edit.reason)
                await self._intake.require_clean(tx, "the edit", *words)
            payload = edit_json(edit) | {"called": entity.name}
            for waiting in await tx.documents.waiting_proposals(ENTITY_EDIT, edit.entity_id):
                is_own = waiting.principal_id == access.principal.id
                if is_own and {**waiting.payload, "saw": 0} == payload | {"saw": 0}:
                    return EntityEditProposed(waiting.id, edit.entity_id, None)
            revision = await tx.journal.advance(
                Entry("propose_entity_edit", access.write_scope, {"entity_id": str(edit.entity_id)})
            )
            await tx.documents.add_proposal(proposal_id, ENTITY_EDIT, edit.entity_id, payload, revision)
        return EntityEditProposed(proposal_id, edit.entity_id, revision)
