"""A new API key, as the two use cases that hand one out make it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime

from domain.errors import InvalidInput, shown
from domain.identity.api_key import KEY_BYTES, ApiKey
from domain.identity.grants import Grant
from domain.identity.ids import CredentialId, GroupId, PrincipalId
from domain.identity.principal import Role
from domain.ports.unit_of_work import Transaction


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """The only time that the whole key is seen: it is not kept."""

    id: CredentialId
    key: ApiKey


async def add_key(
    tx: Transaction,
    credential_id: CredentialId,
    principal_id: PrincipalId,
    name: str,
    role: Role,
    reach: GroupId,
    expires_at: datetime | None,
    grants: frozenset[Grant] | None = None,
) -> IssuedKey:
    """Make a key and keep its hash."""
    key = ApiKey.from_random(secrets.token_bytes(KEY_BYTES))
    await tx.directory.add_key(
        credential_id, principal_id, name, key.prefix, key.digest, role, reach, expires_at, grants
    )
    return IssuedKey(credential_id, key)


def checked_label(text: str, what: str) -> str:
    """A name for people: 1 to 200 characters without line breaks or control characters. Raises InvalidInput."""
    label = text.strip()
    if not 1 <= len(label) <= 200 or not label.isprintable():
        raise InvalidInput(
            f"{what} is 1 to 200 printable characters, not {shown(text)}; shorten it or correct it", field="name"
        )
    return label
