"""Recall of the real search, through the real database functions, beside BM25 on the same passages and questions.

    python -m benchmarks.retrieval DATA [--embedder NAME] [--questions 120] [--vectors FOLDER] [--weights 0.3,0.5]
        [--embed-facts]

``DATA`` holds locomo/, multihop/ and xquad/. Passages are chunks; MuSiQue's shipped triples are also loaded as facts,
and a fact counts for the passage that it cites. Recall is the mean share of a question's answering passages among the
first k. PostgreSQL is started for the run and removed after it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from uuid import UUID

import asyncpg
import numpy as np
from numpy.typing import NDArray

from adapters.embedded.postgres import EmbeddedPostgres
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.migrate import migrate
from adapters.postgres.pool import open_pool
from adapters.postgres.provision import APPLICATION, WORKER, provision
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.system.clock import SystemClock
from application.retrieval.search import Search, SearchModels
from application.retrieval.types import CHUNKS, FACTS, SearchRequest, SearchSettings
from application.retrieval.vocabulary import Vocabularies
from benchmarks.bm25 import BM25
from benchmarks.embedders import EMBEDDERS, embedded
from benchmarks.retrieval_record import LoadedSet, load, store
from benchmarks.retrieval_sets import RetrievalSet, retrieval_sets
from domain.ports.embedder import Vectors
from domain.ports.vector_store import VectorKind
from domain.retrieval.closeness import Nearness

ROW = "{:44} {:34} {:6.3f} {:6.3f}"


class KnownQueries:
    """An embedder that was asked before: queries come from a table, so that a run only searches."""

    def __init__(
        self, model: str, queries: dict[str, NDArray[np.float32]], dimension: int, nearness: Nearness | None
    ) -> None:
        self.model = model
        self.dimension = dimension
        self.nearness = nearness
        self._queries = queries

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._queries[text] for text in texts])

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        raise NotImplementedError


def recalls(found: list[list[int]], asked: RetrievalSet) -> tuple[float, float]:
    """Recall at 5 and at 10."""
    at = []
    for depth in (5, 10):
        shares = [
            len(set(row[:depth]) & answers) / len(answers)
            for row, (_, answers) in zip(found, asked.questions, strict=True)
        ]
        at.append(float(np.mean(shares)))
    return at[0], at[1]


def bm25(asked: RetrievalSet) -> list[list[int]]:
    lexical = BM25(asked.passages)
    return [np.argsort(-lexical.scores(text), kind="stable")[:10].tolist() for text, _ in asked.questions]


async def by_passages(search: Search, loaded: LoadedSet, asked: RetrievalSet) -> list[list[int]]:
    found = []
    for text, _ in asked.questions:
        result = await search(loaded.access, SearchRequest(text, limit=10, sections=(CHUNKS,)))
        found.append([loaded.passages[hit.passage.chunk_id] for hit in result.passages])
    return found


async def by_facts(search: Search, loaded: LoadedSet, asked: RetrievalSet) -> list[list[int]]:
    """The passages that the facts cite, in the order of their first fact."""
    found = []
    for text, _ in asked.questions:
        result = await search(loaded.access, SearchRequest(text, limit=50, sections=(FACTS,)))
        cited = [hit.fact.citation.document_id for hit in result.hits if hit.fact.citation is not None]
        found.append([loaded.passages[document] for document in dict.fromkeys(cited)][:10])
    return found


async def measure(
    pool: asyncpg.Pool, administrator: asyncpg.Connection, asked: RetrievalSet, chosen: argparse.Namespace
) -> None:
    module, class_name = EMBEDDERS[chosen.embedder]
    embedder = getattr(import_module(module), class_name)()
    loaded = await load(administrator, asked)
    label = f"{asked.name} ({len(asked.questions)} of {len(asked.passages)})"
    print(ROW.format(label, "BM25", *recalls(bm25(asked), asked)), flush=True)

    async def vectors(texts: list[str], is_query: bool) -> NDArray[np.float32]:
        return await asyncio.to_thread(embedded, embedder, texts, is_query, chosen.vectors)

    questions = [text for text, _ in asked.questions]
    known = dict(zip(questions, await vectors(questions, True), strict=True))
    ids: list[UUID] = list(loaded.passages)
    await store(pool, loaded.access, VectorKind.CHUNK, ids, await vectors(asked.passages, False), embedder.model)
    if loaded.sentences and chosen.embed_facts:
        sentences = await vectors(list(loaded.sentences.values()), False)
        await store(pool, loaded.access, VectorKind.FACT, list(loaded.sentences), sentences, embedder.model)
    index = PostgresSearchIndex(pool)
    vocabularies = Vocabularies(PostgresKnowledgeReader(pool), SystemClock())
    models = SearchModels(KnownQueries(embedder.model, known, embedder.dimension, embedder.nearness))
    words = Search(index, vocabularies, SystemClock())
    print(ROW.format(label, "words alone", *recalls(await by_passages(words, loaded, asked), asked)), flush=True)
    for weight in chosen.weights:
        settings = SearchSettings(text_weight=1 - weight, vector_weight=weight)
        search = Search(index, vocabularies, SystemClock(), models, settings=settings)
        method = f"search, {weight:.1f} {chosen.embedder}"
        print(ROW.format(label, method, *recalls(await by_passages(search, loaded, asked), asked)), flush=True)
        if loaded.sentences:
            print(
                ROW.format(label, f"facts, {weight:.1f}", *recalls(await by_facts(search, loaded, asked), asked)),
                flush=True,
            )


async def run(chosen: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = EmbeddedPostgres(Path(folder), fast_and_unsafe=True)
        address = server.start()
        try:
            administrator = await asyncpg.connect(address.dsn, server_settings={"search_path": "assay, public"})
            await provision(administrator, {APPLICATION: "benchmark", WORKER: "benchmark"})
            await migrate(administrator)
            pool = await open_pool(
                f"postgresql://{APPLICATION}:benchmark@{address.host}:{address.port}/{address.database}"
            )
            print(f"{'set (questions of passages)':44} {'method':34} {'R@5':>6} {'R@10':>6}")
            for asked in retrieval_sets(chosen.data, chosen.questions):
                await measure(pool, administrator, asked, chosen)
            await pool.close()
            await administrator.close()
        finally:
            server.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--embedder", default="multilingual", choices=sorted(EMBEDDERS))
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--weights", type=lambda text: [float(part) for part in text.split(",")], default=[0.3])
    parser.add_argument("--embed-facts", action="store_true", help="also embed the triples: thousands of texts")
    chosen = parser.parse_args()
    missing = [name for name in ("locomo", "multihop", "xquad") if not (chosen.data / name).is_dir()]
    if missing:
        print(f"{chosen.data} has no {', '.join(missing)}: give the folder of the public data sets.", file=sys.stderr)
        return 2
    asyncio.run(run(chosen))
    return 0


if __name__ == "__main__":
    sys.exit(main())
