"""Models whose every paid call is checked against the budget and entered in ``usage``."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

from domain.identity.access import Access
from domain.identity.ids import OrganizationId
from domain.ports.embedder import Embedder, PaidEmbedder, Spent
from domain.ports.language_model import LanguageModel, ModelReply, ModelRequest, UnusableReply
from domain.ports.usage import UsageEntry, UsageMeter
from domain.retrieval.closeness import Nearness

EMBEDDING = "embedding"
"""The role of embedders in ``usage``; language models have their own."""


class MeteredLanguageModel:
    """``LanguageModel`` charged to the request's organization and scope; unusable replies are charged too."""

    def __init__(self, inner: LanguageModel, meter: UsageMeter, now: Callable[[], datetime]) -> None:
        self._inner = inner
        self._meter = meter
        self._now = now

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises ``BudgetExhausted`` before the model is asked; else as the inner model."""
        await self._meter.check(request.organization_id, request.group_id)
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
    """A paid embedder that belongs to nobody: it embeds for a tenant only, who is charged.

    ``cached`` puts a cache around the embedder of an organization, so that its own hits are free.
    """

    def __init__(
        self,
        paid: PaidEmbedder,
        meter: UsageMeter,
        now: Callable[[], datetime],
        cached: Callable[[Embedder, OrganizationId], Embedder],
    ) -> None:
        self._paid = paid
        self._meter = meter
        self._now = now
        self._cached = cached

    @property
    def model(self) -> str:
        return self._paid.model

    @property
    def dimension(self) -> int:
        return self._paid.dimension

    @property
    def nearness(self) -> Nearness | None:
        return self._paid.nearness

    def charged_to(self, access: Access) -> Embedder:
        """The embedder for work in the access's scope."""
        paid = self._paid.paid_by(_Tenant(access, self.model, self._meter, self._now))
        return self._cached(paid, access.organization_id)


ConfiguredEmbedder: TypeAlias = Embedder | MeteredEmbedder
"""A local model costs nothing and is nobody's; any other has to be charged before it can be called."""


def embedder_for(access: Access, configured: ConfiguredEmbedder) -> Embedder:
    """The configured embedder, charged to the access's organization and scope where it costs anything."""
    return configured.charged_to(access) if isinstance(configured, MeteredEmbedder) else configured


class _Tenant:
    """Implements ``Payer``."""

    def __init__(self, access: Access, model: str, meter: UsageMeter, now: Callable[[], datetime]) -> None:
        self._access = access
        self._model = model
        self._meter = meter
        self._now = now

    async def may_spend(self) -> None:
        await self._meter.check(self._access.organization_id, self._access.write_scope)

    async def spend(self, spent: Spent) -> None:
        await self._meter.record(
            UsageEntry(
                organization_id=self._access.organization_id,
                group_id=self._access.write_scope,
                role=EMBEDDING,
                model=self._model,
                input_tokens=spent.tokens,
                output_tokens=0,
                requests=spent.requests,
                at=self._now(),
                texts=spent.texts,
            )
        )
