"""Which facts of one slot are rivals, and what gives way to a person's correction."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from domain.identity.ids import FactId
from domain.knowledge.assertion import Polarity
from domain.knowledge.objects import EntityRef, Relation, TypedObject, relation
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Succession
from domain.standing.testimony import Testimony

STRONG_TIER = 2
"""The weakest tier that a correction may yield to."""


def is_later(a: Testimony, b: Testimony) -> bool:
    """Whether ``a`` was observed after ``b``; corrections of one moment go by revision, then id."""
    return (a.observed_at, a.corrects or 0, a.assertion_id.int) > (b.observed_at, b.corrects or 0, b.assertion_id.int)


class Rivalry:
    """The relations among the facts of one slot, each worked out once."""

    def __init__(self, live: Iterable[Testimony], policy: PredicatePolicy) -> None:
        self._objects: dict[FactId, TypedObject] = {}
        self._first_seen: dict[tuple[FactId, Polarity], datetime] = {}
        self._known: dict[tuple[FactId, FactId], Relation] = {}
        self.one_valued = policy.cardinality is Cardinality.ONE
        self.by_observation = self.one_valued and policy.succession is Succession.BY_OBSERVATION
        self.succeeds = self.one_valued and policy.succession is not Succession.NEVER
        for testimony in live:
            self._objects[testimony.fact_id] = testimony.object
            side = testimony.fact_id, testimony.polarity
            seen = self._first_seen.get(side)
            if seen is None or testimony.observed_at < seen:
                self._first_seen[side] = testimony.observed_at

    def are_rivals(self, a: FactId, b: FactId) -> bool:
        """Whether the two cannot hold at one time. Never so under a many-valued predicate."""
        return self.one_valued and a != b and self._relation(a, b) is Relation.DIFFERENT

    def refines(self, a: FactId, b: FactId) -> bool:
        """Whether ``a`` says ``b`` more exactly, and so supports it. The facts of a many-valued one stand alone."""
        return self.one_valued and a != b and self._relation(a, b) is Relation.REFINES

    def repeats(self, said: Testimony, correction: Testimony) -> bool:
        """Whether ``said`` only says again what had been said before the correction.

        A stated start after the person spoke is news, and so is every new observation under succession by observation.
        """
        if self.by_observation:
            return False
        start = said.valid_from.value
        if start is not None and start > correction.observed_at:
            return False
        return self._first_seen[said.fact_id, said.polarity] <= correction.observed_at

    def challenges(self, said: Testimony, correction: Testimony) -> bool:
        """Whether a correction cannot simply outrank ``said``: a later correction, or later news of tier 1 or 2."""
        if said.corrects is not None:
            return is_later(said, correction)
        return (
            said.tier <= STRONG_TIER
            and said.observed_at > correction.observed_at
            and not self.repeats(said, correction)
        )

    def _relation(self, a: FactId, b: FactId) -> Relation:
        known = self._known.get((a, b))
        if known is None:
            left, right = self._objects[a], self._objects[b]
            if isinstance(left, EntityRef) and isinstance(right, EntityRef):
                known = Relation.SAME if left.entity_id == right.entity_id else Relation.DIFFERENT
            else:
                known = relation(left, right)
            self._known[a, b] = known
        return known
