"""Which embedder should be the default, and how much should it weigh beside BM25?

    python -m benchmarks.embedders DATA [--embedder NAME]... [--questions 120] [--vectors FOLDER]

``DATA`` holds locomo/, multihop/ and xquad/. Recall is the mean share of a question's answering passages among the
first k. Vectors are kept in FOLDER, so that a second run only fuses.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from importlib import import_module
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.bm25 import BM25
from benchmarks.retrieval_sets import RetrievalSet, retrieval_sets
from domain.ports.embedder import Embedder

EMBEDDERS = {
    "deterministic": ("adapters.embeddings.deterministic", "DeterministicEmbedder"),
    "minilm": ("adapters.embeddings.minilm", "MiniLMEmbedder"),
    "multilingual": ("adapters.embeddings.multilingual", "MultilingualEmbedder"),
}
DENSE_WEIGHTS = (0.3, 0.4, 0.5, 0.6, 0.7)
RANK_CONSTANTS = (1, 10, 60)
DEPTH = 50
SHORT_TEXTS = 400


@dataclass(frozen=True, slots=True)
class Ranked:
    """Scores of all passages for all questions, shape (questions, passages), by one method."""

    scores: NDArray[np.float64]

    def ranks(self) -> NDArray[np.int64]:
        order = np.argsort(-self.scores, axis=1, kind="stable")
        ranks = np.empty_like(order)
        np.put_along_axis(ranks, order, np.arange(order.shape[1])[None, :] + 1, axis=1)
        return ranks


def recall(scores: NDArray[np.float64], asked: RetrievalSet, depth: int) -> float:
    first = np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    shares = [
        len(set(row) & answers) / len(answers)
        for row, (_, answers) in zip(first.tolist(), asked.questions, strict=True)
    ]
    return float(np.mean(shares))


def fused(dense: Ranked, lexical: Ranked, weight: float, constant: int) -> NDArray[np.float64]:
    """Reciprocal rank fusion of the first ``DEPTH`` of each list (Cormack, Clarke and Büttcher 2009), weighted."""
    total = np.zeros(dense.scores.shape)
    for share, ranked in ((weight, dense), (1 - weight, lexical)):
        ranks = ranked.ranks()
        listed = (ranks <= DEPTH) & (ranked.scores > 0)
        total += np.where(listed, share / (constant + ranks), 0.0)
    return total


def embedded(embedder: Embedder, texts: list[str], is_query: bool, kept: Path | None) -> NDArray[np.float32]:
    key = blake2b(repr((embedder.model, is_query, texts)).encode(), digest_size=12).hexdigest()
    path = kept / f"{key}.npy" if kept else None
    if path and path.exists():
        vectors: NDArray[np.float32] = np.load(path)
        return vectors
    call = embedder.embed_queries if is_query else embedder.embed_passages
    vectors = asyncio.run(call(texts))
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, vectors)
    return vectors


def measure(name: str, data: Path, questions: int, kept: Path | None) -> list[str]:
    """The lines of one embedder: quality a set, then speed and memory of this process."""
    module, class_name = EMBEDDERS[name]
    embedder: Embedder = getattr(import_module(module), class_name)()
    lines = []
    for asked in retrieval_sets(data, questions):
        lexical = BM25(asked.passages)
        texts = [question for question, _ in asked.questions]
        words = Ranked(np.stack([lexical.scores(text) for text in texts]))
        passages = embedded(embedder, asked.passages, False, kept)
        vectors = Ranked(embedded(embedder, texts, True, kept).astype(np.float64) @ passages.T)
        label = f"{asked.name} ({len(texts)} of {len(asked.passages)})"
        lines.append(row(label, "BM25", words.scores, asked))
        lines.append(row(label, name, vectors.scores, asked))
        for constant in RANK_CONSTANTS:
            for weight in DENSE_WEIGHTS:
                method = f"{name} {weight:.1f} + BM25 {1 - weight:.1f}, k={constant}"
                lines.append(row(label, method, fused(vectors, words, weight, constant), asked))
    return [*lines, speed(embedder, name)]


def row(label: str, method: str, scores: NDArray[np.float64], asked: RetrievalSet) -> str:
    return f"{label:48} {method:38} {recall(scores, asked, 5):6.3f} {recall(scores, asked, 10):6.3f}"


def speed(embedder: Embedder, name: str) -> str:
    """Twelve-word texts a second and a CPU second, one query's median, and the peak memory of the process."""
    texts = [
        f"Service {number} of team {number % 7} was moved to the cluster in city {number}."
        for number in range(SHORT_TEXTS)
    ]
    asyncio.run(embedder.embed_passages(texts[:8]))
    wall, cpu = time.perf_counter(), time.process_time()
    asyncio.run(embedder.embed_passages(texts))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    queries = []
    for text in texts[:30]:
        started = time.perf_counter()
        asyncio.run(embedder.embed_queries([text]))
        queries.append(time.perf_counter() - started)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"{name}: {SHORT_TEXTS / wall:.0f} texts/s, {SHORT_TEXTS / cpu:.0f} texts a CPU second, "
        f"query p50 {1000 * np.median(queries):.1f} ms, peak memory {memory:.0f} MB"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--embedder", action="append", choices=sorted(EMBEDDERS))
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--vectors", type=Path)
    chosen = parser.parse_args()
    missing = [name for name in ("locomo", "multihop", "xquad") if not (chosen.data / name).is_dir()]
    if missing:
        print(f"{chosen.data} has no {', '.join(missing)}: give the folder of the public data sets.", file=sys.stderr)
        return 2
    print(f"{'set (questions of passages)':48} {'method':38} {'R@5':>6} {'R@10':>6}")
    for name in chosen.embedder or EMBEDDERS:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            lines = pool.submit(measure, name, chosen.data, chosen.questions, chosen.vectors).result()
        print("\n".join(lines), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
