"""Changes of the record that a graph has to follow, made through the real write path."""

from __future__ import annotations

from application.knowledge.change import Change, ChangeWriter
from domain.identity.ids import Revision
from domain.knowledge.assertion import AssertionState, Claim, Mention
from domain.knowledge.objects import TextValue
from domain.ports.journal import Entry
from tests.services.world import World


def says(subject: str, predicate: str, target: str) -> Claim:
    """A claim about two entities."""
    return Claim(Mention(subject), predicate, Mention(target), 1.0)


def notes(subject: str, predicate: str, text: str) -> Claim:
    """A claim with a literal."""
    return Claim(Mention(subject), predicate, TextValue(text), 1.0)


async def set_source_state(world: World, source: str, state: AssertionState) -> Revision:
    """Give every assertion of a source another state: withdrawing it is how a source is retracted."""
    key = await world.keys.organization_key(world.access.organization_id)
    async with world.unit_of_work(world.access) as tx:
        found = await tx.documents.source(source)
        assert found is not None
        states = [s for s in AssertionState if s is not state]
        version = await tx.documents.latest_version(found.id, "stream")
        assert version is not None
        placed = await tx.record.placed_by_version(version.id, states)
        head = await tx.journal.head()
        change = Change(transitions=[(p, state) for p in placed])
        prepared = await ChangeWriter(world.append._ids).prepare(tx, head, world.access, key, change)
        revision = await tx.journal.advance(Entry("change_state", world.access.write_scope, {"source": source}))
        await tx.record.write(prepared.rows, revision)
    return revision


async def set_document_status(world: World, source: str, status: str) -> Revision:
    """Give a stream's only version another state."""
    async with world.unit_of_work(world.access) as tx:
        found = await tx.documents.source(source)
        assert found is not None
        version = await tx.documents.latest_version(found.id, "stream")
        assert version is not None
        revision = await tx.journal.advance(Entry("set_status", world.access.write_scope, {"status": status}))
        await tx.documents.set_status(version.id, status, None, revision)
    return revision
