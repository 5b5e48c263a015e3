"""Reading one FalkorDB graph."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.graphiti.falkordb_driver import LimitedFalkorDriver
from adapters.graphiti.falkordb_statements import EDGES_AMONG, EDGES_BY_ID, READABLE_ENTITY, edges_at, links_at
from adapters.graphiti.schema import edge_of, link_of, texts, view_parameters
from domain.identity.ids import EntityId, StandingId
from domain.retrieval.graph import (
    Direction,
    EdgeElement,
    GraphView,
    NeighbourhoodQuery,
    PathQuery,
    Subgraph,
    SubgraphQuery,
    subgraph_of,
)
from domain.retrieval.traversal import Link


class FalkorDBGeneration:
    """A ``GenerationReader`` of the graph with this name; a name without a graph reads as empty."""

    def __init__(self, driver: LimitedFalkorDriver, graph: str) -> None:
        self._driver = driver
        self._graph = graph

    async def edges_at(self, query: NeighbourhoodQuery, frontier: Sequence[EntityId], limit: int) -> list[EdgeElement]:
        """The first edges at the frontier."""
        parameters = view_parameters(query.view) | {"ids": texts(frontier), "limit": limit}
        if query.predicates is not None:
            parameters["predicates"] = list(query.predicates)
        statement = edges_at(query.direction, query.predicates is not None)
        return [edge_of(row) for row in await self._driver.read(self._graph, statement, **parameters) or ()]

    async def links_at(self, query: PathQuery, frontier: Sequence[EntityId], direction: Direction) -> list[Link]:
        """The links at the frontier."""
        parameters = view_parameters(query.view) | {"ids": texts(frontier)}
        if query.predicates is not None:
            parameters["predicates"] = list(query.predicates)
        statement = links_at(direction, query.predicates is not None)
        return [link_of(row) for row in await self._driver.read(self._graph, statement, **parameters) or ()]

    async def edges_by_id(self, ids: Sequence[StandingId]) -> list[EdgeElement]:
        """The edges with these ids."""
        if not ids:
            return []
        return [edge_of(row) for row in await self._driver.read(self._graph, EDGES_BY_ID, ids=texts(ids)) or ()]

    async def is_readable(self, view: GraphView, entity_id: EntityId) -> bool:
        """Whether the entity is there for the view."""
        parameters = {"ids": [str(entity_id)], "scopes": list(view.scopes)}
        return bool(await self._driver.read(self._graph, READABLE_ENTITY, **parameters))

    async def subgraph(self, query: SubgraphQuery) -> Subgraph:
        """The edges between the entities."""
        parameters = view_parameters(query.view) | {"ids": texts(query.entity_ids)}
        return subgraph_of(
            [edge_of(row) for row in await self._driver.read(self._graph, EDGES_AMONG, **parameters) or ()]
        )
