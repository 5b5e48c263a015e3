"""Signing in with a browser: at an identity provider, then by a session of ours."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from uuid import UUID

from application.audit.visit import note_credential, note_refused
from application.identity.admit_subject import AdmitSubject, as_credential
from domain.errors import InvalidInput, NotAuthenticated, shown
from domain.identity.access import Access
from domain.identity.api_key import KEY_BYTES, ApiKey
from domain.identity.claims import Identity, identity_of
from domain.identity.ids import CredentialId
from domain.ports.clock import Clock
from domain.ports.credentials import NewSession
from domain.ports.ids import Ids
from domain.ports.provider_login import LoginAttempt, ProviderLogin, Seal
from domain.ports.token_verifier import Credential, CredentialRefused
from domain.ports.unit_of_work import UnitOfWork

ATTEMPT_SECONDS = 600.0
"""For how long a browser may stay at the provider."""
HOME = "/v1/me"
MOST_BACK = 2_000
"""Characters of the way back: it travels in a cookie."""
_LOCAL = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]*\Z")


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How long a session lasts when nobody uses it, and at most."""

    idle: timedelta
    most: timedelta


@dataclass(frozen=True, slots=True)
class Begun:
    """Where to send the browser, and what it must bring back."""

    address: str
    sealed: str


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """The secret of the session, seen this once, and where the browser wanted to go."""

    secret: ApiKey
    return_to: str


@dataclass(frozen=True, slots=True)
class Provider:
    """What speaks with the providers, and what keeps an attempt while the browser is there."""

    login: ProviderLogin
    seal: Seal


class BrowserSignIn:
    """Begins and ends what a browser does to sign in.

    - The answer must come back to the browser that began, within ten minutes; it opens one session.
    - A session acts as its principal, without a bound by grants; it ends unused, after its time, or when it is ended.
    - Only the hash of its secret is kept.
    """

    def __init__(
        self,
        provider: Provider | None,
        admit: AdmitSubject,
        unit_of_work: UnitOfWork,
        clock: Clock,
        ids: Ids,
        lifetimes: Lifetimes,
    ) -> None:
        self._provider = provider
        self._admit = admit
        self._unit_of_work = unit_of_work
        self._clock = clock
        self._ids = ids
        self._lifetimes = lifetimes

    @property
    def issuers(self) -> Mapping[str, str]:
        """The providers to choose among, with what people call them."""
        return {} if self._provider is None else self._provider.login.issuers

    async def begin(self, issuer: str | None, return_to: str | None, redirect_uri: str) -> Begun:
        """Raises InvalidInput for an unknown provider or a way back that leaves this server, and Unavailable."""
        provider = self._configured()
        back = HOME if return_to is None else return_to
        if len(back) > MOST_BACK:
            raise InvalidInput(f"it has at most {MOST_BACK:,} characters, not {len(back):,}", field="return_to")
        if not _LOCAL.match(back):
            raise InvalidInput(f"{shown(back)} is no path of this server; begin it with one slash", field="return_to")
        chosen = issuer or next(iter(provider.login.issuers))
        attempt = LoginAttempt(chosen, *(secrets.token_urlsafe(32) for _ in range(3)))
        address = await provider.login.address(attempt, redirect_uri)
        return Begun(address, provider.seal.close(asdict(attempt) | {"return_to": back}, ATTEMPT_SECONDS))

    async def finish(self, sealed: str, answer: Mapping[str, str], redirect_uri: str) -> SessionOpened:
        """Raises NotAuthenticated for an answer that was not asked for here, and Unavailable."""
        provider = self._configured()
        kept = provider.seal.open(sealed)
        if kept is None:
            raise NotAuthenticated("no sign-in of this browser is under way; begin at /login")
        attempt = LoginAttempt(kept["issuer"], kept["state"], kept["nonce"], kept["verifier"])
        token = (await provider.login.redeem(attempt, redirect_uri, answer)).identity
        if token is None:
            raise NotAuthenticated("the identity provider said nothing of who you are; ask for the scope openid")
        identity = identity_of(token.issuer, token.claims)
        credential = await self._admitted(identity, token.issuer.provision)
        secret = ApiKey.from_random(secrets.token_bytes(KEY_BYTES))
        session = NewSession(
            id=CredentialId(self._ids.new()),
            principal_id=credential.principal.id,
            name="browser",
            secret_hash=secret.digest,
            reach=credential.reach,
            expires_at=self._clock.now() + self._lifetimes.most,
            idle_seconds=max(1, round(self._lifetimes.idle.total_seconds())),
        )
        async with self._unit_of_work(_own_access(credential)) as tx:
            await tx.credentials.open_session(session)
        return SessionOpened(secret, str(kept["return_to"]))

    async def _admitted(self, identity: Identity, provision: bool) -> Credential:
        """Whom the provider vouches for, noted for the audit as whoever comes with a token."""
        try:
            known = await self._admit(identity, provision=provision)
        except CredentialRefused as error:
            note_refused(error.credential)
            raise
        credential = as_credential(known, identity)
        note_credential(credential)
        return credential

    async def end(self, credential: Credential) -> bool:
        """End the session that the credential is; False for a key or a token, which stay."""
        try:
            session_id = CredentialId(UUID(credential.principal.connection_id))
        except ValueError:
            return False
        async with self._unit_of_work(_own_access(credential)) as tx:
            return await tx.credentials.end_session(session_id)

    def _configured(self) -> Provider:
        if self._provider is None or not self._provider.login.issuers:
            raise InvalidInput("no identity provider for browsers is configured; see ASSAY_IDENTITY__ISSUERS")
        return self._provider


def _own_access(credential: Credential) -> Access:
    return Access(credential.principal, (credential.reach,), credential.reach)
