"""Letting in whom an identity provider vouches for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from application.identity.access import AccessResolver
from domain.errors import Conflict, NotAuthenticated
from domain.identity.access import Access
from domain.identity.claims import Identity
from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.principal import Principal, Role
from domain.identity.scope_name import ScopeKind, group_id_of
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.subjects import FoundSubject, KnownSubject, Subjects
from domain.ports.token_verifier import Credential, CredentialRefused
from domain.ports.unit_of_work import Transaction, UnitOfWork

_NOBODY = "this account has no access here; ask an administrator to give it some"
_DISABLED = "this account is disabled here; ask an administrator"


@dataclass(frozen=True, slots=True)
class Changes:
    """What to give and to take so that a principal has what its claims give. ``missing`` scopes are not there."""

    give: Mapping[GroupId, Role]
    take: tuple[GroupId, ...]
    missing: tuple[str, ...]


class AdmitSubject:
    """Finds the principal of a verified identity, or makes it at its first sign-in.

    - A disabled principal is refused, and so is one that is not there where the issuer provisions nobody.
    - People get a personal scope; a machine becomes an agent.
    - Roles that claims gave follow the claims, in scopes that exist; roles that people gave stay. Both are journalled.
    """

    def __init__(self, subjects: Subjects, unit_of_work: UnitOfWork, resolver: AccessResolver, ids: Ids) -> None:
        self._subjects = subjects
        self._unit_of_work = unit_of_work
        self._resolver = resolver
        self._ids = ids

    async def __call__(self, identity: Identity, *, provision: bool) -> KnownSubject:
        """Raises NotAuthenticated, and Unavailable when the database does not answer."""
        found = await self._find(identity)
        if found.known is None:
            if not provision:
                raise NotAuthenticated(_NOBODY)
            await self._provision(identity, found)
        elif found.known.disabled:
            raise CredentialRefused(_DISABLED, as_credential(found.known, identity))
        elif found.known.claims_digest != identity.digest:
            await self._follow(identity, found.known.id, found.root)
        else:
            return found.known
        known = (await self._find(identity)).known
        if known is None or known.disabled:
            raise NotAuthenticated(_NOBODY)
        return known

    async def _find(self, identity: Identity) -> FoundSubject:
        found = await self._subjects.find(identity.organization_id, identity.subject)
        if found is None:
            raise NotAuthenticated(_NOBODY)
        return found

    async def _provision(self, identity: Identity, found: FoundSubject) -> None:
        principal_id = PrincipalId(self._ids.new())
        personal = group_id_of(ScopeKind.PERSONAL, self._ids.new())
        access = await self._everywhere(identity.organization_id, found.root, personal)
        try:
            async with self._unit_of_work(access) as tx:
                await tx.claimed.add_principal(principal_id, identity.kind, identity.shown_name, identity.subject)
                await tx.directory.add_scope(
                    personal, ScopeKind.PERSONAL.value, principal_id.hex, found.root, principal_id
                )
                await tx.directory.set_membership(principal_id, personal, Role.OWNER)
                await _settle(tx, identity, principal_id)
                payload = {"principal_id": str(principal_id), "roles": _said(identity)}
                await tx.journal.advance(Entry("provision_principal", found.root, payload))
        except Conflict:
            pass  # its other request was faster

    async def _follow(self, identity: Identity, principal_id: PrincipalId, root: GroupId) -> None:
        access = await self._everywhere(identity.organization_id, root)
        async with self._unit_of_work(access) as tx:
            changes = await _settle(tx, identity, principal_id)
            if changes.give or changes.take:
                payload = {"principal_id": str(principal_id), "roles": _said(identity)}
                await tx.journal.advance(Entry("follow_claims", root, payload))

    async def _everywhere(self, organization_id: OrganizationId, root: GroupId, *more: GroupId) -> Access:
        access = await self._resolver.for_organization(organization_id, root)
        return replace(access, read_scopes=(*more, *access.read_scopes), write_scopes=(*more, *access.write_scopes))


async def _settle(tx: Transaction, identity: Identity, principal_id: PrincipalId) -> Changes:
    """Bring the roles that claims gave in line. Where a scope is missing, the next token tries again."""
    changes = changes_to(await tx.claimed.roles(principal_id), identity.memberships, await tx.claimed.groups())
    for group_id, role in changes.give.items():
        await tx.claimed.give(principal_id, group_id, role)
    for group_id in changes.take:
        await tx.claimed.take(principal_id, group_id)
    await tx.claimed.note(principal_id, identity.name, None if changes.missing else identity.digest)
    return changes


def changes_to(present: Mapping[GroupId, Role], wanted: Mapping[str, Role], groups: Mapping[str, GroupId]) -> Changes:
    """From the roles that claims gave until now to those that they give by the path of a scope."""
    placed = {groups[path]: role for path, role in wanted.items() if path in groups}
    return Changes(
        give={group: role for group, role in placed.items() if present.get(group) is not role},
        take=tuple(sorted(group for group in present if group not in placed)),
        missing=tuple(sorted(path for path in wanted if path not in groups)),
    )


def as_credential(known: KnownSubject, identity: Identity) -> Credential:
    """The credential of a subject, bounded by its memberships alone."""
    principal = Principal(
        id=known.id,
        organization_id=identity.organization_id,
        kind=known.kind,
        role=Role.OWNER,
        connection_id=identity.connection,
        name=known.name,
    )
    return Credential(principal, known.reach)


def _said(identity: Identity) -> dict[str, str]:
    return {path: role.value for path, role in sorted(identity.memberships.items())}
