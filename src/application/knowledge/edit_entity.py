"""A person's edit of an entity: what it is called, of what kind it is, its aliases and its description."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from application.ingestion.sources import own_source
from application.ingestion.streams import Stream, Streams
from application.knowledge.change import Change, ChangeWriter
from application.knowledge.commit import committed, follow_up
from application.knowledge.correct import require_corrector, said_by_person
from application.knowledge.entity_claims import claims_of, require_possible
from domain.identity.access import Access
from domain.identity.ids import AssertionId, EntityId, Revision
from domain.ports.clock import Clock
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.key_store import KeyStore
from domain.ports.unit_of_work import Transaction, UnitOfWork
from domain.resolution.entity_edit import EntityEdit
from domain.resolution.names import normal_name


@dataclass(frozen=True, slots=True)
class EntityEdited:
    """The entity as it is called now, the assertions that say so, how many standings changed, and the revision."""

    entity_id: EntityId
    name: str
    kind: str | None
    assertions: tuple[AssertionId, ...]
    standings_changed: int
    revision: Revision


class EditEntity:
    """Renames an entity, changes its kind, adds and takes back aliases, describes it: a person's word, as assertions.

    - It outranks what was observed before it, also when that is read again; former names go on leading to the entity.
    - It is one mutation, which is undone as any is; each of its facts can be denied or retracted by itself.
    - An entity that was edited after the revision that the person saw is a Conflict: the second of two people sees the
      first.
    - A name that another entity of the same kind bears is a Conflict that names it, unless both are meant to have it.
    - An agent cannot edit, whatever its role; it can propose.
    """

    def __init__(
        self, unit_of_work: UnitOfWork, streams: Streams, writer: ChangeWriter, keys: KeyStore, clock: Clock, ids: Ids
    ) -> None:
        self._unit_of_work = unit_of_work
        self._streams = streams
        self._writer = writer
        self._keys = keys
        self._clock = clock
        self._ids = ids

    async def __call__(
        self, access: Access, edit: EntityEdit, *, beside: Callable[[Transaction], Awaitable[None]] | None = None
    ) -> EntityEdited:
        """Raises NotFound, InvalidInput, Forbidden and Conflict; nothing is changed then.

        ``beside`` is done in the same transaction, before the revision is taken.
        """
        require_corrector(access)
        async with self._unit_of_work(access) as tx:
            await require_possible(tx, access, edit)
        stream = await self._streams.open(access, own_source(access), f"corrections of {edit.entity_id}", "correction")

        async def work(tx: Transaction) -> EntityEdited:
            if beside is not None:
                await beside(tx)
            return await self._write(tx, access, stream, edit)

        return await committed(self._unit_of_work, access, work)

    async def _write(self, tx: Transaction, access: Access, stream: Stream, edit: EntityEdit) -> EntityEdited:
        key = await self._keys.organization_key(access.organization_id)
        head = await tx.journal.head()
        await tx.entities.hold(edit.entity_id)
        entity = await require_possible(tx, access, edit)
        now = self._clock.now()
        told = await claims_of(tx, entity, edit)
        reason, corrects = edit.reason or f"edited: {', '.join(edit.changes)}", (edit.entity_id, edit.saw)
        additions = [said_by_person(each.claim, reason, corrects, stream, access, key, self._ids, now) for each in told]
        # What is edited is pointed at, not named.
        given = {
            (stream.version_id, normal_name(mention.surface), mention.kind): entity_id
            for each in told
            for mention, entity_id in each.means
        }
        prepared = await self._writer.prepare(tx, head, access, key, Change(additions, given))
        revision = await tx.record.append(
            prepared.rows,
            Entry(
                "edit_entity",
                access.write_scope,
                {"entity_id": str(edit.entity_id), "changes": list(edit.changes), "saw": edit.saw},
                reason=edit.reason,
                placed_under=head,
                changes_identity=True,
            ),
            follow_up(access.write_scope),
        )
        shown = await tx.entities.shown(edit.entity_id)
        assert shown is not None
        return EntityEdited(
            edit.entity_id,
            shown.name,
            shown.kind,
            tuple(addition.id for addition in additions),
            len(prepared.rows.open_standings),
            revision,
        )
