"""Whatever goes wrong is a problem+json that says what, and never more than it should."""

from __future__ import annotations

import re
from collections.abc import Iterator
from uuid import UUID

import httpx
from litestar import Litestar, get
from litestar.routes import HTTPRoute

import domain.errors
from domain.errors import AssayError
from domain.ports.token_verifier import Resource
from entrypoints.api.app import OPERATOR_ROUTES, SIGNED_IN_ROUTES, create_api
from entrypoints.api.problems import STATUSES, status_of
from entrypoints.application import Application
from entrypoints.protected_resources import challenge
from tests.entrypoints.api.conftest import Tenant, client_of, transport_of

NOBODY = UUID(int=7)


def leaves(error: type[AssayError]) -> Iterator[type[AssayError]]:
    yield error
    for child in error.__subclasses__():
        yield from leaves(child)


def test_every_error_of_assay_has_a_status() -> None:
    assert {status_of(error) for error in leaves(AssayError) if error is not AssayError} == set(STATUSES.values())
    assert all(issubclass(family, AssayError) for family in STATUSES)
    assert status_of(domain.errors.StaleRevision) == 409
    assert status_of(domain.errors.StorageFull) == 503


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, object]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("application/problem+json")
    found = answer.json()
    assert (found["status"], found["code"]) == (status, code)
    assert found["request_id"] == answer.headers["x-request-id"]
    assert isinstance(found, dict)
    return found


def routes_of(api: Litestar) -> Iterator[tuple[str, str]]:
    """Method and path of every route that needs a key, with something in place of each parameter."""
    for route in api.routes:
        if isinstance(route, HTTPRoute) and route.path.startswith("/v1") and "schema" not in route.path:
            path = re.sub(r"\{\w+:int\}", "1", re.sub(r"\{\w+:uuid\}", str(NOBODY), route.path))
            for method in sorted(route.methods - {"OPTIONS", "HEAD"}):
                yield method, re.sub(r"\{[^}]*\}", "x", path)


async def test_every_route_refuses_the_anonymous_before_it_reads_anything(running: Application) -> None:
    api = create_api(running, running.settings)
    refused = 0
    async with client_of(transport_of(api)) as client:
        for method, path in routes_of(api):
            if path == "/v1/openapi.json":
                continue
            answer = await client.request(method, path, content=b"{not json")
            problem(answer, 401, "not_authenticated")
            assert answer.headers["www-authenticate"] == challenge(str(client.base_url).rstrip("/"), Resource.API)
            refused += 1
    assert refused >= len(SIGNED_IN_ROUTES) + len(OPERATOR_ROUTES)


async def test_a_wrong_key_and_no_key_are_both_refused(transport: httpx.ASGITransport) -> None:
    async with client_of(transport, "assay_" + "A" * 43) as client:
        problem(await client.get("/v1/workspaces"), 401, "not_authenticated")
        problem(await client.get("/v1/workspaces", headers={"Authorization": "Basic eA=="}), 401, "not_authenticated")


async def test_an_unknown_field_is_named_with_its_value(acme: Tenant) -> None:
    answer = await acme.post("/v1/workspaces", {"name": "sales", "group_id": "w_1"})
    found = problem(answer, 422, "invalid_input")
    assert (found["field"], found["value"]) == ("group_id", "'w_1'")
    assert (await acme.get("/v1/workspaces")).json() == {"items": []}


async def test_a_wrong_value_is_named_with_its_place(acme: Tenant) -> None:
    answer = await acme.post("/v1/principals", {"name": "Max", "kind": "robot"})
    found = problem(answer, 422, "invalid_input")
    assert (found["field"], found["value"]) == ("kind", "'robot'")
    answer = await acme.post("/v1/principals", {"name": "Max"})
    assert problem(answer, 422, "invalid_input")["field"] == "kind"
    answer = await acme.get("/v1/changes", limit=100000)
    found = problem(answer, 422, "invalid_input")
    assert (found["field"], found["value"]) == ("limit", "'100000'")


async def test_an_unknown_parameter_and_a_group_id_are_refused_by_name(acme: Tenant) -> None:
    found = problem(await acme.get("/v1/workspaces", scpoe="sales"), 422, "invalid_input")
    assert found["field"] == "scpoe"
    assert found["detail"] == "'scpoe' is no parameter here; there are: scope"
    found = problem(await acme.get("/v1/workspaces", group_id="w_1"), 422, "invalid_input")
    assert "group_id is not accepted" in str(found["detail"])
    found = problem(await acme.get("/v1/workspaces", scope="w_" + "0" * 32), 422, "invalid_input")
    assert found["field"] == "scope"


async def test_malformed_json_is_a_bad_request(acme: Tenant) -> None:
    answer = await acme.client.post(
        "/v1/workspaces", content=b'{"name": ', headers={"Content-Type": "application/json"}
    )
    problem(answer, 400, "malformed_request")


async def test_too_large_a_body_is_refused(acme: Tenant) -> None:
    problem(await acme.post("/v1/workspaces", {"name": "x" * 3_000_000}), 413, "limit_exceeded")


async def test_unknown_routes_and_methods(anonymous: httpx.AsyncClient, acme: Tenant) -> None:
    problem(await anonymous.get("/v1/nothing"), 404, "not_found")
    problem(await acme.client.patch("/v1/workspaces"), 405, "method_not_allowed")


async def test_a_wrong_host_is_refused(anonymous: httpx.AsyncClient) -> None:
    problem(await anonymous.get("/health", headers={"Host": "evil.example"}), 421, "wrong_host")
    assert (await anonymous.get("/health", headers={"Host": "ASSAY.test:8080"})).status_code == 200


async def test_the_unexpected_says_nothing_of_its_cause(running: Application) -> None:
    @get("/broken")
    async def broken() -> None:
        raise RuntimeError("the secret of the database")

    transport = transport_of(create_api(running, running.settings, more=[broken]))
    async with client_of(transport) as client:
        answer = await client.get("/broken")
    problem(answer, 500, "internal_error")
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text


async def test_answers_have_security_headers_and_a_request_id(anonymous: httpx.AsyncClient) -> None:
    for path in ("/health", "/v1/nothing"):
        answer = await anonymous.get(path, headers={"X-Request-Id": "mine-1"})
        assert answer.headers["x-request-id"] == "mine-1"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert (await anonymous.get("/health", headers={"X-Request-Id": "a\x7fb"})).headers["x-request-id"] != "a\x7fb"
