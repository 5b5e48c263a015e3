"""Issuing API keys."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from application.identity.issued_key import IssuedKey, add_key, checked_label, require_no_longer, require_no_persons_key
from application.identity.people import refuse_more_than_own, unknown_principal
from domain.errors import InvalidInput, shown
from domain.identity.access import Access
from domain.identity.grants import Grant
from domain.identity.ids import CredentialId, PrincipalId
from domain.identity.permissions import Action, permit
from domain.identity.principal import Role
from domain.identity.scope_name import ScopeKind, kind_of
from domain.ports.clock import Clock
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.unit_of_work import Transaction, UnitOfWork


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key for a principal. Its reach is the access's scope; ``expires_at`` is aware, None for no end.

    ``grants``: the most that it may do, whatever its role; None for no bound.
    """

    principal_id: PrincipalId
    name: str
    role: Role
    expires_at: datetime | None = None
    grants: frozenset[Grant] | None = None


class IssueKey:
    """Issues an API key that reaches the access's scope and what is in it.

    - The caller is an admin of that scope: a key cannot make itself a longer life.
    - Its role is no more than the caller's, and no more than its principal's there.
    - The key is shown once; only its hash is kept.
    - A key that ends issues none that ends later, and an agent issues none of a person.
    - Whoever issues a key has seen it: somebody else's opens no person's own scope. Rotating it makes it one's own.
    """

    def __init__(self, unit_of_work: UnitOfWork, clock: Clock, ids: Ids) -> None:
        self._unit_of_work = unit_of_work
        self._clock = clock
        self._ids = ids

    async def __call__(self, access: Access, command: NewKey) -> IssuedKey:
        """Raises Forbidden, InvalidInput, or NotFound for an unknown principal."""
        permit(access, Action.MANAGE_KEYS)
        refuse_more_than_own(access, command.role)
        if kind_of(access.write_scope) is ScopeKind.PERSONAL and command.principal_id != access.principal.id:
            # Whoever it is: as owner of a personal scope nobody gives keys of others.
            raise unknown_principal(command.principal_id)
        name = checked_label(command.name, "a key's name")
        self._check_end(command.expires_at)
        if command.grants is not None and not command.grants:
            raise InvalidInput("a key with no grant could do nothing; name some, or leave them out", field="grants")
        async with self._unit_of_work(access) as tx:
            await require_no_longer(tx, access, command.expires_at)
            await _require_role(tx, access, command)
            key = await add_key(
                tx,
                CredentialId(self._ids.new()),
                command.principal_id,
                name,
                command.role,
                access.write_scope,
                command.expires_at,
                command.grants,
                issued_by=access.principal.id,
            )
            payload = {"credential_id": str(key.id), "principal_id": str(command.principal_id)}
            await tx.journal.advance(Entry("issue_key", access.write_scope, payload))
        return key

    def _check_end(self, expires_at: datetime | None) -> None:
        if expires_at is None:
            return
        if expires_at.tzinfo is None:
            raise InvalidInput(f"{shown(expires_at.isoformat())} has no time zone; add one", field="expires_at")
        if expires_at <= self._clock.now():
            raise InvalidInput(
                f"{shown(expires_at.isoformat())} is over already; choose a later time", field="expires_at"
            )


async def _require_role(tx: Transaction, access: Access, command: NewKey) -> None:
    """A workspace's administrator is not told of those who are elsewhere: they read as unknown."""
    await require_no_persons_key(tx, access, command.principal_id)
    roles = await tx.directory.roles_of(command.principal_id)
    if not roles and kind_of(access.write_scope) is not ScopeKind.ORGANIZATION:
        raise unknown_principal(command.principal_id)
    if not any(role.at_least(command.role) for role in roles):
        raise InvalidInput(
            f"the principal has not the role {command.role.value} in this scope; give it that membership first",
            field="role",
        )
