"""What ``assess`` reads and what it gives: testimonies of one slot in, segments of its facts out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from domain.identity.ids import AssertionId, FactId, Revision
from domain.knowledge.assertion import AssertionState, ClaimKind, Polarity
from domain.knowledge.objects import TypedObject
from domain.knowledge.time import TimeBound


class Lifecycle(StrEnum):
    """How a segment stands. Expired and historical are read off the segments at the asked time."""

    PROPOSED = "proposed"
    ACTIVE = "active"
    DISPUTED = "disputed"
    SUPERSEDED = "superseded"
    REFUTED = "refuted"
    RETRACTED = "retracted"


class Verification(StrEnum):
    """How a segment was confirmed: by a person, by an automatic rule, or not yet."""

    HUMAN = "human"
    AUTO = "auto"
    PENDING = "pending"


@dataclass(frozen=True, slots=True)
class Testimony:
    """An assertion as the slot sees it: placed on a fact, with its source's present grade.

    ``tier`` is 1 to 4, ``trust`` 0 to 1 or None for the tier's authority. ``independence_key`` groups copies.
    ``corrects`` is set on a person's correction or decision: the revision that the person saw. ``approved`` says that
    a person's approval made it live.
    """

    assertion_id: AssertionId
    fact_id: FactId
    object: TypedObject
    state: AssertionState
    polarity: Polarity
    kind: ClaimKind
    confidence: float
    valid_from: TimeBound
    valid_to: TimeBound
    observed_at: datetime
    published_at: datetime | None
    tier: int
    trust: float | None
    independence_key: str
    corrects: Revision | None = None
    approved: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of valid time in which a fact stands one way. Half-open; ``None`` is unbounded.

    ``support`` and ``refute`` are the Belnap bits. Masses are sums over independent sources. ``score`` is the side's
    score against its rivals. ``tier`` is the best live source's, ``observed_at`` the latest live observation.
    ``reason`` is a stable code with its particulars, for ``explain``.
    """

    fact_id: FactId
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
    observed_at: datetime
    kind: ClaimKind
    corrected: bool = False
