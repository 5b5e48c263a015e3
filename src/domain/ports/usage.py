"""What model calls cost, and the monthly limit on them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.identity.ids import GroupId, OrganizationId


@dataclass(frozen=True, slots=True)
class UsageEntry:
    """One call to a model. ``role`` is a model role or ``embedding``, which counts its ``texts``; ``at`` is aware."""

    organization_id: OrganizationId
    group_id: GroupId
    role: str
    model: str
    input_tokens: int
    output_tokens: int
    requests: int
    at: datetime
    texts: int = 0


class UsageMeter(Protocol):
    """Keeps usage beside the record, never in its hash chain."""

    async def check(self, organization_id: OrganizationId) -> None:
        """Raises ``BudgetExhausted`` when the organization's limit of the month is used up."""
        ...

    async def record(self, entry: UsageEntry) -> None:
        """Adds the entry to those of its organization, scope, role, model and day (UTC).

        Called after the provider has been paid, so it must not be lost.
        """
        ...
