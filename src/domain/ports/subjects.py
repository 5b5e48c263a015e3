"""Whom a subject of an identity provider is here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.principal import PrincipalKind, Role


@dataclass(frozen=True, slots=True)
class KnownSubject:
    """A principal that a provider vouches for. ``claims_digest``: what its claims gave last, None for nothing yet.

    ``reach`` is the organization, or the one scope where the principal is a member when there is only one.
    """

    id: PrincipalId
    kind: PrincipalKind
    name: str
    disabled: bool
    claims_digest: bytes | None
    reach: GroupId


@dataclass(frozen=True, slots=True)
class FoundSubject:
    """The organization's own scope, and who the subject is in it; None for nobody yet."""

    root: GroupId
    known: KnownSubject | None


@dataclass(frozen=True, slots=True)
class ScopeOfOne:
    """A scope and the greatest role that a principal has in it, by its memberships there and around it."""

    path: str
    kind: str
    role: Role


class Subjects(Protocol):
    """Looks subjects up before there is a tenant."""

    async def find(self, organization_id: OrganizationId, subject: str) -> FoundSubject | None:
        """None where there is no such organization. Raises Unavailable when the database does not answer."""
        ...

    async def organizations(self) -> Sequence[OrganizationId]:
        """Every organization of the installation: for its operator alone."""
        ...

    async def scopes(
        self, organization_id: OrganizationId, principal_id: PrincipalId, reach: GroupId
    ) -> Sequence[ScopeOfOne]:
        """The scopes within the reach where the principal has a role, by path; its personal one among them."""
        ...
