"""Whether a signed-in request is let in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from domain.errors import RateLimited
from domain.identity.ids import OrganizationId, PrincipalId
from domain.identity.principal import Principal
from domain.ports.rate_limiter import Charge, RateLimiter, Verdict
from domain.quotas.rates import Cost, Rates, charges

RatesOf: TypeAlias = Callable[[OrganizationId], Awaitable[Rates]]
_AT_ONCE = "heavy requests at once"
_RETRY_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Admitted:
    """What was charged, and what is left of each limit in the same order."""

    charges: tuple[Charge, ...]
    remaining: tuple[int, ...]


class Admission:
    """Charges a request to its principal and its organization, in one call of the limiter, before any work is done.

    - A request is charged once, by its class; ``more`` charges of the caller (a tool's own quota) are checked with it.
    - ``slot`` bounds how many heavy requests of one principal this process works on at a time.
    """

    def __init__(self, limiter: RateLimiter, rates_of: RatesOf) -> None:
        self._limiter = limiter
        self._rates_of = rates_of
        self._under_way: Counter[PrincipalId] = Counter()

    async def admit(
        self, principal: Principal, cost: Cost, more: Sequence[Charge] = (), *, paid: Cost | None = None
    ) -> Admitted:
        """Charge the request. ``paid``: the class that it was charged as already. Raises RateLimited."""
        rates = await self._rates_of(principal.organization_id)
        units = rates.units(cost) - (rates.units(paid) if paid else 0)
        due = charges(rates, principal.organization_id, principal.id, units) if units > 0 else []
        due.extend(more)
        if not due:
            return Admitted((), ())
        verdict: Verdict = await self._limiter.take(principal.organization_id.hex, due)
        verdict.require()
        return Admitted(tuple(due), verdict.remaining)

    async def most_at_once(self, principal: Principal) -> int:
        """How many heavy requests of the principal this process works on at a time; 0 is no limit."""
        return (await self._rates_of(principal.organization_id)).heavy_at_once

    @contextmanager
    def slot(self, principal: Principal, most: int) -> Iterator[None]:
        """A place for one heavy request while the context is open. Raises RateLimited when none is free."""
        if most and self._under_way[principal.id] >= most:
            raise RateLimited(
                f"{most} heavy requests of this principal are under way here; wait until one ends",
                limit=_AT_ONCE,
                retry_after=_RETRY_SECONDS,
            )
        self._under_way[principal.id] += 1
        try:
            yield
        finally:
            self._under_way[principal.id] -= 1
            if not self._under_way[principal.id]:
                del self._under_way[principal.id]
