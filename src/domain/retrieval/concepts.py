"""Concepts as a reader sees them, and how well they are grounded: read off one hop of assertions, never stored.

Grounding decides nothing: a concept that is contradicted stands as before, and so does the one that contradicts it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import fsum

from domain.errors import InvalidInput
from domain.identity.ids import EntityId, FactId, GroupId
from domain.knowledge.concept import ConceptKind
from domain.retrieval.closeness import Match
from domain.retrieval.facts import Citation, Named, StandingFact
from domain.retrieval.reading import FactFilter, ReadPoint
from domain.standing.grounding import CUTOFFS, Cutoffs, Grounding, grounded, masses

MAX_CONCEPTS = 50
"""Concepts of one answer."""
MAX_QUERY = 2_000
"""Characters of what is looked for."""


class Bearing(StrEnum):
    """What an assertion does for a concept."""

    STATED = "stated"
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True)
class ConceptSaying:
    """One independent source's word on a concept: that it is put forward, or what supports or contradicts it.

    ``weight`` is confidence × kind × trust. ``kind`` is set where it is stated, ``other`` where something else bears on
    it. ``in_force`` is false for what was stated of an earlier time only.
    """

    bearing: Bearing
    fact_id: FactId
    weight: float
    independence_key: str
    in_force: bool
    citation: Citation
    kind: ConceptKind | None = None
    other: Named | None = None


@dataclass(frozen=True, slots=True)
class ConceptRecord:
    """What the record has of one concept."""

    id: EntityId
    group_id: GroupId
    label: str
    names: tuple[str, ...]
    terms: tuple[str, ...]
    sayings: tuple[ConceptSaying, ...]


@dataclass(frozen=True, slots=True)
class KindCount:
    """A kind that a concept is said to be of, by how many independent sources and with what mass."""

    kind: ConceptKind
    sources: int
    mass: float
    fact_id: FactId


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept with its grounding.

    ``kinds`` go by mass, the first is the one it is shown as; there is none where it is only named by a relation.
    ``sources`` counts the independent ones that put it forward. The masses are over independent sources: of support
    those that put it forward or say that something supports it, of refutation those that say what contradicts it.
    ``quotes`` are the words of each source, the weightiest first. ``supported_by`` and ``contradicted_by`` name the
    other concepts.
    """

    id: EntityId
    group_id: GroupId
    label: str
    names: tuple[str, ...]
    terms: tuple[str, ...]
    kinds: tuple[KindCount, ...]
    sources: int
    support_mass: float
    refute_mass: float
    grounding: Grounding
    quotes: tuple[Citation, ...]
    supported_by: tuple[Named, ...]
    contradicted_by: tuple[Named, ...]

    @property
    def kind(self) -> ConceptKind | None:
        """The kind that it is shown as."""
        return self.kinds[0].kind if self.kinds else None


@dataclass(frozen=True, slots=True)
class ConceptLink:
    """A relation as it reads from the concept: its name in that direction, the other end, and the fact."""

    relation: str
    other: Named
    fact: StandingFact


@dataclass(frozen=True, slots=True)
class ConceptDetails:
    """A concept with its relations in both directions. ``truncated`` when there are more."""

    concept: Concept
    links: tuple[ConceptLink, ...]
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class FoundConcept:
    """A concept that was looked for, with its fused rank score.

    ``likeness`` is the cosine of its nearest label or term; None where it was found by words alone.
    """

    concept: Concept
    score: float
    likeness: float | None


@dataclass(frozen=True, slots=True)
class FoundConcepts:
    """Concepts, best first. ``match`` is none, and then there is nothing, when nothing close was found."""

    concepts: tuple[FoundConcept, ...]
    match: Match
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConceptsQuery:
    """What to look for; no ``kinds`` is any. One assertion that puts the concept forward must meet the filter."""

    text: str
    kinds: tuple[ConceptKind, ...] = ()
    point: ReadPoint = field(default_factory=ReadPoint)
    filter: FactFilter = field(default_factory=FactFilter)
    limit: int = 10

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise InvalidInput("there is nothing to look for; give a few words", field="q")
        if len(self.text) > MAX_QUERY:
            raise InvalidInput(f"at most {MAX_QUERY} characters, not {len(self.text)}", field="q")
        if not 1 <= self.limit <= MAX_CONCEPTS:
            raise InvalidInput(f"limit is 1 to {MAX_CONCEPTS}, not {self.limit}", field="limit")


def concept_of(record: ConceptRecord, cutoffs: Cutoffs = CUTOFFS) -> Concept:
    """The concept with its grounding, by ``standing.grounding``.

    - Each independent source counts once a side, by its weightiest word: copies and repetitions add nothing.
    - Only one hop counts, and only the relation's own sources: not how well the other concept is grounded.
    - What was put forward of an earlier time only is historical, with its masses of then.
    """
    stated = [s for s in record.sayings if s.bearing is Bearing.STATED]
    current = [s for s in stated if s.in_force]
    over = bool(stated) and not current
    quoted = sorted(stated if over else current, key=lambda s: (-s.weight, s.citation.assertion_id.bytes))
    supporting = [s for s in record.sayings if s.bearing is Bearing.SUPPORTS]
    contradicting = [s for s in record.sayings if s.bearing is Bearing.CONTRADICTS]
    support, refute = _mass([*quoted, *supporting]), _mass(contradicting)
    return Concept(
        id=record.id,
        group_id=record.group_id,
        label=record.label,
        names=record.names,
        terms=record.terms,
        kinds=_kinds(quoted),
        sources=len({s.independence_key for s in quoted}),
        support_mass=support,
        refute_mass=refute,
        grounding=grounded(support, refute, over=over, cutoffs=cutoffs),
        quotes=tuple(s.citation for s in quoted),
        supported_by=_others(supporting),
        contradicted_by=_others(contradicting),
    )


def _mass(sayings: Iterable[ConceptSaying]) -> float:
    return fsum(masses((s.independence_key, s.weight) for s in sayings).values())


def _kinds(quoted: Sequence[ConceptSaying]) -> tuple[KindCount, ...]:
    by_kind: dict[ConceptKind, list[ConceptSaying]] = defaultdict(list)
    for saying in quoted:
        if saying.kind is not None:
            by_kind[saying.kind].append(saying)
    counted = [
        KindCount(kind, len({s.independence_key for s in said}), _mass(said), said[0].fact_id)
        for kind, said in by_kind.items()
    ]
    return tuple(sorted(counted, key=lambda each: (-each.mass, each.kind)))


def _others(sayings: Iterable[ConceptSaying]) -> tuple[Named, ...]:
    found = {s.other.id: s.other for s in sayings if s.other is not None}
    return tuple(sorted(found.values(), key=lambda other: (other.name, other.id.bytes)))
