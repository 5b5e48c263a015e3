"""Who stands where sides meet at one time: support against denial of a fact, and facts that are rivals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from domain.identity.ids import FactId
from domain.standing.extents import Extent
from domain.standing.grading import Grade, grade, outweighs
from domain.standing.rivalry import Rivalry, is_later
from domain.standing.testimony import Lifecycle, Testimony

SHOWN_RIVALS = 3
"""How many rivals a reason names."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a fact stands over a stretch of time, and why: a stable code with particulars.

    ``correction`` is the person's word that stands in it, if one does.
    """

    lifecycle: Lifecycle
    reason: str
    correction: Testimony | None = None


@dataclass(frozen=True)
class Party:
    """A fact over a stretch of time: who supports it (those that refine it too) and who denies it."""

    fact_id: FactId
    supports: tuple[Extent, ...]
    denials: tuple[Extent, ...]

    @cached_property
    def support(self) -> Grade:
        """The weight of the supporting side."""
        return grade(e.testimony for e in self.supports)

    @cached_property
    def denial(self) -> Grade:
        """The weight of the denying side."""
        return grade(e.testimony for e in self.denials)


def judge(parties: Sequence[Party], rivalry: Rivalry) -> dict[FactId, Verdict]:
    """How each party stands. Facts that are refuted or only denied are nobody's rivals."""
    verdicts = {party.fact_id: judge_truth(party, rivalry) for party in parties}
    standing = [
        party for party in parties if party.supports and verdicts[party.fact_id].lifecycle is not Lifecycle.REFUTED
    ]
    if rivalry.one_valued and len(standing) > 1:
        verdicts |= judge_rivals(standing, verdicts, rivalry)
    return verdicts


def judge_truth(party: Party, rivalry: Rivalry) -> Verdict:
    """Support against denial of one fact: a correction first, then the scores."""
    affirmed, denied = _latest(party.supports), _latest(party.denials)
    if affirmed is not None and denied is not None:
        if is_later(affirmed.testimony, denied.testimony):
            denied = None
        else:
            affirmed = None
    if denied is not None:
        return _against_denial(party, denied, rivalry)
    if not party.denials:
        if affirmed is None:
            return Verdict(Lifecycle.ACTIVE, "supported")
        return Verdict(Lifecycle.ACTIVE, "correction", affirmed.testimony)
    if not party.supports:
        return Verdict(Lifecycle.REFUTED, "denied")
    if affirmed is not None:
        if any(rivalry.challenges(e.testimony, affirmed.testimony) for e in party.denials):
            return Verdict(Lifecycle.DISPUTED, "denial_newer_than_correction", affirmed.testimony)
        return Verdict(Lifecycle.ACTIVE, "correction", affirmed.testimony)
    if outweighs(party.support, party.denial):
        return Verdict(Lifecycle.ACTIVE, "support_outweighs_denial")
    if outweighs(party.denial, party.support):
        return Verdict(Lifecycle.REFUTED, "denial_outweighs_support")
    return Verdict(Lifecycle.DISPUTED, "support_and_denial")


def _against_denial(party: Party, denied: Extent, rivalry: Rivalry) -> Verdict:
    news = [e for e in party.supports if rivalry.challenges(e.testimony, denied.testimony)]
    if not news:
        return Verdict(Lifecycle.REFUTED, "correction", denied.testimony)
    if rivalry.succeeds and any(e.start > denied.start for e in news):
        return Verdict(Lifecycle.ACTIVE, "succeeds_correction")
    return Verdict(Lifecycle.DISPUTED, "support_newer_than_correction", denied.testimony)


def judge_rivals(
    parties: Sequence[Party], verdicts: Mapping[FactId, Verdict], rivalry: Rivalry
) -> dict[FactId, Verdict]:
    """Facts that cannot hold together.

    First a standing correction takes out what it outranks. Of the rest, a winner must beat each of its rivals and
    supersedes them; whoever has a rival left is disputed. Returns the verdicts that change.
    """
    by_id = {party.fact_id: party for party in parties}
    rivals = {f: [p for p in parties if rivalry.are_rivals(f, p.fact_id)] for f in by_id}
    lost: dict[FactId, Verdict] = {}
    for fact_id, against in rivals.items():
        by = [p for p in against if _outranks(p, by_id[fact_id], verdicts, rivalry)]
        if by:
            lost[fact_id] = Verdict(Lifecycle.SUPERSEDED, _reason("correction", by))
    left = {f: [p for p in against if p.fact_id not in lost] for f, against in rivals.items() if f not in lost}
    winners = {f for f, against in left.items() if all(_beats(by_id[f], p, verdicts) for p in against)}
    for fact_id, against in left.items():
        by = [p for p in against if p.fact_id in winners]
        if by:
            lost[fact_id] = Verdict(Lifecycle.SUPERSEDED, _reason("outweighed", by))
    return lost | {f: _of_remaining(f, rivals[f], lost, verdicts) for f in left if f not in lost}


def _of_remaining(
    fact_id: FactId, against: Sequence[Party], lost: Mapping[FactId, Verdict], verdicts: Mapping[FactId, Verdict]
) -> Verdict:
    verdict = verdicts[fact_id]
    still = [p for p in against if p.fact_id not in lost]
    if still:
        return Verdict(Lifecycle.DISPUTED, _reason(_dispute(fact_id, still, verdicts), still), verdict.correction)
    if against and verdict.reason == "supported":
        return Verdict(Lifecycle.ACTIVE, _reason("outweighs", against))
    return verdict


def _outranks(a: Party, b: Party, verdicts: Mapping[FactId, Verdict], rivalry: Rivalry) -> bool:
    """Whether the correction of ``a`` takes out ``b``: nothing that supports ``b`` challenges it."""
    correction = verdicts[a.fact_id].correction
    if correction is None:
        return False
    return not any(rivalry.challenges(e.testimony, correction) for e in b.supports)


def _beats(a: Party, b: Party, verdicts: Mapping[FactId, Verdict]) -> bool:
    mine, other = verdicts[a.fact_id].correction, verdicts[b.fact_id].correction
    if mine is None and other is None:
        return outweighs(a.support, b.support)
    return mine is not None and other is not None and is_later(mine, other)


def _dispute(fact_id: FactId, against: Sequence[Party], verdicts: Mapping[FactId, Verdict]) -> str:
    if verdicts[fact_id].correction is not None:
        return "rival_newer_than_correction"
    if any(verdicts[p.fact_id].correction is not None for p in against):
        return "newer_than_correction"
    return "rivals"


def _latest(extents: Iterable[Extent]) -> Extent | None:
    latest: Extent | None = None
    for extent in extents:
        if extent.testimony.corrects is not None and (latest is None or is_later(extent.testimony, latest.testimony)):
            latest = extent
    return latest


def _reason(code: str, parties: Sequence[Party]) -> str:
    """The code, the first rivals by id, and how many there are."""
    ids = sorted(str(p.fact_id) for p in parties)
    more = f" of={len(ids)}" if len(ids) > SHOWN_RIVALS else ""
    return f"{code} rivals={','.join(ids[:SHOWN_RIVALS])}{more}"
