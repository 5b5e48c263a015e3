"""Any endpoint that speaks OpenAI's /embeddings: hosted, or a server of your own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx
import numpy as np

from adapters.embeddings.unit_rows import unit_rows
from application.models.provider_chain import ProviderChain
from application.models.provider_failures import AttemptFailed, failure_of_status
from domain.errors import DimensionMismatch
from domain.ports.embedder import Payer, Spent, Vectors
from domain.retrieval.closeness import Nearness

CHARACTERS_A_TOKEN = 4
"""For servers that count no tokens: the usual estimate for English, on the low side for others."""


@dataclass(slots=True)
class _Bill:
    """What the attempts at one batch have cost so far."""

    requests: int = 0
    answers: int = 0
    tokens: int = 0


class OpenAIEmbedder:
    """``Embedder`` over HTTP. The client brings the base URL ("https://…/v1") and, where there is one, the key.

    It implements ``PaidEmbedder``; without a payer it charges nobody. ``query_model`` is for servers that tell queries
    from passages by the model's name. Empty texts are sent as one space, which every server takes. ``longest_text``
    (characters) cuts what a server would refuse.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        chain: ProviderChain,
        *,
        model: str,
        dimension: int,
        query_model: str | None = None,
        batch: int = 64,
        longest_text: int = 20_000,
    ) -> None:
        self.model = model
        self.dimension = dimension
        self.nearness: Nearness | None = None
        self._query_model = query_model or model
        self._client = client
        self._chain = chain
        self._batch = batch
        self._longest_text = longest_text
        self._payer: Payer | None = None

    def paid_by(self, payer: Payer) -> OpenAIEmbedder:
        paid = copy(self)
        paid._payer = payer
        return paid

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return await self._embed(texts, self._query_model)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return await self._embed(texts, self.model)

    async def _embed(self, texts: Sequence[str], model: str) -> Vectors:
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for at in range(0, len(texts), self._batch):
            sent = [self._sendable(text) for text in texts[at : at + self._batch]]
            vectors[at : at + len(sent)] = await self._paid(model, sent)
        return unit_rows(vectors)

    async def _paid(self, model: str, sent: Sequence[str]) -> Vectors:
        if self._payer is None:
            return await self._chain.call(partial(self._attempt, model, sent, _Bill()))
        await self._payer.may_spend()
        bill = _Bill()
        try:
            return await self._chain.call(partial(self._attempt, model, sent, bill))
        finally:
            if bill.answers:
                await self._payer.spend(Spent(bill.answers * len(sent), bill.tokens, bill.requests))

    async def _attempt(self, model: str, sent: Sequence[str], bill: _Bill) -> Vectors:
        bill.requests += 1
        answer = await self._post({"model": model, "input": sent, "encoding_format": "float"})
        bill.answers += 1
        bill.tokens += _tokens(answer, sent)
        return self._read(answer, len(sent))

    def _sendable(self, text: str) -> str:
        readable = text.replace("\0", " ").encode("utf-8", "replace").decode()
        return readable[: self._longest_text].strip() or " "

    async def _post(self, body: Mapping[str, Any]) -> Any:
        provider = self._chain.provider
        try:
            # The chain's time-out covers the whole attempt.
            response = await self._client.post("embeddings", json=body, timeout=None)
            if response.is_success:
                return response.json()
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise AttemptFailed(f"{provider} cannot be reached; check that it runs and its base URL.") from error
        except ValueError as error:
            raise AttemptFailed(f"{provider} answered with something that is not JSON; check its base URL.") from error
        raise failure_of_status(provider, response.status_code, response.headers.get("retry-after"))

    def _read(self, answer: Any, count: int) -> Vectors:
        """The vectors by their stated index: servers may answer in any order."""
        try:
            by_index = {int(item["index"]): item["embedding"] for item in answer["data"]}
            rows = [np.asarray(by_index[number], dtype=np.float32) for number in range(count)]
        except (KeyError, TypeError, ValueError) as error:
            raise AttemptFailed(
                f"{self._chain.provider} did not answer with {count} embeddings; check its base URL."
            ) from error
        for row in rows:
            if row.shape != (self.dimension,):
                raise DimensionMismatch(
                    f"The model {self.model!r} gave a vector of {row.size} numbers, "
                    f"but {self.dimension} are configured; correct the dimension, or choose another model.",
                    field="dimension",
                )
            if not np.isfinite(row).all() or not row.any():
                raise AttemptFailed(f"{self._chain.provider} answered with a vector that has no direction.")
        return np.stack(rows)


def _tokens(answer: Any, sent: Sequence[str]) -> int:
    usage = answer.get("usage") if isinstance(answer, dict) else None
    counted = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    if isinstance(counted, int) and counted >= 0:
        return counted
    return sum(-(-len(text) // CHARACTERS_A_TOKEN) for text in sent)
