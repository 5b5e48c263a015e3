"""From extents to segments: cutting time where something changes, and joining what does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from domain.standing.conflict import Party, Verdict
from domain.standing.extents import EARLIEST, LATEST, Extent
from domain.standing.grading import grade
from domain.standing.testimony import Lifecycle, Segment, Testimony, Verification


def stretches(bounds: Iterable[Extent]) -> Iterator[tuple[datetime, datetime, list[Extent]]]:
    """Every stretch of time in which the same extents hold, in order; those in which none holds are left out."""
    waiting = sorted(bounds, key=lambda e: (e.start, e.testimony.assertion_id), reverse=True)
    points = sorted({point for e in waiting for point in (e.start, e.end)})
    present: list[Extent] = []
    for start, end in pairwise(points):
        present = [e for e in present if e.end > start]
        while waiting and waiting[-1].start <= start:
            present.append(waiting.pop())
        if present:
            yield start, end, present


def build(party: Party, verdict: Verdict, start: datetime, end: datetime) -> Segment:
    """The segment of a fact with live testimonies over one stretch."""
    refuted = verdict.lifecycle is Lifecycle.REFUTED
    side = party.denials if refuted or not party.supports else party.supports
    witnesses = [e.testimony for e in side]
    support, denial = party.support, party.denial
    by_person = any(t.corrects is not None or t.approved for t in witnesses)
    return Segment(
        fact_id=party.fact_id,
        valid_from=bound(start),
        valid_to=bound(end),
        lifecycle=verdict.lifecycle,
        support=bool(party.supports),
        refute=bool(party.denials),
        confidence=support.confidence,
        support_mass=support.mass,
        refute_mass=denial.mass,
        score=support.score,
        reason=verdict.reason,
        tier=min(t.tier for t in witnesses),
        verification=Verification.HUMAN if by_person else Verification.AUTO,
        observed_at=max(t.observed_at for t in witnesses),
        kind=denial.kind if side is party.denials else support.kind,
        corrected=_is_corrected(party, verdict),
    )


def build_idle(present: Sequence[Testimony], lifecycle: Lifecycle, start: datetime, end: datetime) -> Segment:
    """The segment of a fact with no live testimony: no truth, no masses, no score."""
    return Segment(
        fact_id=present[0].fact_id,
        valid_from=bound(start),
        valid_to=bound(end),
        lifecycle=lifecycle,
        support=False,
        refute=False,
        confidence=0.0,
        support_mass=0.0,
        refute_mass=0.0,
        score=0.0,
        reason="pending" if lifecycle is Lifecycle.PROPOSED else "withdrawn",
        tier=min(t.tier for t in present),
        verification=Verification.PENDING,
        observed_at=max(t.observed_at for t in present),
        kind=grade(present).kind,
    )


def joined(own: Sequence[Segment], bounds: Sequence[Extent]) -> list[Segment]:
    """One fact's segments in order, adjacent equal ones made one, and inferred outer bounds marked in the reason."""
    merged: list[Segment] = []
    for segment in own:
        last = merged[-1] if merged else None
        if last is not None and last.valid_to == segment.valid_from and segment.valid_from is not None:
            longer = replace(last, valid_to=segment.valid_to)
            if replace(segment, valid_from=last.valid_from) == longer:
                merged[-1] = longer
                continue
        merged.append(segment)
    begins = {s.valid_from for s in merged}
    ends = {s.valid_to for s in merged}
    return [_marked(s, bounds, s.valid_from not in ends, s.valid_to not in begins) for s in merged]


def bound(at: datetime) -> datetime | None:
    """The bound as a segment has it: None where it is unbounded."""
    return None if at in (EARLIEST, LATEST) else at


def _marked(segment: Segment, bounds: Sequence[Extent], is_first: bool, is_last: bool) -> Segment:
    marks = ""
    if is_first and segment.valid_from is not None:
        starts = [e.inferred for e in bounds if e.start == segment.valid_from]
        marks += " from=inferred" if all(starts) else ""
    if is_last and segment.valid_to is not None:
        ends = [e.ended_by for e in bounds if e.end == segment.valid_to]
        marks += f" until={min(map(str, ends))}" if None not in ends else ""
    return replace(segment, reason=segment.reason + marks) if marks else segment


def _is_corrected(party: Party, verdict: Verdict) -> bool:
    correction = verdict.correction
    return correction is not None and correction.fact_id == party.fact_id
