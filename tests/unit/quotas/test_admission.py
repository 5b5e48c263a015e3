from __future__ import annotations

from uuid import UUID

import pytest

from adapters.inmemory.rate_limiter import InMemoryRateLimiter
from application.quotas.admission import Admission
from domain.errors import RateLimited
from domain.identity.ids import OrganizationId, PrincipalId
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.ports.rate_limiter import Charge
from domain.quotas.rates import Cost, Rates

ACME = OrganizationId(UUID(int=1))


def somebody(number: int, organization: OrganizationId = ACME) -> Principal:
    return Principal(PrincipalId(UUID(int=number)), organization, PrincipalKind.AGENT, Role.MEMBER, "key", "Ann")


def admission(rates: Rates) -> Admission:
    async def of(_: OrganizationId) -> Rates:
        return rates

    return Admission(InMemoryRateLimiter(lambda: 0), of)


async def test_a_request_costs_what_its_class_does() -> None:
    admit = admission(Rates(100, 1000, read=1, write=3, heavy=20)).admit
    left = [(await admit(somebody(1), cost)).remaining for cost in (Cost.READ, Cost.WRITE, Cost.HEAVY)]
    assert left == [(99, 999), (96, 996), (76, 976)]


async def test_what_was_paid_as_a_read_is_not_paid_again() -> None:
    admit = admission(Rates(100, 1000, read=1, write=3, heavy=20)).admit
    await admit(somebody(1), Cost.READ)
    assert (await admit(somebody(1), Cost.HEAVY, paid=Cost.READ)).remaining == (80, 980)
    assert (await admit(somebody(1), Cost.READ, paid=Cost.READ)).charges == ()


async def test_the_organization_is_charged_by_all_of_its_principals_and_no_other() -> None:
    admit = admission(Rates(0, 2)).admit
    await admit(somebody(1), Cost.READ)
    await admit(somebody(2), Cost.READ)
    with pytest.raises(RateLimited, match="'organization' of 2 units in 60 s"):
        await admit(somebody(3), Cost.READ)
    assert (await admit(somebody(1, OrganizationId(UUID(int=9))), Cost.READ)).remaining == (1,)


async def test_a_tools_own_quota_is_checked_with_the_rest() -> None:
    admit = admission(Rates(10, 0)).admit
    mine = [Charge.within("tool", "recall", 1, 1)]
    await admit(somebody(1), Cost.READ, mine)
    with pytest.raises(RateLimited, match="'tool'"):
        await admit(somebody(1), Cost.READ, mine)
    assert (await admit(somebody(1), Cost.READ)).remaining == (8,)


async def test_no_limits_ask_nobody() -> None:
    assert (await admission(Rates(0, 0)).admit(somebody(1), Cost.HEAVY)).remaining == ()


async def test_a_cost_above_the_limit_takes_all_of_it() -> None:
    assert (await admission(Rates(5, 0)).admit(somebody(1), Cost.HEAVY)).remaining == (0,)


def test_places_are_counted_by_principal_and_given_back() -> None:
    places = admission(Rates(0, 0))
    with (
        places.slot(somebody(1), 2),
        places.slot(somebody(1), 2),
        places.slot(somebody(2), 1),
        pytest.raises(RateLimited, match="2 heavy requests of this principal are under way here"),
    ):
        places.slot(somebody(1), 2).__enter__()
    with places.slot(somebody(1), 1), places.slot(somebody(1), 0):
        pass
    assert not places._under_way
