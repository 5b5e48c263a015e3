"""Tokens of two real OpenID providers at the doors of a running Assay, each provider for an organization of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import asyncpg
import pytest

from adapters.postgres.identity_notices import heard_notices
from adapters.system.ids import TimeOrderedIds
from application.identity.create_organization import OrganizationCreated
from domain.errors import NotAuthenticated
from domain.identity.ids import OrganizationId
from domain.identity.principal import Role
from entrypoints.bootstrap.signing_in import SigningIn, signing_in
from tests.entrypoints.api.token_doors import Doors, settings_with, tokens_by_code
from tests.entrypoints.api.token_doors import doors as doors
from tests.entrypoints.api.token_doors import node_packages as node_packages
from tests.entrypoints.api.token_doors import oidc_providers as oidc_providers
from tests.services.database import Database
from tests.services.oidc_provider import MCP, PUBLIC


async def test_a_person_signs_in_by_code_and_gets_the_roles_of_the_claims(doors: Doors) -> None:
    token = tokens_by_code(doors.providers[0], "alice", PUBLIC, "openid read admin")["access_token"]
    answer = await doors.get(token)
    assert (answer.status_code, answer.json()["name"]) == (200, "Acme"), answer.text
    assert await doors.roles("Alice Adams") == {
        ("organization", "admin", "claims"), ("engineering", "curator", "claims"),
    }  # fmt: skip
    assert (await doors.get(token, scope="personal")).status_code == 200
    assert [kind for kind, name in await _people(doors) if name == "Alice Adams"] == ["human"]


async def test_a_program_signs_in_by_client_credentials_as_an_agent_within_its_grants(doors: Doors) -> None:
    token = doors.providers[0].machine_token(PUBLIC, "read")
    assert (await doors.get(token)).status_code == 200
    assert ("agent", "robot") in await _people(doors)
    remembered = await doors.http.post(
        "/v1/memory", json={"text": "Ann leads Sales."}, headers={"Authorization": f"Bearer {token}"}
    )
    assert (remembered.status_code, remembered.json()["code"]) == (403, "insufficient_scope"), remembered.text


async def test_a_token_of_one_resource_is_refused_at_the_other(doors: Doors) -> None:
    for provider in doors.providers:
        for_mcp = tokens_by_code(provider, "alice", MCP)["access_token"]
        for_api = tokens_by_code(provider, "alice", PUBLIC)["access_token"]
        assert (await doors.mcp(for_mcp)).status_code == 200
        assert (await doors.get(for_api)).status_code == 200
        for answer in (await doors.get(for_mcp), await doors.mcp(for_api)):
            assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
            assert "another resource" in answer.json()["detail"]


async def test_a_refresh_is_refused_after_the_provider_revoked_it(doors: Doors) -> None:
    for provider in doors.providers:
        tokens = tokens_by_code(provider, "alice", PUBLIC, "openid offline_access read")
        form = {"grant_type": "refresh_token", "client_id": "terminal", "refresh_token": tokens["refresh_token"]}
        fresh = provider.token(form | {"resource": PUBLIC}).json()
        assert (await doors.get(fresh["access_token"])).status_code == 200
        revoked = provider.http.post(
            f"{provider.issuer}/token/revocation", data={"client_id": "terminal", "token": fresh["refresh_token"]}
        )
        assert revoked.status_code == 200
        again = provider.token(form | {"refresh_token": fresh["refresh_token"]})
        assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")


async def test_two_issuers_have_people_of_their_own(doors: Doors) -> None:
    names = []
    for provider in doors.providers:
        token = tokens_by_code(provider, "alice", PUBLIC)["access_token"]
        names.append((await doors.get(token)).json()["name"])
    assert names == ["Acme", "Other"]
    foreign = await doors.get(tokens_by_code(doors.providers[1], "bob", PUBLIC)["access_token"])
    assert (foreign.status_code, foreign.json()["code"]) == (401, "not_authenticated")
    claimed = await doors.get(doors.made("alice", 1, iss=doors.providers[0].issuer))
    assert claimed.status_code == 401


async def test_keys_that_rotate_in_mid_flight_stop_nobody(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.oidc.signing_keys.REFETCH_SECONDS", 0.0)
    provider = doors.providers[0]
    old = provider.machine_token(PUBLIC)
    assert (await doors.get(old)).status_code == 200
    provider.tell("rotate", keep="1")
    new = provider.machine_token(PUBLIC)
    answers = await asyncio.gather(*(doors.get(token) for token in (old, new) * 5))
    assert {answer.status_code for answer in answers} == {200}


async def test_roles_follow_the_claims_and_what_people_gave_stays(doors: Doors) -> None:
    assert (await doors.get(doors.made("carol", name="Carol", groups=["admins"]))).status_code == 200
    person = next(p["id"] for p in (await doors.owner("GET", "/v1/principals"))["items"] if p["name"] == "Carol")
    await doors.owner("PUT", "/v1/memberships", {"principal_id": person, "role": "member"}, scope="engineering")
    assert await doors.roles("Carol") == {("organization", "admin", "claims"), ("engineering", "member", "person")}
    assert (await doors.get(doors.made("carol", name="Carol", groups=["engineering"]))).status_code == 200
    assert await doors.roles("Carol") == {
        ("organization", "viewer", "claims"), ("engineering", "curator", "claims"), ("engineering", "member", "person"),
    }  # fmt: skip
    assert (await doors.get(doors.made("carol", name="Carol C", groups=[]))).status_code == 200
    assert await doors.roles("Carol C") == {("organization", "viewer", "claims"), ("engineering", "member", "person")}
    entries = await doors.owner("GET", "/v1/changes", kind="follow_claims")
    assert len(entries["items"]) == 2


async def test_many_first_requests_at_once_make_one_principal(doors: Doors) -> None:
    tokens = [doors.made("dora", name="Dora", jti=str(n)) for n in range(8)]
    answers = await asyncio.gather(*(doors.get(token) for token in tokens))
    assert {answer.status_code for answer in answers} == {200}
    assert [name for _, name in await _people(doors)].count("Dora") == 1


async def test_a_disabled_person_is_stopped_at_the_next_request_in_every_process(
    doors: Doors, database: Database, pool: asyncpg.Pool
) -> None:
    for which, (provider, organization) in enumerate(zip(doors.providers, doors.organizations, strict=True)):
        token = tokens_by_code(provider, "alice", PUBLIC)["access_token"]
        async with _another_process(doors, database, pool) as other:
            assert (await doors.get(token)).status_code == 200
            person = (await other.who.verifier.verify(token)).principal.id
            other.told.clear()
            await _switch(doors, which, organization, str(person), "disable")
            await asyncio.wait_for(other.told.wait(), 2)
            with pytest.raises(NotAuthenticated, match="disabled"):
                await other.who.verifier.verify(token)
            doors.forget()
            refused = await doors.get(token)
            assert (refused.status_code, refused.json()["code"]) == (401, "not_authenticated")
            assert "disabled" in refused.json()["detail"]
            await _switch(doors, which, organization, str(person), "enable")
            assert (await doors.get(token)).status_code == 200


async def test_a_revoked_key_and_a_role_that_was_taken_are_seen_by_every_process_at_once(
    doors: Doors, database: Database, pool: asyncpg.Pool
) -> None:
    added = await doors.owner("POST", "/v1/principals", {"name": "Ivy", "kind": "human", "role": "curator"})
    wish = {"principal_id": added["id"], "name": "laptop", "role": "curator"}
    key = await doors.owner("POST", "/v1/api-keys", wish)
    async with _another_process(doors, database, pool) as other:
        credential = await other.who.verifier.verify(key["key"])
        assert (await other.who.resolver(credential)).principal.role is Role.CURATOR
        other.told.clear()
        await doors.owner("PUT", "/v1/memberships", {"principal_id": added["id"], "role": "viewer"})
        await asyncio.wait_for(other.told.wait(), 2)
        assert (await other.who.resolver(credential)).principal.role is Role.VIEWER
        other.told.clear()
        await doors.owner("DELETE", f"/v1/api-keys/{key['id']}")
        await asyncio.wait_for(other.told.wait(), 2)
        with pytest.raises(NotAuthenticated, match="not valid"):
            await other.who.verifier.verify(key["key"])


async def test_a_notice_that_was_missed_is_made_up_for_when_the_connection_is_back(
    doors: Doors, database: Database
) -> None:
    token = doors.made("erin", name="Erin")
    forgotten = asyncio.Event()
    async with heard_notices(database.application, "lost", lambda _: forgotten.set()):
        forgotten.clear()
        administrator = await asyncpg.connect(database.administrator)
        await administrator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lost notices'"
        )
        await asyncio.wait_for(forgotten.wait(), 5)
        forgotten.clear()
        await asyncio.wait_for(forgotten.wait(), 10)  # it listens again
        forgotten.clear()
        assert (await doors.get(token)).status_code == 200
        await asyncio.wait_for(forgotten.wait(), 5)
        await administrator.close()


async def test_where_nobody_is_provisioned_a_stranger_is_told_no_more_than_that(
    doors: Doors, pool: asyncpg.Pool
) -> None:
    closed = doors.settings.identity.issuers[0].model_copy(update={"provision": False})
    async with AsyncExitStack() as stack:
        who = signing_in(
            settings_with(doors.settings, (closed,)), pool, doors.app.unit_of_work, TimeOrderedIds(), stack
        )
        with pytest.raises(NotAuthenticated, match="no access here"):
            await who.verifier.verify(doors.made("stranger"))
        token = doors.made("frank", name="Frank")
        assert (await doors.get(token)).status_code == 200
        assert (await who.verifier.verify(token)).principal.name == "Frank"


async def test_an_account_that_an_administrator_added_signs_in_with_the_role_it_was_given(doors: Doors) -> None:
    account = {"issuer": doors.providers[0].issuer, "subject": "hal"}
    wish = {"name": "Hal", "kind": "human", "role": "curator", "account": account}
    added = await doors.owner("POST", "/v1/principals", wish, scope="engineering")
    token = doors.made("hal", name="Hal")
    me = (await doors.get(token, "/v1/me")).json()
    assert (me["principal_id"], me["grants"]) == (added["id"], ["read"])
    assert {s["scope"]: s["role"] for s in me["scopes"]} == {
        "organization": "viewer", "engineering": "curator", "personal": "owner",
    }  # fmt: skip
    owner = {"Authorization": f"Bearer {doors.organizations[0].key.key.text}"}
    for body, status in ((wish, 409), (wish | {"account": {"issuer": "id", "subject": "x"}}, 422)):
        answer = await doors.http.post("/v1/principals", json=body, headers=owner)
        assert answer.status_code == status, answer.text
    answer = await doors.http.post("/v1/principals", json=wish, headers=owner)
    assert answer.json()["detail"].startswith("this account is somebody's here already; nothing was changed; list the")


async def test_two_tokens_a_token_in_the_address_and_a_huge_one_are_refused(doors: Doors) -> None:
    token = doors.made("gina")
    bearer = ("Authorization", f"Bearer {token}")
    two = await doors.http.get("/v1/workspaces", headers=[bearer, bearer])
    assert (two.status_code, two.json()["field"]) == (401, "Authorization")
    for headers in ([], [bearer]):
        asked = await doors.http.get("/v1/workspaces", params={"access_token": token}, headers=headers)
        assert (asked.status_code, asked.json()["field"]) == (401, "access_token")
    huge = await doors.get("a." * 50_000)
    assert huge.status_code == 431
    with pytest.raises(NotAuthenticated, match="more than 16384 characters"):
        await doors.app.verifier.verify("a." * 50_000)
    mcp = await doors.http.post("/mcp", json={}, headers=[bearer, bearer])
    assert mcp.status_code == 401


async def test_a_key_that_is_cut_or_of_another_organization_opens_nothing(doors: Doors) -> None:
    key = doors.organizations[1].key.key.text
    for cut in (key[:-1], key[:20], "assay_", key + "A", key.upper()):
        assert (await doors.get(cut)).status_code == 401
    listed = await doors.get(key, "/v1/principals")
    assert "Olga" not in listed.text


async def _people(doors: Doors) -> list[tuple[str, str]]:
    return [(p["kind"], p["name"]) for p in (await doors.owner("GET", "/v1/principals"))["items"]]


class OtherProcess:
    """What another process of the same installation verifies with."""

    def __init__(self, who: SigningIn) -> None:
        self.who = who
        self.told = asyncio.Event()

    def forget(self, organization_id: OrganizationId | None) -> None:
        self.who.forget(organization_id)
        self.told.set()


@asynccontextmanager
async def _another_process(doors: Doors, database: Database, pool: asyncpg.Pool) -> AsyncIterator[OtherProcess]:
    async with AsyncExitStack() as stack:
        other = OtherProcess(signing_in(doors.settings, pool, doors.app.unit_of_work, TimeOrderedIds(), stack))
        await stack.enter_async_context(heard_notices(database.application, "other", other.forget))
        yield other


async def _switch(doors: Doors, which: int, organization: OrganizationCreated, person: str, what: str) -> None:
    headers = {"Authorization": f"Bearer {organization.key.key.text}"}
    answer = await doors.http.post(f"/v1/principals/{person}/{what}", json={}, headers=headers)
    assert answer.is_success, (which, answer.text)
