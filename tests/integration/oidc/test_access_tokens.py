"""Tokens of a real provider, and tokens that are none: made with the provider's own key and one thing wrong."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey
from joserfc.jws import JWSRegistry

from adapters.oidc.access_tokens import LONGEST, OidcAccessTokens, Trusted
from adapters.oidc.discovery import Discovery
from adapters.oidc.fetching import client
from adapters.oidc.signing_keys import PublishedKeys, StaticKey, static_key
from domain.errors import InvalidInput, NotAuthenticated, Unavailable
from domain.identity.issuer import Issuer
from domain.identity.resource import Resource
from tests.services.node_packages import node_packages as node_packages
from tests.services.oidc_provider import MCP, PUBLIC, OidcProvider
from tests.services.oidc_provider import oidc_providers as oidc_providers


class Moment:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


class Door:
    """What reads tokens of a provider, its clock, and tokens that are signed with the provider's key."""

    def __init__(self, provider: OidcProvider, http: httpx.AsyncClient) -> None:
        self.provider = provider
        self.moment = Moment()
        self.discovery = Discovery(provider.issuer, http, now=self.moment)

        async def address() -> str:
            return (await self.discovery.metadata()).keys

        self.keys = PublishedKeys(address, http, now=self.moment)
        self.issuer = Issuer(
            url=provider.issuer, audiences={PUBLIC: Resource.API, MCP: Resource.MCP}, algorithms=("RS256", "ES256")
        )
        self.tokens = OidcAccessTokens({provider.issuer: Trusted(self.issuer, self.keys)})
        self.private = RSAKey.import_key(provider.tell("keys", mode="right")["private"])

    @property
    def fetched(self) -> int:
        return int(self.provider.tell("keys")["fetched"])

    def made(self, *, header: dict[str, Any] | None = None, key: Any = None, **claims: Any) -> str:
        now = int(time.time())
        said = {"iss": self.provider.issuer, "aud": PUBLIC, "sub": "alice", "iat": now, "exp": now + 60} | claims
        head = {"alg": "RS256", "typ": "at+jwt", "kid": self.private.kid} | (header or {})
        registry = JWSRegistry(algorithms=[str(head["alg"])], strict_check_header=False)
        kept = {name: value for name, value in said.items() if value is not None}
        return jwt.encode(head, kept, key or self.private, registry=registry)


@pytest.fixture(scope="module")
async def http() -> AsyncIterator[httpx.AsyncClient]:
    async with client() as made:
        yield made


@pytest.fixture
def door(oidc_providers: tuple[OidcProvider, OidcProvider], http: httpx.AsyncClient) -> Door:
    return Door(oidc_providers[0], http)


async def refused(door: Door, token: str, why: str = "not valid here") -> None:
    with pytest.raises(NotAuthenticated, match=why):
        await door.tokens.read(token)


async def test_a_token_of_the_provider_is_read_and_then_asks_nobody(door: Door) -> None:
    token = door.provider.machine_token(MCP, "read propose")
    before = door.fetched
    for _ in range(20):
        read = await door.tokens.read(token)
    assert (read.claims["sub"], read.claims["aud"], read.claims["scope"]) == ("robot", MCP, "read propose")
    assert door.fetched == before + 1
    assert (await door.tokens.read(door.made())).claims["sub"] == "alice"


async def test_an_expired_token_says_so_after_the_skew(door: Door) -> None:
    now = int(time.time())
    await door.tokens.read(door.made(exp=now - 20))
    await refused(door, door.made(exp=now - 31), "has expired")


async def test_a_token_that_is_not_valid_yet_is_refused(door: Door) -> None:
    now = int(time.time())
    await door.tokens.read(door.made(nbf=now + 20, iat=now + 20))
    await refused(door, door.made(nbf=now + 120))
    await refused(door, door.made(iat=now + 120))


@pytest.mark.parametrize("audience", [None, "", "browser", f"{PUBLIC}/", f"{MCP}/x", ["other"], [], {"a": 1}, 7])
async def test_a_token_for_another_audience_is_refused(door: Door, audience: object) -> None:
    await refused(door, door.made(aud=audience))


