"""Giving a role in a scope."""

from __future__ import annotations

from dataclasses import dataclass

from application.identity.add_principal import refuse_more_than_own, refuse_personal
from domain.errors import Forbidden, NotFound
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
    - It takes effect within a few seconds.
    """

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def __call__(self, access: Access, command: NewMembership) -> Revision:
        """Raises Forbidden, InvalidInput, or NotFound for an unknown principal."""
        permit(access, Action.MANAGE_PEOPLE)
        refuse_more_than_own(access, command.role)
        refuse_personal(access)
        async with self._unit_of_work(access) as tx:
            if all(p.id != command.principal_id for p in await tx.directory.principals()):
                raise NotFound(f"there is no principal {command.principal_id} here", field="principal_id")
            own = access.principal.role
            if any(
                m.principal_id == command.principal_id and not own.at_least(m.role)
                for m in await tx.directory.memberships()
            ):
                raise Forbidden(f"this principal has more than your role, {own.value}; ask somebody with as much")
            await tx.directory.set_membership(command.principal_id, access.write_scope, command.role)
            payload = {"principal_id": str(command.principal_id), "role": command.role.value}
            return await tx.journal.advance(Entry("set_membership", access.write_scope, payload))
