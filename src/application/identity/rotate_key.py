"""Replacing an API key without an interruption."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from application.identity.issued_key import IssuedKey, add_key, require_no_longer, require_no_persons_key
from domain.errors import Conflict, Forbidden, InvalidInput, NotFound, shown
from domain.identity.access import Access
from domain.identity.ids import CredentialId
from domain.identity.permissions import Action, permit
from domain.ports.clock import Clock
from domain.ports.directory import KeyRow
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.unit_of_work import Transaction, UnitOfWork

LONGEST_OVERLAP = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Rotation:
    """The key to replace, and for how long the old one still works beside the new."""

    credential_id: CredentialId
    overlap: timedelta = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Rotated:
    """The new key, shown this once, and when the old one ends."""

    key: IssuedKey
    old_ends_at: datetime


class RotateKey:
    """Makes a new key in place of another.

    - The new one has the name, principal, role, grants, reach and end of the old, which ends after the overlap.
    - Everybody may rotate keys of their own; another's takes an admin with at least the key's role.
    - A key that ends makes none that ends later, and an agent none of a person.
    - A key that was revoked, is over or was replaced before is a Conflict.
    """

    def __init__(self, unit_of_work: UnitOfWork, clock: Clock, ids: Ids) -> None:
        self._unit_of_work = unit_of_work
        self._clock = clock
        self._ids = ids

    async def __call__(self, access: Access, command: Rotation) -> Rotated:
        """Raises Forbidden, InvalidInput, Conflict, or NotFound for a key that is not here."""
        if not timedelta(0) <= command.overlap <= LONGEST_OVERLAP:
            raise InvalidInput(
                f"an overlap is 0 to {LONGEST_OVERLAP.days} days, not {shown(str(command.overlap))}", field="overlap"
            )
        now = self._clock.now()
        async with self._unit_of_work(access) as tx:
            old = await _old_key(tx, access, command.credential_id, now)
            await require_no_longer(tx, access, old.expires_at)
            await require_no_persons_key(tx, access, old.principal_id)
            reach = await tx.credentials.reach_of(old.id)
            if reach is None:
                raise NotFound(f"there is no API key {command.credential_id} here")
            grants = None if old.grants is None else frozenset(old.grants)
            new = await add_key(
                tx,
                CredentialId(self._ids.new()),
                old.principal_id,
                old.name,
                old.role,
                reach,
                old.expires_at,
                grants,
                issued_by=access.principal.id,
            )
            ends_at = min(now + command.overlap, old.expires_at or now + command.overlap)
            await tx.credentials.replace(old.id, new.id, ends_at)
            payload = {"credential_id": str(old.id), "replaced_by": str(new.id)}
            await tx.journal.advance(Entry("rotate_key", access.write_scope, payload))
        return Rotated(new, ends_at)


async def _old_key(tx: Transaction, access: Access, credential_id: CredentialId, now: datetime) -> KeyRow:
    key = next((k for k in await tx.directory.keys() if k.id == credential_id), None)
    if key is None:
        raise NotFound(f"there is no API key {credential_id} here")
    is_own = key.principal_id == access.principal.id
    permit(access, Action.MANAGE_OWN_KEYS if is_own else Action.MANAGE_KEYS)
    if not access.principal.role.at_least(key.role):
        raise Forbidden(f"this key has the role {key.role.value}, more than yours; ask somebody with as much")
    is_over = key.expires_at is not None and key.expires_at <= now
    if key.revoked_at is not None or key.replaced_by is not None or is_over:
        raise Conflict("this key was revoked, is over, or was replaced already; issue a new one")
    return key
