"""A person's decision on what contradicts itself: one side, both in turn, both at once, or neither."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from application.identity.access import AccessResolver
from application.knowledge.correct import Correction, CorrectionWriter, Verdict, require_corrector
from application.knowledge.seen import require_seen, require_unchanged
from application.projection.tenant import root_of
from domain.errors import Conflict, InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.ids import AssertionId, FactId, ProposalId, Revision, SlotId
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.policy_wire import policy_json
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Vocabulary
from domain.knowledge.time import OPEN_BOUND, TimeBound, require_aware
from domain.ports.clock import Clock
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.record import SlotContents
from domain.ports.unit_of_work import Transaction, UnitOfWork
from domain.standing.contradiction import Contradiction, ContradictionKind, contradictions_in
from domain.standing.rivalry import Rivalry

VOCABULARY = "vocabulary"
"""The kind of a proposal to change predicates.

Its payload has ``policies``, each as ``policy_json`` writes it, names to ``remove``, and in ``before`` the policies
that it was made over.
"""


class Choice(StrEnum):
    """What a person finds: one side is right, each is in its turn, all are at once, or none is."""

    ONE = "one"
    IN_TURN = "in_turn"
    MANY = "many"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice on the contradiction of a slot, or of one fact, as it was seen at a revision.

    ``facts`` is the one that is right, or the two that follow each other with the ``boundary`` between them. ``at`` is
    a moment of the contradiction that is meant; None is now, or the only one there is.
    """

    id: UUID
    choice: Choice
    saw: Revision
    facts: tuple[FactId, ...] = ()
    boundary: datetime | None = None
    at: datetime | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ContradictionDecided:
    """The assertions that say so and how many standings they changed; or the proposal that waits instead."""

    choice: Choice
    assertions: tuple[AssertionId, ...]
    standings_changed: int
    proposal_id: ProposalId | None
    revision: Revision


@dataclass(frozen=True, slots=True)
class _Contested:
    """The slot as it stands, and the contradiction in it that is meant."""

    contents: SlotContents
    policy: PredicatePolicy
    found: Contradiction
    saw: Revision


