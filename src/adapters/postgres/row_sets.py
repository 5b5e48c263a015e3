"""The sets of one write as the parameters of ``write_rows``: one JSON array of objects a set, None for an empty one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from adapters.postgres.rows import bound_columns, evidence_columns
from domain.knowledge.assertion import Mention
from domain.knowledge.object_wire import to_wire
from domain.knowledge.objects import EntityRef, TypedObject
from domain.ports.record import (
    AliasRow,
    EntityRow,
    FactRow,
    MentionRow,
    PlacementRow,
    RowSet,
    StandingRow,
)

Row = TypeVar("Row")
Columns = dict[str, Any]

_encode = msgspec.json.Encoder().encode


def row_set_parameters(rows: RowSet) -> tuple[Any, ...]:
    """Entities, aliases, mentions, assertions, facts, closed and new placements, closed aliases, standings likewise.

    Binary columns are base64, as the function expects them.
    """
    return (
        _set(_entity, rows.entities),
        _set(_alias, rows.aliases),
        _set(_mention, rows.mentions),
        _set(_assertion, rows.assertions),
        _set(_fact, rows.facts),
        rows.close_placements or None,
        _set(_placement, rows.open_placements),
        rows.close_aliases_of or None,
        rows.close_standings or None,
        _set(_standing, rows.open_standings),
    )


def _set(columns: Callable[[Row], Columns], rows: Sequence[Row]) -> str | None:
    return _encode([columns(row) for row in rows]).decode() if rows else None


def _entity(e: EntityRow) -> Columns:
    return {"id": e.id, "kind": e.kind, "name": e.name, "normal": e.normal}


def _alias(a: AliasRow) -> Columns:
    columns: Columns = {"id": a.entity_id, "name": a.name, "normal": a.normal, "assertion": a.assertion_id}
    return columns | {"canonical": True} if a.canonical else columns


def _mention(m: MentionRow) -> Columns:
    return {
        "id": m.id, "version": m.version_id, "document": m.document_id, "surface": m.surface, "normal": m.normal,
        "kind": m.kind, "starts": m.start, "ends": m.end, "entity": m.entity_id, "rule": m.rule,
    }  # fmt: skip


def _assertion(row: tuple[Any, ...]) -> Columns:
    a, subject, object_mention = row
    claim = a.claim
    columns: Columns = {
        "id": a.id, "key": a.key, "document": a.document_id, "version": a.version_id, "run": a.run_id,
        "source": a.source_id, "predicate": claim.predicate, "subject": subject, "polarity": claim.polarity,
        "kind": claim.kind, "confidence": claim.confidence, "observed": a.observed_at,
        "independence": a.independence_key,
    }  # fmt: skip
    if isinstance(claim.object, Mention):
        columns["object"] = object_mention
    else:
        columns["literal"] = to_wire(claim.object)
    _bound(columns, "valid_from", bound_columns(claim.valid_from))
    _bound(columns, "valid_to", bound_columns(claim.valid_to))
    kind, version, chunk, start, end, pointer, excerpt = evidence_columns(a.evidence, a.version_id)
    columns |= {"evidence": kind, "read_version": version, "excerpt": excerpt}
    rare = {
        "chunk": chunk, "starts": start, "ends": end, "pointer": pointer, "asserter": claim.asserter,
        "published": a.published_at, "qualifiers": dict(claim.qualifiers) or None,
    }  # fmt: skip
    columns |= {name: value for name, value in rare.items() if value is not None}
    if a.corrects is not None:
        columns["corrects"], columns["saw"] = a.corrects
    return columns


def _bound(columns: Columns, name: str, parts: tuple[object, str | None, str]) -> None:
    value, precision, columns[f"{name}_state"] = parts
    if value is not None:
        columns[name], columns[f"{name}_precision"] = value, precision


def _object(columns: Columns, value: TypedObject) -> Columns:
    if isinstance(value, EntityRef):
        columns["object"] = value.entity_id
    return columns


def _fact(f: FactRow) -> Columns:
    columns: Columns = {
        "id": f.id, "key": f.key, "slot": f.slot_id, "subject": f.subject_id, "predicate": f.predicate,
        "object_key": f.object_key, "sentence": f.sentence,
    }  # fmt: skip
    if f.qualifiers:
        columns["qualifiers"] = dict(f.qualifiers)
    if not isinstance(f.object, EntityRef):
        columns["literal"] = to_wire(f.object)
    return _object(columns, f.object)


def _placement(p: PlacementRow) -> Columns:
    return {
        "grp": p.group_id, "assertion": p.assertion_id, "fact": p.fact_id, "state": p.state, "approved": p.approved,
    }  # fmt: skip


def _standing(s: StandingRow) -> Columns:
    f, g = s.fact, s.segment
    columns: Columns = {
        "grp": f.group_id, "id": s.id, "fact": f.id, "slot": f.slot_id, "subject": f.subject_id,
        "predicate": f.predicate, "object_key": f.object_key, "lifecycle": g.lifecycle, "support": g.support,
        "refute": g.refute, "confidence": g.confidence, "support_mass": g.support_mass, "refute_mass": g.refute_mass,
        "score": g.score, "reason": g.reason, "tier": g.tier, "verification": g.verification, "kind": g.kind,
        "corrected": g.corrected, "observed": g.observed_at, "hash": s.standing_hash,
    }  # fmt: skip
    if g.valid_from is not None:
        columns["valid_from"] = g.valid_from
    if g.valid_to is not None:
        columns["valid_to"] = g.valid_to
    return _object(columns, f.object)