@pytest.mark.parametrize("issuer", [None, "https://id.example", "http://127.0.0.1:1", "", 7])
async def test_a_token_of_another_issuer_is_refused(door: Door, issuer: object) -> None:
    await refused(door, door.made(iss=issuer))


async def test_a_token_that_names_one_issuer_and_is_signed_by_another_is_refused(
    door: Door, oidc_providers: tuple[OidcProvider, OidcProvider]
) -> None:
    other = RSAKey.import_key(oidc_providers[1].tell("keys")["private"])
    await refused(door, door.made(key=other))
    door.moment.seconds += 11
    await refused(door, door.made(key=other, header={"kid": other.kid}))


@pytest.mark.parametrize("claims", [{"exp": None}, {"exp": "soon"}, {"exp": True}, {"sub": None}, {"nbf": "now"}])
async def test_a_token_without_a_claim_that_it_needs_is_refused(door: Door, claims: dict[str, Any]) -> None:
    await refused(door, door.made(**claims))


async def test_an_end_beyond_all_time_is_read(door: Door) -> None:
    assert (await door.tokens.read(door.made(exp=10**400))).expires_at == 2**53


@pytest.mark.parametrize("algorithm", ["none", "None", "nOnE"])
async def test_a_token_without_a_signature_is_refused(door: Door, algorithm: str) -> None:
    _, claims, signature = door.made().split(".")
    header = base64.urlsafe_b64encode(json.dumps({"alg": algorithm, "typ": "at+jwt"}).encode()).decode().rstrip("=")
    await refused(door, f"{header}.{claims}.")
    await refused(door, f"{header}.{claims}.{signature}")


async def test_a_token_whose_hmac_is_made_with_the_public_key_is_refused(door: Door) -> None:
    for secret in (door.private.as_pem(private=False), json.dumps(door.private.as_dict(private=False)).encode()):
        claims = door.made().split(".")[1]
        said = f"{_text(json.dumps({'alg': 'HS256', 'typ': 'at+jwt', 'kid': door.private.kid}).encode())}.{claims}"
        await refused(door, f"{said}.{_text(hmac.digest(secret, said.encode(), 'sha256'))}")


@pytest.mark.parametrize("kind", ["RS512", "PS256"])
async def test_an_algorithm_that_the_issuer_does_not_use_is_refused(door: Door, kind: str) -> None:
    bare = {name: value for name, value in door.private.as_dict(private=True).items() if name != "alg"}
    await refused(door, door.made(header={"alg": kind}, key=RSAKey.import_key(bare)))


@pytest.mark.parametrize("kind", ["logout+jwt", "dpop+jwt", "secevent+jwt", 7])
async def test_a_token_of_another_type_is_refused(door: Door, kind: object) -> None:
    claims = door.made().split(".")[1]
    header = {"alg": "RS256", "typ": kind, "kid": door.private.kid}
    await refused(door, f"{_text(json.dumps(header).encode())}.{claims}.AAAA")


async def test_a_changed_token_is_refused(door: Door) -> None:
    header, claims, signature = door.made().split(".")
    altered = json.loads(base64.urlsafe_b64decode(claims + "==")) | {"sub": "root"}
    await refused(door, f"{header}.{_text(json.dumps(altered).encode())}.{signature}")
    await refused(door, f"{header}.{claims}.{signature[:-6]}")
    await refused(door, f"{header}.{claims}.")


@pytest.mark.parametrize("token", ["", ".", "..", "a.b.c", "e30.e30.e30", "W10.e30.x", "é.e30.x", "a.b.c.d", "\x00"])
async def test_what_is_no_token_is_refused(door: Door, token: str) -> None:
    await refused(door, token)


async def test_a_token_of_a_hundred_kilobytes_is_refused_unread(door: Door) -> None:
    before = door.fetched
    await refused(door, door.made(padding="x" * 100_000))
    await refused(door, "[" * (LONGEST + 1))
    deep = _text(b'{"a":' + b"[" * 5_000)
    await refused(door, f"{deep}.{deep}.x")
    assert door.fetched == before


