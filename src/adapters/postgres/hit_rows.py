"""Rows of ``load_hits`` as domain values, and the parameters that every read shares."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from asyncpg import Record as Row

from adapters.postgres.rows import from_json, literal_of
from adapters.postgres.tenancy import scopes_text
from domain.identity.access import Access
from domain.identity.ids import OPEN, FactId, StandingId
from domain.knowledge.assertion import ClaimKind
from domain.knowledge.objects import Literal
from domain.retrieval.facts import Citation, Named, Outline, Rival, StandingFact, paragraph_around
from domain.retrieval.look_ahead import within
from domain.retrieval.reading import FactFilter, ReadPoint
from domain.standing.grounding import CUTOFFS, Cutoffs, grounded_segment
from domain.standing.stretch import Bounds, stretch_at
from domain.standing.testimony import Lifecycle, Verification

PRESENT = OPEN - 1
"""The revision that stands for now: every open row is current at it."""

UNTAINTED = 0
"""Among the tiers, which are 1 to 4, it asks for facts that are not tainted: see ``fact_meets``."""

_EARLIEST = datetime.min.replace(tzinfo=UTC)
_denial = msgspec.json.Decoder(Citation).decode
_LIFECYCLES = {item.value: item for item in Lifecycle}
_VERIFICATIONS = {item.value: item for item in Verification}
_KINDS = {item.value: item for item in ClaimKind}


def tenant(access: Access) -> tuple[object, str]:
    """Organization and scopes, narrowest first, as the functions take them."""
    return access.organization_id, scopes_text(access)


def known_at(point: ReadPoint) -> int:
    """The revision that is read."""
    return PRESENT if point.known_at is None else point.known_at


def as_of(point: ReadPoint, now: datetime | None = None) -> datetime | None:
    """The moment that is asked about; None is all of time."""
    return None if point.all_time else point.as_of or now or datetime.now(UTC)


def lifecycles(point: ReadPoint) -> list[str]:
    return [item.value for item in point.lifecycles]


def filter_columns(chosen: FactFilter) -> tuple[object, ...]:
    """kinds, asserter, tiers, collections, documents, sources; None asks nothing."""
    return (
        [kind.value for kind in chosen.kinds] or None,
        chosen.asserter,
        [*chosen.tiers, *([UNTAINTED] if chosen.untainted else ())] or None,
        list(chosen.collections) or None,
        list(chosen.documents) or None,
        list(chosen.sources) or None,
    )


def standing_facts(rows: Iterable[Row], point: ReadPoint, cutoffs: Cutoffs = CUTOFFS) -> list[StandingFact]:
    """Rows of ``load_hits`` as a read at the point may see them."""
    asked = point.moment(datetime.now(UTC))
    facts = [standing_fact(row, asked, cutoffs) for row in rows]
    return facts if point.horizon is None else [within(fact, point.horizon) for fact in facts]


def standing_fact(row: Row, asked: datetime, cutoffs: Cutoffs = CUTOFFS) -> StandingFact:
    """One row of ``load_hits``, grounded as of the asked moment."""
    lifecycle = _LIFECYCLES[row["lifecycle"]]
    stretch = _stretch(row) if row["stretch_starts"] else None
    ends = stretch[1] if stretch else row["valid_to"]
    return StandingFact(
        standing_id=row["standing_id"],
        fact_id=row["fact_id"],
        group_id=row["group_id"],
        sentence=row["sentence"],
        subject=Named(row["subject_id"], row["subject_name"] or "", row["subject_kind"]),
        predicate=row["predicate"],
        object=_object(row, row["object_name"] or ""),
        qualifiers=from_json(row["qualifiers"]) or {},
        valid_from=row["valid_from"],
        valid_to=row["valid_to"],
        lifecycle=lifecycle,
        support=row["support"],
        refute=row["refute"],
        confidence=row["confidence"],
        support_mass=row["support_mass"],
        refute_mass=row["refute_mass"],
        score=row["score"],
        reason=row["reason"],
        tier=row["tier"],
        verification=_VERIFICATIONS[row["verification"]],
        kind=_KINDS[row["kind"]],
        corrected=row["corrected"],
        observed_at=row["observed_at"],
        from_revision=row["from_rev"],
        citation=_citation(row) if row["assertion_id"] is not None else None,
        helpful=row["helpful"],
        unhelpful=row["unhelpful"],
        rivals=tuple(_rival(item) for item in json.loads(row["rivals"])) if row["rivals"] else (),
        stretch=stretch,
        tainted=row["tainted"],
        denial=_denial(row["denial"]) if row["denial"] is not None else None,
        grounding=grounded_segment(
            lifecycle, row["corrected"], row["support_mass"], row["refute_mass"], ends, asked, cutoffs
        ),
    )


def _stretch(row: Row) -> Bounds | None:
    own = (row["valid_from"], row["valid_to"])
    segments = [own, *zip(row["stretch_starts"], row["stretch_ends"], strict=True)]
    segments.sort(key=lambda bounds: bounds[0] or _EARLIEST)
    return stretch_at(segments, own[0] or _EARLIEST)


def outline(row: Row, answering: Container[str]) -> Outline:
    """One row of ``search_candidates`` that is named "fact"."""
    predicate = row["predicate"]
    known = predicate in answering
    return Outline(
        row["standing_id"],
        row["fact_id"],
        predicate,
        Named(row["subject_id"], "", row["subject_kind"]) if known else None,
        _object(row, "") if known else None,
        row["valid_from"],
        row["valid_to"],
        row["tier"],
        _VERIFICATIONS[row["verification"]],
        row["corrected"],
        row["confidence"],
        row["observed_at"],
        row["helpful"],
        row["unhelpful"],
    )


def _object(row: Row, name: str) -> Named | Literal | None:
    if row["object_id"] is not None:
        return Named(row["object_id"], name, row["object_kind"])
    return literal_of(row["object_literal"]) if row["object_literal"] is not None else None


def _citation(row: Row) -> Citation:
    excerpt, start, end = row["excerpt"], row["start_offset"], row["end_offset"]
    paragraph = excerpt
    if row["passage"] is not None and start is not None and end is not None:
        paragraph = paragraph_around(row["passage"], start - row["passage_start"], end - row["passage_start"])
    return Citation(
        assertion_id=row["assertion_id"],
        kind=_KINDS[row["assertion_kind"]],
        asserter=row["asserter"],
        excerpt=excerpt,
        start=start,
        end=end,
        pointer=row["pointer"],
        paragraph=paragraph,
        version_id=row["version_id"],
        document_id=row["document_id"],
        title=row["title"],
        uri=row["source_uri"],
        published_at=row["published_at"],
        observed_at=row["asserted_at"],
        source_id=row["source_id"],
        source_name=row["source_name"] or "",
        tier=row["source_tier"] or row["tier"],
    )


def _rival(item: dict[str, Any]) -> Rival:
    return Rival(
        fact_id=FactId(UUID(item["fact_id"])),
        standing_id=StandingId(UUID(item["standing_id"])),
        group_id=item["group_id"],
        sentence=item["sentence"],
        lifecycle=_LIFECYCLES[item["lifecycle"]],
        confidence=item["confidence"],
        support_mass=item["support_mass"],
        refute_mass=item["refute_mass"],
        tier=item["tier"],
        valid_from=_moment(item["valid_from"]),
        valid_to=_moment(item["valid_to"]),
        differs_by_scope=item["differs_by_scope"],
        source_name=item["source_name"],
        excerpt=item["excerpt"],
    )


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
