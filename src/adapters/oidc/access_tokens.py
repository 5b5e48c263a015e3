"""JSON Web Tokens as access tokens (RFC 9068, RFC 7519, RFC 8725)."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from joserfc import jwt
from joserfc.errors import ExpiredTokenError, JoseError
from joserfc.jws import JWSRegistry

from adapters.oidc.signing_keys import SigningKeys
from domain.errors import NotAuthenticated
from domain.identity.issuer import Issuer
from domain.ports.access_tokens import VerifiedToken

LONGEST = 16 * 1024
"""Characters of a token. What is longer is refused before a byte of it is read."""
_TYPES = frozenset({"jwt", "at+jwt", "application/at+jwt"})
_END_OF_TIME = 2**53
_REFUSAL = "this token is not valid here; sign in again, or ask the identity provider for a new one"


@dataclass(frozen=True, slots=True)
class Trusted:
    """An issuer that is believed, and its keys."""

    issuer: Issuer
    keys: SigningKeys


class OidcAccessTokens:
    """Implements ``AccessTokens``: the algorithm is the issuer's, never the token's choice alone."""

    def __init__(self, trusted: Mapping[str, Trusted], now: Callable[[], float] = time.time) -> None:
        self._trusted = trusted
        self._now = now

    async def read(self, token: str) -> VerifiedToken:
        header, claims = peeked(token)
        trusted = self._trusted.get(str(claims.get("iss")))
        if trusted is None or str(header.get("typ", "JWT")).lower() not in _TYPES:
            raise NotAuthenticated(_REFUSAL)
        verified = await verified_claims(token, header, trusted, list(trusted.issuer.audiences), int(self._now()))
        return VerifiedToken(trusted.issuer, verified, float(min(verified["exp"], _END_OF_TIME)))


def peeked(token: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and claims as the token says them, believed by nobody yet. Raises NotAuthenticated for no token."""
    parts = token.split(".") if len(token) <= LONGEST else []
    if len(parts) != 3:
        raise NotAuthenticated(_REFUSAL)
    return _object(parts[0]), _object(parts[1])


async def verified_claims(
    token: str, header: Mapping[str, Any], trusted: Trusted, audiences: list[str], now: int
) -> dict[str, Any]:
    """The claims, once signature, issuer, audience and times are right. Raises NotAuthenticated or Unavailable."""
    issuer, algorithm, kid = trusted.issuer, header.get("alg"), header.get("kid")
    if algorithm not in issuer.algorithms or not isinstance(kid, str | None):
        raise NotAuthenticated(_REFUSAL)
    key = await trusted.keys.key(kid, str(algorithm))
    if key is None:
        raise NotAuthenticated(_REFUSAL)
    registry = JWSRegistry(algorithms=[str(algorithm)], strict_check_header=False)
    rules = jwt.JWTClaimsRegistry(
        now=now,
        leeway=issuer.skew_seconds,
        iss={"essential": True, "value": issuer.url},
        aud={"essential": True, "values": audiences},
        exp={"essential": True},
        sub={"essential": True},
    )
    try:
        claims = jwt.decode(token, key, registry=registry).claims
        rules.validate(claims)
    except ExpiredTokenError as error:
        raise NotAuthenticated("this token has expired; sign in again, or ask for a new one") from error
    except (JoseError, ValueError, TypeError, OverflowError) as error:
        raise NotAuthenticated(_REFUSAL) from error
    return claims


def _object(part: str) -> dict[str, Any]:
    try:
        found = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise NotAuthenticated(_REFUSAL)
    return found
