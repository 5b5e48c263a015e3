"""A browser signs in at a real OpenID provider and works with a session."""

from __future__ import annotations

import asyncio
import re
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import click
import httpx
import pytest

from domain.errors import InvalidInput, NotAuthenticated
from domain.identity.principal import Role
from domain.ports.provider_login import TokenSet
from entrypoints.bootstrap.terminal import terminal_login
from entrypoints.cli.acting import signed_in
from entrypoints.cli.logging_in import chosen_issuer, signed_in_by_browser
from entrypoints.cli.saved_token import read_saved, save, token_path, usable_token
from entrypoints.sections.identity import IdentitySettings
from tests.entrypoints.api.token_doors import Doors
from tests.entrypoints.api.token_doors import doors as doors
from tests.entrypoints.api.token_doors import node_packages as node_packages
from tests.entrypoints.api.token_doors import oidc_providers as oidc_providers
from tests.services.database import Database
from tests.services.oidc_provider import CALLBACK, PUBLIC

SAME_ORIGIN = {"Origin": PUBLIC}


@pytest.fixture
async def browser(doors: Doors) -> AsyncIterator[httpx.AsyncClient]:
    """A browser without a session."""
    async with httpx.AsyncClient(transport=doors.http._transport, base_url=PUBLIC) as made:
        yield made


async def begin(doors: Doors, browser: httpx.AsyncClient, which: int = 0, **more: str) -> str:
    """The address that /login sends the browser to."""
    answer = await browser.get("/login", params={"issuer": doors.providers[which].issuer, **more})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


async def sign_in(doors: Doors, browser: httpx.AsyncClient, user: str = "alice", which: int = 0) -> httpx.Response:
    back = doors.providers[which].sign_in(await begin(doors, browser, which), user, CALLBACK)
    return await browser.get("/callback", params=back)


async def test_a_browser_signs_in_works_and_signs_out(doors: Doors, browser: httpx.AsyncClient) -> None:
    answer = await sign_in(doors, browser)
    assert (answer.status_code, answer.headers["location"]) == (303, "/v1/me"), answer.text
    (session,) = [value for value in answer.headers.get_list("set-cookie") if value.startswith("assay_session=assay_")]
    assert {"HttpOnly", "SameSite=lax", "Path=/", "Max-Age=43200"} <= set(session.split("; "))
    assert answer.headers["cache-control"] == "no-store"
    me = (await browser.get("/v1/me")).json()
    assert (me["name"], me["kind"], me["grants"]) == ("Alice Adams", "human", None)
    assert [(s["scope"], s["role"]) for s in me["scopes"]] == [
        ("engineering", "admin"), ("organization", "admin"), ("personal", "owner"),
    ]  # fmt: skip
    made = await browser.post("/v1/workspaces", json={"name": "by-browser"}, headers=SAME_ORIGIN)
    assert made.status_code == 201, made.text
    secret = browser.cookies["assay_session"]
    assert (await browser.post("/sign-out", headers=SAME_ORIGIN)).status_code == 204
    assert "assay_session" not in browser.cookies
    again = await browser.get("/v1/me", headers={"Cookie": f"assay_session={secret}"})
    assert (again.status_code, again.json()["code"]) == (401, "not_authenticated")


async def test_each_of_two_issuers_signs_in_to_its_own_organization(doors: Doors, browser: httpx.AsyncClient) -> None:
    choice = await browser.get("/login", params={"return_to": "/v1/workspaces"})
    assert choice.status_code == 200
    for provider, name in zip(doors.providers, ("Acme staff", doors.providers[1].issuer), strict=True):
        assert f">{name}</a>" in choice.text
        assert f"issuer=http%3A%2F%2F{urlsplit(provider.issuer).netloc.replace(':', '%3A')}" in choice.text
    organizations = []
    for which in (0, 1):
        await sign_in(doors, browser, which=which)
        organizations.append((await browser.get("/v1/organizations/current")).json()["name"])
    assert organizations == ["Acme", "Other"]
    refused = await sign_in(doors, browser, "bob", 1)
    assert (refused.status_code, refused.json()["code"]) == (401, "not_authenticated")


