"""Our elements in graphiti's schema: what every node and edge stores, on every database.

Entities are ``Entity`` nodes, literal objects ``Entity:Value`` nodes whose uuid is the fact's, documents ``Episodic``
nodes; standings are ``RELATES_TO`` edges and mentions ``MENTIONS`` edges. Graphiti's own properties carry names and
texts; the rest are ours and read as attributes there. ``created_at`` is the time inside the UUIDv7.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, TypeVar
from uuid import UUID, uuid5

from domain.identity.ids import EntityId, FactId, GroupId, OrganizationId, Revision, StandingId
from domain.retrieval.graph import (
    Batch,
    DocumentElement,
    EdgeElement,
    EntityElement,
    GraphView,
    MentionElement,
    edge_outline,
    micros,
    moment_of,
)
from domain.retrieval.traversal import Link
from domain.standing.testimony import Lifecycle

BATCH_ROWS = 1_000
"""Rows that one statement writes."""

Row = list[Any]
Item = TypeVar("Item")

id_of = lru_cache(maxsize=65_536)(UUID)
"""The UUID of a text. Parsing them took half the time of a walk, and the same ones come again and again."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_YEAR_10000 = 253_402_300_800_000
"""In milliseconds since 1970: what lies behind it cannot be written as a date, nor be when an id was made."""
_LIFECYCLES = {lifecycle.value: lifecycle for lifecycle in Lifecycle}

EDGE_COLUMNS = (
    "e.uuid",
    "e.fact_id",
    "e.group_id",
    "startNode(e).uuid",
    "e.name",
    "endNode(e).uuid",
    "endNode(e).name",
    "e.fact",
    "e.valid_from_us",
    "e.valid_to_us",
    "e.lifecycle",
    "e.confidence_millionths",
    "e.standing_hash",
    "e.revision",
)
"""What ``edge_of`` reads, in its order."""

STANDING, FACT, SUBJECT, OBJECT = (
    EDGE_COLUMNS.index(column) for column in ("e.uuid", "e.fact_id", "startNode(e).uuid", "endNode(e).uuid")
)
"""Where the ids stand in such a row."""

LINK_COLUMNS = ("e.fact_id", "e.uuid", "startNode(e).uuid", "endNode(e).uuid")
"""What ``link_of`` reads, in its order."""

EDGE_PROPERTIES = (
    "uuid",
    "fact_id",
    "group_id",
    "name",
    "fact",
    "created_at",
    "valid_at",
    "invalid_at",
    "valid_from_us",
    "valid_to_us",
    "lifecycle",
    "confidence_millionths",
    "standing_hash",
    "revision",
)
"""What follows the uuids of the two ends in an ``edge_row``."""


def created_at(element_id: UUID) -> str:
    """When a UUIDv7 was made, as ISO 8601; 1970 for any other id."""
    milliseconds = element_id.int >> 80
    return _iso(1000 * milliseconds if element_id.version == 7 and milliseconds < _YEAR_10000 else 0)


@lru_cache(maxsize=4_096)
def _iso(microseconds: int) -> str:
    """Since 1970, as ISO 8601. Ids and segments of one write share their moments, mostly."""
    return (_EPOCH + timedelta(microseconds=microseconds)).isoformat()


def entity_row(entity: EntityElement) -> Row:
    """uuid, group_id, name, kind, created_at."""
    entity_id = entity.entity_id
    return [str(entity_id), entity.group_id, entity.name, entity.kind, created_at(entity_id)]


def value_row(edge: EdgeElement) -> Row:
    """uuid, group_id, name, kind, created_at of a literal object: the fact's id and the edge's scope."""
    return [str(edge.fact_id), edge.group_id, edge.object_text, "literal", created_at(edge.fact_id)]


def document_row(document: DocumentElement) -> Row:
    """uuid, group_id, name, created_at."""
    document_id = document.document_id
    return [str(document_id), document.group_id, document.title, created_at(document_id)]


