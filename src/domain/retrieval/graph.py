"""The graph as traversal sees it: elements, batches that change it, questions to it and their answers.

The graph is a projection of the record. It holds one edge per current segment of a standing, and nothing that must
come back exactly but integers, strings and the standing's hash.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from domain.errors import Conflict, InvalidInput
from domain.identity.ids import DocumentId, EntityId, FactId, GroupId, OrganizationId, Revision, StandingId
from domain.knowledge.time import require_aware
from domain.standing.testimony import Lifecycle

MAX_HOPS = 3
MAX_PATH = 6
"""Edges of the longest path that is looked for."""
MAX_STARTS = 200
MAX_EDGES = 10_000
MAX_SUBGRAPH = 2_000
"""Entities whose induced subgraph can be asked for at once."""
MAX_VISITED = 50_000
"""Entities that one path search may touch."""

CURRENT: tuple[Lifecycle, ...] = (Lifecycle.ACTIVE, Lifecycle.DISPUTED)
"""What traversal follows unless told otherwise."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class EdgeEndMissing(Conflict):
    """A batch names an entity or a document that the graph does not hold; apply that first, then the batch again."""

    code = "edge_end_missing"


class Direction(StrEnum):
    """Which way an edge is followed: from subject to object, the other way, or both."""

    OUT = "out"
    IN = "in"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class EntityElement:
    """A canonical thing, in the scope that owns it."""

    entity_id: EntityId
    group_id: GroupId
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class DocumentElement:
    """A document that has been read."""

    document_id: DocumentId
    group_id: GroupId
    title: str


@dataclass(frozen=True, slots=True)
class MentionElement:
    """That a document names an entity. The pair is the identity."""

    document_id: DocumentId
    entity_id: EntityId
    group_id: GroupId


class _ReadLater:
    """Reads the fields that were left out, all of them at once, when the first of them is asked for."""

    __slots__ = ("_read", "_row")

    _read: Callable[[Any], tuple[Any, ...]]
    _row: Any

    if not TYPE_CHECKING:  # for mypy every field is there

        def __getattr__(self, name: str) -> Any:
            if name not in _EDGE_FIELDS:
                raise AttributeError(f"an edge has no {name!r}", name=name, obj=self)
            values = self._read(self._row)
            for field, value in zip(_EDGE_FIELDS, values, strict=True):
                object.__setattr__(self, field, value)
            return values[_EDGE_FIELDS.index(name)]


@dataclass(frozen=True, slots=True)
class EdgeElement(_ReadLater):
    """One current segment of a fact: subject, predicate and either an entity or the text of a literal.

    Valid time is half-open and ``None`` is unbounded. ``confidence`` is for display and comes back rounded to six
    decimals. ``standing_hash`` is the domain's digest of the segment.
    """

    standing_id: StandingId
    fact_id: FactId
    group_id: GroupId
    subject_id: EntityId
    predicate: str
    object_id: EntityId | None
    object_text: str | None
    fact_text: str
    valid_from: datetime | None
    valid_to: datetime | None
    lifecycle: Lifecycle
    confidence: float
    standing_hash: bytes
    revision: Revision

    def __post_init__(self) -> None:
        if (self.object_id is None) == (self.object_text is None):
            raise InvalidInput("an edge has either an entity or the text of a literal as its object", field="object")
        if self.valid_from is not None and self.valid_from.tzinfo is None:
            require_aware(self.valid_from, "valid_from")
        if self.valid_to is not None and self.valid_to.tzinfo is None:
            require_aware(self.valid_to, "valid_to")

    def values(self) -> tuple[Any, ...]:
        """Every field in order; of an outline without filling it in."""
        row = getattr(self, "_row", None)
        return tuple(getattr(self, name) for name in _EDGE_FIELDS) if row is None else self._read(row)

    def holds_at(self, at: datetime) -> bool:
        """Whether the moment lies in the segment."""
        return (self.valid_from is None or self.valid_from <= at) and (self.valid_to is None or at < self.valid_to)


_EDGE_FIELDS = tuple(field.name for field in fields(EdgeElement))
_SET_STANDING, _SET_SUBJECT, _SET_OBJECT, _SET_ROW, _SET_READ = (
    getattr(EdgeElement, name).__set__ for name in ("standing_id", "subject_id", "object_id", "_row", "_read")
)


def edge_outline(
    row: Any,
    read: Callable[[Any], tuple[Any, ...]],
    standing_id: StandingId,
    subject_id: EntityId,
    object_id: EntityId | None,
) -> EdgeElement:
    """An edge of which only the ids are known; ``read`` gives all values of its row when another field is wanted.

    A walk meets hundreds of edges of which nobody asks for more than their ids, since the facts come from the record;
    and a graph that follows the record wants their values only. The row is trusted: it comes from where the edge was
    stored.
    """
    edge = object.__new__(EdgeElement)
    _SET_STANDING(edge, standing_id)
    _SET_SUBJECT(edge, subject_id)
    _SET_OBJECT(edge, object_id)
    _SET_ROW(edge, row)
    _SET_READ(edge, read)
    return edge


@dataclass(frozen=True, slots=True)
class Batch:
    """A change of the graph: deletions first, then entities, documents, mentions and edges. The last of equals wins."""

    upsert_entities: tuple[EntityElement, ...] = ()
    upsert_documents: tuple[DocumentElement, ...] = ()
    upsert_mentions: tuple[MentionElement, ...] = ()
    upsert_edges: tuple[EdgeElement, ...] = ()
    delete_edges: tuple[StandingId, ...] = ()
    delete_entities: tuple[EntityId, ...] = ()
    delete_documents: tuple[DocumentId, ...] = ()
    delete_mentions: tuple[tuple[DocumentId, EntityId], ...] = ()


