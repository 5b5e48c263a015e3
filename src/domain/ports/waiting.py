"""Assertions that wait for a person, and which of them are asked for."""

from __future__ import annotations

from dataclasses import dataclass

from domain.identity.ids import AssertionId, DocumentId, FactId


@dataclass(frozen=True, slots=True)
class WaitingFilter:
    """Which pending assertions; what is None does not filter. ``source`` is a name, ``predicate`` a normal name."""

    document_id: DocumentId | None = None
    source: str | None = None
    predicate: str | None = None
    below_confidence: float | None = None


@dataclass(frozen=True, slots=True)
class WaitingAssertion:
    """A pending assertion, as a person reviews it."""

    assertion_id: AssertionId
    fact_id: FactId
    sentence: str | None
    excerpt: str | None
    confidence: float
    document_id: DocumentId
    title: str | None
    source: str
    tier: int
