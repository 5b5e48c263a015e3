"""Every write names its scope: by a parameter of each route, an argument of each tool, an option of each command."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from entrypoints.cli.main import assay
from entrypoints.mcp.tools import (
    concepts,
    contradictions,
    entities,
    history,
    knowledge,
    memory,
    packs,
    promotions,
    submissions,
)
from tests.entrypoints.api.conftest import Tenant
from tests.entrypoints.api.test_two_organizations import routes

OTHERWISE = {
    "POST /v1/organizations": "makes what scopes lie in",
    "POST /v1/projects": "the body names the workspace",
    "POST /v1/memory": "is personal",
}
"""Writes over HTTP without a scope, and where they go."""
TOOLS = (concepts, contradictions, entities, history, knowledge, memory, packs, promotions, submissions)
PERSONAL_TOOLS = {"remember", "recall"}
LOCAL = {
    "down", "mcp", "migrate", "reset", "run", "serve", "status", "up", "work", "login", "logout",
    "organizations create", "break-glass", "erasure verify",
}  # fmt: skip
"""Commands that act on this machine or the installation, before there is a scope."""


async def test_every_route_that_writes_takes_a_scope(acme: Tenant) -> None:
    document = (await acme.get("/v1/openapi.json")).json()
    without = {
        f"{method} {path}"
        for method, path, operation in routes(document)
        if method != "GET" and path.startswith("/v1/") and "scope" not in _query(operation)
    }
    assert without == set(OTHERWISE)


async def test_no_route_that_writes_knowledge_takes_less_than_its_scope(acme: Tenant) -> None:
    """``within`` is for reads; a pack is one that may be stored."""
    document = (await acme.get("/v1/openapi.json")).json()
    narrowing = {f"{m} {p}" for m, p, operation in routes(document) if "within" in _query(operation)}
    assert {each for each in narrowing if not each.startswith("GET")} == {"POST /v1/search", "POST /v1/packs"}
    assert {"GET /v1/search", "GET /v1/facts", "GET /v1/profile"} <= narrowing
    triple = {"subject": "A", "predicate": "depends on", "object": "B"}
    answer = await acme.post("/v1/assertions", {"statements": [triple]}, within="organization")
    assert (answer.status_code, answer.json()["field"]) == (422, "within")


def _query(operation: dict[str, object]) -> set[str]:
    parameters = operation.get("parameters", [])
    assert isinstance(parameters, list)
    return {p["name"] for p in parameters if p["in"] == "query"}


def test_every_tool_takes_a_scope() -> None:
    offered = {
        name: function
        for module in TOOLS
        for kind in vars(module).values()
        if inspect.isclass(kind) and kind.__module__ == module.__name__
        for name, function in vars(kind).items()
        if inspect.iscoroutinefunction(function) and not name.startswith("_")
    }
    assert len(offered) >= 25
    without = {name for name, function in offered.items() if "scope" not in inspect.signature(function).parameters}
    assert without == PERSONAL_TOOLS


def _leaves(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _leaves(command, (*path, name))
        elif command is not None:
            yield " ".join((*path, name)), command


def test_every_command_that_acts_in_an_organization_takes_a_scope() -> None:
    without = {name for name, command in _leaves(assay) if "scope" not in {p.name for p in command.params}}
    assert without == LOCAL