async def test_unknown_keys_cause_one_request_in_ten_seconds(door: Door) -> None:
    before = door.fetched
    forged = [door.made(header={"kid": f"unknown-{n}"}) for n in range(50)]
    answers = await asyncio.gather(*(door.tokens.read(token) for token in forged), return_exceptions=True)
    assert {type(answer) for answer in answers} == {NotAuthenticated}
    assert door.fetched == before + 1
    door.moment.seconds += 9.9
    await refused(door, forged[0])
    assert door.fetched == before + 1
    door.moment.seconds += 0.2
    await refused(door, forged[0])
    assert door.fetched == before + 2


async def test_keys_that_rotate_in_mid_flight_are_followed(door: Door) -> None:
    old = door.provider.machine_token(PUBLIC)
    await door.tokens.read(old)
    door.provider.tell("rotate", keep="1")
    door.moment.seconds += 11
    new = door.provider.machine_token(PUBLIC)
    reads = await asyncio.gather(*(door.tokens.read(token) for token in (old, new) * 10))
    assert {read.claims["sub"] for read in reads} == {"robot"}


async def test_a_key_that_was_withdrawn_is_believed_no_longer_than_five_minutes(door: Door) -> None:
    old = door.provider.machine_token(PUBLIC)
    await door.tokens.read(old)
    door.provider.tell("rotate")
    await door.tokens.read(old)
    door.moment.seconds += 301
    await door.tokens.read(old)  # the last one: the new keys are asked for beside it
    await door.keys.renewed()
    await refused(door, old)


@pytest.mark.parametrize("mode", ["down", "empty"])
async def test_while_keys_cannot_be_had_known_ones_work_and_others_are_told_to_wait(door: Door, mode: str) -> None:
    good = door.provider.machine_token(PUBLIC)
    await door.tokens.read(good)
    door.provider.tell("keys", mode=mode)
    door.moment.seconds += 11
    unknown = door.made(header={"kid": "new"})
    before = door.fetched
    for _ in range(5):
        with pytest.raises(Unavailable):
            await door.tokens.read(unknown)
    await door.tokens.read(good)
    assert door.fetched == before + 1
    door.provider.tell("keys", mode="right")
    door.moment.seconds += 11
    await refused(door, unknown)


async def test_before_any_key_is_known_a_provider_that_is_down_is_unavailable(door: Door) -> None:
    token = door.made()
    door.provider.tell("keys", mode="down")
    for _ in range(3):
        with pytest.raises(Unavailable):
            await door.tokens.read(token)
    door.provider.tell("keys", mode="right")
    door.moment.seconds += 11
    await door.tokens.read(token)


async def test_slow_keys_hold_up_nobody_whose_key_is_known(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.oidc.fetching.SECONDS", 0.3)
    good = door.provider.machine_token(PUBLIC)
    await door.tokens.read(good)
    door.provider.tell("keys", mode="slow")
    door.moment.seconds += 11
    waiting = asyncio.create_task(door.tokens.read(door.made(header={"kid": "new"})))
    await asyncio.sleep(0)
    await door.tokens.read(good)
    assert not waiting.done()
    with pytest.raises(Unavailable, match="does not answer"):
        await waiting
    door.provider.tell("keys", mode="right")


async def test_a_provider_that_calls_itself_otherwise_is_not_believed(door: Door, http: httpx.AsyncClient) -> None:
    with pytest.raises(Unavailable, match="calls itself otherwise"):
        await Discovery(f"{door.provider.issuer}/", http).metadata()


async def test_a_static_key_needs_no_provider(door: Door) -> None:
    pem = door.private.as_pem(private=False).decode()
    issuer = Trusted(door.issuer, StaticKey(static_key(pem, ("RS256",))))
    read = await OidcAccessTokens({door.provider.issuer: issuer}).read(door.made(header={"kid": "any"}))
    assert read.claims["sub"] == "alice"


@pytest.mark.parametrize(
    ("text", "algorithms"),
    [
        ("short", ("HS256",)),
        ("x" * 64, ("RS256",)),
        ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", ("RS256",)),
        (OctKey.generate_key(256).as_dict(private=True), ("RS256",)),
        (ECKey.generate_key("P-256").as_dict(private=False), ("RS256",)),
    ],
)
def test_a_static_key_that_does_not_fit_stops_the_start(text: Any, algorithms: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput, match="key: it is"):
        static_key(text if isinstance(text, str) else json.dumps(text), algorithms)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
