"""Who is signed in, and where that one may do what."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from domain.identity.grants import Grant
from domain.identity.ids import PrincipalId
from domain.identity.principal import PrincipalKind, Role
from domain.identity.scope_name import ScopeKind
from domain.ports.subjects import Subjects
from domain.ports.token_verifier import Credential


@dataclass(frozen=True, slots=True)
class OwnScope:
    """A scope that the caller can name, and the role in force there."""

    scope: str
    kind: str
    role: Role


@dataclass(frozen=True, slots=True)
class WhoAmI:
    """The caller. ``grants``: the most that its key or token may do, None for no bound."""

    principal_id: PrincipalId
    organization_id: UUID
    name: str
    kind: PrincipalKind
    grants: tuple[Grant, ...] | None
    scopes: tuple[OwnScope, ...]


async def who_am_i(subjects: Subjects, credential: Credential) -> WhoAmI:
    """Whom the credential is of, with the scopes within its reach where the principal has a role."""
    principal = credential.principal
    found = await subjects.scopes(principal.organization_id, principal.id, credential.reach)
    found = [s for s in found if credential.opens_personal or s.kind != ScopeKind.PERSONAL]
    bounded = (OwnScope(s.path, s.kind, s.role if principal.role.at_least(s.role) else principal.role) for s in found)
    grants = None if principal.grants is None else tuple(sorted(principal.grants))
    return WhoAmI(principal.id, principal.organization_id, principal.name, principal.kind, grants, tuple(bounded))
