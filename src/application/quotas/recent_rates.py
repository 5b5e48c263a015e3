"""The rates of organizations, remembered for a moment."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from domain.errors import Unavailable
from domain.identity.ids import OrganizationId
from domain.ports.budgets import Budgets
from domain.quotas.rates import Rates

_KEPT = 10_000


class RecentRates:
    """An organization's rates, at most ``seconds`` old; the installation's where it has none.

    What was known is used on while the database does not answer, and the installation's where nothing was.
    """

    def __init__(
        self, budgets: Budgets, usual: Rates, *, seconds: float = 10.0, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._budgets = budgets
        self._usual = usual
        self._seconds = seconds
        self._now = now
        self._known: OrderedDict[OrganizationId, tuple[float, Rates]] = OrderedDict()

    async def __call__(self, organization_id: OrganizationId) -> Rates:
        """Never raises."""
        known = self._known.get(organization_id)
        if known is not None and known[0] > self._now():
            return known[1]
        try:
            principal, organization = await self._budgets.rates(organization_id)
        except Unavailable:
            return known[1] if known is not None else self._usual
        rates = replace(
            self._usual,
            principal=self._usual.principal if principal is None else principal,
            organization=self._usual.organization if organization is None else organization,
        )
        self._known[organization_id] = (self._now() + self._seconds, rates)
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return rates
