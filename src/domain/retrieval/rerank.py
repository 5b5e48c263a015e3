"""The third stage: a cross-encoder's scores mixed with the blend."""

from __future__ import annotations

from collections.abc import Sequence

from domain.errors import InvalidInput
from domain.retrieval.blend import normalised

RERANK_WEIGHT = 0.5


def mixed(blended: Sequence[float], judged: Sequence[float], weight: float = RERANK_WEIGHT) -> list[float]:
    """``(1 - weight) * min-max(blended) + weight * judged``, one a candidate; ``judged`` lies in [0, 1]."""
    if not 0.0 <= weight <= 1.0:
        raise InvalidInput(f"the weight of the reranker lies between 0 and 1, not {weight}", field="weight")
    if len(blended) != len(judged):
        raise InvalidInput(f"{len(judged)} scores for {len(blended)} candidates", field="scores")
    return [(1 - weight) * low + weight * high for low, high in zip(normalised(blended), judged, strict=True)]
