"""Asking a judge whether values that hold together took each other's place. Its verdicts are proposals, never more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from application.knowledge.correct import Correction, Verdict
from application.knowledge.propose_correction import ProposeCorrection
from application.retrieval.contradictions import ContradictionReads, stored_predicates
from domain.errors import BudgetExhausted, Conflict, InvalidInput, ModelReplyInvalid, Unavailable
from domain.identity.access import Access
from domain.identity.ids import FactId, ProposalId, Revision
from domain.identity.permissions import Action, permit
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.predicate import Cardinality, Vocabulary
from domain.knowledge.replacement import (
    MOST_VALUES,
    HeldTogether,
    HeldValue,
    replacement,
    unjudged,
    worth_judging,
)
from domain.knowledge.time import OPEN_BOUND, TimeBound
from domain.ports.contradictions import TogetherCursor
from domain.ports.replacement_judge import Judgement, ReplacementJudge
from domain.ports.unit_of_work import UnitOfWork
from domain.retrieval.facts import StandingFact
from domain.retrieval.reading import ReadPoint

LOOKED_THROUGH = 500
"""Subjects with several values that one run looks through for some that are worth asking about."""
REASON = "a language model suggests that another value took its place"


@dataclass(frozen=True, slots=True)
class SuggestedEnd:
    """A proposal to end the older value where the newer one begins, with what both sources say.

    ``boundary`` is the newer value's stated start, else when it was first to be read.
    """

    proposal_id: ProposalId
    subject: str
    predicate: str
    older: HeldValue
    newer: HeldValue
    model: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Unused:
    """A verdict, or a reply, that gave no proposal, and why."""

    subject: str
    predicate: str
    why: str


@dataclass(frozen=True, slots=True)
class JudgeRun:
    """What a run proposed and what it could not use. ``asked`` questions were put; ``stopped`` says why it ended early.

    ``next`` is where the next run goes on; None when all was looked through.
    """

    suggested: tuple[SuggestedEnd, ...]
    unused: tuple[Unused, ...]
    asked: int
    stopped: str | None
    next: TogetherCursor | None


class JudgeReplacements:
    """Lets a language model look for values that were replaced, among those of predicates that take several.

    - Off unless a judge is configured; at most so many questions a run, charged and limited as every model call.
    - A verdict is a proposal to end the older value, which waits for a curator like any proposed correction. What a
      judge spoke of before is not proposed again, however it was decided.
    - A reply that cannot be used gives no proposal and says so. One that does not come ends the run.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        reads: ContradictionReads,
        propose: ProposeCorrection,
        judge: ReplacementJudge | None,
        most: int,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._reads = reads
        self._propose = propose
        self._judge = judge
        self._most = most

    async def __call__(
        self,
        access: Access,
        predicates: tuple[str, ...] = (),
        limit: int | None = None,
        after: TogetherCursor | None = None,
    ) -> JudgeRun:
        """Raises Conflict when no judge is configured, InvalidInput for a limit over the configured one, Forbidden."""
        permit(access, Action.DECIDE)
        if self._judge is None:
            raise Conflict("no judge is configured; set ASSAY_JUDGE__PROVIDER to language_model to let a model suggest")
        most = self._most if limit is None else limit
        if not 1 <= most <= self._most:
            raise InvalidInput(f"limit is 1 to {self._most} (ASSAY_JUDGE__MOST), not {most}", field="limit")
        async with self._unit_of_work(access) as tx:
            saw = (await tx.journal.head()).revision
            vocabulary = Vocabulary.of((*CORE_VOCABULARY, *await tx.predicates.policies()))
        questions, following = await self._questions(access, vocabulary, predicates, most, after)
        return await self._asked(self._judge, access, questions, saw, following)

    async def _questions(
        self,
        access: Access,
        vocabulary: Vocabulary,
        predicates: tuple[str, ...],
        most: int,
        after: TogetherCursor | None,
    ) -> tuple[list[HeldTogether], TogetherCursor | None]:
        one_valued = [p.name for p in vocabulary.policies.values() if p.cardinality is Cardinality.ONE]
        stored = await stored_predicates(self._reads, access, predicates)
        moment = self._reads.clock.now()
        rows = await self._reads.reader.together(access, moment, stored, one_valued, MOST_VALUES, after, LOOKED_THROUGH)
        found: list[HeldTogether] = []
        for at, row in enumerate(rows):
            facts = await self._reads.facts.load(access, list(row.standings), ReadPoint(as_of=moment))
            held = _held(facts, vocabulary)
            if held is None or not worth_judging(held):
                continue
            judged = await self._reads.reader.judged(access, [value.fact_id for value in held.values])
            if unjudged(held, judged):
                found.append(held)
            if len(found) == most:
                return found, row.cursor if at + 1 < len(rows) else None
        return found, rows[-1].cursor if len(rows) == LOOKED_THROUGH else None

    async def _asked(
        self,
        judge: ReplacementJudge,
        access: Access,
        questions: Sequence[HeldTogether],
        saw: Revision,
        following: TogetherCursor | None,
    ) -> JudgeRun:
        suggested, unused, asked, stopped = list[SuggestedEnd](), list[Unused](), 0, None
        for held in questions:
            asked += 1
            try:
                judgement = await judge.judge(held, organization_id=access.organization_id, group_id=access.write_scope)
            except ModelReplyInvalid as error:
                unused.append(Unused(held.subject, held.predicate, error.message))
                continue
            except (Unavailable, BudgetExhausted) as error:
                stopped = error.message
                break
            judged = {
                frozenset(pair)
                for pair in await self._reads.reader.judged(access, [value.fact_id for value in held.values])
            }
            for older, newer in judgement.replaced:
                done = await self._verdict(access, held, older, newer, judgement, saw, judged)
                if isinstance(done, SuggestedEnd):
                    suggested.append(done)
                else:
                    unused.append(done)
        return JudgeRun(tuple(suggested), tuple(unused), asked, stopped, following)

    async def _verdict(
        self,
        access: Access,
        held: HeldTogether,
        older: FactId,
        newer: FactId,
        judgement: Judgement,
        saw: Revision,
        judged: set[frozenset[FactId]],
    ) -> SuggestedEnd | Unused:
        pair = replacement(held, older, newer)
        if isinstance(pair, str):
            return Unused(held.subject, held.predicate, pair)
        if frozenset((older, newer)) in judged:
            return Unused(held.subject, held.predicate, "the same two values were judged before")
        before, after = pair
        correction = Correction(older, Verdict.DENY, saw, None, TimeBound.stated(after.begins), OPEN_BOUND, REASON)
        try:
            done = await self._propose(
                access, correction, {"newer": str(newer), "model": judgement.model, "prompt": judgement.prompt}
            )
        except Conflict as error:
            return Unused(held.subject, held.predicate, error.message)
        return SuggestedEnd(
            done.proposal_id, held.subject, held.predicate, before, after, judgement.model, judgement.prompt
        )


def _held(facts: Sequence[StandingFact], vocabulary: Vocabulary) -> HeldTogether | None:
    """The facts of one subject as values; None where fewer than two can be shown."""
    values = {
        fact.fact_id: HeldValue(
            fact.fact_id,
            fact.sentence,
            fact.holds_from,
            (fact.citation.published_at or fact.citation.observed_at) if fact.citation else fact.observed_at,
            fact.citation.assertion_id if fact.citation else None,
            (fact.citation.paragraph or fact.citation.excerpt) if fact.citation else None,
        )
        for fact in facts
        if fact.sentence is not None
    }
    if len(values) < 2:
        return None
    first = facts[0]
    return HeldTogether(first.subject.name, vocabulary.policy(first.predicate).words, tuple(values.values()))