async def test_the_provider_is_asked_with_pkce_state_and_nonce(doors: Doors, browser: httpx.AsyncClient) -> None:
    first, second = [parse_qs(urlsplit(await begin(doors, browser)).query) for _ in range(2)]
    assert first["code_challenge_method"] == ["S256"]
    assert first["redirect_uri"] == [CALLBACK]
    for name in ("code_challenge", "state", "nonce"):
        assert len(first[name][0]) == 43
        assert first[name] != second[name]


async def test_an_answer_opens_a_session_only_for_the_attempt_that_asked(
    doors: Doors, browser: httpx.AsyncClient
) -> None:
    provider = doors.providers[0]
    back = provider.sign_in(await begin(doors, browser), "alice", CALLBACK)
    for changed in ({"state": "other"}, {"state": ""}, {"iss": doors.providers[1].issuer}, {"iss": ""}):
        answer = await browser.get("/callback", params=back | changed)
        assert (answer.status_code, "begin again" in answer.text) == (401, True), answer.text
    nameless = {name: value for name, value in back.items() if name != "iss"}
    assert (await browser.get("/callback", params=nameless)).status_code == 401
    cookie = browser.cookies["assay_login"]
    for stale in ("", "x", cookie[:-2] + "AA", "a" * 5_000):
        headers = {"Cookie": f"assay_login={stale}"}
        async with httpx.AsyncClient(transport=doors.http._transport, base_url=PUBLIC) as stranger:
            assert (await stranger.get("/callback", params=back, headers=headers)).status_code == 401
    assert (await browser.get("/callback", params=back)).status_code == 303
    browser.cookies.set("assay_login", cookie, domain="assay.test")
    replayed = await browser.get("/callback", params=back)
    assert (replayed.status_code, "invalid_grant" in replayed.text) == (401, True)


async def test_a_refusal_of_the_provider_is_told(doors: Doors, browser: httpx.AsyncClient) -> None:
    state = parse_qs(urlsplit(await begin(doors, browser)).query)["state"][0]
    answer = {"error": "access_denied", "state": state, "iss": doors.providers[0].issuer}
    refused = await browser.get("/callback", params=answer)
    assert (refused.status_code, "access_denied" in refused.json()["detail"]) == (401, True)


@pytest.mark.parametrize(
    "path",
    ["//evil.example", "https://evil.example", "/\\evil.example", "\\evil", "", "x", "/a b", "/\r\nSet-Cookie: a"],
)
async def test_the_way_back_stays_on_this_server(doors: Doors, browser: httpx.AsyncClient, path: str) -> None:
    answer = await browser.get("/login", params={"issuer": doors.providers[0].issuer, "return_to": path})
    assert (answer.status_code, answer.json()["field"]) == (422, "return_to")


