"""From a credential and the name of a scope to what a request may touch."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias
from uuid import UUID

from application.audit.visit import note_access
from application.identity.remembered import REMEMBER_SECONDS, Remembered
from domain.errors import NotFound, shown
from domain.identity.access import Access
from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.identity.scope_name import ScopeKind, ScopeName, narrowed
from domain.ports.scope_finder import FoundScope, ScopeFinder
from domain.ports.token_verifier import Credential

_Key: TypeAlias = tuple[OrganizationId, PrincipalId, str, GroupId, ScopeName | None]
_SYSTEM = PrincipalId(UUID(int=0))


class AccessResolver:
    """Resolves scopes by name.

    - Nothing named means the reach of the key; never more.
    - The role in force is the key's, or what the principal's memberships give in the scope and those around it when
      that is less.
    - A scope that is not there, out of reach, or where the principal is no member: the same NotFound.
    - An answer is remembered for ``remember_seconds`` at most, and until ``forget`` is told of a change.
    """

    def __init__(
        self,
        finder: ScopeFinder,
        *,
        remember_seconds: float = REMEMBER_SECONDS,
        capacity: int = 10_000,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._finder = finder
        self._known: Remembered[_Key, FoundScope] = Remembered(remember_seconds, capacity, now)

    def forget(self, organization_id: OrganizationId | None) -> None:
        """Look again at the scopes and memberships of the organization; None is all."""
        self._known.forget(organization_id)

    async def __call__(
        self, credential: Credential, scope: str | None = None, within: ScopeKind | None = None
    ) -> Access:
        """What the credential may touch in the scope; of what is around it, what is ``within`` a kind of scope.

        Raises InvalidInput for what cannot be a name, and NotFound.
        """
        name = None if scope is None else ScopeName.parse(scope)
        principal = credential.principal
        key = (principal.organization_id, principal.id, principal.connection_id, credential.reach, name)
        found = self._known.get(key)
        if found is None:
            turn = self._known.turn
            found = await self._found(credential, name, scope)
            self._known.keep(key, found, principal.organization_id, turn)
        role = _lesser(principal.role, found.role or Role.VIEWER)
        access = Access(replace(principal, role=role), found.chain, found.chain[0])
        note_access(access)
        return read_within(access, within)

    async def with_everything_below(self, credential: Credential, scope: str | None = None) -> Access:
        """As above, and every scope inside it for reading and writing: for lists and for the administration of keys.

        Personal scopes of others are left out: they are nobody else's, whatever the role.
        """
        access = await self(credential, scope)
        owner = access.principal.id if credential.opens_personal else _SYSTEM
        below = await self._finder.below(access.organization_id, access.write_scope, owner)
        return _widened(access, below)

    async def for_operating(self, credential: Credential, scope: str | None = None) -> Access:
        """As above with every personal scope: for numbers of use and failed jobs, which show no content."""
        access = await self(credential, scope)
        below = await self._finder.below(access.organization_id, access.write_scope)
        return _widened(access, below)

    async def for_job(self, organization_id: OrganizationId, group_id: GroupId) -> Access:
        """What a job of the scope may touch, as the system. Raises NotFound when the scope is gone."""
        chain = await self._finder.chain(organization_id, group_id)
        if not chain:
            raise NotFound(f"the scope {group_id} of the job is gone")
        return Access(system_principal(organization_id), chain, group_id)

    async def for_organization(self, organization_id: OrganizationId, root: GroupId) -> Access:
        """All scopes of an organization, as the system: for work that concerns all of it."""
        scopes = await self._finder.below(organization_id, root)
        if not scopes:
            raise NotFound(f"the organization {organization_id} is gone")
        return Access(system_principal(organization_id), scopes, root, scopes)

    async def _found(self, credential: Credential, name: ScopeName | None, scope: str | None) -> FoundScope:
        found = await self._finder.find(credential, name)
        if found is None or found.role is None:
            named = "membership in its own reach" if scope is None else f"scope {shown(scope)}"
            raise NotFound(f"there is no {named} for this key; list its scopes to see their names", field="scope")
        return found


def read_within(access: Access, within: ScopeKind | None) -> Access:
    """The access that reads of its scopes only those no wider than a kind; all of them for None.

    What is read gets less, never more; what is written stays. Raises InvalidInput when nothing is left to read.
    """
    if within is None:
        return access
    read = narrowed(access.read_scopes, within)
    return replace(access, read_scopes=read, around=access.read_scopes[len(read) :])


def system_principal(organization_id: OrganizationId) -> Principal:
    """Assay itself, at work in an organization."""
    return Principal(_SYSTEM, organization_id, PrincipalKind.SYSTEM, Role.OWNER, "system", "assay")


def _widened(access: Access, below: tuple[GroupId, ...]) -> Access:
    outside = tuple(g for g in access.read_scopes if g not in below)
    return replace(access, read_scopes=(*below, *outside), write_scopes=below)


def _lesser(one: Role, other: Role) -> Role:
    return other if one.at_least(other) else one
