"""Why a fact stands as it does: who said what, how it was graded, and what changed it since."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from domain.identity.ids import (
    AssertionId,
    DocumentId,
    EntityId,
    FactId,
    GroupId,
    PrincipalId,
    Revision,
    RunId,
    SourceId,
    StandingId,
    VersionId,
)
from domain.knowledge.assertion import AssertionState, ClaimKind, Polarity
from domain.standing.testimony import Lifecycle, Verification


@dataclass(frozen=True, slots=True)
class StatedBound:
    """One end of the stated valid time."""

    value: datetime | None
    precision: str | None
    state: str


@dataclass(frozen=True, slots=True)
class CopyOf:
    """What an assertion's passage repeats: the original that its document declares (``uri``), or else a document that
    is alike by ``likeness``, 0 to 1. An erased document has no title."""

    document_id: DocumentId | None
    title: str | None
    likeness: float | None
    uri: str | None


@dataclass(frozen=True, slots=True)
class ExplainedAssertion:
    """One thing said, as it bears on the fact.

    ``weight`` is confidence × kind × trust, what it can score alone; ``authority`` the trust that was used. The state
    holds in ``[from_revision, to_revision)``; None is still. Those with one ``independence_key`` count once;
    ``copy_of`` says of what it is a copy, if it is one.
    """

    assertion_id: AssertionId
    state: AssertionState
    from_revision: Revision
    to_revision: Revision | None
    polarity: Polarity
    kind: ClaimKind
    confidence: float
    tier: int
    trust: float | None
    authority: float
    weight: float
    independence_key: str
    asserter: str | None
    predicate: str
    subject: str
    object: str | None
    object_literal: dict[str, Any] | None
    qualifiers: dict[str, str] | None
    valid_from: StatedBound
    valid_to: StatedBound
    observed_at: datetime
    published_at: datetime | None
    corrects_revision: Revision | None
    evidence_kind: str | None
    excerpt: str | None
    start: int | None
    end: int | None
    pointer: str | None
    version_id: VersionId
    document_id: DocumentId
    title: str | None
    uri: str | None
    source_id: SourceId
    source_name: str
    principal_id: PrincipalId
    principal_kind: str
    run_id: RunId
    extractor: str
    extractor_version: str
    model: str | None
    copy_of: CopyOf | None = None


@dataclass(frozen=True, slots=True)
class PlacedSaying:
    """One assertion in its present state, with the fact that it makes; no sentence once that is erased."""

    fact_id: FactId
    sentence: str | None
    assertion: ExplainedAssertion


@dataclass(frozen=True, slots=True)
class ExplainedSegment:
    """A segment as it was from a revision on, up to another or still."""

    standing_id: StandingId
    valid_from: datetime | None
    valid_to: datetime | None
    lifecycle: Lifecycle
    support: bool
    refute: bool
    confidence: float
    support_mass: float
    refute_mass: float
    score: float
    reason: str
    tier: int
    verification: Verification
    corrected: bool
    from_revision: Revision
    to_revision: Revision | None


@dataclass(frozen=True, slots=True)
class ExplainedMutation:
    """A write that touched the fact."""

    revision: Revision
    kind: str
    principal_id: PrincipalId
    principal_kind: str
    principal_name: str | None
    reason: str | None
    committed_at: datetime


@dataclass(frozen=True, slots=True)
class FactExplanation:
    """A fact with every assertion, every segment by revision, and every mutation that touched it, oldest first.

    ``asked_id`` differs from ``fact_id`` when the fact that was asked for was merged into this one. It is ``tainted``
    while only agents and sources of tier 4 speak for it.
    """

    asked_id: FactId
    fact_id: FactId
    group_id: GroupId
    sentence: str | None
    subject_id: EntityId
    predicate: str
    object_id: EntityId | None
    object_literal: dict[str, Any] | None
    segments: tuple[ExplainedSegment, ...]
    assertions: tuple[ExplainedAssertion, ...]
    mutations: tuple[ExplainedMutation, ...]
    tainted: bool
