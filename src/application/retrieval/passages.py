"""The narrative section of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from application.retrieval.types import Hit, PassageHit, SearchSettings
from domain.identity.access import Access
from domain.identity.ids import ChunkId, DocumentId
from domain.ports.search_index import CandidateQuery, Candidates, SearchIndex
from domain.retrieval.fusion import RankedList, fuse
from domain.retrieval.reading import MAX_FILTER, ReadPoint


async def fused_passages(
    index: SearchIndex, access: Access, found: Candidates, settings: SearchSettings, limit: int, point: ReadPoint
) -> list[PassageHit]:
    """Chunks by words and by meaning, fused."""
    lists = [
        RankedList("text", settings.text_weight, found.chunk_text),
        RankedList("vector", settings.vector_weight, found.chunk_vector),
    ]
    scores = {ChunkId(item.id): item.score for item in fuse(lists, settings.constant)[:limit]}
    passages = await index.passages(access, list(scores), point)
    return [PassageHit(passage, scores[passage.chunk_id]) for passage in passages]


async def cited_passages(
    index: SearchIndex,
    access: Access,
    query: CandidateQuery,
    hits: Sequence[Hit],
    settings: SearchSettings,
    limit: int,
) -> list[PassageHit]:
    """Chunks of the documents that the hits cite; none when no hit cites one."""
    cited = dict.fromkeys(hit.fact.citation.document_id for hit in hits if hit.fact.citation is not None)
    if not cited:
        return []
    documents: tuple[DocumentId, ...] = tuple(cited)[:MAX_FILTER]
    only = replace(query, facts=0, chunks=settings.depth, filter=replace(query.filter, documents=documents))
    return await fused_passages(index, access, await index.candidates(access, only), settings, limit, query.point)
