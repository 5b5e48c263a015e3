"""Suggestions to merge predicates as they wait: the payload of a proposal, and what is read out of it.

A payload names facts by their ids alone: their words are read when somebody looks, so that what was erased is not here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast
from uuid import UUID

from application.knowledge.decide_contradiction import VOCABULARY
from application.knowledge.moving import Effect
from domain.identity.access import Access
from domain.identity.ids import FactId, ProposalId
from domain.identity.permissions import Action, permit
from domain.knowledge.near_synonyms import Merge, NearSynonym
from domain.knowledge.policy_wire import policy_of
from domain.knowledge.predicate import PredicatePolicy
from domain.ports.unit_of_work import Transaction, UnitOfWork
from domain.ports.vocabulary import PredicatesCompared

LISTED = 200
"""Proposals that are looked through for one page."""


@dataclass(frozen=True, slots=True)
class SuggestedEffect:
    """What a dry run of the merge said when it was proposed: what was looked at, what moves, and which facts change."""

    facts: int
    assertions: int
    moved: int
    gained: int
    lost: int
    disputed: int
    settled: int

    @classmethod
    def of(cls, effect: Effect) -> SuggestedEffect:
        """The numbers of a dry run."""
        return cls(
            effect.facts, effect.assertions, effect.moved,
            len(effect.gained), len(effect.lost), len(effect.disputed), len(effect.settled),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExampleFact:
    """A fact that shows something; its sentence is None where the reader may not see it, or it was erased."""

    fact_id: FactId
    sentence: str | None = None


@dataclass(frozen=True, slots=True)
class MergeSuggestion:
    """That one predicate is another, or its reverse, with everything that says so and what speaks against it.

    ``name`` is how alike the words are, of which ``variant``, ``spelling`` and ``words`` are the parts; ``meaning`` is
    what the ``cosine`` is worth. ``shared`` of ``of`` facts of the rarer one have their ends under the other too.
    Of ``sampled`` ones, ``different`` have only other ends there at the same time. ``kinds_fit`` is None where kinds
    are not known. ``facts`` of the source would move; ``effect`` is None where they were too many to try.
    """

    proposal_id: ProposalId
    source: str
    target: str
    merge: Merge
    score: float
    name: float
    variant: bool
    spelling: float
    words: float
    meaning: float
    cosine: float | None
    shared: int
    of: int
    different: int
    sampled: int
    kinds_fit: bool | None
    opposites: tuple[str, ...]
    facts: int
    target_facts: int
    alike: tuple[ExampleFact, ...]
    apart: tuple[ExampleFact, ...]
    effect: SuggestedEffect | None
    policy: PredicatePolicy
    state: str = "pending"
    reason: str | None = None


def merge_json(near: NearSynonym, compared: PredicatesCompared, effect: SuggestedEffect | None) -> dict[str, object]:
    """What a proposal says of a merge; ``suggestion_of`` reads it."""
    factors = near.factors
    like = factors.likeness
    return {
        "source": near.source, "target": near.target, "merge": near.merge.value, "score": near.score,
        "name": round(like.value, 6), "variant": like.variant, "spelling": round(like.spelling, 6),
        "words": round(like.words, 6), "meaning": factors.meaning,
        "cosine": None if factors.cosine is None else round(factors.cosine, 6),
        "shared": factors.shared, "of": factors.of, "different": factors.different, "sampled": factors.sampled,
        "kinds_fit": factors.kinds_fit, "opposites": list(factors.opposites or ()),
        "facts": near.facts, "target_facts": near.target_facts,
        "alike": [str(each) for each in compared.alike], "apart": [str(each) for each in compared.apart],
        "effect": None if effect is None else {name: getattr(effect, name) for name in effect.__slots__},
    }  # fmt: skip


def suggestion_of(proposal_id: ProposalId, payload: Mapping[str, object]) -> MergeSuggestion:
    """The suggestion in a proposal's payload, without sentences."""
    said = dict(cast("Mapping[str, Any]", payload["suggestion"]))
    effect = said.pop("effect")
    return MergeSuggestion(
        proposal_id=proposal_id,
        merge=Merge(said.pop("merge")),
        opposites=tuple(said.pop("opposites")),
        alike=_facts(said.pop("alike")),
        apart=_facts(said.pop("apart")),
        effect=None if effect is None else SuggestedEffect(**effect),
        policy=policy_of(cast("Sequence[Mapping[str, Any]]", payload["policies"])[0]),
        **said,
    )


def _facts(ids: Sequence[str]) -> tuple[ExampleFact, ...]:
    return tuple(ExampleFact(FactId(UUID(each))) for each in ids)


async def merge_suggestions(
    unit_of_work: UnitOfWork, access: Access, state: str | None = "pending", limit: int = 50
) -> list[MergeSuggestion]:
    """The suggestions that wait, or were decided so, the likeliest first, with the sentences that the reader sees."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        rows = await tx.documents.proposals(state, VOCABULARY, None, LISTED)
        found = [
            replace(suggestion_of(row.id, row.payload), state=row.state, reason=row.reason)
            for row in rows
            if "suggestion" in row.payload
        ]
        return await with_sentences(tx, sorted(found, key=lambda each: (-each.score, each.source))[:limit])


async def with_sentences(tx: Transaction, found: Sequence[MergeSuggestion]) -> list[MergeSuggestion]:
    """The suggestions with their example facts in words."""
    ids = [example.fact_id for each in found for example in (*each.alike, *each.apart)]
    told = await tx.predicates.sentences(ids)

    def words(examples: tuple[ExampleFact, ...]) -> tuple[ExampleFact, ...]:
        return tuple(replace(each, sentence=told.get(each.fact_id)) for each in examples)

    return [replace(each, alike=words(each.alike), apart=words(each.apart)) for each in found]
