"""How much a principal and an organization may ask for in a minute, and what each thing that is asked costs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from domain.errors import InvalidInput
from domain.identity.ids import OrganizationId, PrincipalId
from domain.ports.rate_limiter import Charge

WINDOW_SECONDS = 60


class Cost(StrEnum):
    """Classes of what is asked: a read, a write, or one that searches, packs, exports or verifies."""

    READ = "read"
    WRITE = "write"
    HEAVY = "heavy"


@dataclass(frozen=True, slots=True)
class Rates:
    """Units a minute for one principal and for all of an organization together; 0 is no limit.

    ``read``, ``write`` and ``heavy`` are the units that a request of the class costs; ``heavy_at_once`` is how many
    heavy ones of a principal one process works on at a time.
    """

    principal: int
    organization: int
    read: int = 1
    write: int = 2
    heavy: int = 10
    heavy_at_once: int = 0

    def __post_init__(self) -> None:
        if min(self.principal, self.organization, self.heavy_at_once) < 0:
            raise InvalidInput("A limit is 0 (none) or more.", field="quotas")
        if min(self.read, self.write, self.heavy) < 1:
            raise InvalidInput("A request costs at least 1 unit.", field="quotas")

    def units(self, cost: Cost) -> int:
        """What a request of the class costs."""
        return {Cost.READ: self.read, Cost.WRITE: self.write, Cost.HEAVY: self.heavy}[cost]


def charges(rates: Rates, organization_id: OrganizationId, principal_id: PrincipalId, units: int) -> list[Charge]:
    """What a request is charged, in the family of its organization."""
    limits = (("principal", principal_id, rates.principal), ("organization", organization_id, rates.organization))
    return [Charge.within(name, owner.hex, units, most, WINDOW_SECONDS) for name, owner, most in limits if most]
