"""Models whose every paid call is checked against the budget and entered in ``usage``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from domain.identity.ids import GroupId, OrganizationId
from domain.ports.embedder import Embedder, Vectors
from domain.ports.language_model import LanguageModel, ModelReply, ModelRequest, UnusableReply
from domain.ports.usage import UsageEntry, UsageMeter
from domain.retrieval.closeness import Nearness

CHARACTERS_A_TOKEN = 4
"""Embedding ports do not report tokens; this is the usual estimate for English, on the low side for others."""


class MeteredLanguageModel:
    """``LanguageModel`` charged to the request's organization and scope; unusable replies are charged too."""

    def __init__(self, inner: LanguageModel, meter: UsageMeter, now: Callable[[], datetime]) -> None:
        self._inner = inner
        self._meter = meter
        self._now = now

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises ``BudgetExhausted`` before the model is asked; else as the inner model."""
        await self._meter.check(request.organization_id)
        try:
            reply = await self._inner.complete(request)
        except UnusableReply as paid:
            await self._meter.record(self._entry(request, paid))
            raise
        await self._meter.record(self._entry(request, reply))
        return reply

    def _entry(self, request: ModelRequest, cost: ModelReply | UnusableReply) -> UsageEntry:
        return UsageEntry(
            organization_id=request.organization_id,
            group_id=request.group_id,
            role=request.role.value,
            model=cost.model,
            input_tokens=cost.input_tokens,
            output_tokens=cost.output_tokens,
            requests=cost.requests,
            at=self._now(),
        )


class MeteredEmbedder:
    """``Embedder`` charged to one tenant. Put it inside a cache, so that hits are free; it is cheap to make."""

    def __init__(
        self,
        inner: Embedder,
        meter: UsageMeter,
        now: Callable[[], datetime],
        *,
        organization_id: OrganizationId,
        group_id: GroupId,
    ) -> None:
        self._inner = inner
        self._meter = meter
        self._now = now
        self._organization_id = organization_id
        self._group_id = group_id

    @property
    def model(self) -> str:
        return self._inner.model

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    @property
    def nearness(self) -> Nearness | None:
        return self._inner.nearness

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return await self._charged(texts, self._inner.embed_queries)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return await self._charged(texts, self._inner.embed_passages)

    async def _charged(self, texts: Sequence[str], embed: Callable[[Sequence[str]], Awaitable[Vectors]]) -> Vectors:
        if not texts:
            return await embed(texts)
        await self._meter.check(self._organization_id)
        vectors = await embed(texts)
        entry = UsageEntry(
            organization_id=self._organization_id,
            group_id=self._group_id,
            role="embedding",
            model=self.model,
            input_tokens=sum(-(-len(text) // CHARACTERS_A_TOKEN) for text in texts),
            output_tokens=0,
            requests=1,
            at=self._now(),
        )
        await self._meter.record(entry)
        return vectors
