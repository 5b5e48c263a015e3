"""Making an organization with its owner and first key."""

from __future__ import annotations

from dataclasses import dataclass

from application.identity.issued_key import IssuedKey, add_key, checked_label
from domain.identity.access import Access
from domain.identity.ids import CredentialId, OrganizationId, PrincipalId, Revision
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.identity.scope_name import ScopeKind, group_id_of
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Operator:
    """Who runs the installation. An entry point makes one after it has proved that; it belongs to no organization."""

    connection_id: str


@dataclass(frozen=True, slots=True)
class NewOrganization:
    """An organization and the person who owns it."""

    name: str
    owner: str


@dataclass(frozen=True, slots=True)
class OrganizationCreated:
    """Ids of what was made, and the owner's key, which is shown this once."""

    organization_id: OrganizationId
    owner_id: PrincipalId
    key: IssuedKey
    revision: Revision


class CreateOrganization:
    """Makes an organization.

    - Only the operator of the installation may.
    - Its owner, the owner's personal scope and a first key come with it, in one transaction.
    - The key is shown once and cannot be read again.
    """

    def __init__(self, unit_of_work: UnitOfWork, ids: Ids) -> None:
        self._unit_of_work = unit_of_work
        self._ids = ids

    async def __call__(self, operator: Operator, command: NewOrganization) -> OrganizationCreated:
        """Raises InvalidInput for names that are empty, too long or not printable."""
        name = checked_label(command.name, "an organization's name")
        owner_name = checked_label(command.owner, "an owner's name")
        organization_id = OrganizationId(self._ids.new())
        owner_id = PrincipalId(self._ids.new())
        root = group_id_of(ScopeKind.ORGANIZATION, self._ids.new())
        personal = group_id_of(ScopeKind.PERSONAL, self._ids.new())
        owner = Principal(
            owner_id, organization_id, PrincipalKind.HUMAN, Role.OWNER, operator.connection_id, owner_name
        )
        access = Access(owner, (personal, root), root, (root, personal))
        async with self._unit_of_work(access) as tx:
            await tx.directory.add_organization(organization_id, name, root)
            await tx.directory.add_principal(owner_id, PrincipalKind.HUMAN, owner_name)
            await tx.directory.add_scope(personal, ScopeKind.PERSONAL.value, owner_id.hex, root, owner_id)
            await tx.directory.set_membership(owner_id, root, Role.OWNER)
            await tx.directory.set_membership(owner_id, personal, Role.OWNER)
            key = await add_key(
                tx, CredentialId(self._ids.new()), owner_id, "first key", Role.OWNER, root, None, issued_by=owner_id
            )
            revision = await tx.journal.advance(
                Entry("create_organization", root, {"owner_id": str(owner_id), "credential_id": str(key.id)})
            )
        return OrganizationCreated(organization_id, owner_id, key, revision)
