"""The memory engine on Neo4j community: one database, every element marked with its organization and generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from adapters.graphiti import neo4j_statements as statements
from adapters.graphiti.looking import Looked
from adapters.graphiti.neo4j_driver import LimitedNeo4jDriver
from adapters.graphiti.reading import GraphReading
from adapters.graphiti.walking import on_one_generation, search_path, walk_neighbourhood
from adapters.graphiti.writing import BatchWriting
from domain.erasure.canaries import Sought
from domain.errors import NotFound
from domain.identity.ids import GroupId, OrganizationId, Revision, StandingId
from domain.ports.erasure import StoreScan
from domain.retrieval.graph import (
    Batch,
    GraphCounts,
    Neighbourhood,
    NeighbourhoodQuery,
    Path,
    PathQuery,
    Subgraph,
    SubgraphQuery,
    require_current,
)
from domain.standing.digest import bucket, bucket_digests

_REMOVED_AT_ONCE = 2_000
_NEVER_NULL = 6
"""Leading columns of every row that are null only while the element is being deleted: ids, scope and predicate."""


class Neo4jMemoryEngine:
    """A ``MemoryEngine`` on Neo4j 5.26. Call ``aclose`` at the end.

    Which generation is live is a mark on a node. A swap moves the mark in one transaction and then removes the old
    elements in portions; a read that a swap overtook starts again on the new generation.
    """

    name = "neo4j"
    reads_history = False
    projected = True
    swaps_atomically = True

    def __init__(self, driver: LimitedNeo4jDriver) -> None:
        self._driver = driver
        self._schema_ready = False

    @classmethod
    def at(cls, uri: str, user: str, password: str, *, query_timeout_s: float = 10.0) -> Neo4jMemoryEngine:
        """An engine on the server at a ``bolt://`` or ``neo4j://`` URI; connects on first use."""
        return cls(LimitedNeo4jDriver(uri, user, password, query_timeout_s=query_timeout_s))

    async def aclose(self) -> None:
        """Close every connection."""
        await self._driver.close()

    def graphiti_driver(self, organization_id: OrganizationId) -> LimitedNeo4jDriver:
        """The driver with which graphiti's own classes read. It is not bound to the organization: for operators."""
        return self._driver

    async def ping(self) -> None:
        """Returns when the server answers."""
        await self._driver.read("RETURN 1", {})

    async def persist(self) -> list[str]:
        """Nothing can be forced here; what is left of removed elements, in sentences."""
        return ["Neo4j's transaction logs and store files hold removed elements until they are pruned and written over"]

    async def scan(self, organization_id: OrganizationId, scopes: Sequence[GroupId], sought: Sought) -> StoreScan:
        """Every node and edge of every generation."""
        looked = Looked(scopes, sought)
        for kind, statement in statements.WHOLE:
            looked.at(kind, await self._driver.read_all(statement, {"organization": organization_id.hex}))
        return looked.scan()

    async def prepare(self, organization_id: OrganizationId, generation: int) -> None:
        """Mark the generation as prepared, after making the indexes once."""
        if not self._schema_ready:
            for statement in statements.SCHEMA:
                await self._driver.write(statement)
            await self._driver.read(statements.AWAIT_INDEXES, {})
            self._schema_ready = True
        await self._driver.write(statements.PREPARE, **_pin(organization_id, generation))

    async def apply(self, organization_id: OrganizationId, generation: int, batch: Batch) -> None:
        """Write the batch, at most 1,000 rows a transaction."""
        await self._require_prepared(organization_id, generation)
        write = partial(self._driver.write, **_pin(organization_id, generation))
        await BatchWriting(write, statements.WRITES)(batch)

    async def mark(self, organization_id: OrganizationId, generation: int, watermark: Revision) -> None:
        """Kept on the generation's node."""
        pin = _pin(organization_id, generation)
        if not await self._driver.write(statements.MARK_WATERMARK, watermark=watermark, **pin):
            raise NotFound(f"generation {generation} of the {self.name} graph is not prepared")

    async def watermark(self, organization_id: OrganizationId, generation: int | None = None) -> Revision | None:
        """How far a generation has come; None when there is none."""
        rows = await self._driver.read(statements.WATERMARK, await self._pin_of(organization_id, generation))
        # A graph that was built before graphs said so is fed again from the start.
        return Revision(rows[0][0] or 0) if rows else None

    async def neighbourhood(self, query: NeighbourhoodQuery) -> Neighbourhood:
        """One statement a hop."""
        require_current(query.view, self.name)
        organization_id = query.view.organization_id
        return await on_one_generation(
            None,
            lambda: self.live_generation(organization_id),
            lambda generation: walk_neighbourhood(self._reading(organization_id, generation), query),
            Neighbourhood(),
        )

    async def shortest_path(self, query: PathQuery) -> Path | None:
        """A search from both ends."""
        require_current(query.view, self.name)
        organization_id = query.view.organization_id
        return await on_one_generation(
            None,
            lambda: self.live_generation(organization_id),
            lambda generation: search_path(self._reading(organization_id, generation), query),
            None,
        )

    async def subgraph(self, query: SubgraphQuery) -> Subgraph:
        """The edges between the entities."""
        require_current(query.view, self.name)
        organization_id = query.view.organization_id
        return await on_one_generation(
            None,
            lambda: self.live_generation(organization_id),
            lambda generation: self._reading(organization_id, generation).subgraph(query),
            Subgraph(),
        )

    async def digest(self, organization_id: OrganizationId, generation: int | None = None) -> list[bytes]:
        """256 digests over the edges."""
        return bucket_digests(await self._hashes(organization_id, generation))

    async def elements_in_bucket(
        self, organization_id: OrganizationId, bucket_number: int, generation: int | None = None
    ) -> Sequence[tuple[StandingId, bytes]]:
        """The (id, hash) pairs of one bucket, by id."""
        hashes = await self._hashes(organization_id, generation)
        return sorted(pair for pair in hashes if bucket(pair[0]) == bucket_number)

    async def counts(self, organization_id: OrganizationId, generation: int | None = None) -> GraphCounts:
        """How many elements there are."""
        pin = await self._pin_of(organization_id, generation)
        replies = [await self._driver.read(statement, pin) for statement in statements.COUNTS]
        entities, literals, documents, mentions, edges = (reply[0][0] for reply in replies)
        return GraphCounts(entities - literals, documents, mentions, edges, literals)

    async def live_generation(self, organization_id: OrganizationId) -> int | None:
        """The number that is marked as live."""
        rows = await self._driver.read(statements.LIVE, {"organization": organization_id.hex})
        return int(rows[0][0]) if rows else None

    async def swap(self, organization_id: OrganizationId, generation: int) -> None:
        """Move the mark, then remove every other generation."""
        await self._require_prepared(organization_id, generation)
        await self._driver.write(statements.MAKE_LIVE, **_pin(organization_id, generation))
        for number in await self._generations(organization_id):
            if number != generation:
                await self._remove(organization_id, number)

    async def drop(self, organization_id: OrganizationId) -> None:
        """Hide the live generation, then remove all of them."""
        await self._driver.write(statements.HIDE, organization=organization_id.hex)
        for number in await self._generations(organization_id):
            await self._remove(organization_id, number)

    def _reading(self, organization_id: OrganizationId, generation: int) -> GraphReading:
        pin = _pin(organization_id, generation)

        async def read(statement: str, parameters: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
            rows = await self._driver.read(statement, {**parameters, **pin})
            return [row for row in rows if None not in row[:_NEVER_NULL]]

        return GraphReading(read, statements.PIN)

    async def _require_prepared(self, organization_id: OrganizationId, generation: int) -> None:
        if not await self._driver.read(statements.PREPARED, _pin(organization_id, generation)):
            raise NotFound(f"generation {generation} of the {self.name} graph is not prepared")

    async def _generations(self, organization_id: OrganizationId) -> list[int]:
        rows = await self._driver.read(statements.GENERATIONS, {"organization": organization_id.hex})
        return [number for (number,) in rows]

    async def _remove(self, organization_id: OrganizationId, generation: int) -> None:
        """In portions, the mark last, so that an interrupted removal is taken up by the next."""
        pin = _pin(organization_id, generation)
        for statement in statements.REMOVE_NODES:
            while (await self._driver.write(statement, rows=_REMOVED_AT_ONCE, **pin))[0][0]:
                pass
        await self._driver.write(statements.FORGET, **pin)

    async def _pin_of(self, organization_id: OrganizationId, generation: int | None) -> dict[str, Any]:
        number = await self.live_generation(organization_id) if generation is None else generation
        return _pin(organization_id, number or 0)

    async def _hashes(self, organization_id: OrganizationId, generation: int | None) -> list[tuple[StandingId, bytes]]:
        rows = await self._driver.read_all(statements.HASHES, await self._pin_of(organization_id, generation))
        return [(StandingId(UUID(standing)), bytes.fromhex(digest)) for standing, digest in rows]


def _pin(organization_id: OrganizationId, generation: int) -> dict[str, Any]:
    return {"organization": organization_id.hex, "generation": generation}
