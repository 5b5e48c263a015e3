"""What model calls cost, and the monthly limit on them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from domain.identity.access import Access
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


@dataclass(frozen=True, slots=True)
class UsageOfDay:
    """What one scope used of one model on one day (UTC). ``price`` is in whole units of the prices' currency."""

    day: date
    group_id: GroupId
    role: str
    model: str
    calls: int
    requests: int
    texts: int
    input_tokens: int
    output_tokens: int
    price: float


@dataclass(frozen=True, slots=True)
class Spending:
    """What an organization has spent on models this month (UTC), and its limit; None is no limit."""

    spent: float
    limit: float | None


class UsageReports(Protocol):
    """Reads usage and spending."""

    async def days(self, access: Access, since: date) -> list[UsageOfDay]:
        """Usage of the readable scopes from a day on, the newest first."""
        ...

    async def spending(self, access: Access) -> Spending:
        """Of the whole organization."""
        ...


class UsageMeter(Protocol):
    """Keeps usage beside the record, never in its hash chain."""

    async def check(self, organization_id: OrganizationId, group_id: GroupId | None = None) -> None:
        """Raises ``BudgetExhausted`` when the month's limit of the organization is used up, or one around the scope.

        Calls that are under way at that moment may pass it by what they cost.
        """
        ...

    async def record(self, entry: UsageEntry) -> None:
        """Adds the entry to those of its organization, scope, role, model and day (UTC).

        Called after the provider has been paid, so it must not be lost.
        """
        ...
