"""Every route of the OpenAPI document with own, foreign and unknown ids, as every role."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from domain.identity.principal import Role
from tests.isolation.asking import Route, changed_by_others, routes, told_apart, unknown
from tests.isolation.conftest import Two
from tests.isolation.numbers import say
from tests.isolation.rules.routes import PATH_IDS, QUERY_IDS, ROUTES
from tests.isolation.rules.stores import LABELS
from tests.isolation.two_organizations import OUT_OF_REACH

NOTHING_SEEN: list[str] = []


def test_every_route_says_what_it_needs(two: Two) -> None:
    served = {f"{method} {path}" for method, path, _ in two.operations()}
    assert served - ROUTES.keys() == set(), "declare each in tests/isolation/rules/routes.py, see docs/isolation.md"
    assert ROUTES.keys() - served == set(), "there are no such routes any more"
    parameters = [p for _, _, operation in two.operations() for p in operation.get("parameters", [])]
    ids = {(p["in"], p["name"]) for p in parameters if '"uuid"' in str(p).replace("'", '"')}
    assert {name for place, name in ids if place == "path"} - PATH_IDS.keys() == set(), "say of what kind it is"
    assert {name for place, name in ids if place == "query"} - QUERY_IDS.keys() == set(), "say of what kind it is"


async def test_each_role_is_let_in_from_the_declared_one_on(two: Two) -> None:
    wrong = []
    for route in routes(two):
        if route.entry.action is None:
            continue
        for role in Role:
            answer = await route.ask(two.ours.clients[role.value], unknown())
            two.numbers["requests"] += 1
            expected = not role.at_least(route.entry.action.role)
            if (answer.status_code == 403) != expected or answer.status_code >= 500:
                wrong.append(f"{route.name} as {role.value}: {answer.status_code} {answer.text[:200]}")
            wrong += [f"{route.name} as {role.value} shows {leak}" for leak in leaks(two, route, answer)]
    assert not wrong, "\n".join(wrong)


async def test_nobody_is_let_in_without_a_key(two: Two) -> None:
    bare = httpx.AsyncClient(transport=two.ours.owner._transport, base_url="http://assay.test")
    wrong = []
    async with bare:
        for route in routes(two):
            if route.entry.action is not None:
                answer = await route.ask(bare, two.ours.ids)
                two.numbers["requests"] += 1
                wrong += [] if answer.status_code == 401 else [f"{route.name}: {answer.status_code}"]
    assert not wrong, "\n".join(wrong)


async def test_reads_with_own_ids_answer_and_show_nothing_of_others(two: Two) -> None:
    wrong, shown = [], 0
    for route in routes(two):
        if route.method != "GET" or route.entry.action is None:
            continue
        for name, client in two.ours.clients.items():
            answer = await route.ask(client, two.ours.ids)
            two.numbers["requests"] += 1
            wrong += [f"{route.name} as {name} shows {leak}" for leak in leaks(two, route, answer)]
            if name == "owner":
                wrong += (
                    [] if answer.status_code == 200 else [f"{route.name}: {answer.status_code} {answer.text[:200]}"]
                )
                shown += two.ours.canary in answer.text
    assert not wrong, "\n".join(wrong)
    assert shown >= 20, "the canary must be where it could be seen"


async def test_foreign_ids_are_answered_as_those_that_nobody_has_by_the_same_statements(two: Two) -> None:
    before, wrong = await two.digest(two.theirs.id), []
    for route in routes(two):
        if route.entry.action is None:
            continue
        if route.kinds():
            wrong += await told_apart(two, route, two.ours.owner, two.theirs.ids)
        for name, _ in route.query_ids():
            wrong += await told_apart(two, route, two.ours.owner, two.theirs.ids, name)
    assert not wrong, "\n".join(wrong)
    assert await two.digest(two.theirs.id) == before


async def test_names_of_others_find_nothing(two: Two) -> None:
    wrong, asked = [], ("q", "query", "name", "subject", "object", "entity", "target", "collection", "scope")
    for route in routes(two):
        known = [p["name"] for p in route.operation.get("parameters", []) if p["in"] == "query" and p["name"] in asked]
        if route.method != "GET" or route.entry.action is None:
            continue
        for name in known:
            answer = await route.ask(two.ours.owner, two.ours.ids, **{name: two.theirs.canary})
            two.numbers["requests"] += 1
            found = set(leaks(two, route, answer)) - {two.theirs.canary}
            wrong += [f"{route.name} {name} shows {leak}" for leak in found]
    assert not wrong, "\n".join(wrong)


async def test_a_key_of_a_workspace_sees_nothing_of_another_workspace(two: Two) -> None:
    wrong, bound = [], two.ours.clients["bound"]
    for route in routes(two):
        if route.entry.action is None:
            continue
        if route.method == "GET":
            answer = await route.ask(bound, two.ours.ids)
            two.numbers["requests"] += 1
            wrong += [f"{route.name} shows the other workspace"] if hidden(two, answer) else []
        if route.kinds() & two.ours.vaulted.keys() and route.kinds() <= two.ours.vaulted.keys():
            wrong += await told_apart(two, route, bound, two.ours.vaulted)
    assert not wrong, "\n".join(wrong)
    own = await two.ours.owner.get("/v1/facts", params={"scope": "Vault", "subject": "Northgate"})
    assert OUT_OF_REACH in own.text


async def test_what_others_write_changes_no_answer(two: Two) -> None:
    wrong = await changed_by_others(two, [r for r in routes(two) if r.method == "GET" and r.entry.action is not None])
    assert not wrong, "\n".join(wrong)


async def test_nothing_of_anybody_is_in_metrics_or_log_lines(two: Two) -> None:
    metrics = two.metrics.rendered(await two.app.operations.backlog()).decode()
    organizations = (two.ours, two.theirs)
    assert [o.canary for o in organizations if o.leaked(metrics)] == NOTHING_SEEN
    assert set(re.findall(r'(\w+)="', metrics)) - LABELS == set(), "say it in tests/isolation/rules/stores.py"
    assert len(two.lines) >= 100, "the log was not heard"
    assert [line for line in two.lines for o in organizations if o.canary in line] == NOTHING_SEEN


async def test_writes_with_own_ids_show_and_change_nothing_of_others(two: Two, pytestconfig: pytest.Config) -> None:
    before, wrong = await two.digest(two.theirs.id), []
    for route in sorted(routes(two), key=lambda r: ("disable" in r.path, "erase" in r.path, "retract" in r.path)):
        if route.method == "GET" or route.entry.action is None:
            continue
        answer = await route.ask(two.ours.owner, two.ours.ids | {"job": 1})
        two.numbers["requests"] += 1
        wrong += [f"{route.name}: {answer.status_code}"] if answer.status_code >= 500 else []
        wrong += [f"{route.name} shows {leak}" for leak in leaks(two, route, answer)]
    assert not wrong, "\n".join(wrong)
    assert await two.digest(two.theirs.id) == before
    say(pytestconfig, f"{len(ROUTES)} routes, {len(Role)} roles, {two.numbers['requests']} requests, 0 leaks")


def leaks(two: Two, route: Route, answer: httpx.Response) -> list[str]:
    """What of the other organization is in an answer."""
    had = {str(known) for known in two.theirs.ids.values()} if route.entry.echoes else set()
    return [leak for leak in two.theirs.leaked(seen(answer)) if leak not in had]


def seen(answer: httpx.Response) -> str:
    """Everything that a caller sees, but for what it sent."""
    text = f"{answer.headers} {answer.text}"
    for sent in (str(answer.request.url), answer.request.url.path):
        text = text.replace(sent, "")
    return text


def hidden(two: Two, answer: httpx.Response) -> bool:
    """Whether an answer shows something of the workspace that the bound key does not reach."""
    ids: dict[str, Any] = two.ours.vaulted
    return OUT_OF_REACH in answer.text or any(id in answer.text for id in ids.values())