@dataclass(frozen=True, slots=True)
class GraphView:
    """What may be walked: the organization, the readable scopes, and the segments that hold.

    ``scopes`` bind the edge and both its ends. ``known_at`` asks for an earlier state of the record; only an engine
    with ``reads_history`` answers it.
    """

    organization_id: OrganizationId
    scopes: tuple[GroupId, ...]
    as_of: datetime
    lifecycles: tuple[Lifecycle, ...] = CURRENT
    known_at: Revision | None = None

    def __post_init__(self) -> None:
        require_aware(self.as_of, "as_of")


@dataclass(frozen=True, slots=True)
class NeighbourhoodQuery:
    """The edges within some hops of the entities. ``predicates`` None follows every predicate."""

    view: GraphView
    entity_ids: tuple[EntityId, ...]
    hops: int = 1
    direction: Direction = Direction.BOTH
    predicates: tuple[str, ...] | None = None
    limit: int = 1_000

    def __post_init__(self) -> None:
        _require_range(self.hops, 1, MAX_HOPS, "hops")
        _require_range(self.limit, 1, MAX_EDGES, "limit")
        _require_range(len(self.entity_ids), 1, MAX_STARTS, "entity_ids")


@dataclass(frozen=True, slots=True)
class PathQuery:
    """The shortest chain of edges between two entities. Literals are never stepping stones."""

    view: GraphView
    source_id: EntityId
    target_id: EntityId
    max_hops: int = MAX_PATH
    direction: Direction = Direction.BOTH
    predicates: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        _require_range(self.max_hops, 1, MAX_PATH, "max_hops")


@dataclass(frozen=True, slots=True)
class SubgraphQuery:
    """Every edge whose two ends are among the entities."""

    view: GraphView
    entity_ids: tuple[EntityId, ...]

    def __post_init__(self) -> None:
        _require_range(len(self.entity_ids), 0, MAX_SUBGRAPH, "entity_ids")


@dataclass(frozen=True, slots=True)
class HopEdge:
    """An edge and the hop at which a walk first meets it, from 1."""

    hop: int
    edge: EdgeElement


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Edges by (hop, fact id, standing id), cut at the limit; the entities at their ends, by id.

    The start entities are among them only where an edge touches them. ``truncated`` says that the limit was reached.
    """

    edges: tuple[HopEdge, ...] = ()
    entity_ids: tuple[EntityId, ...] = ()
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """Entities from the source to the target, and the edges between them: one fewer. No edge when they are the same."""

    entity_ids: tuple[EntityId, ...]
    edges: tuple[EdgeElement, ...]


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Edges by (fact id, standing id), and the entities at their ends, by id."""

    edges: tuple[EdgeElement, ...] = ()
    entity_ids: tuple[EntityId, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """How many elements one generation of a graph holds; ``literals`` are the objects that are not entities."""

    entities: int = 0
    documents: int = 0
    mentions: int = 0
    edges: int = 0
    literals: int = 0


def micros(moment: datetime | None) -> int | None:
    """UTC microseconds since 1970, exactly; None stays None."""
    return None if moment is None else (moment - _EPOCH) // _MICROSECOND


def moment_of(microseconds: int | None) -> datetime | None:
    """The inverse of ``micros``, in UTC."""
    return None if microseconds is None else _EPOCH + timedelta(microseconds=microseconds)


def edge_order(edge: EdgeElement) -> tuple[bytes, bytes]:
    """The order of edges in every answer: by fact id, then standing id."""
    return edge.fact_id.bytes, edge.standing_id.bytes


def subgraph_of(edges: list[EdgeElement]) -> Subgraph:
    """Edges between entities as an answer: each once, in order, with their ends."""
    once = sorted({edge.standing_id: edge for edge in edges}.values(), key=edge_order)
    return Subgraph(tuple(once), entity_ends(once))


def path_of(query: PathQuery, edges: Sequence[EdgeElement]) -> Path:
    """The chosen edges, in order from the source, as an answer."""
    entities = [query.source_id]
    for edge in edges:
        if edge.object_id is None:
            raise ValueError(f"standing {edge.standing_id} has a literal object and cannot lie on a path")
        entities.append(edge.object_id if edge.subject_id == entities[-1] else edge.subject_id)
    return Path(tuple(entities), tuple(edges))


def require_current(view: GraphView, engine: str) -> None:
    """Raises InvalidInput when the view asks an engine that only knows the present for an earlier state."""
    if view.known_at is not None:
        raise InvalidInput(
            f"the {engine} graph knows only the current state, not revision {view.known_at}; ask the postgres engine",
            field="known_at",
        )


def entity_ends(edges: list[EdgeElement]) -> tuple[EntityId, ...]:
    """The entities at the ends of the edges, each once, by id."""
    ends = {edge.subject_id for edge in edges} | {edge.object_id for edge in edges if edge.object_id is not None}
    return tuple(sorted(ends))


def _require_range(value: int, low: int, high: int, field: str) -> None:
    if not low <= value <= high:
        raise InvalidInput(f"{field} lies between {low} and {high}, not {value}", field=field)
