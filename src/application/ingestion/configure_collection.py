"""Setting how a collection is chunked and which entities it declares."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from application.ingestion.intake import Intake, stated_in
from application.ingestion.sources import CollectionSettings, ensure_collection
from domain.errors import InvalidInput, shown
from domain.identity.access import Access
from domain.identity.permissions import Action, permit
from domain.ingestion.sensitive import policy_of
from domain.ports.documents import CollectionRow
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork

MAX_ENTITIES = 10_000


class ConfigureCollection:
    """Replaces a collection's settings and declared entities (name to kind); makes the collection when it is new.

    - Documents that were read before keep what was made of them until they are reprocessed.
    - What a collection does with secrets and personal data is for administrators, as a scope's own policy is.
    """

    def __init__(self, unit_of_work: UnitOfWork, ids: Ids, intake: Intake | None = None) -> None:
        self._unit_of_work = unit_of_work
        self._ids = ids
        self._intake = intake

    async def __call__(
        self, access: Access, name: str, settings: Mapping[str, object], entities: Mapping[str, str]
    ) -> CollectionRow:
        """Raises Forbidden below the role curator, or admin where treatments change, and InvalidInput for sizes out of
        range, a name that is no name, or words that hold what may not be kept."""
        permit(access, Action.CONFIGURE)
        if len(entities) > MAX_ENTITIES:
            raise InvalidInput(f"a collection declares at most {MAX_ENTITIES} entities", field="entities")
        for entity, kind in entities.items():
            if not 1 <= len(entity.strip()) <= 500 or not 1 <= len(kind.strip()) <= 100:
                raise InvalidInput(f"{shown(entity)}: {shown(kind)} is no entity with its kind", field="entities")
        async with self._unit_of_work(access) as tx:
            if self._intake is not None:
                words = (name, json.dumps(settings, ensure_ascii=False), *entities, *entities.values())
                await self._intake.require_clean(tx, "the collection", *words)
            before = await ensure_collection(tx, access, name, self._ids)
            found = replace(before, settings=settings, entities=entities)
            CollectionSettings.of(found)
            policy_of(stated_in(settings))
            if stated_in(settings) != stated_in(before.settings):
                permit(access, Action.SCREEN)
            await tx.documents.configure_collection(found.id, settings, entities)
            await tx.journal.advance(
                Entry("configure_collection", access.write_scope, {"collection_id": str(found.id)})
            )
        return found
