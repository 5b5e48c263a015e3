"""A new API key, as the two use cases that hand one out make it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime

from application.identity.people import known_principal
from domain.errors import Forbidden, InvalidInput, shown
from domain.identity.access import Access
from domain.identity.api_key import KEY_BYTES, ApiKey
from domain.identity.grants import Grant
from domain.identity.ids import CredentialId, GroupId, PrincipalId
from domain.identity.principal import PrincipalKind, Role
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
    *,
    issued_by: PrincipalId | None,
) -> IssuedKey:
    """Make a key and keep its hash. ``issued_by`` has seen it; None is the operator of the installation."""
    key = ApiKey.from_random(secrets.token_bytes(KEY_BYTES))
    await tx.directory.add_key(
        credential_id, principal_id, name, key.prefix, key.digest, role, reach, expires_at, grants, issued_by
    )
    return IssuedKey(credential_id, key)


async def require_no_longer(tx: Transaction, access: Access, expires_at: datetime | None) -> None:
    """Raise Forbidden when the new key would outlive the one that issues it. Tokens and sessions bound nothing."""
    own_end = await tx.credentials.end_of_key(access.principal.connection_id)
    if own_end is not None and (expires_at is None or expires_at > own_end):
        raise Forbidden(
            f"your own key ends at {own_end.isoformat(timespec='seconds')}, and issues none that ends later; "
            "name an end up to then, or sign in another way",
            field="expires_at",
        )


async def require_no_persons_key(tx: Transaction, access: Access, principal_id: PrincipalId) -> None:
    """Raise Forbidden for an agent that would hold a person's key; NotFound for an unknown principal."""
    found = await known_principal(tx, principal_id)
    if access.principal.kind is PrincipalKind.AGENT and found.kind is PrincipalKind.HUMAN:
        raise Forbidden("an agent issues no key of a person: with it, it would act in the person's name")


def checked_label(text: str, what: str) -> str:
    """A name for people: 1 to 200 characters without line breaks or control characters. Raises InvalidInput."""
    label = text.strip()
    if not 1 <= len(label) <= 200 or not label.isprintable():
        raise InvalidInput(
            f"{what} is 1 to 200 printable characters, not {shown(text)}; shorten it or correct it", field="name"
        )
    return label
