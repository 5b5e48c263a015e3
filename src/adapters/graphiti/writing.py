"""Writing a batch into one generation of one organization's graph: nearly the same Cypher on every database.

Rows are lists, since FalkorDB parses them faster than maps. Each statement is a transaction of its own and writes at
most 1,000 rows: on Neo4j, looking nodes up in the transaction that wrote thousands of them took ten times as long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from adapters.graphiti.schema import (
    EDGE_PROPERTIES,
    Row,
    document_row,
    edge_row,
    entity_row,
    latest_edges,
    latest_mentions,
    mention_row,
    portions,
    texts,
    value_row,
)
from domain.retrieval.graph import Batch, EdgeElement, EdgeEndMissing

_TIMES = {"created_at", "valid_at", "invalid_at"}


class Write(Protocol):
    """Runs a writing statement with its parameters and gives its rows."""

    async def __call__(self, statement: str, **parameters: Any) -> Sequence[Sequence[Any]]: ...


@dataclass(frozen=True, slots=True)
class WriteStatements:
    """Cypher by what it does. ``replace_edges`` returns how many were known and how many were made."""

    upsert_entities: str
    upsert_values: str
    upsert_documents: str
    upsert_mentions: str
    replace_edges: str
    delete_edges: str
    delete_unused_values: str
    values_of_entities: str
    delete_entities: str
    delete_documents: str
    delete_mentions: str
    known_entities: str
    known_documents: str


def write_statements(
    time: str = "{}", key: str = "", pin: str = "", by_node_id: str = "", by_edge_id: str = ""
) -> WriteStatements:
    """The statements of a database. ``time`` turns ISO 8601 into its type; ``key`` are more properties of every
    element's identity; ``pin`` is the condition on ``{0}`` that says the same; ``by_node_id`` and ``by_edge_id``
    name the index that finds ``{0}`` (of label ``{1}``): the planner chooses another one while the graph is empty."""
    also = f", {key}" if key else ""
    moment = time.format("r[{}]").format
    edge = ", ".join(
        f"{name}: {moment(at) if name in _TIMES else f'r[{at}]'}" for at, name in enumerate(EDGE_PROPERTIES, start=2)
    )
    named = f"SET n.group_id = r[1], n.name = r[2], n.kind = r[3], n.created_at = {moment(4)}, n.summary = ''"
    pinned = pin.format("n")
    return WriteStatements(
        upsert_entities=f"UNWIND $rows AS r MERGE (n:Entity {{uuid: r[0]{also}}}) {named}",
        upsert_values=f"UNWIND $rows AS r MERGE (n:Entity:Value {{uuid: r[0]{also}}}) {named}",
        upsert_documents=f"""UNWIND $rows AS r MERGE (n:Episodic {{uuid: r[0]{also}}})
            SET n.group_id = r[1], n.name = r[2], n.created_at = {moment(3)}, n.valid_at = {moment(3)},
                n.source = 'text', n.source_description = '', n.content = '', n.entity_edges = []""",
        upsert_mentions=f"""UNWIND $rows AS r
            MATCH (d:Episodic {{uuid: r[0]{also}}}) {by_node_id.format("d", "Episodic")}
            MATCH (n:Entity {{uuid: r[1]{also}}}) {by_node_id.format("n", "Entity")}
            MERGE (d)-[m:MENTIONS {{uuid: r[2]{also}}}]->(n)
            SET m.group_id = r[3], m.created_at = {moment(4)}
            RETURN count(m)""",
        # Removing the known edges and making all anew is one statement, so that no reader sees the gap; on FalkorDB
        # it takes half the time of MERGE.
        replace_edges=f"""OPTIONAL MATCH ()-[old:RELATES_TO]->() {by_edge_id.format("old")}
            WHERE old.uuid IN $ids {pin.format("old")} DELETE old
            WITH count(old) AS known
            UNWIND $rows AS r
            MATCH (a:Entity {{uuid: r[0]{also}}}) {by_node_id.format("a", "Entity")}
            MATCH (b:Entity {{uuid: r[1]{also}}}) {by_node_id.format("b", "Entity")}
            CREATE (a)-[e:RELATES_TO {{{edge}, episodes: []{also}}}]->(b)
            RETURN known, count(e)""",
        delete_edges=f"""MATCH ()-[e:RELATES_TO]->() WHERE e.uuid IN $ids {pin.format("e")}
            WITH e, e.fact_id AS fact DELETE e RETURN DISTINCT fact""",
        delete_unused_values=f"""MATCH (n:Entity) WHERE n.uuid IN $ids {pinned} AND n:Value
            OPTIONAL MATCH (n)<-[e:RELATES_TO]-()
            WITH n, count(e) AS uses WHERE uses = 0 DELETE n""",
        values_of_entities=f"""MATCH (n:Entity) WHERE n.uuid IN $ids {pinned}
            MATCH (n)-[:RELATES_TO]->(v:Value) RETURN DISTINCT v.uuid""",
        delete_entities=f"MATCH (n:Entity) WHERE n.uuid IN $ids {pinned} DETACH DELETE n",
        delete_documents=f"MATCH (n:Episodic) WHERE n.uuid IN $ids {pinned} DETACH DELETE n",
        delete_mentions=f"""UNWIND $rows AS r
            MATCH (d:Episodic {{uuid: r[0]{also}}})-[m:MENTIONS]->(n:Entity {{uuid: r[1]{also}}}) DELETE m""",
        known_entities=f"MATCH (n:Entity) WHERE n.uuid IN $ids {pinned} RETURN n.uuid",
        known_documents=f"MATCH (n:Episodic) WHERE n.uuid IN $ids {pinned} RETURN n.uuid",
    )


class BatchWriting:
    """Writes batches to the generation that ``write`` is bound to.

    ``at_once`` statements of edges may be on their way, so that the next rows are made while the database is at work.
    More than one is for a database that writes one statement after the other anyway.
    """

    def __init__(self, write: Write, statements: WriteStatements, *, at_once: int = 1) -> None:
        self._write = write
        self._do = statements
        self._free = asyncio.Semaphore(at_once)

    async def __call__(self, batch: Batch) -> None:
        """Deletions, then entities, documents, mentions and edges."""
        await self._delete(batch)
        await self._rows(self._do.upsert_entities, [entity_row(one) for one in batch.upsert_entities])
        await self._rows(self._do.upsert_documents, [document_row(one) for one in batch.upsert_documents])
        await self._mentions([mention_row(one) for one in latest_mentions(batch)])
        await self._edges(latest_edges(batch))

    async def _delete(self, batch: Batch) -> None:
        for ids in portions(texts(batch.delete_edges)):
            await self._delete_unused_values(await self._write(self._do.delete_edges, ids=ids))
        await self._rows(self._do.delete_mentions, [texts(pair) for pair in batch.delete_mentions])
        for ids in portions(texts(batch.delete_entities)):
            values = await self._write(self._do.values_of_entities, ids=ids)
            await self._write(self._do.delete_entities, ids=ids)
            await self._delete_unused_values(values)
        for ids in portions(texts(batch.delete_documents)):
            await self._write(self._do.delete_documents, ids=ids)

    async def _delete_unused_values(self, facts: Sequence[Sequence[Any]]) -> None:
        if facts:
            await self._write(self._do.delete_unused_values, ids=[fact for (fact,) in facts])

    async def _rows(self, statement: str, rows: Sequence[Row]) -> None:
        for portion in portions(rows):
            await self._write(statement, rows=portion)

    async def _mentions(self, rows: Sequence[Row]) -> None:
        for portion in portions(rows):
            ((written,),) = await self._write(self._do.upsert_mentions, rows=portion)
            if written < len(portion):
                await self._require(self._do.known_documents, [row[0] for row in portion], "document")
                await self._require(self._do.known_entities, [row[1] for row in portion], "entity")

    async def _edges(self, edges: Sequence[EdgeElement]) -> None:
        literals = {edge.fact_id: edge for edge in edges if edge.object_id is None}
        await self._rows(self._do.upsert_values, [value_row(edge) for edge in literals.values()])
        done = await asyncio.gather(*map(self._replace, portions(edges)), return_exceptions=True)
        # Nothing is on its way any more when the first failure is told.
        for outcome in done:
            if outcome is not None:
                raise outcome

    async def _replace(self, edges: Sequence[EdgeElement]) -> None:
        async with self._free:
            rows = [edge_row(edge) for edge in edges]
            reply = await self._write(self._do.replace_edges, ids=[row[2] for row in rows], rows=rows)
            known, written = reply[0] if reply else (0, 0)
            if written < len(rows):
                await self._require(self._do.known_entities, [end for row in rows for end in row[:2]], "entity")
            if known:
                await self._delete_unused_values([(row[3],) for row in rows if row[1] != row[3]])

    async def _require(self, statement: str, ids: Sequence[str], kind: str) -> None:
        known = {found for (found,) in await self._write(statement, ids=sorted(set(ids)))}
        for wanted in ids:
            if wanted not in known:
                raise EdgeEndMissing(f"the graph does not hold {kind} {wanted}; apply it first, then this batch again")
