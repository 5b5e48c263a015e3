"""Every MCP tool with own, foreign and unknown ids, as every role."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from mcp import Client

from domain.identity.principal import Role
from entrypoints.mcp.server import create_server
from entrypoints.mcp.sign_in import by_key
from tests.isolation.asking import TRIES, unknown
from tests.isolation.conftest import Two, statements
from tests.isolation.numbers import say
from tests.isolation.rules.declared import filled_in, kinds_in
from tests.isolation.rules.tools import TOOLS


def connected(two: Two, client: httpx.AsyncClient) -> Client:
    """A client in this process that acts by the same key as a client of the API."""
    key = client.headers["authorization"].removeprefix("Bearer ")
    return Client(create_server(two.app, by_key(two.app.verifier, key), two.metrics))


async def called(two: Two, client: Client, name: str, ids: Mapping[str, Any]) -> tuple[bool, dict[str, Any]]:
    """Whether the call was refused, and the structured answer."""
    answer = await client.call_tool(name, filled_in(TOOLS[name].asked, ids))
    two.numbers["calls"] += 1
    return bool(answer.is_error), dict(answer.structured_content or {})


def comparable(answer: tuple[bool, dict[str, Any]], ids: Mapping[str, Any]) -> str:
    text = json.dumps({k: v for k, v in answer[1].items() if k != "as_of"}, sort_keys=True, default=str)
    for kind, sent in ids.items():
        text = text.replace(str(sent), f"<{kind}>")
    return f"{answer[0]} {text}"


async def test_every_tool_says_what_it_needs_and_is_offered_to_who_may_call_it(two: Two) -> None:
    wrong = []
    for role in Role:
        async with connected(two, two.ours.clients[role.value]) as client:
            offered = {tool.name for tool in (await client.list_tools()).tools}
            declared = {name for name, entry in TOOLS.items() if entry.action and role.at_least(entry.action.role)}
            wrong += [f"{name}: declare it in tests/isolation/rules/tools.py" for name in offered - TOOLS.keys()]
            wrong += [f"{name} is not offered to a {role.value}, or should not be" for name in offered ^ declared]
            for name, entry in TOOLS.items():
                refused, answer = await called(two, client, name, unknown())
                assert entry.action
                forbidden = refused and answer.get("code") in ("forbidden", "insufficient_scope")
                if forbidden == role.at_least(entry.action.role):
                    wrong.append(f"{name} as {role.value}: {answer}")
                wrong += [f"{name} shows {leak}" for leak in two.theirs.leaked(json.dumps(answer, default=str))]
    assert not wrong, "\n".join(wrong)


async def test_tools_answer_foreign_ids_as_unknown_ones_by_the_same_statements(
    two: Two, pytestconfig: pytest.Config
) -> None:
    before, wrong, shown = await two.digest(two.theirs.id), [], 0
    with statements() as heard:
        async with connected(two, two.ours.owner) as client:
            for name, entry in TOOLS.items():
                own = await called(two, client, name, two.ours.ids)
                shown += two.ours.canary in json.dumps(own, default=str)
                wrong += [f"{name}: {own[1]}"] if own[0] and entry.action and entry.action.name == "READ" else []
                wrong += [f"{name} shows {leak}" for leak in two.theirs.leaked(json.dumps(own, default=str))]
                if list(kinds_in(entry.asked)):
                    wrong += await _told_apart(two, client, name, heard)
    assert not wrong, "\n".join(wrong)
    assert shown >= 8, "the canary must be where it could be seen"
    assert await two.digest(two.theirs.id) == before
    say(pytestconfig, f"{len(TOOLS)} tools, {two.numbers['calls']} calls, 0 leaks")


async def _told_apart(two: Two, client: Client, name: str, heard: list[str]) -> list[str]:
    different: list[str] = []
    for _ in range(TRIES):
        seen = []
        for ids in (unknown(), two.theirs.ids):
            heard.clear()
            answer = await called(two, client, name, ids)
            seen.append((comparable(answer, ids), heard.copy()))
        assert seen[0][1], "no statement was heard"
        if seen[0] == seen[1]:
            return []
        different = [f"{name}: {seen[0]} to nobody's, {seen[1]} to others'"]
    return different
