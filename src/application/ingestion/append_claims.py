"""Appending claims to a stream: the short way from typed input to facts, with no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from application.ingestion.assertions import Origin, assertion_of, waiting_in
from application.ingestion.streams import Stream
from application.knowledge.change import BATCH, Change, ChangeWriter, Prepared
from application.knowledge.commit import committed, follow_up
from domain.identity.access import Access
from domain.identity.ids import AssertionId, FactId, Revision
from domain.identity.principal import PrincipalKind
from domain.ingestion.gate import capped_confidence
from domain.knowledge.assertion import AssertionState, Claim, RecordEvidence, StatementEvidence
from domain.ports.clock import Clock
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.key_store import KeyStore
from domain.ports.record import StoredAssertion
from domain.ports.unit_of_work import Transaction, UnitOfWork


@dataclass(frozen=True, slots=True)
class StreamItem:
    """A claim, its literal text, where it stood (a pointer like "line 7", None for a statement) and a client's key.

    One that ``waits`` does so whatever the others of its batch do.
    """

    claim: Claim
    excerpt: str
    pointer: str | None = None
    key: str | None = None
    waits: bool = False


@dataclass(frozen=True, slots=True)
class NewItem:
    """A new assertion of a batch: which item of it, counted from 0, the fact that it makes and its own state."""

    place: int
    assertion_id: AssertionId
    fact_id: FactId
    state: AssertionState


@dataclass(frozen=True, slots=True)
class Appended:
    """What one batch did; ``revision`` is None when everything was there already.

    ``queued`` of the stored ones wait for a person: all of them, or those whose kinds do not fit their predicate.
    ``new`` are those that were stored, in the order of the items.
    """

    stored: int
    merged: int
    revision: Revision | None
    placed: dict[AssertionId, FactId]
    queued: int = 0
    new: tuple[NewItem, ...] = ()


class AppendClaims:
    """Writes batches of at most 1,000 claims, each in one transaction with a constant number of statements."""

    def __init__(self, unit_of_work: UnitOfWork, keys: KeyStore, writer: ChangeWriter, clock: Clock, ids: Ids) -> None:
        self._unit_of_work = unit_of_work
        self._keys = keys
        self._writer = writer
        self._clock = clock
        self._ids = ids

    async def __call__(
        self, access: Access, stream: Stream, items: Sequence[StreamItem], state: AssertionState, cap: float = 1.0
    ) -> Appended:
        """Append a batch. Items that the stream holds already are merged, and change nothing.

        Raises InvalidInput for more than a batch, and when an item cannot be placed.
        """
        assert len(items) <= BATCH
        key = await self._keys.organization_key(access.organization_id)
        own = access.principal.kind is not PrincipalKind.SYSTEM
        agent = access.principal.kind is PrincipalKind.AGENT
        origin = Origin(
            source=stream.source,
            document_id=stream.document_id,
            version_id=stream.version_id,
            run_id=stream.run_id,
            state=state,
            observed_at=self._clock.now(),
            published_at=None,
            independence=f"principal:{access.principal.id}" if agent and own else f"stream:{stream.document_id}",
            cap=capped_confidence(access.principal.kind, cap),
        )
        waiting = replace(origin, state=AssertionState.PENDING)
        additions = []
        for item in items:
            evidence = (
                StatementEvidence(stream.version_id, item.excerpt)
                if item.pointer is None
                else RecordEvidence(stream.version_id, item.pointer, item.excerpt)
            )
            # Where it stands in the stream is no part of what it is: the same line sent again is the same item.
            additions.append(
                assertion_of(
                    item.claim, evidence, waiting if item.waits else origin, access, key, self._ids, item.key or ""
                )
            )

        async def work(tx: Transaction) -> tuple[Prepared, Revision | None]:
            prepared = await self._writer.prepare(tx, None, access, key, Change(additions=additions))
            if prepared.rows.empty:
                return prepared, None
            revision = await tx.record.append(
                prepared.rows,
                Entry(
                    "append",
                    access.write_scope,
                    {"document_id": str(stream.document_id), "assertions": len(prepared.rows.assertions)},
                    placed_under=prepared.head,
                    changes_identity=prepared.changes_identity,
                ),
                follow_up(access.write_scope),
            )
            return prepared, revision

        prepared, revision = await committed(self._unit_of_work, access, work)
        stored, queued = len(prepared.rows.assertions), waiting_in(prepared.rows)
        new = _new_items(additions, prepared)
        return Appended(stored, prepared.merged, revision, prepared.placed, queued, new)


def _new_items(additions: Sequence[StoredAssertion], prepared: Prepared) -> tuple[NewItem, ...]:
    # An assertion that was held back is another one than was added, with the same id.
    states = {added.id: added.state for added, _, _ in prepared.rows.assertions}
    return tuple(
        NewItem(place, each.id, prepared.placed[each.id], states[each.id])
        for place, each in enumerate(additions)
        if each.id in states
    )
