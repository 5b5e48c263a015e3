"""Who is here: lists for every entry point. They show the scopes that the access reads."""

from __future__ import annotations

from dataclasses import dataclass

from domain.identity.access import Access
from domain.identity.ids import OrganizationId
from domain.identity.permissions import Action, permit
from domain.identity.scope_name import ScopeKind, kind_of
from domain.ports.directory import KeyRow, MembershipRow, PrincipalRow, ScopeRow
from domain.ports.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class OrganizationSummary:
    """The caller's organization and its gate policy."""

    id: OrganizationId
    name: str
    gate: str


async def organization(unit_of_work: UnitOfWork, access: Access) -> OrganizationSummary:
    """The caller's organization."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        name, gate = await tx.directory.organization()
    return OrganizationSummary(access.organization_id, name, gate)


async def scopes(unit_of_work: UnitOfWork, access: Access) -> list[ScopeRow]:
    """The scopes that the access reads, by path. Personal ones are left out: everybody has one, called "personal"."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        found = await tx.directory.scopes()
    return [scope for scope in found if scope.kind != ScopeKind.PERSONAL]


async def principals(unit_of_work: UnitOfWork, access: Access) -> list[PrincipalRow]:
    """Who is here, by name: everybody for the organization's own scope, else those with a role in the scopes that the
    access reads."""
    permit(access, Action.READ)
    everybody = kind_of(access.write_scope) is ScopeKind.ORGANIZATION
    async with unit_of_work(access) as tx:
        return await (tx.directory.principals() if everybody else tx.directory.members())


async def memberships(unit_of_work: UnitOfWork, access: Access) -> list[MembershipRow]:
    """Who has which role in the scopes that the access reads, personal ones left out."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        found = await tx.directory.memberships()
    return [membership for membership in found if membership.scope != ScopeKind.PERSONAL]


async def keys(unit_of_work: UnitOfWork, access: Access) -> list[KeyRow]:
    """API keys whose reach the access may write: all for an admin, the caller's own for others."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        found = await tx.directory.keys()
    everyone = access.principal.role.at_least(Action.MANAGE_KEYS.role)
    return [key for key in found if everyone or key.principal_id == access.principal.id]
