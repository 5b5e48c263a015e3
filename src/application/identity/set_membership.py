"""Giving a role in a scope."""

from __future__ import annotations

from dataclasses import dataclass

from application.identity.people import (
    known_principal,
    refuse_last_owner,
    refuse_more_than_own,
    refuse_personal,
    refuse_to_take_more_than_own,
)
from domain.identity.access import Access
from domain.identity.ids import PrincipalId, Revision
from domain.identity.permissions import Action, permit
from domain.identity.principal import Role
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class NewMembership:
    """Who gets which role in the access's scope."""

    principal_id: PrincipalId
    role: Role


class SetMembership:
    """Gives a principal of the organization a role in the access's scope, in place of the one it had.

    - The caller is an admin there, gives no more than the caller's own role, and takes away no more either.
    - A role counts in every scope inside; keys act with the lesser of their own role and this.
    - The last owner of an organization cannot be lowered.
    - It takes effect within a few seconds.
    """

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def __call__(self, access: Access, command: NewMembership) -> Revision:
        """Raises Forbidden, InvalidInput, LastOwner, or NotFound for an unknown principal."""
        permit(access, Action.MANAGE_PEOPLE)
        refuse_more_than_own(access, command.role)
        refuse_personal(access)
        async with self._unit_of_work(access) as tx:
            await known_principal(tx, command.principal_id)
            await refuse_to_take_more_than_own(tx, access, command.principal_id)
            if access.write_scope == access.read_scopes[-1] and command.role is not Role.OWNER:
                await refuse_last_owner(tx, access.write_scope, command.principal_id)
            await tx.directory.set_membership(command.principal_id, access.write_scope, command.role)
            payload = {"principal_id": str(command.principal_id), "role": command.role.value}
            return await tx.journal.advance(Entry("set_membership", access.write_scope, payload))
