"""What a scope may use, and how much of it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import GroupId, OrganizationId

MAX_AMOUNT = 1_000_000_000_000_000


class Budgeted(StrEnum):
    """What a budget is of: money for models this month (in millionths), bytes of artifacts, or assertions."""

    MODEL_CALLS = "model_calls"
    ARTIFACT_BYTES = "artifact_bytes"
    ASSERTIONS = "assertions"


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """One budget of a scope, and what the scope and everything inside it have used of it."""

    group_id: GroupId
    what: Budgeted
    budget: int
    used: int

    @property
    def remaining(self) -> int:
        """What is left; 0 when it is passed."""
        return max(0, self.budget - self.used)


@dataclass(frozen=True, slots=True)
class Quotas:
    """What a scope may use; None is the installation's rate, or no budget. Rates are an organization's alone.

    ``monthly_model_micros`` is a workspace's: an organization's stands with its monthly limit.
    """

    principal_units: int | None = None
    organization_units: int | None = None
    monthly_model_micros: int | None = None
    artifact_bytes: int | None = None
    assertions: int | None = None

    def __post_init__(self) -> None:
        for name in self.__slots__:
            amount = getattr(self, name)
            if amount is not None and not 0 <= amount <= MAX_AMOUNT:
                raise InvalidInput(f"an amount is 0 to {MAX_AMOUNT}, not {amount}", field=name)


class Budgets(Protocol):
    """Reads budgets and what is used of them, over all scopes of an organization."""

    async def lines(self, organization_id: OrganizationId, groups: Sequence[GroupId]) -> list[BudgetLine]:
        """The budgets of these scopes and of what contains them; none where none is set."""
        ...

    async def lines_of(self, access: Access) -> list[BudgetLine]:
        """Those of every scope that the access reads."""
        ...

    async def require_room(self, organization_id: OrganizationId, group_id: GroupId, size: int) -> None:
        """Raise StorageBudgetExhausted when ``size`` more bytes of artifacts would pass a budget around the scope."""
        ...

    async def rates(self, organization_id: OrganizationId) -> tuple[int | None, int | None]:
        """Units a minute for a principal and for the organization; None is the installation's."""
        ...
