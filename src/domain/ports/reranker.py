"""A second, slower look at the best candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from domain.identity.ids import GroupId, OrganizationId


class Reranker(Protocol):
    """Reads a query together with each passage. Where none is configured, there is no reranker at all (None)."""

    async def score(
        self, query: str, passages: Sequence[str], *, organization_id: OrganizationId, group_id: GroupId
    ) -> list[float]:
        """One score in [0, 1] a passage, in the order of the passages; no passages give an empty list.

        The organization and the scope are whom the call is charged to. Raises ``Unavailable``,
        ``ModelReplyInvalid`` or ``BudgetExhausted``; a search then keeps its own order and says so.
        """
        ...
