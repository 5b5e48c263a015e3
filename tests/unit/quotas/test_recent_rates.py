from __future__ import annotations

from uuid import UUID

from application.quotas.recent_rates import RecentRates
from domain.errors import Unavailable
from domain.identity.ids import OrganizationId
from domain.quotas.rates import Rates

ACME = OrganizationId(UUID(int=1))


class Book:
    """What an organization's rates are, and how often somebody looked."""

    def __init__(self, rates: tuple[int | None, int | None]) -> None:
        self.said: tuple[int | None, int | None] | None = rates
        self.asked = 0

    async def rates(self, _: OrganizationId) -> tuple[int | None, int | None]:
        self.asked += 1
        if self.said is None:
            raise Unavailable("away")
        return self.said


async def test_an_organizations_own_rates_are_looked_up_once_in_ten_seconds() -> None:
    book, seconds = Book((5, None)), [0.0]
    rates = RecentRates(book, Rates(100, 1000, heavy=7), now=lambda: seconds[0])  # type: ignore[arg-type]
    assert await rates(ACME) == Rates(5, 1000, heavy=7)
    book.said = (6, 50)
    assert await rates(ACME) == Rates(5, 1000, heavy=7)
    seconds[0] = 10.0
    assert await rates(ACME) == Rates(6, 50, heavy=7)
    assert book.asked == 2


async def test_what_was_known_holds_while_nothing_can_be_read() -> None:
    book, seconds = Book((5, None)), [0.0]
    rates = RecentRates(book, Rates(100, 1000), now=lambda: seconds[0])  # type: ignore[arg-type]
    await rates(ACME)
    book.said, seconds[0] = None, 60.0
    assert await rates(ACME) == Rates(5, 1000)
    assert await rates(OrganizationId(UUID(int=2))) == Rates(100, 1000)
