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

from domain.identity.ids import EntityId, FactId, OrganizationId, StandingId
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


def created_at(element_id: str) -> str:
    """When the UUIDv7 of a text was made, as ISO 8601; 1970 for any other id."""
    return _made(element_id[:15] + element_id[19])


@lru_cache(maxsize=4_096)
def _made(head: str) -> str:
    """Of the milliseconds, the version and the variant of an id as its text shows them."""
    milliseconds = int(head[:8] + head[9:13], 16)
    made = head[14] == "7" and head[15] in "89ab" and milliseconds < _YEAR_10000
    return _iso(1000 * milliseconds if made else 0)


@lru_cache(maxsize=4_096)
def _iso(microseconds: int) -> str:
    """Since 1970, as ISO 8601. Ids and segments of one write share their moments, mostly."""
    return (_EPOCH + timedelta(microseconds=microseconds)).isoformat()


def entity_row(entity: EntityElement) -> Row:
    """uuid, group_id, name, kind, created_at."""
    entity_id = str(entity.entity_id)
    return [entity_id, entity.group_id, entity.name, entity.kind, created_at(entity_id)]


def value_row(edge: EdgeElement) -> Row:
    """uuid, group_id, name, kind, created_at of a literal object: the fact's id and the edge's scope."""
    fact_id = str(edge.fact_id)
    return [fact_id, edge.group_id, edge.object_text, "literal", created_at(fact_id)]


def document_row(document: DocumentElement) -> Row:
    """uuid, group_id, name, created_at."""
    document_id = str(document.document_id)
    return [document_id, document.group_id, document.title, created_at(document_id)]


def mention_row(mention: MentionElement) -> Row:
    """uuids of the document and the entity, then uuid, group_id, created_at."""
    mention_id = uuid5(mention.document_id, str(mention.entity_id))
    document_id = str(mention.document_id)
    return [document_id, str(mention.entity_id), str(mention_id), mention.group_id, created_at(document_id)]


def edge_row(edge: EdgeElement) -> Row:
    """uuids of the two ends, then ``EDGE_PROPERTIES``."""
    standing, fact, group, subject, name, entity, _, text, start, end, state, confidence, *rest = edge.values()
    digest, revision = rest
    standing_id, fact_id, since, until = str(standing), str(fact), micros(start), micros(end)
    return [
        str(subject),
        fact_id if entity is None else str(entity),
        standing_id,
        fact_id,
        group,
        name,
        text,
        created_at(standing_id),
        None if since is None else _iso(since),
        None if until is None else _iso(until),
        since,
        until,
        str(state),
        round(confidence * 1_000_000),
        digest.hex(),
        revision,
    ]


def edge_of(row: Sequence[Any]) -> EdgeElement:
    """The element of a row of ``EDGE_COLUMNS``."""
    return EdgeElement(*_edge_values(row))


def _edge_values(row: Sequence[Any]) -> tuple[Any, ...]:
    """What an edge has. An object whose id is the fact's is a literal."""
    standing, fact, group, subject, name, end, end_name, text, since, until, state, millionths, digest, revision = row
    literal = end == fact
    return (
        id_of(standing),
        id_of(fact),
        group,
        id_of(subject),
        name,
        None if literal else id_of(end),
        end_name if literal else None,
        text,
        moment_of(since),
        moment_of(until),
        _LIFECYCLES[state],
        millionths / 1_000_000,
        bytes.fromhex(digest),
        revision,
    )


def outline_of(row: Sequence[Any]) -> EdgeElement:
    """The same, read further only when more than its ids is asked for."""
    end = None if row[OBJECT] == row[FACT] else EntityId(id_of(row[OBJECT]))
    return edge_outline(row, _edge_values, StandingId(id_of(row[STANDING])), EntityId(id_of(row[SUBJECT])), end)


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
