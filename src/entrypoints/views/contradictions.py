"""Contradictions, as every entry point shows them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec

from domain.identity.scope_name import ScopeKind, kind_of
from domain.knowledge.assertion import ClaimKind, Polarity
from domain.retrieval.contradictions import Factor, FoundContradiction, Side
from domain.retrieval.facts import Named
from domain.standing.contradiction import ContradictionKind, Severity
from domain.standing.testimony import Lifecycle
from entrypoints.views.facts import FactView


class FactorView(msgspec.Struct):
    """One assertion with what it weighs: confidence × ``kind_weight`` × ``authority``.

    ``authority`` is the source's own trust, or that of its tier. A copy of a source that counts already does not
    count. ``set`` is first, second or both where two sets of documents are compared, and the scope where scopes are.
    """

    assertion_id: UUID
    counts: bool
    weight: float
    confidence: float
    kind: ClaimKind
    kind_weight: float
    authority: float
    tier: int
    trust: float | None
    set: str | None
    correction: bool
    asserter: str | None
    excerpt: str | None
    start: int | None
    end: int | None
    pointer: str | None
    version_id: UUID
    document_id: UUID
    title: str | None
    uri: str | None
    published_at: datetime | None
    observed_at: datetime
    source_id: UUID
    source_name: str

    @classmethod
    def of(cls, factor: Factor) -> FactorView:
        """As it is shown."""
        said = factor.saying
        return cls(
            said.assertion_id, factor.counts, factor.weight, said.confidence, said.kind, factor.kind_weight,
            factor.authority, said.tier, said.trust, factor.set, said.corrects_revision is not None, said.asserter,
            said.excerpt, said.start, said.end, said.pointer, said.version_id, said.document_id, said.title, said.uri,
            said.published_at, said.observed_at, said.source_id, said.source_name,
        )  # fmt: skip


class SideView(msgspec.Struct):
    """One side: its fact, whether it is said (support) or denied (refute), and how its score comes about.

    ``score`` is ``best_weight`` × ``bonus`` for ``sources`` independent sources; ``mass`` is the sum of the weights
    that count, ``confidence`` their noisy-or.
    """

    fact: FactView
    polarity: Polarity
    lifecycle: Lifecycle
    corrected: bool
    score: float
    best_weight: float
    bonus: float
    sources: int
    mass: float
    confidence: float
    factors: list[FactorView]

    @classmethod
    def of(cls, side: Side) -> SideView:
        """As it is shown."""
        return cls(
            FactView.of(side.fact), side.polarity, side.lifecycle, side.corrected, side.score, side.best_weight,
            side.bonus, side.sources, side.mass, side.confidence, [FactorView.of(each) for each in side.factors],
        )  # fmt: skip


class ContradictionView(msgspec.Struct):
    """Sides that cannot hold together over a stretch of valid time, the heaviest first.

    ``id`` is what a decision names: a slot's id for rivals, a fact's for one that is said and denied. ``open`` while it
    stands disputed, else ``winner`` is the fact that holds. ``between_scopes`` when another scope that the caller reads
    says something else again.
    """

    id: UUID
    kind: ContradictionKind
    scope: ScopeKind
    subject: Named
    predicate: str
    valid_from: datetime | None
    valid_to: datetime | None
    open: bool
    winner: UUID | None
    severity: Severity
    assertions: int
    between_scopes: bool
    sides: list[SideView]

    @classmethod
    def of(cls, found: FoundContradiction) -> ContradictionView:
        """As it is shown."""
        return cls(
            found.id, found.kind, kind_of(found.group_id), found.subject, found.predicate, found.valid_from,
            found.valid_to, found.open, found.winner, found.severity, found.assertions, found.between_scopes,
            [SideView.of(side) for side in found.sides],
        )  # fmt: skip


class ContradictionPage(msgspec.Struct):
    """Contradictions, the most severe first. ``total`` counts the slots and facts that are contested in all."""

    items: list[ContradictionView]
    total: int
    next: str | None = None
