"""API keys on PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Callable

import asyncpg

from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from domain.errors import NotAuthenticated
from domain.identity.api_key import ApiKey
from domain.identity.ids import CredentialId, GroupId, OrganizationId, PrincipalId
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.ports.token_verifier import Credential

_SQL = statements("sign_in")
_REFUSAL = "this API key is not valid; send 'Authorization: Bearer <key>' with a key that was issued and not revoked"
_EXPIRED = "this API key has expired; ask an administrator for a new one"


class PostgresApiKeys:
    """Implements ``TokenVerifier``. A verified key is remembered for ``remember_seconds``, a revoked one too.

    Use is noted when the database was asked, at most once a minute a key.
    """

    def __init__(
        self,
        pool: asyncpg.Pool,
        *,
        remember_seconds: float = 3.0,
        capacity: int = 10_000,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pool = pool
        self._remember_seconds = remember_seconds
        self._capacity = capacity
        self._now = now
        self._known: dict[bytes, tuple[float, Credential]] = {}
        self._touched: dict[CredentialId, float] = {}

    async def verify(self, token: str) -> Credential:
        key = ApiKey(token)
        if not key.well_formed:
            raise NotAuthenticated(_REFUSAL)
        digest = key.digest
        remembered = self._known.get(digest)
        if remembered and remembered[0] > self._now():
            return remembered[1]
        self._known.pop(digest, None)
        return await self._look_up(digest)

    async def _look_up(self, digest: bytes) -> Credential:
        with translated():
            row = await self._pool.fetchrow(_SQL["authenticate"], digest)
            if row is None or row["revoked"]:
                raise NotAuthenticated(_REFUSAL)
            if row["expired"]:
                raise NotAuthenticated(_EXPIRED)
            await self._touch(row["organization_id"], row["credential_id"])
        credential = _credential(row)
        if len(self._known) >= self._capacity:
            self._known.clear()
        self._known[digest] = (self._now() + self._remember_seconds, credential)
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
    )
    return Credential(principal, GroupId(row["group_id"]))
