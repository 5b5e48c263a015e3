"""What the changes of people and memberships have in common: whom they concern, and how much the caller may take."""

from __future__ import annotations

from domain.errors import Forbidden, InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.ids import GroupId, PrincipalId
from domain.identity.ownership import require_owner_left
from domain.identity.principal import Role
from domain.identity.scope_name import ScopeKind, kind_of
from domain.ports.directory import PrincipalRow
from domain.ports.unit_of_work import Transaction


def refuse_more_than_own(access: Access, role: Role) -> None:
    """Raise Forbidden when the role is more than the caller has in the scope."""
    own = access.principal.role
    if not own.at_least(role):
        raise Forbidden(
            f"the role {role.value} is more than your own, {own.value}; ask somebody who has it to give it",
            field="role",
        )


def refuse_personal(access: Access) -> None:
    """Raise InvalidInput when the scope is somebody's personal one: it has one member for good."""
    if kind_of(access.write_scope) is ScopeKind.PERSONAL:
        raise InvalidInput(
            "a personal scope has one member; name the organization, a workspace or a project", field="scope"
        )


async def known_principal(tx: Transaction, principal_id: PrincipalId) -> PrincipalRow:
    """The principal of the organization. Raises NotFound."""
    found = await tx.directory.principal(principal_id)
    if found is None:
        raise unknown_principal(principal_id)
    return found


def unknown_principal(principal_id: PrincipalId) -> NotFound:
    """What is said of an id that is nobody's here."""
    return NotFound(f"there is no principal {principal_id} here", field="principal_id")


async def refuse_to_take_more_than_own(tx: Transaction, access: Access, principal_id: PrincipalId) -> None:
    """Raise Forbidden when the principal has a role in a readable scope, its personal one left out, above the
    caller's."""
    own = access.principal.role
    if any(not own.at_least(role) for role in await tx.directory.roles_of(principal_id)):
        raise Forbidden(f"this principal has more than your role, {own.value}; ask somebody with as much")


async def refuse_last_owner(tx: Transaction, root: GroupId, principal_id: PrincipalId) -> None:
    """Raise LastOwner when the principal's leave would end the organization's ownership.

    Waits for the organization's turn first and keeps it: of two owners who leave at once, the second one stays.
    """
    await tx.journal.hold()
    require_owner_left(await tx.directory.owners(root), principal_id)
