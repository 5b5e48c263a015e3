"""The graph in a dictionary: for tests and small runs, and the reference that the other engines are compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from domain.errors import NotFound
from domain.identity.ids import DocumentId, EntityId, OrganizationId, Revision, StandingId
from domain.retrieval.graph import (
    Batch,
    Direction,
    DocumentElement,
    EdgeElement,
    EdgeEndMissing,
    EntityElement,
    GraphCounts,
    GraphView,
    MentionElement,
    Neighbourhood,
    NeighbourhoodQuery,
    Path,
    PathQuery,
    Subgraph,
    SubgraphQuery,
    path_of,
    require_current,
    subgraph_of,
)
from domain.retrieval.traversal import Link, NeighbourhoodWalk, PathSearch
from domain.standing.digest import bucket, bucket_digests

_START = Revision(0)


@dataclass
class _Graph:
    """One generation. ``touching`` lists the edges at each entity, in either direction."""

    watermark: Revision = _START
    entities: dict[EntityId, EntityElement] = field(default_factory=dict)
    documents: dict[DocumentId, DocumentElement] = field(default_factory=dict)
    mentions: dict[tuple[DocumentId, EntityId], MentionElement] = field(default_factory=dict)
    edges: dict[StandingId, EdgeElement] = field(default_factory=dict)
    touching: dict[EntityId, set[StandingId]] = field(default_factory=dict)

    def put_edge(self, edge: EdgeElement) -> None:
        self.remove_edge(edge.standing_id)
        self.edges[edge.standing_id] = replace(edge, confidence=round(edge.confidence, 6))
        for entity_id in _ends(edge):
            self.touching.setdefault(entity_id, set()).add(edge.standing_id)

    def remove_edge(self, standing_id: StandingId) -> None:
        edge = self.edges.pop(standing_id, None)
        for entity_id in _ends(edge) if edge is not None else ():
            self.touching[entity_id].discard(standing_id)

    def remove_entity(self, entity_id: EntityId) -> None:
        for standing_id in tuple(self.touching.pop(entity_id, ())):
            edge = self.edges.pop(standing_id)
            for end in _ends(edge):
                self.touching.get(end, set()).discard(standing_id)
        self.entities.pop(entity_id, None)
        self.mentions = {key: value for key, value in self.mentions.items() if key[1] != entity_id}

    def remove_document(self, document_id: DocumentId) -> None:
        self.documents.pop(document_id, None)
        self.mentions = {key: value for key, value in self.mentions.items() if key[0] != document_id}


class InMemoryMemoryEngine:
    """A ``MemoryEngine`` without a server; what it holds ends with the process."""

    name = "inmemory"
    reads_history = False
    projected = True
    swaps_atomically = True

    def __init__(self) -> None:
        self._generations: dict[OrganizationId, dict[int, _Graph]] = {}
        self._live: dict[OrganizationId, int] = {}

    async def ping(self) -> None:
        """Always answers."""

    async def prepare(self, organization_id: OrganizationId, generation: int) -> None:
        """Make an empty generation, or keep the one there is."""
        self._generations.setdefault(organization_id, {}).setdefault(generation, _Graph())

    async def apply(self, organization_id: OrganizationId, generation: int, batch: Batch) -> None:
        """Change a prepared generation."""
        graph = self._prepared(organization_id, generation)
        for standing_id in batch.delete_edges:
            graph.remove_edge(standing_id)
        for mention in batch.delete_mentions:
            graph.mentions.pop(mention, None)
        for entity_id in batch.delete_entities:
            graph.remove_entity(entity_id)
        for document_id in batch.delete_documents:
            graph.remove_document(document_id)
        graph.entities.update({entity.entity_id: entity for entity in batch.upsert_entities})
        graph.documents.update({document.document_id: document for document in batch.upsert_documents})
        _require_known(graph, batch)
        graph.mentions.update({(m.document_id, m.entity_id): m for m in batch.upsert_mentions})
        for edge in batch.upsert_edges:
            graph.put_edge(edge)

    async def mark(self, organization_id: OrganizationId, generation: int, watermark: Revision) -> None:
        """Remember how far the generation has come."""
        self._prepared(organization_id, generation).watermark = watermark

    async def watermark(self, organization_id: OrganizationId, generation: int | None = None) -> Revision | None:
        """How far a generation has come; None when there is none."""
        number = self._live.get(organization_id) if generation is None else generation
        graph = self._generations.get(organization_id, {}).get(number or 0)
        return None if graph is None else graph.watermark

    async def neighbourhood(self, query: NeighbourhoodQuery) -> Neighbourhood:
        """The edges within some hops of the start entities."""
        graph, walk = self._read(query.view), NeighbourhoodWalk(query)
        while walk.frontier:
            walk.grow(_expand(graph, query.view, walk.frontier, query.direction, query.predicates))
        return walk.result()

    async def shortest_path(self, query: PathQuery) -> Path | None:
        """The shortest path between two entities."""
        graph, search = self._read(query.view), PathSearch(query)
        while search.frontier:
            found = _expand(graph, query.view, search.frontier, search.direction, query.predicates)
            search.grow(
                Link(edge.fact_id, edge.standing_id, edge.subject_id, edge.object_id)
                for edge in found
                if edge.object_id is not None
            )
        links = search.links()
        if links is None or not _readable(graph, query.view, query.source_id):
            return None
        return path_of(query, [graph.edges[link.standing_id] for link in links])

    async def subgraph(self, query: SubgraphQuery) -> Subgraph:
        """The edges between the entities."""
        graph, wanted = self._read(query.view), set(query.entity_ids)
        found = _expand(graph, query.view, tuple(wanted), Direction.OUT, None)
        return subgraph_of([edge for edge in found if edge.object_id in wanted])

    async def digest(self, organization_id: OrganizationId, generation: int | None = None) -> list[bytes]:
        """256 digests over the edges."""
        edges = self._graph(organization_id, generation).edges.values()
        return bucket_digests((edge.standing_id, edge.standing_hash) for edge in edges)

    async def elements_in_bucket(
        self, organization_id: OrganizationId, bucket_number: int, generation: int | None = None
    ) -> Sequence[tuple[StandingId, bytes]]:
        """The (id, hash) pairs of one bucket, by id."""
        edges = self._graph(organization_id, generation).edges.values()
        return sorted((e.standing_id, e.standing_hash) for e in edges if bucket(e.standing_id) == bucket_number)

    async def counts(self, organization_id: OrganizationId, generation: int | None = None) -> GraphCounts:
        """How many elements there are."""
        graph = self._graph(organization_id, generation)
        literals = {edge.fact_id for edge in graph.edges.values() if edge.object_id is None}
        sizes = (len(part) for part in (graph.entities, graph.documents, graph.mentions, graph.edges, literals))
        return GraphCounts(*sizes)

    async def live_generation(self, organization_id: OrganizationId) -> int | None:
        """The generation that reads see."""
        return self._live.get(organization_id)

    async def swap(self, organization_id: OrganizationId, generation: int) -> None:
        """Make the generation live and forget the others."""
        graph = self._prepared(organization_id, generation)
        self._generations[organization_id] = {generation: graph}
        self._live[organization_id] = generation

    async def drop(self, organization_id: OrganizationId) -> None:
        """Forget every generation."""
        self._generations.pop(organization_id, None)
        self._live.pop(organization_id, None)

    def _prepared(self, organization_id: OrganizationId, generation: int) -> _Graph:
        try:
            return self._generations[organization_id][generation]
        except KeyError:
            raise NotFound(f"generation {generation} of the {self.name} graph is not prepared") from None

    def _graph(self, organization_id: OrganizationId, generation: int | None) -> _Graph:
        number = self._live.get(organization_id) if generation is None else generation
        return self._generations.get(organization_id, {}).get(number or 0, _Graph())

    def _read(self, view: GraphView) -> _Graph:
        require_current(view, self.name)
        return self._graph(view.organization_id, None)


def _ends(edge: EdgeElement) -> tuple[EntityId, ...]:
    return (edge.subject_id,) if edge.object_id is None else (edge.subject_id, edge.object_id)


def _require_known(graph: _Graph, batch: Batch) -> None:
    for edge in batch.upsert_edges:
        for entity_id in _ends(edge):
            if entity_id not in graph.entities:
                raise EdgeEndMissing(f"the graph does not hold entity {entity_id} of standing {edge.standing_id}")
    for mention in batch.upsert_mentions:
        if mention.entity_id not in graph.entities or mention.document_id not in graph.documents:
            raise EdgeEndMissing(f"the graph does not hold both {mention.document_id} and {mention.entity_id}")


def _readable(graph: _Graph, view: GraphView, entity_id: EntityId) -> bool:
    entity = graph.entities.get(entity_id)
    return entity is not None and entity.group_id in view.scopes


def _expand(
    graph: _Graph,
    view: GraphView,
    frontier: Iterable[EntityId],
    direction: Direction,
    predicates: tuple[str, ...] | None,
) -> list[EdgeElement]:
    """The readable edges that leave the frontier in the direction, each once."""
    allowed = _allowed(graph, view, predicates)
    found: dict[StandingId, EdgeElement] = {}
    for entity_id in frontier:
        for standing_id in graph.touching.get(entity_id, ()):
            edge = graph.edges[standing_id]
            leaves = direction is not Direction.IN and edge.subject_id == entity_id
            enters = direction is not Direction.OUT and edge.object_id == entity_id
            if (leaves or enters) and allowed(edge):
                found[standing_id] = edge
    return list(found.values())


def _allowed(graph: _Graph, view: GraphView, predicates: tuple[str, ...] | None) -> Callable[[EdgeElement], bool]:
    def allows(edge: EdgeElement) -> bool:
        return (
            edge.group_id in view.scopes
            and edge.lifecycle in view.lifecycles
            and (predicates is None or edge.predicate in predicates)
            and edge.holds_at(view.as_of)
            and all(_readable(graph, view, entity_id) for entity_id in _ends(edge))
        )

    return allows
