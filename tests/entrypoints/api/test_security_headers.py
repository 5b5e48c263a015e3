"""What browsers are told with every answer, whoever made it, and what nobody is told."""

from __future__ import annotations

import re
import socket

import httpx
import pytest

from entrypoints.api.app import create_api
from entrypoints.application import Application
from entrypoints.cli.http_server import answering, bound
from tests.entrypoints.api.conftest import Tenant, client_of, transport_of

EXPECTED = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "x-permitted-cross-domain-policies": "none",
    "cache-control": "no-store",
}


def assert_told(answer: httpx.Response) -> None:
    assert {name: answer.headers.get_list(name) for name in EXPECTED} == {n: [v] for n, v in EXPECTED.items()}
    assert "strict-transport-security" not in answer.headers
    assert "server" not in answer.headers
    assert "x-powered-by" not in answer.headers
    assert "set-cookie" not in answer.headers


async def test_every_answer_has_them_also_those_that_no_handler_made(
    acme: Tenant, anonymous: httpx.AsyncClient
) -> None:
    for answer in (
        await acme.get("/v1/sources"),
        await acme.get("/v1/audit/export"),
        await acme.get("/v1/facts/x"),
        await acme.get("/nowhere"),
        await acme.client.request("BREW", "/v1/sources"),
        await anonymous.get("/v1/sources"),
        await anonymous.get("/health"),
        await anonymous.get("/v1/openapi.json"),
        await anonymous.get("/health", headers={"Host": "evil.example"}),
        await anonymous.post("/mcp", json={}),
    ):
        assert_told(answer)


async def test_where_clients_come_by_https_they_are_told_to_keep_to_it(running: Application, acme: Tenant) -> None:
    api = running.settings.api.model_copy(update={"public_url": "https://assay.test"})
    settings = running.settings.model_copy(update={"api": api})
    async with client_of(transport_of(create_api(running, settings)), acme.key) as client:
        answer = await client.get("/v1/sources")
    assert answer.headers["strict-transport-security"] == "max-age=31536000"


async def test_the_server_names_neither_itself_nor_its_version(running: Application) -> None:
    listener: socket.socket = bound("127.0.0.1", 0)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    async with (
        answering(create_api(running, running.settings), listener),
        httpx.AsyncClient(base_url=address, headers={"Host": "assay.test"}) as client,
    ):
        answers = [await client.get(path) for path in ("/health", "/nowhere", "/v1/sources")]
    for answer in answers:
        assert "server" not in answer.headers
        told = str(answer.headers) + answer.text
        assert not re.search(r"uvicorn|litestar|python/|assay/\d|0\.1\.0", told, re.IGNORECASE)


@pytest.mark.parametrize(("origin", "allowed"), [("https://console.example", True), ("https://evil.example", False)])
async def test_only_the_origins_of_the_settings_may_read_an_answer(
    running: Application, acme: Tenant, origin: str, allowed: bool
) -> None:
    api = running.settings.api.model_copy(update={"allowed_origins": ("https://console.example",)})
    settings = running.settings.model_copy(update={"api": api})
    async with client_of(transport_of(create_api(running, settings)), acme.key) as client:
        answer = await client.get("/v1/sources", headers={"Origin": origin})
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        before = await client.options("/v1/documents", headers=asked)
    assert (answer.headers.get("access-control-allow-origin") == origin) is allowed
    assert (before.headers.get("access-control-allow-origin") == origin) is allowed
    assert answer.headers.get("access-control-allow-credentials") != "true"
    assert answer.headers.get("access-control-allow-origin") != "*"
