"""MCP's public conformance suite and the Inspector, run by Node against our gate and transport."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from litestar import Litestar

from entrypoints.application import Application
from entrypoints.cli.http_server import address_of, answering, bound
from entrypoints.mcp.http import over_http
from entrypoints.mcp.server import AssayServer, create_server
from entrypoints.mcp.sign_in import by_request
from tests.entrypoints.mcp.conformance_server import conformance_server
from tests.entrypoints.mcp.filling import Tenant
from tests.entrypoints.mcp.test_server import READS, WRITES
from tests.services.node_packages import NodePackages

HERE = Path(__file__).parent


@asynccontextmanager
async def signed_in(app: Application, server: AssayServer, token: str) -> AsyncIterator[str]:
    """The address of a proxy that adds the token to what it hands on: the suite cannot send one."""
    header = (b"authorization", f"Bearer {token}".encode())
    async with over_http(app, server) as handler:
        behind = cast(Any, Litestar([handler], openapi_config=None, logging_config=None))

        async def proxy(scope: Any, receive: Any, send: Any) -> None:
            await behind({**scope, "headers": [*scope["headers"], header]}, receive, send)

        async with answering(cast(Any, proxy), listener := bound("127.0.0.1", 0), "off"):
            yield f"{address_of(listener)}/mcp"


async def run(command: Sequence[str], folder: Path) -> tuple[int, str]:
    """The exit code and what was printed."""
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    printed, _ = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode is not None
    return process.returncode, printed.decode()


@pytest.mark.parametrize(("kind", "passed"), [("fixed_names", 20), ("our_own", 8)])
async def test_the_suite_passes_but_for_what_is_listed_with_its_reason(
    app: Application, acme: Tenant, node_packages: NodePackages, tmp_path: Path, kind: str, passed: int
) -> None:
    server = conformance_server(app) if kind == "fixed_names" else create_server(app, by_request)
    listed = HERE / f"conformance_{kind}.yml"
    async with signed_in(app, server, acme.agent_key) as url:
        suite = node_packages.command(node_packages.conformance, "server", "--url", url)
        code, printed = await run([*suite, "--expected-failures", str(listed), "-o", str(tmp_path)], tmp_path)
    # A scenario that fails and is not listed ends it with 1, and so does one that is listed and passes.
    assert code == 0, printed
    expected = re.findall(r"^  - (\S+)$", listed.read_text("utf-8"), re.MULTILINE)
    assert f"Running active suite ({len(expected) + passed} scenarios)" in printed


async def inspected(packages: NodePackages, folder: Path, *words: str) -> tuple[int, str]:
    return await run(packages.command(packages.inspector, "--cli", *words), folder)


async def test_the_inspector_lists_and_calls_our_tools_with_a_token(
    address: str, acme: Tenant, node_packages: NodePackages, tmp_path: Path
) -> None:
    server = (f"{address}/mcp", "--transport", "http", "--header", f"Authorization: Bearer {acme.agent_key}")
    code, printed = await inspected(node_packages, tmp_path, *server, "--method", "tools/list", "--strict")
    assert code == 0, printed
    assert {tool["name"] for tool in json.loads(printed)["tools"]} == READS | WRITES
    call = ("--method", "tools/call", "--tool-name", "query_facts", "--tool-arg", "subject=Dispatch")
    code, printed = await inspected(node_packages, tmp_path, *server, *call)
    assert code == 0, printed
    assert json.loads(printed)["structuredContent"]["facts"][0]["object"]["name"] == "NATS"


async def test_the_inspector_is_told_to_sign_in(address: str, node_packages: NodePackages, tmp_path: Path) -> None:
    server = (f"{address}/mcp", "--transport", "http")
    code, printed = await inspected(node_packages, tmp_path, *server, "--method", "tools/list")
    assert code != 0
    assert "auth_required" in printed
