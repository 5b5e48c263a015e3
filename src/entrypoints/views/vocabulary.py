"""Predicates and what a change of them does, as every entry point shows them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated
from uuid import UUID

import msgspec

from application.knowledge.change_vocabulary import VocabularyChanged
from application.knowledge.moving import ChangedFact
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Succession, predicate_name

SHOWN = 50
"""Facts of each sort that a change names; the counts are of all of them."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Names = Annotated[list[Name], msgspec.Meta(max_length=50)]


class Policy(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """How a predicate's facts live together. Names are in any spelling; what is left out is the default.

    ``qualifiers`` are part of the slot (one value an environment). ``inverse_of`` is the predicate that this one is the
    reverse of. ``time_to_live_seconds`` ends a value whose end nobody stated. ``minimum_tier`` lets weaker sources
    wait for a person. ``replaced_by`` deprecates the name.
    """

    name: Name
    cardinality: Cardinality = Cardinality.MANY
    qualifiers: Names = []
    succession: Succession = Succession.BY_START
    inverse_of: Name | None = None
    symmetric: bool = False
    synonyms: Names = []
    time_to_live_seconds: Annotated[int, msgspec.Meta(gt=0, le=3_155_760_000)] | None = None
    subject_kinds: Names = []
    object_kinds: Names = []
    minimum_tier: Annotated[int, msgspec.Meta(ge=1, le=4)] = 4
    replaced_by: Name | None = None
    phrase: Annotated[str, msgspec.Meta(min_length=1, max_length=100)] | None = None

    def policy(self) -> PredicatePolicy:
        """As the domain has it, reviewed. Raises InvalidInput."""
        return PredicatePolicy(
            name=predicate_name(self.name),
            cardinality=self.cardinality,
            qualifiers=tuple(self.qualifiers),
            succession=self.succession,
            inverse_of=predicate_name(self.inverse_of) if self.inverse_of else None,
            symmetric=self.symmetric,
            synonyms=tuple(predicate_name(synonym) for synonym in self.synonyms),
            time_to_live=timedelta(seconds=self.time_to_live_seconds) if self.time_to_live_seconds else None,
            subject_kinds=frozenset(self.subject_kinds),
            object_kinds=frozenset(self.object_kinds),
            minimum_tier=self.minimum_tier,
            replaced_by=predicate_name(self.replaced_by) if self.replaced_by else None,
            phrase=self.phrase,
        )


class PolicyView(Policy, kw_only=True):
    """A policy in force; ``own`` when the organization set it over the built-in vocabulary."""

    own: bool

    @classmethod
    def of(cls, policy: PredicatePolicy, own: bool) -> PolicyView:
        """A policy of the domain."""
        return cls(
            name=policy.name,
            cardinality=policy.cardinality,
            qualifiers=list(policy.qualifiers),
            succession=policy.succession,
            inverse_of=policy.inverse_of,
            symmetric=policy.symmetric,
            synonyms=list(policy.synonyms),
            time_to_live_seconds=int(policy.time_to_live.total_seconds()) if policy.time_to_live else None,
            subject_kinds=sorted(policy.subject_kinds),
            object_kinds=sorted(policy.object_kinds),
            minimum_tier=policy.minimum_tier,
            replaced_by=policy.replaced_by,
            phrase=policy.phrase,
            own=own,
        )


class FactShown(msgspec.Struct):
    """A fact that a change concerns."""

    fact_id: UUID
    predicate: str
    sentence: str | None


class VocabularyEffect(msgspec.Struct):
    """What a change of the vocabulary did, or would do: then ``revision`` is null.

    ``facts`` and ``assertions`` were placed anew, ``moved`` assertions make another fact. Of the facts that come to
    hold, that cease to, that become disputed and that no longer are, the first of each are shown.
    """

    revision: int | None
    facts: int
    assertions: int
    moved: int
    gained: int
    lost: int
    disputed: int
    settled: int
    gained_facts: list[FactShown]
    lost_facts: list[FactShown]
    disputed_facts: list[FactShown]
    settled_facts: list[FactShown]

    @classmethod
    def of(cls, changed: VocabularyChanged) -> VocabularyEffect:
        """What the use case returned."""
        effect = changed.effect
        return cls(
            revision=changed.revision,
            facts=effect.facts,
            assertions=effect.assertions,
            moved=effect.moved,
            gained=len(effect.gained),
            lost=len(effect.lost),
            disputed=len(effect.disputed),
            settled=len(effect.settled),
            gained_facts=_shown(effect.gained),
            lost_facts=_shown(effect.lost),
            disputed_facts=_shown(effect.disputed),
            settled_facts=_shown(effect.settled),
        )


def vocabulary_view(own: Sequence[PredicatePolicy]) -> list[PolicyView]:
    """Every policy in force, by name: the built-in ones with the organization's own over them."""
    named = {policy.name: policy for policy in own}
    policies = {policy.name: policy for policy in CORE_VOCABULARY} | named
    return [PolicyView.of(policies[name], name in named) for name in sorted(policies)]


def _shown(facts: Sequence[ChangedFact]) -> list[FactShown]:
    return [FactShown(fact.fact_id, fact.predicate, fact.sentence) for fact in facts[:SHOWN]]
