"""Writing a batch into one generation on Neo4j, within one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from neo4j import AsyncTransaction

from adapters.graphiti import neo4j_statements as statements
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


class BatchWriting:
    """Writes batches to the generation that ``pin`` names: the parameters ``organization`` and ``generation``."""

    def __init__(self, transaction: AsyncTransaction, pin: dict[str, Any]) -> None:
        self._transaction = transaction
        self._pin = pin

    async def write(self, batch: Batch) -> None:
        """Deletions, then entities, documents, mentions and edges."""
        await self._delete(batch)
        await self._rows(statements.UPSERT_ENTITIES, [entity_row(one) for one in batch.upsert_entities])
        await self._rows(statements.UPSERT_DOCUMENTS, [document_row(one) for one in batch.upsert_documents])
        await self._mentions([mention_row(one) for one in latest_mentions(batch)])
        await self._edges(latest_edges(batch))

    async def _delete(self, batch: Batch) -> None:
        for ids in portions(texts(batch.delete_edges)):
            await self._delete_edges(ids)
        await self._rows(statements.DELETE_MENTIONS, [texts(pair) for pair in batch.delete_mentions])
        for ids in portions(texts(batch.delete_entities)):
            values = await self._run(statements.VALUES_OF_ENTITIES, ids=ids)
            await self._run(statements.DELETE_ENTITIES, ids=[*ids, *(value for (value,) in values)])
        for ids in portions(texts(batch.delete_documents)):
            await self._run(statements.DELETE_DOCUMENTS, ids=ids)

    async def _delete_edges(self, ids: Sequence[str]) -> None:
        facts = await self._run(statements.DELETE_EDGES, ids=ids)
        if facts:
            await self._run(statements.DELETE_UNUSED_VALUES, ids=[fact for (fact,) in facts])

    async def _rows(self, statement: str, rows: Sequence[Row]) -> None:
        for portion in portions(rows):
            await self._run(statement, rows=portion)

    async def _mentions(self, rows: Sequence[Row]) -> None:
        for portion in portions(rows):
            ((written,),) = await self._run(statements.UPSERT_MENTIONS, rows=portion)
            if written < len(portion):
                await self._require(statements.KNOWN_DOCUMENTS, [row[0] for row in portion], "document")
                await self._require(statements.KNOWN_ENTITIES, [row[1] for row in portion], "entity")

    async def _edges(self, edges: Sequence[EdgeElement]) -> None:
        for ids in portions([str(edge.standing_id) for edge in edges]):
            await self._delete_edges(ids)
        literals = {edge.fact_id: edge for edge in edges if edge.object_id is None}
        await self._rows(statements.UPSERT_VALUES, [value_row(edge) for edge in literals.values()])
        for portion in portions([edge_row(edge) for edge in edges]):
            ((written,),) = await self._run(statements.CREATE_EDGES, rows=portion)
            if written < len(portion):
                await self._require(statements.KNOWN_ENTITIES, [end for row in portion for end in row[:2]], "entity")

    async def _require(self, statement: str, ids: Sequence[str], kind: str) -> None:
        known = {found for (found,) in await self._run(statement, ids=sorted(set(ids)))}
        for wanted in ids:
            if wanted not in known:
                raise EdgeEndMissing(f"the graph does not hold {kind} {wanted}; apply it first, then this batch again")

    async def _run(self, statement: str, **parameters: Any) -> Sequence[Sequence[Any]]:
        result = await self._transaction.run(statement, {**parameters, **self._pin})
        return await result.values()
