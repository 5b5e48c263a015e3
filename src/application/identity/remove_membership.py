"""Taking a role in a scope away, and leaving a scope."""

from __future__ import annotations

from application.identity.people import (
    known_principal,
    refuse_last_owner,
    refuse_personal,
    refuse_to_take_more_than_own,
    unknown_principal,
)
from domain.errors import NotFound
from domain.identity.access import Access
from domain.identity.ids import PrincipalId, Revision
from domain.identity.permissions import Action, permit
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork


class RemoveMembership:
    """Takes a principal's role in the access's scope away; roles in scopes around it and inside it stay.

    - Everybody may leave a scope; taking another's role takes an admin there with at least that role.
    - The last owner of an organization can neither leave it nor be removed from it.
    - Keys of the principal that reach the scope act with what is left, and find nothing when nothing is.
    """

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def __call__(self, access: Access, principal_id: PrincipalId) -> Revision:
        """Raises Forbidden, InvalidInput, LastOwner, or NotFound for who is unknown or has no role there."""
        is_own = principal_id == access.principal.id
        permit(access, Action.LEAVE if is_own else Action.MANAGE_PEOPLE)
        refuse_personal(access)
        scope, root = access.write_scope, access.read_scopes[-1]
        async with self._unit_of_work(access) as tx:
            await known_principal(tx, principal_id)
            if scope == root:
                await refuse_last_owner(tx, root, principal_id)
            if not is_own:
                await refuse_to_take_more_than_own(tx, access, principal_id)
            if not await tx.directory.remove_membership(principal_id, scope):
                if not await tx.directory.roles_of(principal_id):
                    raise unknown_principal(principal_id)
                raise NotFound(
                    f"the principal {principal_id} has no role of its own in this scope; a role in a scope around it "
                    "is taken away there",
                    field="principal_id",
                )
            payload = {"principal_id": str(principal_id)}
            return await tx.journal.advance(Entry("leave" if is_own else "remove_membership", scope, payload))