class DecideContradiction:
    """Decides what stands disputed. Only a person with the role curator can; an agent cannot, whatever its role.

    - One: it is confirmed, and what cannot hold beside it denied, over the disputed stretch.
    - In turn: each of two is confirmed on its side of a boundary; one that is said and denied holds until it.
    - Many: the predicate takes several values; that changes nothing yet, and waits for an administrator.
    - Neither: every side is denied.
    - All of it is one mutation, which is undone as any is. A slot that changed after the revision that the person saw
      is a Conflict.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        corrections: CorrectionWriter,
        resolver: AccessResolver,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._corrections = corrections
        self._resolver = resolver
        self._clock = clock
        self._ids = ids

    async def __call__(self, access: Access, decision: Decision) -> ContradictionDecided:
        """Raises NotFound, InvalidInput, Forbidden, and Conflict when nothing is disputed or the slot changed since."""
        require_corrector(access)
        _require_complete(decision)
        async with self._unit_of_work(access) as tx:
            contested = await self._contested(tx, decision)
        if decision.choice is Choice.MANY:
            return await self._propose(access, decision, contested)
        corrections = _corrections(decision, contested)
        done = await self._corrections.write(access, corrections, kind="decide", reason=decision.reason)
        return ContradictionDecided(decision.choice, done.assertions, done.standings_changed, None, done.revision)

    async def _contested(self, tx: Transaction, decision: Decision) -> _Contested:
        slot_id = SlotId(decision.id)
        contents = await tx.record.slot_contents([slot_id])
        if not contents.facts:
            named = await tx.record.named_fact(FactId(decision.id))
            if named is None:
                raise NotFound(f"no contradiction {decision.id} in your scopes", field="id")
            contents = await tx.record.slot_contents([named.fact.slot_id])
        await require_seen(tx, decision.saw)
        fact = next(iter(contents.facts.values()))
        vocabulary = Vocabulary.of((*CORE_VOCABULARY, *await tx.predicates.policies()))
        policy = vocabulary.policy(fact.predicate)
        changed = await tx.record.slot_changed_at(fact.slot_id)
        require_unchanged(changed, decision.saw, "decision")
        testimonies = [t for said in contents.testimonies.values() for t in said]
        found = [
            each
            for each in contradictions_in(testimonies, policy)
            if decision.id not in contents.facts or decision.id in each.facts
        ]
        return _Contested(contents, policy, self._meant(found, decision), decision.saw)

    def _meant(self, found: Sequence[Contradiction], decision: Decision) -> Contradiction:
        if decision.at is not None:
            moment = require_aware(decision.at, "at")
            lasting = [each for each in found if each.lasts_at(moment)]
        else:
            now = self._clock.now()
            lasting = [each for each in found if each.lasts_at(now)] if len(found) > 1 else list(found)
        if len(lasting) == 1:
            return lasting[0]
        if not lasting and not found:
            raise Conflict(f"nothing about {decision.id} stands disputed now; list the contradictions again")
        told = "; ".join(_stretch(each) for each in found[:5])
        raise InvalidInput(
            f"{decision.id} is disputed over {told}; name a moment in one of them, or the fact that is meant",
            field="at",
        )

    async def _propose(self, access: Access, decision: Decision, contested: _Contested) -> ContradictionDecided:
        policy = contested.policy
        if policy.cardinality is Cardinality.MANY:
            raise InvalidInput(
                f"{policy.name} takes several values already; what is said and denied needs another choice",
                field="choice",
            )
        wanted = replace(policy, cardinality=Cardinality.MANY, reviewed=True)
        root = root_of(access)
        whole = replace(await self._resolver.for_organization(access.organization_id, root), principal=access.principal)
        proposal_id = ProposalId(self._ids.new())
        payload = {"policies": [policy_json(wanted)], "before": [policy_json(policy)], "because": decision.reason}
        async with self._unit_of_work(whole) as tx:
            revision = await tx.journal.advance(
                Entry("propose_vocabulary", root, {"predicates": [policy.name]}, reason=decision.reason)
            )
            await tx.documents.add_proposal(proposal_id, VOCABULARY, proposal_id, payload, revision)
        return ContradictionDecided(Choice.MANY, (), 0, proposal_id, revision)


def _require_complete(decision: Decision) -> None:
    named, wanted = len(set(decision.facts)), {Choice.ONE: (1,), Choice.IN_TURN: (1, 2)}.get(decision.choice, (0,))
    if named not in wanted or named != len(decision.facts):
        told = {Choice.ONE: "the one fact that is right", Choice.IN_TURN: "the two facts in their order"}
        raise InvalidInput(
            f"{decision.choice.value} takes {told.get(decision.choice, 'no fact')}, not {len(decision.facts)} of them",
            field="facts",
        )
    if (decision.boundary is not None) is not (decision.choice is Choice.IN_TURN):
        raise InvalidInput("give a boundary to tell two times apart, and only then", field="boundary")


def _corrections(decision: Decision, contested: _Contested) -> list[Correction]:
    found = contested.found
    for fact_id in decision.facts:
        if fact_id not in found.facts:
            raise InvalidInput(
                f"fact {fact_id} is no side of this contradiction; its sides are {', '.join(map(str, found.facts))}",
                field="facts",
            )
    start, end = found.valid_from, found.valid_to

    def say(fact_id: FactId, verdict: Verdict, since: datetime | None, until: datetime | None) -> Correction:
        return Correction(fact_id, verdict, contested.saw, None, _bound(since), _bound(until), decision.reason)

    if decision.choice is Choice.NEITHER:
        return [say(fact_id, Verdict.DENY, start, end) for fact_id in found.facts]
    testimonies = [t for said in contested.contents.testimonies.values() for t in said]
    rivalry = Rivalry(testimonies, contested.policy)
    denied = [
        say(other, Verdict.DENY, start, end)
        for other in found.facts
        if other not in decision.facts and any(rivalry.are_rivals(other, kept) for kept in decision.facts)
    ]
    if decision.choice is Choice.ONE:
        return [*denied, say(decision.facts[0], Verdict.CONFIRM, start, end)]
    boundary = _boundary(decision, found)
    first = say(decision.facts[0], Verdict.CONFIRM, start, boundary)
    if found.kind is ContradictionKind.DENIAL:
        return [first, say(decision.facts[0], Verdict.DENY, boundary, end)]
    if len(decision.facts) != 2:
        raise InvalidInput("name the two facts that follow each other, the earlier one first", field="facts")
    return [*denied, first, say(decision.facts[1], Verdict.CONFIRM, boundary, end)]


def _boundary(decision: Decision, found: Contradiction) -> datetime:
    assert decision.boundary is not None
    boundary = require_aware(decision.boundary, "boundary")
    if not found.lasts_at(boundary) or boundary == found.valid_from:
        raise InvalidInput(
            f"the boundary {boundary.isoformat()} does not lie within the dispute, {_stretch(found)}", field="boundary"
        )
    return boundary


def _bound(at: datetime | None) -> TimeBound:
    return OPEN_BOUND if at is None else TimeBound.stated(at)


def _stretch(found: Contradiction) -> str:
    start = found.valid_from.date().isoformat() if found.valid_from else "the beginning"
    return f"{start} to {found.valid_to.date().isoformat() if found.valid_to else 'now on'}"
