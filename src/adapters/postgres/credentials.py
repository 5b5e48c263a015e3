"""Keys and sessions after they were made, on PostgreSQL."""

from __future__ import annotations

from datetime import datetime

from adapters.postgres.pool import Connection
from adapters.postgres.statements import statements
from domain.identity.ids import CredentialId, GroupId
from domain.identity.principal import Role
from domain.ports.credentials import NewSession

_SQL = statements("credentials")


class PostgresCredentials:
    """Implements ``Credentials`` on one connection inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def reach_of(self, credential_id: CredentialId) -> GroupId | None:
        found = await self._connection.fetchval(_SQL["reach_of"], credential_id)
        return None if found is None else GroupId(found)

    async def end_of_key(self, connection_id: str) -> datetime | None:
        found: datetime | None = await self._connection.fetchval(_SQL["end_of_key"], connection_id)
        return found

    async def replace(self, old: CredentialId, new: CredentialId, ends_at: datetime) -> None:
        await self._connection.execute(_SQL["replace"], old, new, ends_at)

    async def open_session(self, session: NewSession) -> None:
        await self._connection.execute(
            _SQL["open_session"], session.id, session.principal_id, session.name, session.secret_hash,
            Role.OWNER.value, session.reach, session.expires_at, session.idle_seconds,
        )  # fmt: skip

    async def end_session(self, credential_id: CredentialId) -> bool:
        return bool(await self._connection.fetchval(_SQL["end_session"], credential_id))