def mention_row(mention: MentionElement) -> Row:
    """uuids of the document and the entity, then uuid, group_id, created_at."""
    mention_id = uuid5(mention.document_id, str(mention.entity_id))
    ends = [str(mention.document_id), str(mention.entity_id)]
    return [*ends, str(mention_id), mention.group_id, created_at(mention.document_id)]


def edge_row(edge: EdgeElement) -> Row:
    """uuids of the two ends, then ``EDGE_PROPERTIES``."""
    since, until = micros(edge.valid_from), micros(edge.valid_to)
    return [
        str(edge.subject_id),
        str(edge.fact_id if edge.object_id is None else edge.object_id),
        str(edge.standing_id),
        str(edge.fact_id),
        edge.group_id,
        edge.predicate,
        edge.fact_text,
        created_at(edge.standing_id),
        None if since is None else _iso(since),
        None if until is None else _iso(until),
        since,
        until,
        edge.lifecycle.value,
        round(edge.confidence * 1_000_000),
        edge.standing_hash.hex(),
        edge.revision,
    ]


def edge_of(row: Sequence[Any]) -> EdgeElement:
    """The element of a row of ``EDGE_COLUMNS``. An object whose id is the fact's is a literal."""
    standing, fact, group, subject, name, end, end_name, text, since, until, lifecycle, millionths, digest, rev = row
    literal = end == fact
    return EdgeElement(
        standing_id=StandingId(id_of(standing)),
        fact_id=FactId(id_of(fact)),
        group_id=GroupId(group),
        subject_id=EntityId(id_of(subject)),
        predicate=name,
        object_id=None if literal else EntityId(id_of(end)),
        object_text=end_name if literal else None,
        fact_text=text,
        valid_from=moment_of(since),
        valid_to=moment_of(until),
        lifecycle=_LIFECYCLES[lifecycle],
        confidence=millionths / 1_000_000,
        standing_hash=bytes.fromhex(digest),
        revision=Revision(rev),
    )


def outline_of(row: Sequence[Any]) -> EdgeElement:
    """The same, read further only when more than its ids is asked for."""
    end = None if row[OBJECT] == row[FACT] else EntityId(id_of(row[OBJECT]))
    return edge_outline(row, edge_of, StandingId(id_of(row[STANDING])), EntityId(id_of(row[SUBJECT])), end)


def link_of(row: Sequence[Any]) -> Link:
    """The link of a row of ``LINK_COLUMNS``."""
    fact, standing, subject, end = (id_of(value) for value in row)
    return Link(FactId(fact), StandingId(standing), EntityId(subject), EntityId(end))


def view_parameters(view: GraphView) -> dict[str, Any]:
    """The parameters by which every statement binds scopes, time and lifecycles."""
    return {
        "scopes": list(view.scopes),
        "at": micros(view.as_of),
        "lifecycles": [lifecycle.value for lifecycle in view.lifecycles],
    }


def texts(ids: Iterable[UUID]) -> list[str]:
    """Ids as the graph stores them."""
    return [str(element_id) for element_id in ids]


def portions(rows: Sequence[Item]) -> Iterable[Sequence[Item]]:
    """The rows in portions that one statement writes."""
    return (rows[start : start + BATCH_ROWS] for start in range(0, len(rows), BATCH_ROWS))


def latest_edges(batch: Batch) -> list[EdgeElement]:
    """The edges of the batch, the last of those with the same standing."""
    return list({edge.standing_id: edge for edge in batch.upsert_edges}.values())


def latest_mentions(batch: Batch) -> list[MentionElement]:
    """The mentions of the batch, the last of those of the same pair."""
    return list({(one.document_id, one.entity_id): one for one in batch.upsert_mentions}.values())


def graph_name(organization_id: OrganizationId) -> str:
    """The name of an organization's live graph: letters, digits and underscores only."""
    return f"org_{organization_id.hex}"
