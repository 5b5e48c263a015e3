"""What a fact is grounded on at a moment: its independent sources, and why some assertions count once together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime

from domain.identity.ids import AssertionId, DocumentId, SourceId
from domain.knowledge.assertion import AssertionState, Polarity
from domain.retrieval.explanation import CopyOf, ExplainedAssertion, ExplainedSegment, FactExplanation
from domain.retrieval.promotion import PromotedFrom
from domain.standing.grounding import UNGROUNDED, Cutoffs, Grounding, grounded_segment, source_diversity, sums
from domain.standing.stretch import stretch_at


@dataclass(frozen=True, slots=True)
class Voice:
    """One live assertion among those of an independent source.

    Only the weightiest ``counts``. ``why`` says, where it shares its independence with others, by what.
    """

    assertion_id: AssertionId
    document_id: DocumentId
    source_name: str
    weight: float
    counts: bool
    why: str | None


@dataclass(frozen=True, slots=True)
class IndependentSource:
    """Assertions that count once, together: by the best of them, whose weight is the ``mass``."""

    polarity: Polarity
    mass: float
    source_id: SourceId
    source_name: str
    voices: tuple[Voice, ...]


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a fact is grounded on, as of ``as_of``; None is now.

    The masses are those of its segment then. ``source_diversity`` is 1 − Σ p² over the named sources' shares of what
    supports it. ``sources`` are those of all live assertions of the fact, whenever they say that it holds; those that
    support it come first, then the weightier.
    """

    as_of: datetime | None
    grounding: Grounding
    support_mass: float
    refute_mass: float
    source_diversity: float
    sources: tuple[IndependentSource, ...]


@dataclass(frozen=True, slots=True)
class GroundedExplanation(FactExplanation):
    """Why a fact stands as it does, with what it is grounded on.

    ``promoted_from`` leads to the facts of narrower scopes that it repeats.
    """

    grounds: Grounds
    promoted_from: tuple[PromotedFrom, ...] = ()


def grounded_explanation(
    explained: FactExplanation, as_of: datetime | None, now: datetime, cutoffs: Cutoffs
) -> GroundedExplanation:
    """The explanation with the grounds as of a moment, by default now."""
    found = grounds_of(explained.segments, explained.assertions, as_of or now, cutoffs)
    parts = {each.name: getattr(explained, each.name) for each in fields(FactExplanation)}
    return GroundedExplanation(**parts, grounds=replace(found, as_of=as_of))


def grounds_of(
    segments: Sequence[ExplainedSegment], assertions: Sequence[ExplainedAssertion], asked: datetime, cutoffs: Cutoffs
) -> Grounds:
    """The grounds of a fact by its segments and assertions up to a revision, of which those still open count."""
    sources = _independent([a for a in assertions if a.to_revision is None and a.state is AssertionState.LIVE])
    supporting = [source for source in sources if source.polarity is Polarity.SUPPORT]
    diversity = source_diversity(sums((source.source_id, source.mass) for source in supporting))
    present = [s for s in segments if s.to_revision is None]
    segment = _segment_at(present, asked)
    if segment is None:
        return Grounds(asked, UNGROUNDED, 0.0, 0.0, diversity, sources)
    alike = [(s.valid_from, s.valid_to) for s in present if s.lifecycle is segment.lifecycle]
    stretch = stretch_at(alike, segment.valid_from or segment.valid_to or asked)
    ends = stretch[1] if stretch else segment.valid_to
    support, refute = segment.support_mass, segment.refute_mass
    grounding = grounded_segment(segment.lifecycle, segment.corrected, support, refute, ends, asked, cutoffs)
    return Grounds(asked, grounding, support, refute, diversity, sources)


def _segment_at(segments: Sequence[ExplainedSegment], asked: datetime) -> ExplainedSegment | None:
    """The one that holds at the moment, else the last that began before it, else the first."""
    ordered = sorted(segments, key=lambda s: (s.valid_from is not None, s.valid_from))
    begun = [s for s in ordered if s.valid_from is None or s.valid_from <= asked]
    return begun[-1] if begun else next(iter(ordered), None)


def _independent(live: Sequence[ExplainedAssertion]) -> tuple[IndependentSource, ...]:
    groups: dict[tuple[Polarity, str], list[ExplainedAssertion]] = {}
    for said in sorted(live, key=lambda a: (-a.weight, a.assertion_id)):
        groups.setdefault((said.polarity, said.independence_key), []).append(said)
    found = [
        IndependentSource(
            polarity,
            group[0].weight,
            group[0].source_id,
            group[0].source_name,
            tuple(
                Voice(a.assertion_id, a.document_id, a.source_name, a.weight, a is group[0], _why(a, group))
                for a in group
            ),
        )
        for (polarity, _), group in groups.items()
    ]
    return tuple(sorted(found, key=lambda s: (s.polarity is not Polarity.SUPPORT, -s.mass, s.voices[0].assertion_id)))


def _why(said: ExplainedAssertion, group: Sequence[ExplainedAssertion]) -> str | None:
    if said.copy_of is not None:
        return _copied(said.copy_of)
    others = [a for a in group if a is not said]
    if not others or said is group[0]:
        return None
    if said.independence_key.startswith("principal:"):
        return "said by the same agent or person"
    if said.independence_key.startswith("stream:"):
        return "a line of the same stream"
    if any(a.document_id == said.document_id for a in others):
        return "in the same document"
    copies = [a for a in others if a.copy_of is not None and a.copy_of.document_id == said.document_id]
    if copies and copies[0].copy_of is not None and copies[0].copy_of.likeness is not None:
        return f"near-duplicate of {_named(copies[0])}, {copies[0].copy_of.likeness:.2f}"
    declared = [a for a in others if a.copy_of is not None and a.copy_of.uri is not None]
    if declared:
        return f"the original that {_named(declared[0])} declares"
    return f"the same content or address as {_named(others[0])}"


def _copied(copy: CopyOf) -> str:
    if copy.uri is not None:
        return f"declared copy of {copy.uri}"
    likeness = "" if copy.likeness is None else f", {copy.likeness:.2f}"
    return f"near-duplicate of {copy.title or f'document {copy.document_id}'}{likeness}"


def _named(said: ExplainedAssertion) -> str:
    return said.title or said.uri or f"document {said.document_id}"
