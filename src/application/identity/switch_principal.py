"""Disabling and enabling people and agents."""

from __future__ import annotations

from dataclasses import dataclass, replace

from application.identity.people import known_principal, refuse_last_owner, refuse_to_take_more_than_own
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import PrincipalId, Revision
from domain.identity.permissions import Action, permit
from domain.identity.scope_name import ScopeKind, kind_of
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Switch:
    """Whether a principal may act from now on, and why."""

    principal_id: PrincipalId
    enabled: bool
    reason: str | None = None


class SwitchPrincipal:
    """Disables a principal, or enables it again.

    - A disabled principal's keys and tokens stop, and its sessions end for good; its roles, keys and what it wrote are
      kept.
    - The caller is an admin of the whole organization, and has no less than any role of the principal.
    - The last owner of an organization cannot be disabled. The same again changes nothing.
    """

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def __call__(self, access: Access, command: Switch) -> Revision | None:
        """``access`` reads every scope of the organization that is not somebody else's personal one.

        The revision of it; None when it was so before. Raises Forbidden, InvalidInput, LastOwner and NotFound.
        """
        permit(access, Action.MANAGE_PEOPLE)
        root = access.write_scope
        if kind_of(root) is not ScopeKind.ORGANIZATION:
            raise InvalidInput(
                "a principal is disabled in the whole organization; name the scope 'organization'", field="scope"
            )
        # Its sessions reach different scopes.
        everywhere = replace(access, write_scopes=access.read_scopes)
        async with self._unit_of_work(everywhere) as tx:
            await known_principal(tx, command.principal_id)
            await refuse_to_take_more_than_own(tx, access, command.principal_id)
            if not command.enabled:
                await refuse_last_owner(tx, root, command.principal_id)
            if not await tx.directory.switch_principal(command.principal_id, command.enabled):
                return None
            kind = "enable_principal" if command.enabled else "disable_principal"
            payload = {"principal_id": str(command.principal_id)}
            return await tx.journal.advance(Entry(kind, root, payload, reason=command.reason))
