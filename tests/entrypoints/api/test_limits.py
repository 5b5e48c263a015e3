from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from uuid import uuid4

import httpx
import pytest
from litestar.routes import HTTPRoute

from adapters.inmemory.rate_limiter import InMemoryRateLimiter
from application.quotas.admission import Admission
from application.quotas.sign_ins import SignIns
from domain.identity.ids import OrganizationId
from domain.ports.rate_limiter import Charge, RateLimiter, Verdict
from domain.quotas.rates import Cost, Rates
from entrypoints.api.app import create_api
from entrypoints.application import Application
from entrypoints.costs import ROUTES, cost_of_route
from entrypoints.telemetry import Metrics
from tests.entrypoints.api.conftest import Tenant, client_of, transport_of


class Counting:
    """A limiter, and how often it was asked for what."""

    def __init__(self, inner: RateLimiter) -> None:
        self.inner = inner
        self.asked: list[tuple[str, ...]] = []

    async def take(self, family: str, charges: Sequence[Charge]) -> Verdict:
        self.asked.append(tuple(f"{charge.name} {charge.cost}" for charge in charges))
        return await self.inner.take(family, charges)


class Limited:
    """The application's API with small limits."""

    def __init__(self, running: Application, rates: Rates, failed: int = 0) -> None:
        async def of(_: OrganizationId) -> Rates:
            return rates

        self.limiter = Counting(InMemoryRateLimiter(lambda: time.monotonic_ns() // 1_000))
        self.admission = Admission(self.limiter, of)
        sign_ins = SignIns(running.verifier, self.limiter, failed)
        self.metrics = Metrics()
        limited = replace(running, admission=self.admission, sign_ins=sign_ins)
        self.transport = transport_of(create_api(limited, limited.settings, metrics=self.metrics))


@pytest.fixture
def few(running: Application) -> Limited:
    return Limited(running, Rates(principal=10, organization=100, read=1, write=2, heavy=5), failed=3)


@pytest.fixture
async def client(few: Limited, acme: Tenant) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(few.transport, acme.key) as client:
        yield client


async def test_answers_name_the_limits_and_what_is_left(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/workspaces")
    assert answer.status_code == 200
    assert answer.headers["ratelimit-policy"] == '"principal";q=10;w=60, "organization";q=100;w=60'
    assert answer.headers["ratelimit"] == '"principal";r=9;t=60, "organization";r=99;t=60'


async def test_beyond_the_limit_is_429_with_the_limit_and_when_to_come_back(
    client: httpx.AsyncClient, few: Limited
) -> None:
    for _ in range(2):
        assert (await client.get("/v1/search", params={"q": "x"})).status_code == 200
    answer = await client.get("/v1/workspaces")
    assert answer.status_code == 429
    problem = answer.json()
    assert (problem["code"], problem["limit"], problem["retryable"]) == ("rate_limited", "principal", True)
    assert 54 <= int(answer.headers["retry-after"]) <= 66
    assert "the limit 'principal' of 10 units in 60 s is used up; wait" in problem["detail"]


async def test_a_write_that_is_sent_with_an_idempotency_key_is_charged_once(
    client: httpx.AsyncClient, few: Limited
) -> None:
    for _ in range(2):
        answer = await client.post("/v1/workspaces", json={"name": "once"}, headers={"Idempotency-Key": "k1"})
        assert answer.status_code == 201
    assert few.limiter.asked == [("principal 2", "organization 2")] * 2


async def test_a_key_that_is_refused_is_charged_to_its_address_alone(few: Limited, acme: Tenant) -> None:
    async with client_of(few.transport, "assay_" + "x" * 43) as stranger:
        told = [(await stranger.get("/v1/workspaces")) for _ in range(4)]
    assert [answer.status_code for answer in told] == [401, 401, 401, 429]
    assert told[-1].json()["limit"] == "failed sign-ins"
    async with client_of(few.transport, acme.key) as client:
        assert (await client.get("/v1/workspaces")).status_code == 200
    assert few.limiter.asked == [("failed sign-ins 1",)] * 4 + [("principal 1", "organization 1")]


async def test_what_is_open_is_not_charged(few: Limited) -> None:
    async with client_of(few.transport) as anybody:
        assert (await anybody.get("/health")).status_code == 200
        assert (await anybody.get("/v1/workspaces")).status_code == 401
    assert few.limiter.asked == []


async def test_a_place_for_a_heavy_request_is_given_back_also_after_a_refusal(
    running: Application, acme: Tenant
) -> None:
    limited = Limited(running, Rates(principal=0, organization=0, heavy_at_once=1))
    async with client_of(limited.transport, acme.key) as client:
        for parameters in ({"q": "x"}, {"top_k": "no number"}, {"q": "x"}):
            assert (await client.get("/v1/search", params=parameters)).status_code in {200, 400, 422}
        principal = (await running.verifier.verify(acme.key)).principal
        with limited.admission.slot(principal, 1):
            answer = await client.get("/v1/search", params={"q": "x"})
        assert (answer.status_code, answer.json()["limit"]) == (429, "heavy requests at once")
        assert answer.headers["retry-after"] == "1"


async def test_refusals_are_counted_by_limit(running: Application, few: Limited, client: httpx.AsyncClient) -> None:
    for _ in range(12):
        await client.get("/v1/workspaces")
    text = few.metrics.rendered(None).decode()
    assert 'assay_rate_limited_total{limit="principal"} 2.0' in text


async def test_a_browser_does_not_sign_in_again_and_again(few: Limited, running: Application) -> None:
    async with client_of(few.transport) as browser:
        told = [(await browser.get(path)).status_code for path in ("/login", "/callback", "/login", "/callback")]
        assert told == [422, 422, 422, 429]
        assert (await browser.get("/login")).json()["limit"] == "browser sign-ins"
        assert (await browser.get("/v1/workspaces")).status_code == 401
    assert 'assay_rate_limited_total{limit="browser sign-ins"} 2.0' in few.metrics.rendered(None).decode()


def test_every_route_with_a_cost_of_its_own_is_one_that_is_served(running: Application) -> None:
    api = create_api(running, running.settings)
    served = {(m, route.path_format) for route in api.routes if isinstance(route, HTTPRoute) for m in route.methods}
    assert set(ROUTES) <= served
    assert cost_of_route("GET", "/v1/workspaces") is Cost.READ
    assert cost_of_route("DELETE", "/v1/api-keys/{key_id}") is Cost.WRITE


async def test_a_route_with_an_id_in_its_path_costs_what_the_table_says(running: Application, acme: Tenant) -> None:
    limited = Limited(running, Rates(principal=0, organization=0, heavy_at_once=1))
    principal = (await running.verifier.verify(acme.key)).principal
    async with client_of(limited.transport, acme.key) as client:
        with limited.admission.slot(principal, 1):
            answer = await client.post(f"/v1/snapshots/{uuid4()}/verify")
    assert (answer.status_code, answer.json()["limit"]) == (429, "heavy requests at once")
