"""Revoking API keys."""

from __future__ import annotations

from domain.errors import Forbidden, NotFound
from domain.identity.access import Access
from domain.identity.ids import CredentialId, Revision
from domain.identity.permissions import Action, permit
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork


class RevokeKey:
    """Revokes a key whose reach is among the access's writable scopes.

    - Everybody may revoke keys of their own; another's takes an admin with at least the key's role.
    - It stops working at once, in every process. Revoking again changes nothing.
    """

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def __call__(self, access: Access, credential_id: CredentialId) -> Revision | None:
        """The revision of it; None when it was revoked before. Raises Forbidden or NotFound."""
        async with self._unit_of_work(access) as tx:
            key = next((k for k in await tx.directory.keys() if k.id == credential_id), None)
            if key is None:
                raise NotFound(f"there is no API key {credential_id} here")
            is_own = key.principal_id == access.principal.id
            permit(access, Action.MANAGE_OWN_KEYS if is_own else Action.MANAGE_KEYS)
            if not is_own and not access.principal.role.at_least(key.role):
                raise Forbidden(f"this key has the role {key.role.value}, more than yours; ask somebody with as much")
            if key.revoked_at is not None:
                return None
            if not await tx.directory.revoke_key(credential_id):
                raise NotFound(f"there is no API key {credential_id} here")
            return await tx.journal.advance(
                Entry("revoke_key", access.write_scope, {"credential_id": str(credential_id)})
            )
