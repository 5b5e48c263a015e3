"""From claims to assertions: whose they are, how far they are trusted, and what makes a repeated one the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from application.knowledge.change import item_key
from domain.identity.access import Access
from domain.identity.ids import AssertionId, DocumentId, EntityId, FactId, Revision, RunId, VersionId
from domain.knowledge.assertion import (
    AssertionState,
    Claim,
    Evidence,
    Mention,
    RecordEvidence,
    SpanEvidence,
)
from domain.knowledge.objects import normal_form
from domain.knowledge.predicate import predicate_name
from domain.knowledge.time import UNKNOWN_BOUND, TimeBound
from domain.ports.documents import SourceRow
from domain.ports.ids import Ids
from domain.ports.record import RowSet, StoredAssertion
from domain.resolution.names import normal_name

_predicate = lru_cache(maxsize=4096)(predicate_name)


@dataclass(frozen=True, slots=True)
class Origin:
    """What all assertions of one submission share. Times are aware; ``independence`` groups copies."""

    source: SourceRow
    document_id: DocumentId
    version_id: VersionId
    run_id: RunId
    state: AssertionState
    observed_at: datetime
    published_at: datetime | None
    independence: str
    cap: float = 1.0


def assertion_of(
    claim: Claim,
    evidence: Evidence,
    origin: Origin,
    access: Access,
    key: bytes,
    ids: Ids,
    client_key: str | None = None,
    corrects: tuple[FactId | EntityId, Revision] | None = None,
) -> StoredAssertion:
    """An assertion for a claim of a submission. Its key ties it to the document and to what it says where.

    ``corrects`` names the fact or entity that a person corrects by it, and the revision that the person saw.
    """
    confidence = min(claim.confidence, origin.cap)
    kept = claim if confidence == claim.confidence else replace(claim, confidence=confidence)
    return StoredAssertion(
        id=AssertionId(ids.new()),
        key=item_key(key, *_identity(claim, evidence, client_key)),
        claim=kept,
        evidence=evidence,
        state=origin.state,
        document_id=origin.document_id,
        version_id=origin.version_id,
        run_id=origin.run_id,
        source_id=origin.source.id,
        tier=origin.source.tier,
        trust=origin.source.trust,
        observed_at=claim.observed_at or origin.observed_at,
        published_at=origin.published_at,
        independence_key=origin.independence,
        corrects=corrects,
    )


def waiting_in(rows: RowSet) -> int:
    """How many of the new assertions wait for a person."""
    return sum(added.state is AssertionState.PENDING for added, _, _ in rows.assertions)


def _identity(claim: Claim, evidence: Evidence, client_key: str | None) -> tuple[str, ...]:
    target = claim.object
    said = (
        normal_name(claim.subject.surface),
        claim.subject.kind or "",
        _predicate(claim.predicate),
        "=" + normal_name(target.surface) if isinstance(target, Mention) else normal_form(target),
        (target.kind or "") if isinstance(target, Mention) else "",
        claim.polarity.value,
        claim.kind.value,
        claim.asserter or "",
        _bound(claim.valid_from),
        _bound(claim.valid_to),
        claim.observed_at.isoformat() if claim.observed_at else "",
        *(part for pair in sorted(claim.qualifiers.items()) for part in pair),
    )
    match evidence:
        case SpanEvidence(version_id=version, start=start, end=end):
            where: tuple[str, ...] = (str(version), f"{start}:{end}")
        case RecordEvidence(version_id=version, pointer=pointer):
            where = (str(version), pointer)
        case _:
            where = ()
    return (*(where if client_key is None else (client_key,)), *said)


def _bound(bound: TimeBound) -> str:
    if bound is UNKNOWN_BOUND:
        return _UNKNOWN
    return f"{bound.state.value} {bound.value.isoformat() if bound.value else ''}"


_UNKNOWN = f"{UNKNOWN_BOUND.state.value} "
