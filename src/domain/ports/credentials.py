"""What becomes of keys and sessions after they were made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.identity.ids import CredentialId, GroupId, PrincipalId


@dataclass(frozen=True, slots=True)
class NewSession:
    """A browser's session: only the hash of its secret is kept. It ends unused after ``idle_seconds``."""

    id: CredentialId
    principal_id: PrincipalId
    name: str
    secret_hash: bytes
    reach: GroupId
    expires_at: datetime
    idle_seconds: int


class Credentials(Protocol):
    """Works in the transaction's organization and writable scopes."""

    async def reach_of(self, credential_id: CredentialId) -> GroupId | None:
        """The scope that a key or session reaches; None for none here."""
        ...

    async def end_of_key(self, connection_id: str) -> datetime | None:
        """When the API key of a connection ends; None for one without an end, and for what is no key."""
        ...

    async def replace(self, old: CredentialId, new: CredentialId, ends_at: datetime) -> None:
        """Note that a key was replaced, and let it end then, or sooner where it would."""
        ...

    async def open_session(self, session: NewSession) -> None:
        """Keep a session."""
        ...

    async def end_session(self, credential_id: CredentialId) -> bool:
        """End a session now; False when it is none, or was ended."""
        ...
