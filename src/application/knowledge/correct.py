"""A person's word on a fact: confirming it, denying it, or putting another object in its place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from application.ingestion.assertions import Origin, assertion_of
from application.ingestion.sources import own_source
from application.ingestion.streams import Stream, Streams
from application.knowledge.change import Change, ChangeWriter
from application.knowledge.commit import committed, follow_up
from application.knowledge.replacing_object import require_fitting
from application.knowledge.resolution import MentionKey
from application.knowledge.seen import require_seen, require_unchanged
from domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.ids import AssertionId, EntityId, FactId, Revision
from domain.identity.permissions import Action, permit
from domain.identity.principal import PrincipalKind
from domain.knowledge.assertion import (
    MAX_EXCERPT,
    AssertionState,
    Claim,
    ClaimKind,
    Mention,
    Polarity,
    StatementEvidence,
)
from domain.knowledge.naming import FIXED
from domain.knowledge.objects import EntityRef, Literal, TextValue
from domain.knowledge.time import OPEN_BOUND, TimeBound
from domain.ports.clock import Clock
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.key_store import KeyStore
from domain.ports.record import FactRow, NamedFact, StoredAssertion
from domain.ports.unit_of_work import Transaction, UnitOfWork
from domain.resolution.names import normal_name
from domain.standing.stretch import stretch_at


class Verdict(StrEnum):
    """What a person says of a fact."""

    CONFIRM = "confirm"
    DENY = "deny"
    REPLACE = "replace"


@dataclass(frozen=True, slots=True)
class Correction:
    """A verdict on a fact as it was seen at a revision.

    ``object`` is what holds instead, for ``REPLACE`` only. Bounds that are None are those of the stretch in which the
    fact holds now; an open one is said by ``OPEN_BOUND``.
    """

    fact_id: FactId
    verdict: Verdict
    saw: Revision
    object: Mention | Literal | None = None
    valid_from: TimeBound | None = None
    valid_to: TimeBound | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a correction did: the fact that holds now, None after a denial; the assertions that say so; the revision."""

    fact_id: FactId | None
    assertions: tuple[AssertionId, ...]
    standings_changed: int
    revision: Revision


class Correct:
    """Writes corrections: live assertions of a person that outrank what was observed before them.

    - Replacing an object denies the one and supports the other, over the same stretch, in one mutation.
    - A correction is taken back as any mutation or assertion is.
    - An agent cannot correct, whatever its role; it can propose.
    - A slot that changed after the revision that the person saw is a Conflict: the second of two people sees the first.
    """

    def __init__(
        self, unit_of_work: UnitOfWork, streams: Streams, writer: ChangeWriter, keys: KeyStore, clock: Clock, ids: Ids
    ) -> None:
        self._corrections = CorrectionWriter(unit_of_work, streams, writer, keys, clock, ids)

    async def __call__(self, access: Access, correction: Correction) -> Corrected:
        """Raises NotFound, InvalidInput, Forbidden, and Conflict when the slot changed since; nothing is changed."""
        require_corrector(access)
        return await self._corrections.write(access, [correction])


class CorrectionWriter:
    """Writes corrections of one slot as one mutation, for whoever has found that the access may."""

    def __init__(
        self, unit_of_work: UnitOfWork, streams: Streams, writer: ChangeWriter, keys: KeyStore, clock: Clock, ids: Ids
    ) -> None:
        self._unit_of_work = unit_of_work
        self._streams = streams
        self._writer = writer
        self._keys = keys
        self._clock = clock
        self._ids = ids

    async def write(
        self,
        access: Access,
        corrections: Sequence[Correction],
        *,
        kind: str = "correct",
        reason: str | None = None,
        beside: Callable[[Transaction], Awaitable[None]] | None = None,
    ) -> Corrected:
        """Write the corrections together, each as it was seen at its revision, under a mutation of the kind.

        ``beside`` is done in the same transaction, before the revision is taken. Raises NotFound, InvalidInput also for
        facts of several slots, and Conflict when the slot changed since; nothing is changed then.
        """
        for correction in corrections:
            require_sound(correction)
        async with self._unit_of_work(access) as tx:
            await require_seen(tx, max(each.saw for each in corrections))
            facts = await _one_slot(tx, access, corrections)
            for named, correction in zip(facts, corrections, strict=True):
                await require_fitting(tx, named.fact, correction.object)
        subject, now = facts[0].fact.subject_id, self._clock.now()
        for named, correction in zip(facts, corrections, strict=True):
            # One whose times cannot be is refused before anything is written.
            _claims(named, correction, now)
        stream = await self._streams.open(access, own_source(access), f"corrections of {subject}", "correction")

        async def work(tx: Transaction) -> Corrected:
            if beside is not None:
                await beside(tx)
            return await self._write(tx, access, stream, corrections, kind, reason)

        return await committed(self._unit_of_work, access, work)

    async def _write(
        self,
        tx: Transaction,
        access: Access,
        stream: Stream,
        corrections: Sequence[Correction],
        kind: str,
        reason: str | None,
    ) -> Corrected:
        key = await self._keys.organization_key(access.organization_id)
        facts = await _one_slot(tx, access, corrections)
        now = self._clock.now()
        additions: list[StoredAssertion] = []
        given: dict[MentionKey, EntityId] = {}
        for named, correction in zip(facts, corrections, strict=True):
            given |= _given(named, stream)
            for claim in _claims(named, correction, now):
                told = correction.reason or f"{correction.verdict.value}: {claim.subject.surface} {claim.predicate}"
                corrects = (correction.fact_id, correction.saw)
                additions.append(said_by_person(claim, told, corrects, stream, access, key, self._ids, now))
        prepared = await self._writer.prepare(tx, None, access, key, Change(additions, given))
        changed = await tx.record.slot_changed_at(facts[0].fact.slot_id)
        require_unchanged(changed, min(each.saw for each in corrections), "correction")
        revision = await tx.record.append(
            prepared.rows,
            Entry(
                kind,
                access.write_scope,
                _payload(corrections),
                reason=reason or corrections[0].reason,
                placed_under=prepared.head,
                changes_identity=prepared.changes_identity,
            ),
            follow_up(access.write_scope),
        )
        holding = [prepared.placed[each.id] for each in additions if each.claim.polarity is Polarity.SUPPORT]
        return Corrected(
            holding[-1] if holding else None,
            tuple(addition.id for addition in additions),
            len(prepared.rows.open_standings),
            revision,
        )


