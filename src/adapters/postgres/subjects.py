"""Subjects of identity providers, looked up before there is a tenant."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg

from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.principal import PrincipalKind, Role
from domain.ports.subjects import FoundSubject, KnownSubject, ScopeOfOne

_SQL = statements("claimed")


class PostgresSubjects:
    """Implements ``Subjects`` with a definer function of the sign-in."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def find(self, organization_id: OrganizationId, subject: str) -> FoundSubject | None:
        with translated():
            row = await self._pool.fetchrow(_SQL["find_subject"], organization_id, subject)
        if row is None:
            return None
        identifier, kind, name, disabled, digest, root, reach = row
        if identifier is None:
            return FoundSubject(GroupId(root), None)
        known = KnownSubject(PrincipalId(identifier), PrincipalKind(kind), name, disabled, digest, GroupId(reach))
        return FoundSubject(GroupId(root), known)

    async def organizations(self) -> Sequence[OrganizationId]:
        with translated():
            return [OrganizationId(row[0]) for row in await self._pool.fetch(_SQL["organizations"])]

    async def scopes(
        self, organization_id: OrganizationId, principal_id: PrincipalId, reach: GroupId
    ) -> Sequence[ScopeOfOne]:
        with translated():
            rows = await self._pool.fetch(_SQL["own_scopes"], organization_id, principal_id, reach)
        order = list(Role)
        return [ScopeOfOne(path, kind, max(map(Role, roles), key=order.index)) for path, kind, roles in rows]
