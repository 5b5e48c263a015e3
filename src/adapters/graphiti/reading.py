"""Reading one generation of one organization's graph: the same Cypher on every database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from adapters.graphiti.schema import EDGE_COLUMNS, LINK_COLUMNS, edge_of, link_of, texts, view_parameters
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

Read = Callable[[str, Mapping[str, Any]], Awaitable[Sequence[Sequence[Any]]]]
"""Runs a reading statement with its parameters and gives its rows."""

_ARROWS = {Direction.OUT: ("-", "->"), Direction.IN: ("<-", "-"), Direction.BOTH: ("-", "-")}
_ALLOWED = """{m}.group_id IN $scopes AND {e}.group_id IN $scopes AND {e}.lifecycle IN $lifecycles
AND ({e}.valid_from_us IS NULL OR {e}.valid_from_us <= $at) AND ({e}.valid_to_us IS NULL OR {e}.valid_to_us > $at)"""


class GraphReading:
    """A ``GenerationReader``. ``pin`` restricts ``{0}`` to a generation where one database holds several."""

    def __init__(self, read: Read, pin: str = "") -> None:
        self._read = read
        self._pin = pin

    async def edges_at(self, query: NeighbourhoodQuery, frontier: Sequence[EntityId], limit: int) -> list[EdgeElement]:
        """The first edges at the frontier, by fact id and standing id."""
        statement = f"""{self._frontier(query.direction, query.predicates)}
WITH DISTINCT e ORDER BY e.fact_id, e.uuid LIMIT $limit
RETURN {", ".join(EDGE_COLUMNS)}"""
        return await self._edges(
            statement, {**_parameters(query.view, query.predicates), "ids": texts(frontier), "limit": limit}
        )

    async def rows_within(self, query: NeighbourhoodQuery, limit: int) -> Sequence[Sequence[Any]]:
        """The edges within the hops, each once, in one statement: rows of ``EDGE_COLUMNS`` in no order.

        As many rows as ``limit`` say that there may be more. An entity beyond the starts was reached over an edge of
        its own, so that a frontier need not be wider than the limit.
        """
        statement = within(query.hops, query.direction, query.predicates is not None)
        parameters = {
            **_parameters(query.view, query.predicates),
            "ids": texts(query.entity_ids),
            "limit": limit,
            "widest": limit + len(query.entity_ids),
        }
        return await self._read(statement, parameters)

    async def links_at(self, query: PathQuery, frontier: Sequence[EntityId], direction: Direction) -> list[Link]:
        """The links at the frontier; literals are left out."""
        statement = f"""{self._frontier(direction, query.predicates)} AND NOT m:Value
RETURN DISTINCT {", ".join(LINK_COLUMNS)}"""
        rows = await self._read(statement, {**_parameters(query.view, query.predicates), "ids": texts(frontier)})
        return [link_of(row) for row in rows]

    async def edges_by_id(self, ids: Sequence[StandingId]) -> list[EdgeElement]:
        """The edges with these ids, in any order."""
        if not ids:
            return []
        statement = f"""MATCH ()-[e:RELATES_TO]->() WHERE e.uuid IN $ids {self._pin.format("e")}
RETURN {", ".join(EDGE_COLUMNS)}"""
        return await self._edges(statement, {"ids": texts(ids)})

    async def is_readable(self, view: GraphView, entity_id: EntityId) -> bool:
        """Whether the entity is there for the view."""
        statement = f"""MATCH (n:Entity) WHERE n.uuid IN $ids {self._pin.format("n")}
AND n.group_id IN $scopes RETURN n.uuid"""
        return bool(await self._read(statement, {"ids": [str(entity_id)], "scopes": list(view.scopes)}))

    async def subgraph(self, query: SubgraphQuery) -> Subgraph:
        """The edges between the entities."""
        statement = f"""{self._frontier(Direction.OUT, None)} AND m.uuid IN $ids
RETURN {", ".join(EDGE_COLUMNS)}"""
        parameters = {**_parameters(query.view, None), "ids": texts(query.entity_ids)}
        return subgraph_of(await self._edges(statement, parameters))

    def _frontier(self, direction: Direction, predicates: tuple[str, ...] | None) -> str:
        """``e`` from the frontier ``n`` to ``m``, as far as the view allows."""
        left, right = _ARROWS[direction]
        named = "" if predicates is None else "AND e.name IN $predicates"
        return f"""MATCH (n:Entity) WHERE n.uuid IN $ids {self._pin.format("n")}
MATCH (n){left}[e:RELATES_TO]{right}(m:Entity)
WHERE n.group_id IN $scopes AND {_ALLOWED.format(e="e", m="m")} {named}"""

    async def _edges(self, statement: str, parameters: Mapping[str, Any]) -> list[EdgeElement]:
        return [edge_of(row) for row in await self._read(statement, parameters)]


@lru_cache
def within(hops: int, direction: Direction, named: bool) -> str:
    """The statement for the edges within some hops, where a graph holds one generation: the frontier grows in it."""
    left, right = _ARROWS[direction]

    def step(edge: str, end: str) -> str:
        only = f"AND {edge}.name IN $predicates" if named else ""
        return f"MATCH (n){left}[{edge}:RELATES_TO]{right}({end}) WHERE {_ALLOWED.format(e=edge, m=end)} {only}"

    growing = "".join(
        f"""OPTIONAL {step(f"e{hop}", f"m{hop}")} AND NOT m{hop}:Value
WITH collect(DISTINCT n) + collect(DISTINCT m{hop}) AS reached UNWIND reached AS n WITH DISTINCT n LIMIT $widest
"""
        for hop in range(1, hops)
    )
    return f"""MATCH (n:Entity) WHERE n.uuid IN $ids AND n.group_id IN $scopes
{growing}{step("e", "m")}
WITH DISTINCT e LIMIT $limit
RETURN {", ".join(EDGE_COLUMNS)}"""


def _parameters(view: GraphView, predicates: tuple[str, ...] | None) -> dict[str, Any]:
    named = {} if predicates is None else {"predicates": list(predicates)}
    return view_parameters(view) | named
