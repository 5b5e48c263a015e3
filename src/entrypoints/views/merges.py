"""Suggestions to merge predicates, as every entry point shows them."""

from __future__ import annotations

from uuid import UUID

import msgspec

from application.knowledge.merge_suggestions import ExampleFact, MergeSuggestion, SuggestedEffect
from application.knowledge.suggest_merges import MergesSuggested
from domain.knowledge.near_synonyms import Merge
from domain.knowledge.predicate import PredicatePolicy
from domain.knowledge.predicate_forms import form_of, likeness
from entrypoints.views.vocabulary import Policy, PolicyView


class ExampleView(msgspec.Struct):
    """A fact that shows something; ``sentence`` is null where the reader may not see it, or it was erased."""

    fact_id: UUID
    sentence: str | None

    @classmethod
    def of(cls, fact: ExampleFact) -> ExampleView:
        """As it is shown."""
        return cls(fact.fact_id, fact.sentence)


class MergeView(msgspec.Struct, kw_only=True):
    """That ``source`` is ``target`` ("synonym"), or its reverse ("inverse"), with what says so and what speaks against.

    ``name`` is how alike the words are (``variant``: the same ones, inflected otherwise; ``spelling``; the share of
    common ``words``), ``meaning`` what the ``cosine`` of their vectors is worth. ``shared`` of ``of`` facts of the
    rarer predicate have their ends under the other too (``alike``); of ``sampled`` ones, ``different`` have only other
    ends there at the same time (``apart``). ``tenses_differ``: one name says what was and the other what is, and merged
    both read the same. ``kinds_fit`` is null where kinds are not known. ``facts`` of the source would move; ``effect``
    is what a dry run said, null where they were too many to try: post ``policy`` as one then. Approve or reject the
    proposal.
    """

    proposal_id: UUID
    state: str
    reason: str | None
    source: str
    target: str
    merge: Merge
    score: float
    name: float
    variant: bool
    spelling: float
    words: float
    tenses_differ: bool
    meaning: float
    cosine: float | None
    shared: int
    of: int
    different: int
    sampled: int
    kinds_fit: bool | None
    opposites: list[str]
    facts: int
    target_facts: int
    alike: list[ExampleView]
    apart: list[ExampleView]
    effect: SuggestedEffect | None
    policy: Policy

    @classmethod
    def of_suggestion(cls, found: MergeSuggestion) -> MergeView:
        """As it is shown."""
        return cls(
            proposal_id=found.proposal_id, state=found.state, reason=found.reason, source=found.source,
            target=found.target, merge=found.merge, score=found.score, name=found.name, variant=found.variant,
            spelling=found.spelling, words=found.words,
            tenses_differ=likeness(form_of(found.source), form_of(found.target)).tenses_differ,
            meaning=found.meaning, cosine=found.cosine,
            shared=found.shared, of=found.of, different=found.different, sampled=found.sampled,
            kinds_fit=found.kinds_fit, opposites=list(found.opposites), facts=found.facts,
            target_facts=found.target_facts, alike=[ExampleView.of(each) for each in found.alike],
            apart=[ExampleView.of(each) for each in found.apart], effect=found.effect, policy=_policy(found.policy),
        )  # fmt: skip


def _policy(policy: PredicatePolicy) -> Policy:
    shown = PolicyView.of(policy, own=False)
    return Policy(**{name: getattr(shown, name) for name in Policy.__struct_fields__})


class MergesView(msgspec.Struct):
    """What was proposed now; of the rest, how many wait already, and how many were decided and did not grow since.

    ``predicates`` were looked at. ``by_meaning`` is false when no model answered, so that words and facts counted
    alone. ``revision`` is null when nothing was new.
    """

    proposed: list[MergeView]
    waiting: int
    decided: int
    predicates: int
    by_meaning: bool
    revision: int | None

    @classmethod
    def of_run(cls, done: MergesSuggested) -> MergesView:
        """As it is shown."""
        found = [MergeView.of_suggestion(each) for each in done.proposed]
        return cls(found, done.waiting, done.decided, done.predicates, done.by_meaning, done.revision)
