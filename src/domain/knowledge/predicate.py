"""Predicates: one normal name, and the policy that says how its facts live together."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from domain.errors import InvalidInput, shown
from domain.knowledge.dated import WHEN

MAX_PREDICATE = 100
"""Characters of a predicate's normal name."""
MAX_READINGS = 20_000
"""How many stated predicates a vocabulary remembers the reading of."""

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEPARATOR = re.compile(r"[\W_]+")


class Cardinality(StrEnum):
    """How many objects can hold at one time. An unknown predicate is many-valued: ignorance never invalidates."""

    ONE = "one"
    MANY = "many"


class Succession(StrEnum):
    """What ends a value of a one-valued predicate whose end is unknown."""

    BY_START = "by_start"
    BY_OBSERVATION = "by_observation"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class PredicatePolicy:
    """How a predicate's facts live together.

    ``qualifiers`` are the names that are part of the slot (one value an environment). ``inverse`` names the
    canonical predicate that this one is the reverse of; facts are kept under the canonical one. ``time_to_live``
    ends a segment whose end is unknown. ``subject_kinds`` and ``object_kinds`` are empty where anything goes.
    ``minimum_tier`` refuses weaker sources (1 is the strongest, 4 the weakest). ``replaced_by`` is set on a
    deprecated name.
    """

    name: str
    cardinality: Cardinality = Cardinality.MANY
    qualifiers: tuple[str, ...] = ()
    succession: Succession = Succession.BY_START
    inverse_of: str | None = None
    symmetric: bool = False
    synonyms: tuple[str, ...] = ()
    time_to_live: timedelta | None = None
    subject_kinds: frozenset[str] = frozenset()
    object_kinds: frozenset[str] = frozenset()
    minimum_tier: int = 4
    replaced_by: str | None = None
    reviewed: bool = True
    phrase: str | None = None

    def __post_init__(self) -> None:
        if self.name != predicate_name(self.name):
            raise InvalidInput(
                f"predicate {shown(self.name)} is not in normal form; write {predicate_name(self.name)}", field="name"
            )
        if not 1 <= self.minimum_tier <= 4:
            raise InvalidInput(f"minimum_tier is 1 to 4, not {self.minimum_tier}", field="minimum_tier")
        if self.time_to_live is not None and self.time_to_live <= timedelta(0):
            raise InvalidInput(f"time_to_live is longer than nothing, not {self.time_to_live}", field="time_to_live")

    @property
    def words(self) -> str:
        """The predicate as a sentence says it: ``HEADQUARTERED_IN`` reads "headquartered in"."""
        return self.phrase or self.name.replace("_", " ").lower()


def predicate_name(stated: str) -> str:
    """UPPER_SNAKE: ``founded_by``, ``foundedBy`` and "founded by" are one. Raises InvalidInput when empty or long."""
    text = unicodedata.normalize("NFKC", stated).strip()
    name = _SEPARATOR.sub("_", _BOUNDARY.sub("_", text)).strip("_").upper()
    if not name:
        raise InvalidInput(f"a predicate needs letters or digits, not {shown(stated)}", field="predicate")
    if len(name) > MAX_PREDICATE:
        raise InvalidInput(
            f"a predicate has at most {MAX_PREDICATE} characters, not {len(name)}: {shown(stated)}", field="predicate"
        )
    return name


@dataclass(frozen=True, slots=True)
class Reading:
    """How a stated predicate is read: its own policy, the canonical one, and whether the direction turns.

    ``of_date`` is the policy that a date under it falls under: its own, but for a word that says what happened, which
    has a predicate of its own for when.
    """

    stated: PredicatePolicy
    canonical: PredicatePolicy
    inverted: bool
    of_date: PredicatePolicy


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The predicates of an organization at a revision: its own over the built-in core.

    ``policies`` is keyed by normal name, ``canonical`` maps every synonym and deprecated name to a policy's name.
    """

    policies: dict[str, PredicatePolicy]
    canonical: dict[str, str]
    _readings: dict[str, Reading] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, policies: tuple[PredicatePolicy, ...]) -> Vocabulary:
        """Index the policies; later ones win over earlier ones of the same name."""
        by_name = {policy.name: policy for policy in policies}
        canonical = {predicate_name(s): p.name for p in by_name.values() for s in p.synonyms}
        canonical |= {p.name: p.replaced_by for p in by_name.values() if p.replaced_by}
        return cls(by_name, {k: v for k, v in canonical.items() if k not in by_name or by_name[k].replaced_by})

    def policy(self, stated: str) -> PredicatePolicy:
        """The policy that a stated predicate falls under; an unreviewed, many-valued one when it is unknown."""
        return self.read(stated).stated

    def read(self, stated: str) -> Reading:
        """How a stated predicate is read. Kept for the next call: a load states few predicates many times.

        Raises InvalidInput when the predicate is empty or too long.
        """
        reading = self._readings.get(stated)
        if reading is None:
            if len(self._readings) >= MAX_READINGS:
                self._readings.clear()
            reading = self._readings[stated] = self._read(stated)
        return reading

    def _read(self, stated: str) -> Reading:
        policy = canonical = self._policy(predicate_name(stated))
        inverted = False
        seen = {policy.name}
        while canonical.inverse_of is not None:
            canonical = self._policy(canonical.inverse_of)
            if canonical.name in seen:
                raise InvalidInput(
                    f"predicate {policy.name} leads back to itself by its inverses; correct inverse_of",
                    field="inverse_of",
                )
            seen.add(canonical.name)
            inverted = not inverted
        return Reading(policy, canonical, inverted, self._of_date(policy))

    def _of_date(self, policy: PredicatePolicy) -> PredicatePolicy:
        """One that is one-valued, or whose kinds of objects name dates, was made for its dates and keeps them."""
        when = WHEN.get(policy.name)
        own = policy.cardinality is Cardinality.ONE or "date" in {kind.casefold() for kind in policy.object_kinds}
        return policy if own or when not in self.policies else self._policy(when)

    def _policy(self, name: str) -> PredicatePolicy:
        seen = {name}
        while (target := self.canonical.get(name)) is not None and target not in seen:
            name = target
            seen.add(name)
        return self.policies.get(name) or PredicatePolicy(name, reviewed=False)
