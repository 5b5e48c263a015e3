"""Who may give and take which role, and what an administrator of one workspace sees, over HTTP."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import httpx
import pytest

from tests.entrypoints.api.conftest import Tenant, client_of

NOBODY = str(UUID(int=7))


async def person(admin: Tenant, name: str, role: str, scope: str = "organization", kind: str = "human") -> str:
    made = await admin.post("/v1/principals", {"name": name, "kind": kind, "role": role}, scope=scope)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def acting(
    transport: httpx.ASGITransport, admin: Tenant, principal: str, role: str, scope: str = "organization"
) -> Tenant:
    """The same organization through a key of another principal."""
    wish = {"principal_id": principal, "name": "laptop", "role": role}
    issued = await admin.post("/v1/api-keys", wish, scope=scope)
    assert issued.status_code == 201, issued.text
    key = issued.json()["key"]
    return Tenant(admin.id, principal, key, client_of(transport, key))


async def joined(
    transport: httpx.ASGITransport, admin: Tenant, name: str, role: str, scope: str = "organization"
) -> Tenant:
    return await acting(transport, admin, await person(admin, name, role, scope), role, scope)


async def with_own_key(transport: httpx.ASGITransport, tenant: Tenant) -> Tenant:
    """After the key that somebody else issued and saw was rotated by its principal."""
    listed = (await tenant.get("/v1/api-keys")).json()["items"]
    (key_id,) = [key["id"] for key in listed if key["principal_id"] == tenant.owner_id]
    made = await tenant.post(f"/v1/api-keys/{key_id}/rotate", {"overlap_seconds": 0})
    assert made.status_code == 201, made.text
    await tenant.client.aclose()
    key = made.json()["key"]
    return Tenant(tenant.id, tenant.owner_id, key, client_of(transport, key))


async def removed(caller: Tenant, principal: str, scope: str = "organization") -> httpx.Response:
    return await caller.client.delete(f"/v1/memberships/{principal}", params={"scope": scope})


async def switched(caller: Tenant, principal: str, to: str) -> httpx.Response:
    return await caller.post(f"/v1/principals/{principal}/{to}", {"reason": "a test"})


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def test_who_is_disabled_may_do_nothing_until_enabled_again(acme: Tenant, transport: httpx.ASGITransport) -> None:
    max_ = await person(acme, "Max", "curator")
    done = await switched(acme, max_, "disable")
    assert done.status_code == 200
    wish = {"principal_id": max_, "name": "late", "role": "member"}
    key = (await acme.post("/v1/api-keys", wish)).json()["key"]
    async with client_of(transport, key) as late:
        assert refusal(await late.get("/v1/organizations/current")) == (401, "not_authenticated")
        assert (await switched(acme, max_, "disable")).json() == {"revision": None}
        listed = {p["name"]: p["disabled_at"] for p in (await acme.get("/v1/principals")).json()["items"]}
        assert listed["Olga"] is None
        assert listed["Max"] is not None
        assert (await switched(acme, max_, "enable")).json()["revision"] > done.json()["revision"]
        assert (await late.get("/v1/organizations/current")).status_code == 200


async def test_changes_of_people_are_in_the_journal_with_their_reason(acme: Tenant) -> None:
    max_ = await person(acme, "Max", "curator")
    await switched(acme, max_, "disable")
    await switched(acme, max_, "enable")
    await removed(acme, max_)
    entries = (await acme.get("/v1/changes")).json()["items"]
    told = [(e["kind"], e["reason"]) for e in entries if e["kind"].endswith(("able_principal", "_membership"))]
    assert told == [("disable_principal", "a test"), ("enable_principal", "a test"), ("remove_membership", None)]


async def test_the_last_owner_can_neither_leave_nor_be_disabled_nor_lowered(acme: Tenant) -> None:
    await person(acme, "a machine", "owner", kind="agent")
    gone = await person(acme, "Gone", "owner")
    assert (await switched(acme, gone, "disable")).status_code == 200
    lowered = {"principal_id": acme.owner_id, "role": "admin"}
    for answer in (
        await acme.client.post("/v1/memberships/leave"),
        await removed(acme, acme.owner_id),
        await switched(acme, acme.owner_id, "disable"),
        await acme.client.put("/v1/memberships", json=lowered),
    ):
        assert refusal(answer) == (409, "last_owner")
    roles = {m["principal_name"]: m["role"] for m in (await acme.get("/v1/memberships")).json()["items"]}
    assert roles == {"Olga": "owner", "a machine": "owner", "Gone": "owner"}
    await person(acme, "Max", "owner")
    assert (await acme.client.put("/v1/memberships", json=lowered)).status_code == 200


@pytest.mark.parametrize("way", ["leave", "disable", "lower"])
async def test_of_two_owners_who_go_at_once_one_stays(acme: Tenant, transport: httpx.ASGITransport, way: str) -> None:
    second = await joined(transport, acme, "Max", "owner")

    async def go(one: Tenant, other: Tenant) -> httpx.Response:
        if way == "leave":
            return await one.client.post("/v1/memberships/leave")
        if way == "disable":
            return await switched(one, other.owner_id, "disable")
        return await one.client.put("/v1/memberships", json={"principal_id": other.owner_id, "role": "viewer"})

    answers = await asyncio.gather(go(acme, second), go(second, acme))
    assert sorted(a.status_code for a in answers) == [200, 409], [a.text for a in answers]
    assert {a.json().get("code") for a in answers} == {None, "last_owner"}


async def test_nobody_gives_or_takes_more_than_their_own_role(acme: Tenant, transport: httpx.ASGITransport) -> None:
    admin = await joined(transport, acme, "Ada", "admin")
    second = await person(acme, "Max", "owner")
    for answer in (
        await removed(admin, second),
        await switched(admin, second, "disable"),
        await admin.client.put("/v1/memberships", json={"principal_id": second, "role": "viewer"}),
        await admin.client.put("/v1/memberships", json={"principal_id": admin.owner_id, "role": "owner"}),
        await admin.post("/v1/principals", {"name": "Eve", "kind": "human", "role": "owner"}),
        await admin.post("/v1/api-keys", {"principal_id": second, "name": "x", "role": "owner"}),
    ):
        assert refusal(answer) == (403, "forbidden")


async def test_who_owns_a_workspace_is_not_disabled_by_an_administrator(
    acme: Tenant, transport: httpx.ASGITransport
) -> None:
    await acme.post("/v1/workspaces", {"name": "sales"})
    owner = await person(acme, "Sam", "owner", "sales")
    admin = await joined(transport, acme, "Ada", "admin")
    assert refusal(await switched(admin, owner, "disable")) == (403, "forbidden")


async def test_managing_people_takes_an_administrator_and_leaving_takes_nobody(
    acme: Tenant, transport: httpx.ASGITransport
) -> None:
    curator, other = await joined(transport, acme, "Cora", "curator"), await person(acme, "Max", "viewer")
    for answer in (await removed(curator, other), await switched(curator, other, "disable")):
        assert refusal(answer) == (403, "forbidden")
    assert (await curator.client.post("/v1/memberships/leave")).status_code == 200
    assert refusal(await removed(acme, curator.owner_id)) == (404, "not_found")


async def test_unknown_and_foreign_principals_and_roles_are_refused_alike(acme: Tenant, other: Tenant) -> None:
    for stranger in (other.owner_id, NOBODY):
        for answer in (
            await removed(acme, stranger),
            await switched(acme, stranger, "disable"),
            await switched(acme, stranger, "enable"),
        ):
            assert refusal(answer) == (404, "not_found")
            assert answer.json()["detail"] == f"there is no principal {stranger} here"
    wrong = await acme.client.put("/v1/memberships", json={"principal_id": acme.owner_id, "role": "emperor"})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "role")
    assert wrong.json()["value"] == "'emperor'"


async def test_a_principal_is_disabled_in_the_organization_only(acme: Tenant) -> None:
    await acme.post("/v1/workspaces", {"name": "sales"})
    sam = await person(acme, "Sam", "member", "sales")
    answer = await acme.post(f"/v1/principals/{sam}/disable", {}, scope="sales")
    assert (answer.status_code, answer.json()["field"]) == (422, "scope")
    personal = await removed(acme, acme.owner_id, "personal")
    assert (personal.status_code, personal.json()["field"]) == (422, "scope")


@pytest.mark.parametrize(
    "name", ["", " ", "a\u0000b", "a\nb", "\u202egnp.exe", "\u2066x", "\u200b", "\x1b[31m", "x" * 10_000]
)
async def test_names_that_deceive_or_do_not_end_are_refused(acme: Tenant, name: str) -> None:
    before = (await acme.get("/v1/principals")).json()
    for path, body in (
        ("/v1/principals", {"name": name, "kind": "human"}),
        ("/v1/workspaces", {"name": name}),
        ("/v1/projects", {"workspace": name, "name": "x"}),
        ("/v1/api-keys", {"principal_id": acme.owner_id, "name": name, "role": "viewer"}),
    ):
        answer = await acme.post(path, body)
        assert answer.status_code == 422, (path, answer.text)
        assert len(answer.content) < 2_000
    assert (await acme.get("/v1/principals")).json() == before
    assert (await acme.get("/v1/workspaces")).json() == {"items": []}


@pytest.mark.parametrize(
    "path", ["../other", "sales/..", "sales/../legal", "./sales", "/sales", "sales/", "..", "%2e."]
)
async def test_paths_do_not_walk(acme: Tenant, path: str) -> None:
    await acme.post("/v1/workspaces", {"name": "sales"})
    answer = await acme.get("/v1/principals", scope=path)
    assert (answer.status_code, answer.json()["field"]) == (422, "scope")


class Workspaces:
    """Two workspaces with an administrator, a member and a key in each."""

    def __init__(self, sales: Tenant, legal: Tenant, member: str) -> None:
        self.sales, self.legal, self.legal_member = sales, legal, member


@pytest.fixture
async def two(acme: Tenant, transport: httpx.ASGITransport) -> Workspaces:
    for name in ("sales", "legal"):
        await acme.post("/v1/workspaces", {"name": name})
    sales = await joined(transport, acme, "Sam", "admin", "sales")
    legal = await joined(transport, acme, "Lea", "admin", "legal")
    member = await person(legal, "Leo", "member", "legal")
    await acting(transport, legal, member, "member", "legal")
    await acme.post("/v1/projects", {"workspace": "legal", "name": "merger"})
    return Workspaces(sales, legal, member)


async def test_a_workspace_administrator_manages_keys_of_its_members_inside_it(
    two: Workspaces, transport: httpx.ASGITransport
) -> None:
    sales = two.sales
    await sales.post("/v1/projects", {"workspace": "sales", "name": "q3"})
    mia = await person(sales, "Mia", "member", "sales")
    member = await acting(transport, sales, mia, "member", "sales")
    narrow = await acting(transport, sales, mia, "viewer", "sales/q3")
    assert (await member.get("/v1/projects")).json()["items"][0]["path"] == "sales/q3"
    assert [s["path"] for s in (await narrow.get("/v1/projects")).json()["items"]] == ["sales/q3"]
    assert refusal(await narrow.get("/v1/principals", scope="sales")) == (404, "not_found")
    keys = (await sales.get("/v1/api-keys")).json()["items"]
    assert [(k["scope"], k["role"]) for k in keys] == [
        ("sales/q3", "viewer"), ("sales", "member"), ("sales", "admin"),
    ]  # fmt: skip
    assert (await sales.client.delete(f"/v1/api-keys/{keys[0]['id']}")).json()["revision"] > 0
    for wish, field in (({"role": "owner"}, "role"), ({"role": "curator"}, "role")):
        answer = await sales.post("/v1/api-keys", {"principal_id": mia, "name": "more", **wish})
        assert answer.json()["field"] == field


async def test_a_workspace_administrator_sees_nothing_of_another_workspace(acme: Tenant, two: Workspaces) -> None:
    sales = two.sales
    theirs = (await two.legal.get("/v1/api-keys")).json()["items"]
    assert {k["scope"] for k in theirs} == {"legal"}
    for path in ("/v1/workspaces", "/v1/projects", "/v1/principals", "/v1/memberships", "/v1/api-keys"):
        for given in ({}, {"scope": "sales"}):
            text = (await sales.get(path, **given)).text
            hidden = ("legal", "merger", "Lea", "Leo", two.legal.owner_id, two.legal_member, *(k["id"] for k in theirs))
            assert not [word for word in hidden if word in text], path
        for scope in ("legal", "legal/merger", "organization", "nothing"):
            answer = await sales.get(path, scope=scope)
            assert refusal(answer) == (404, "not_found")
    for key in (theirs[0]["id"], NOBODY):
        assert refusal(await sales.client.delete(f"/v1/api-keys/{key}")) == (404, "not_found")
    details = set()
    for stranger in (two.legal_member, two.legal.owner_id, NOBODY):
        answer = await sales.post("/v1/api-keys", {"principal_id": stranger, "name": "x", "role": "viewer"})
        assert refusal(answer) == (404, "not_found")
        details.add(answer.json()["detail"].replace(stranger, "…"))
        assert refusal(await removed(sales, stranger, "sales")) == (404, "not_found")
        details.add((await removed(sales, stranger, "sales")).json()["detail"].replace(stranger, "…"))
    assert details == {"there is no principal … here"}
    assert refusal(await switched(sales, two.legal_member, "disable")) == (422, "invalid_input")
    assert [p["name"] for p in (await acme.get("/v1/principals")).json()["items"]] == ["Lea", "Leo", "Olga", "Sam"]


async def test_who_is_removed_from_the_only_scope_of_a_key_finds_nothing_with_it(
    acme: Tenant, transport: httpx.ASGITransport
) -> None:
    await acme.post("/v1/workspaces", {"name": f"w{uuid4().hex[:6]}"})
    scope = (await acme.get("/v1/workspaces")).json()["items"][0]["path"]
    key = await joined(transport, acme, "Max", "member", scope)
    assert (await removed(acme, key.owner_id, scope)).status_code == 200
    assert refusal(await key.get("/v1/principals")) == (404, "not_found")


async def test_only_a_key_that_its_person_issued_opens_the_personal_scope(
    acme: Tenant, transport: httpx.ASGITransport
) -> None:
    given = await joined(transport, acme, "Vic", "member")
    refused = await given.post("/v1/memory", {"text": "The mill is by the river."})
    assert refusal(refused) == (404, "not_found")
    own = await with_own_key(transport, given)
    assert (await own.post("/v1/memory", {"text": "The mill is by the river."})).status_code == 202
    another = await acting(transport, acme, own.owner_id, "member")
    assert refusal(await another.get("/v1/documents", scope="personal")) == (404, "not_found")
    (issued,) = [k for k in (await own.get("/v1/api-keys")).json()["items"] if k["issued_by"] == own.owner_id]
    taken = await acme.post(f"/v1/api-keys/{issued['id']}/rotate", {"overlap_seconds": 60})
    assert taken.status_code == 201, taken.text
    async with client_of(transport, taken.json()["key"]) as posing:
        assert (await posing.get("/v1/documents", params={"scope": "personal"})).status_code == 404


async def test_a_key_that_ends_issues_none_that_ends_later(acme: Tenant, transport: httpx.ASGITransport) -> None:
    end, later = datetime.now(UTC) + timedelta(hours=1), datetime.now(UTC) + timedelta(hours=2)
    ada = await person(acme, "Ada", "admin")
    wish = {"principal_id": ada, "name": "for an hour", "role": "admin"}
    issued = await acme.post("/v1/api-keys", {**wish, "expires_at": end.isoformat()})
    forever = (await acme.post("/v1/api-keys", wish)).json()["id"]
    async with client_of(transport, issued.json()["key"]) as short:
        for body in (wish, {**wish, "expires_at": later.isoformat()}):
            longer = await short.post("/v1/api-keys", json=body)
            assert (refusal(longer), longer.json()["field"]) == ((403, "forbidden"), "expires_at")
        rotated = await short.post(f"/v1/api-keys/{forever}/rotate", json={"overlap_seconds": 60})
        assert refusal(rotated) == (403, "forbidden")
        soon = await short.post("/v1/api-keys", json={**wish, "expires_at": (end - timedelta(minutes=1)).isoformat()})
        assert soon.status_code == 201, soon.text


async def test_an_agent_issues_and_rotates_no_key_of_a_person(acme: Tenant, transport: httpx.ASGITransport) -> None:
    robot = await person(acme, "Robot", "admin", kind="agent")
    agent = await acting(transport, acme, robot, "admin")
    wish = {"principal_id": acme.owner_id, "name": "mine", "role": "admin"}
    assert refusal(await agent.post("/v1/api-keys", wish)) == (403, "forbidden")
    ada = await acting(transport, acme, await person(acme, "Ada", "member"), "member")
    (key,) = [k for k in (await acme.get("/v1/api-keys")).json()["items"] if k["principal_id"] == ada.owner_id]
    assert refusal(await agent.post(f"/v1/api-keys/{key['id']}/rotate", {"overlap_seconds": 60})) == (403, "forbidden")
    assert (await agent.post("/v1/api-keys", {**wish, "principal_id": robot})).status_code == 201


async def test_only_an_administrator_of_the_organization_makes_an_account_an_agents(
    acme: Tenant, transport: httpx.ASGITransport
) -> None:
    await acme.post("/v1/workspaces", {"name": "quay"})
    admin = await joined(transport, acme, "Wanda", "admin", "quay")
    account = {"issuer": "https://id.example.com", "subject": "ines"}
    wish = {"name": "Ines", "kind": "agent", "role": "viewer", "account": account}
    refused = await admin.post("/v1/principals", wish, scope="quay")
    assert (refusal(refused), refused.json()["field"]) == ((403, "forbidden"), "account")
    assert (await admin.post("/v1/principals", wish | {"kind": "human"}, scope="quay")).status_code == 201