def said_by_person(
    claim: Claim,
    told: str,
    corrects: tuple[FactId | EntityId, Revision],
    stream: Stream,
    access: Access,
    key: bytes,
    ids: Ids,
    now: datetime,
) -> StoredAssertion:
    """The live assertion by which a person corrects a fact or an entity, as it was seen at a revision.

    ``told`` is its evidence. The same said again after it was taken back is a new one.
    """
    origin = Origin(
        source=stream.source,
        document_id=stream.document_id,
        version_id=stream.version_id,
        run_id=stream.run_id,
        state=AssertionState.LIVE,
        observed_at=now,
        published_at=None,
        independence=f"principal:{access.principal.id}",
    )
    evidence = StatementEvidence(stream.version_id, told[:MAX_EXCERPT])
    return assertion_of(claim, evidence, origin, access, key, ids, str(ids.new()), corrects)


def require_corrector(access: Access) -> None:
    """Raises Forbidden for an agent, and for who has not the role curator."""
    permit(access, Action.CORRECT)
    if access.principal.kind is PrincipalKind.AGENT:
        raise Forbidden("an agent cannot correct facts, whatever its role; propose the correction to a person")


def require_sound(correction: Correction) -> None:
    """Raises InvalidInput for an object where none is due, or none where one is."""
    if (correction.object is not None) is not (correction.verdict is Verdict.REPLACE):
        raise InvalidInput("give an object to replace with, and only then", field="object")


async def correctable(tx: Transaction, access: Access, fact_id: FactId) -> NamedFact:
    """The fact, of the access's write scope and not erased. Raises NotFound, InvalidInput and Conflict."""
    return _correctable(await tx.record.named_fact(fact_id), access, fact_id)


async def _one_slot(tx: Transaction, access: Access, corrections: Sequence[Correction]) -> list[NamedFact]:
    facts = [await correctable(tx, access, each.fact_id) for each in corrections]
    if len({each.fact.slot_id for each in facts}) != 1:
        raise InvalidInput("corrections that are written together are of facts of one slot", field="fact_id")
    return facts


def _payload(corrections: Sequence[Correction]) -> dict[str, object]:
    if len(corrections) == 1:
        only = corrections[0]
        return {"fact_id": str(only.fact_id), "verdict": only.verdict.value, "saw": only.saw}
    return {
        "facts": [str(each.fact_id) for each in corrections],
        "verdicts": [each.verdict.value for each in corrections],
        "saw": min(each.saw for each in corrections),
    }


def _correctable(found: NamedFact | None, access: Access, fact_id: FactId) -> NamedFact:
    if found is None:
        raise NotFound(f"no fact {fact_id} in your scopes")
    if found.fact.group_id != access.write_scope:
        raise InvalidInput(
            "the fact belongs to another scope than the one you write in; a correction stands beside what it corrects: "
            "name that scope",
            field="scope",
        )
    if found.fact.key is None:
        raise Conflict("the fact was erased; there is nothing to correct")
    return found


def _claims(named: NamedFact, correction: Correction, now: datetime) -> list[Claim]:
    """What the verdict says, in order: the denial before what holds instead."""
    start, end = stretch_at(named.holds, now) or (None, None)
    bounds = (
        correction.valid_from or (TimeBound.stated(start) if start else OPEN_BOUND),
        correction.valid_to or (TimeBound.stated(end) if end else OPEN_BOUND),
    )
    fact = named.fact
    own: Mention | Literal
    if isinstance(fact.object, EntityRef):
        own = Mention(named.object_name or str(fact.object.entity_id), named.object_kind)
    else:
        own = fact.object

    def claim(target: Mention | Literal, polarity: Polarity) -> Claim:
        subject = Mention(named.subject_name, named.subject_kind)
        return Claim(
            subject, fact.predicate, target, 1.0, polarity, ClaimKind.FACT, None, *bounds, qualifiers=fact.qualifiers
        )

    if correction.verdict is Verdict.CONFIRM:
        return [claim(own, Polarity.SUPPORT)]
    denial = claim(own, Polarity.REFUTE)
    return (
        [denial] if correction.object is None else [denial, claim(_said_of(fact, correction.object), Polarity.SUPPORT)]
    )


def _said_of(fact: FactRow, target: Mention | Literal) -> Mention | Literal:
    """What a thing is called, and its kind, are texts, also where they are given as a name."""
    return TextValue(target.surface) if fact.predicate in FIXED and isinstance(target, Mention) else target


def _given(named: NamedFact, stream: Stream) -> dict[MentionKey, EntityId]:
    """The ends of the corrected fact are pointed at, not named."""
    fact = named.fact
    ends = {(stream.version_id, normal_name(named.subject_name), named.subject_kind): fact.subject_id}
    if isinstance(fact.object, EntityRef) and named.object_name is not None:
        ends[(stream.version_id, normal_name(named.object_name), named.object_kind)] = fact.object.entity_id
    return ends
