"""Text to vectors, for a query or for a passage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from domain.retrieval.closeness import Nearness

Vectors: TypeAlias = NDArray[np.float32]
"""One unit-length row a text: shape (n, dimension)."""


class Embedder(Protocol):
    """A model that places texts so that near in meaning is near in angle.

    Guarantees of every adapter:

    - row ``i`` belongs to text ``i``; rows have length one, so that a dot product is a cosine;
    - a text's vector does not depend on the other texts of the call (up to rounding);
    - no text is refused: an empty one has a vector too, an over-long one is cut at the model's limit;
    - no texts give an array of shape (0, dimension);
    - calls may run at the same time.

    Raises ``Unavailable`` when the model cannot be loaded or does not answer, ``DimensionMismatch`` when it
    answers with vectors of another dimension than configured.
    """

    @property
    def model(self) -> str:
        """Names the vectors: vectors of different models must never be compared."""
        ...

    @property
    def dimension(self) -> int: ...

    @property
    def nearness(self) -> Nearness | None:
        """How its cosines are read, as measured; None where nobody measured them."""
        ...

    async def embed_queries(self, texts: Sequence[str]) -> Vectors: ...

    async def embed_passages(self, texts: Sequence[str]) -> Vectors: ...


@dataclass(frozen=True, slots=True)
class Spent:
    """What a batch cost: texts, tokens as the server counts them (else an estimate), and HTTP requests, all told."""

    texts: int
    tokens: int
    requests: int


class Payer(Protocol):
    """Somebody who pays for calls."""

    async def may_spend(self) -> None:
        """Raises ``BudgetExhausted`` when there is nothing left."""
        ...

    async def spend(self, spent: Spent) -> None:
        """Enter what was answered, usable or not."""
        ...


class PaidEmbedder(Embedder, Protocol):
    """An ``Embedder`` whose calls cost money."""

    def paid_by(self, payer: Payer) -> Embedder:
        """The same model for one payer, who is asked before each request and told after each that was answered.

        It raises ``BudgetExhausted`` besides. It is cheap to make.
        """
        ...
