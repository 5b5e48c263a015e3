"""Adding people and agents."""

from __future__ import annotations

from dataclasses import dataclass, replace

from application.identity.issued_key import checked_label
from application.identity.people import refuse_more_than_own, refuse_personal
from domain.errors import Forbidden, InvalidInput
from domain.identity.access import Access
from domain.identity.claims import subject_of
from domain.identity.ids import PrincipalId, Revision
from domain.identity.permissions import Action, permit
from domain.identity.principal import PrincipalKind, Role
from domain.identity.scope_name import ScopeKind, group_id_of, kind_of
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class NewPrincipal:
    """A person or an agent, and the role that it gets in the scope.

    ``account`` is the address of an identity provider and the subject that it has there: with it the principal signs in
    by that provider's tokens, also where the provider's people are not let in by themselves.
    """

    name: str
    kind: PrincipalKind
    role: Role = Role.MEMBER
    account: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class PrincipalAdded:
    """The new principal."""

    id: PrincipalId
    revision: Revision


class AddPrincipal:
    """Adds a person or an agent as a member of the access's scope.

    - The caller is an admin there, and gives no more than the caller's own role.
    - The principal's personal scope is made with it; the principal owns that one.
    - An account that is somebody's here already is a Conflict. That an account is an agent's takes an admin of the
      organization: a person whose account it is would decide nothing from then on.
    """

    def __init__(self, unit_of_work: UnitOfWork, ids: Ids) -> None:
        self._unit_of_work = unit_of_work
        self._ids = ids

    async def __call__(self, access: Access, command: NewPrincipal) -> PrincipalAdded:
        """Raises Forbidden, InvalidInput or Conflict."""
        permit(access, Action.MANAGE_PEOPLE)
        refuse_more_than_own(access, command.role)
        refuse_personal(access)
        in_part = kind_of(access.write_scope) is not ScopeKind.ORGANIZATION
        if in_part and command.account is not None and command.kind is PrincipalKind.AGENT:
            raise Forbidden("an agent's account is added in the scope 'organization'; name that scope", field="account")
        if command.kind is PrincipalKind.SYSTEM:
            raise InvalidInput("a system principal cannot be added; choose 'human' or 'agent'", field="kind")
        name = checked_label(command.name, "a principal's name")
        scope, root = access.write_scope, access.read_scopes[-1]
        principal_id = PrincipalId(self._ids.new())
        personal = group_id_of(ScopeKind.PERSONAL, self._ids.new())
        wider = replace(access, read_scopes=(personal, *access.read_scopes), write_scopes=(scope, personal))
        async with self._unit_of_work(wider) as tx:
            if command.account is None:
                await tx.directory.add_principal(principal_id, command.kind, name)
            else:
                await tx.claimed.add_principal(principal_id, command.kind, name, subject_of(*command.account))
            await tx.directory.add_scope(personal, ScopeKind.PERSONAL.value, principal_id.hex, root, principal_id)
            await tx.directory.set_membership(principal_id, personal, Role.OWNER)
            await tx.directory.set_membership(principal_id, scope, command.role)
            revision = await tx.journal.advance(
                Entry("add_principal", scope, {"principal_id": str(principal_id), "role": command.role.value})
            )
        return PrincipalAdded(principal_id, revision)
