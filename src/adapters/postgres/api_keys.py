"""API keys and sessions on PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Callable

import asyncpg

from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from application.identity.remembered import REMEMBER_SECONDS, Remembered
from domain.errors import NotAuthenticated
from domain.identity.api_key import ApiKey
from domain.identity.grants import grants_in
from domain.identity.ids import CredentialId, GroupId, OrganizationId, PrincipalId
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.ports.token_verifier import Credential, CredentialRefused

_SQL = statements("sign_in")
_REFUSAL = (
    "this key or session is not valid; send 'Authorization: Bearer <key>' with a key that was issued and not revoked, "
    "or sign in again"
)
_EXPIRED = "this key or session has expired; ask an administrator for a new key, or sign in again"


class PostgresApiKeys:
    """Implements ``TokenVerifier``, for keys and for the secrets of sessions.

    A verified key is remembered for ``remember_seconds`` at most, and until ``forget`` is told of a change. Use is
    noted when the database was asked, at most once a minute a key.
    """

    def __init__(
        self,
        pool: asyncpg.Pool,
        *,
        remember_seconds: float = REMEMBER_SECONDS,
        capacity: int = 10_000,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pool = pool
        self._capacity = capacity
        self._now = now
        self._known: Remembered[bytes, Credential] = Remembered(remember_seconds, capacity, now)
        self._touched: dict[CredentialId, float] = {}

    async def verify(self, token: str) -> Credential:
        key = ApiKey(token)
        if not key.well_formed:
            raise NotAuthenticated(_REFUSAL)
        digest = key.digest
        return self._known.get(digest) or await self._look_up(digest)

    def forget(self, organization_id: OrganizationId | None) -> None:
        """Ask the database again for the keys of the organization; None is all."""
        self._known.forget(organization_id)

    async def _look_up(self, digest: bytes) -> Credential:
        turn = self._known.turn
        with translated():
            row = await self._pool.fetchrow(_SQL["authenticate"], digest)
            if row is None:
                raise NotAuthenticated(_REFUSAL)
            credential = _credential(row)
            if row["revoked"] or row["expired"]:
                raise CredentialRefused(_REFUSAL if row["revoked"] else _EXPIRED, credential)
            await self._touch(row["organization_id"], row["credential_id"])
        self._known.keep(digest, credential, credential.principal.organization_id, turn, row["seconds_left"])
        return credential

    async def _touch(self, organization_id: OrganizationId, credential_id: CredentialId) -> None:
        if self._now() - self._touched.get(credential_id, float("-inf")) < 60:
            return
        if len(self._touched) >= self._capacity:
            self._touched.clear()
        self._touched[credential_id] = self._now()
        await self._pool.fetchval(_SQL["touch"], organization_id, credential_id)


def _credential(row: asyncpg.Record) -> Credential:
    principal = Principal(
        id=PrincipalId(row["principal_id"]),
        organization_id=OrganizationId(row["organization_id"]),
        kind=PrincipalKind(row["principal_kind"]),
        role=Role(row["role"]),
        connection_id=str(row["credential_id"]),
        name=row["principal_name"],
        grants=None if row["grants"] is None else grants_in(row["grants"]),
    )
    return Credential(principal, GroupId(row["group_id"]), opens_personal=row["opens_personal"])
