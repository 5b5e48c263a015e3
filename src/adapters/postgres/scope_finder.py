"""Scopes, looked up before there is a tenant."""

from __future__ import annotations

import asyncpg

from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.principal import Role
from domain.identity.scope_name import ScopeKind, ScopeName
from domain.ports.scope_finder import FoundScope
from domain.ports.token_verifier import Credential

_SQL = statements("sign_in")


class PostgresScopeFinder:
    """Implements ``ScopeFinder`` with the definer functions of the sign-in."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def find(self, credential: Credential, name: ScopeName | None) -> FoundScope | None:
        principal = credential.principal
        organization = principal.organization_id
        reach = credential.reach
        at_root = name is not None and name.kind is ScopeKind.ORGANIZATION
        if at_root and not reach.startswith("o_"):
            # The same statement runs, so that the answer takes as long as for a name that nobody has.
            name = ScopeName(ScopeKind.WORKSPACE, ScopeKind.ORGANIZATION.value)
        with translated():
            row = await self._pool.fetchrow(
                _SQL["find"],
                organization,
                reach,
                principal.id,
                name.workspace if name else None,
                name.project if name else None,
                name is not None and name.kind is ScopeKind.PERSONAL,
            )
        if row is None or not row["chain"] or not row["in_reach"]:
            return None
        if row["chain"][0].startswith("u_") and not credential.opens_personal:
            return None
        roles = [Role(role) for role in row["roles"] or ()]
        return FoundScope(tuple(row["chain"]), max(roles, key=list(Role).index) if roles else None)

    async def chain(self, organization_id: OrganizationId, group_id: GroupId) -> tuple[GroupId, ...]:
        with translated():
            rows = await self._pool.fetch(_SQL["chain"], organization_id, group_id)
        return tuple(GroupId(row[0]) for row in rows)

    async def below(
        self, organization_id: OrganizationId, group_id: GroupId, principal_id: PrincipalId | None = None
    ) -> tuple[GroupId, ...]:
        with translated():
            if principal_id is None:
                rows = await self._pool.fetch(_SQL["below"], organization_id, group_id)
            else:
                rows = await self._pool.fetch(_SQL["open_below"], organization_id, group_id, principal_id)
        return tuple(GroupId(row[0]) for row in rows)
