"""Writing a batch into one FalkorDB graph that exists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adapters.graphiti import falkordb_statements as statements
from adapters.graphiti.falkordb_driver import LimitedFalkorDriver
from adapters.graphiti.schema import (
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


async def write_batch(driver: LimitedFalkorDriver, graph: str, batch: Batch) -> None:
    """Deletions, then entities, documents, mentions and edges."""
    await _delete(driver, graph, batch)
    await _write_rows(driver, graph, statements.UPSERT_ENTITIES, [entity_row(one) for one in batch.upsert_entities])
    await _write_rows(driver, graph, statements.UPSERT_DOCUMENTS, [document_row(one) for one in batch.upsert_documents])
    await _write_mentions(driver, graph, [mention_row(one) for one in latest_mentions(batch)])
    await _write_edges(driver, graph, latest_edges(batch))


async def _delete(driver: LimitedFalkorDriver, graph: str, batch: Batch) -> None:
    for ids in portions(texts(batch.delete_edges)):
        facts = await driver.write(graph, statements.DELETE_EDGES, ids=ids)
        await driver.write(graph, statements.DELETE_UNUSED_VALUES, ids=[fact for (fact,) in facts])
    pairs = [texts(pair) for pair in batch.delete_mentions]
    await _write_rows(driver, graph, statements.DELETE_MENTIONS, pairs)
    for ids in portions(texts(batch.delete_entities)):
        values = await driver.write(graph, statements.VALUES_OF_ENTITIES, ids=ids)
        await driver.write(graph, statements.DELETE_ENTITIES, ids=[*ids, *(value for (value,) in values)])
    for ids in portions(texts(batch.delete_documents)):
        await driver.write(graph, statements.DELETE_DOCUMENTS, ids=ids)


async def _write_rows(driver: LimitedFalkorDriver, graph: str, statement: str, rows: Sequence[Row]) -> None:
    for portion in portions(rows):
        await driver.write(graph, statement, rows=portion)


async def _write_mentions(driver: LimitedFalkorDriver, graph: str, rows: Sequence[Row]) -> None:
    for portion in portions(rows):
        ((written,),) = await driver.write(graph, statements.UPSERT_MENTIONS, rows=portion)
        if written < len(portion):
            await _require(driver, graph, statements.KNOWN_DOCUMENTS, [row[0] for row in portion], "document")
            await _require(driver, graph, statements.KNOWN_ENTITIES, [row[1] for row in portion], "entity")


async def _write_edges(driver: LimitedFalkorDriver, graph: str, edges: Sequence[EdgeElement]) -> None:
    literals = {edge.fact_id: edge for edge in edges if edge.object_id is None}
    await _write_rows(driver, graph, statements.UPSERT_VALUES, [value_row(edge) for edge in literals.values()])
    for portion in portions([edge_row(edge) for edge in edges]):
        ids, facts = [row[2] for row in portion], [row[3] for row in portion if row[1] != row[3]]
        reply = await driver.write(graph, statements.REPLACE_EDGES, ids=ids, rows=portion)
        known, written = reply[0] if reply else (0, 0)
        if written < len(portion):
            ends = [end for row in portion for end in row[:2]]
            await _require(driver, graph, statements.KNOWN_ENTITIES, ends, "entity")
        if known and facts:
            await driver.write(graph, statements.DELETE_UNUSED_VALUES, ids=facts)


async def _require(driver: LimitedFalkorDriver, graph: str, statement: str, ids: Sequence[Any], kind: str) -> None:
    known = {found for (found,) in await driver.read(graph, statement, ids=sorted(set(ids))) or ()}
    for wanted in ids:
        if wanted not in known:
            raise EdgeEndMissing(f"the graph does not hold {kind} {wanted}; apply it first, then this batch again")