async def test_an_unknown_issuer_is_refused(doors: Doors, browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/login", params={"issuer": "https://evil.example"})
    assert (answer.status_code, answer.json()["field"]) == (422, "issuer")


async def test_a_session_changes_nothing_for_a_page_of_another_site(doors: Doors, browser: httpx.AsyncClient) -> None:
    await sign_in(doors, browser)
    for headers in (
        {}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": PUBLIC},
    ):  # fmt: skip
        answer = await browser.post("/v1/workspaces", json={"name": "stray"}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_site")
    assert (await browser.post("/sign-out")).status_code == 403
    made = await browser.post("/v1/workspaces", json={"name": "own"}, headers={"Sec-Fetch-Site": "same-origin"})
    assert made.status_code == 201


async def test_a_session_ends_when_nobody_uses_it(doors: Doors, browser: httpx.AsyncClient, database: Database) -> None:
    await sign_in(doors, browser)
    assert (await browser.get("/v1/me")).status_code == 200
    administrator = await asyncpg.connect(database.administrator)
    await administrator.execute(
        "UPDATE assay.credentials SET last_used_at = now() - interval '61 minutes', expires_at = expires_at"
        " WHERE kind = 'session' AND revoked_at IS NULL"
    )
    await administrator.close()
    doors.forget()
    assert (await browser.get("/v1/me")).status_code == 401


async def test_a_disabled_person_has_no_session_any_more(doors: Doors, browser: httpx.AsyncClient) -> None:
    await sign_in(doors, browser, "mallory")
    me = (await browser.get("/v1/me")).json()
    assert me["name"] == "Mallory"
    await doors.owner("POST", f"/v1/principals/{me['principal_id']}/disable", {})
    doors.forget()
    assert (await browser.get("/v1/me")).status_code == 401
    assert (await sign_in(doors, browser, "mallory")).status_code == 401
    await doors.owner("POST", f"/v1/principals/{me['principal_id']}/enable", {})
    doors.forget()
    ended = await browser.get("/v1/me")
    assert (ended.status_code, ended.json()["detail"].split(";")[0]) == (401, "this key or session is not valid")
    assert (await sign_in(doors, browser, "mallory")).status_code == 303


async def test_a_way_back_that_no_cookie_holds_is_refused(doors: Doors, browser: httpx.AsyncClient) -> None:
    wish = {"issuer": doors.providers[0].issuer, "return_to": "/" + "a" * 2_000}
    refused = await browser.get("/login", params=wish)
    assert (refused.status_code, refused.json()["field"]) == (422, "return_to")
    assert refused.json()["detail"] == "it has at most 2,000 characters, not 2,001"


async def test_sessions_are_not_listed_as_keys_and_keys_are_no_sessions(
    doors: Doors, browser: httpx.AsyncClient
) -> None:
    await sign_in(doors, browser)
    listed = (await doors.owner("GET", "/v1/api-keys"))["items"]
    assert [key["name"] for key in listed] == ["first key"]
    key = {"Authorization": f"Bearer {doors.organizations[0].key.key.text}"}
    refused = await doors.http.post("/sign-out", headers=key)
    assert (refused.status_code, "no session" in refused.json()["detail"]) == (401, True)


async def test_a_terminal_signs_in_over_loopback_and_its_token_is_renewed(
    doors: Doors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    provider, browsers = doors.providers[0], []

    def open_browser(address: str) -> None:
        redirect = parse_qs(urlsplit(address).query)["redirect_uri"][0]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/callback", redirect)
        assert parse_qs(urlsplit(address).query)["prompt"] == ["consent"]

        def work() -> None:
            answer = provider.sign_in(address, "alice", redirect)
            assert httpx.get(redirect, params=answer).text.startswith("You can close this page")

        browsers.append(asyncio.create_task(asyncio.to_thread(work)))

    async with terminal_login(doors.settings) as login:
        chosen = chosen_issuer(login.issuers, None)
        saved = save(chosen, await signed_in_by_browser(login, chosen, open_browser))
        await asyncio.gather(*browsers)
        assert (token_path(), stat.S_IMODE(token_path().stat().st_mode)) == (tmp_path / "assay/token.json", 0o600)
        assert await usable_token(doors.settings) == saved.access_token
        assert (await doors.get(saved.access_token)).json()["name"] == "Acme"
        with click.Context(click.Command("x")):
            call = await signed_in(doors.app, "personal")
        assert (call.access.principal.name, call.access.principal.role) == ("Alice Adams", Role.OWNER)
        over = TokenSet("old", saved.refresh_token, 0.0, None)
        save(chosen, over)
        renewed = await usable_token(doors.settings)
        assert renewed not in (None, "old", saved.access_token)
        kept = read_saved()
        assert kept is not None
        assert kept.refresh_token is not None
        await login.revoke(chosen, kept.refresh_token)
        save(chosen, TokenSet("old", kept.refresh_token, 0.0, None))
    with pytest.raises(NotAuthenticated, match="assay login"):
        await usable_token(doors.settings)
    assert await usable_token(doors.settings.model_copy(update={"identity": IdentitySettings()})) is None


def test_where_several_providers_are_one_must_be_named() -> None:
    assert chosen_issuer({"https://a": "A"}, None) == "https://a"
    for issuers, named in (({"https://a": "A", "https://b": "B"}, None), ({}, None), ({"https://a": "A"}, "https://c")):
        with pytest.raises(InvalidInput, match="there are: "):
            chosen_issuer(issuers, named)
