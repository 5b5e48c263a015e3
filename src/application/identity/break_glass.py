"""A way in for whoever runs the server, when no other is left."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from application.identity.access import AccessResolver
from application.identity.create_organization import Operator
from application.identity.issued_key import IssuedKey, add_key, checked_label
from domain.errors import InvalidInput, NotFound, shown
from domain.identity.ids import CredentialId, OrganizationId, PrincipalId
from domain.identity.principal import PrincipalKind, Role
from domain.ports.clock import Clock
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.subjects import Subjects
from domain.ports.unit_of_work import UnitOfWork

SUBJECT = "assay:break-glass"
NAME = "Break-glass administrator"
LONGEST = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Emergency:
    """Which organization needs a way in, why, and for how long. Without an id, the only one of the installation."""

    reason: str
    organization_id: OrganizationId | None = None
    lasting: timedelta = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class GlassBroken:
    """The key, shown this once, of whom it is, and when it ends."""

    organization_id: OrganizationId
    principal_id: PrincipalId
    key: IssuedKey
    ends_at: datetime


class BreakGlass:
    """Issues an owner's key that ends within a day.

    - Only the operator of the installation may: an entry point proves that first.
    - The key is of a principal of its own, which is no person: it administers, and decides nothing of what is known.
    - The reason is needed, and journalled with the key. Disabling the principal, or revoking the key, ends it.
    """

    def __init__(
        self, subjects: Subjects, unit_of_work: UnitOfWork, resolver: AccessResolver, clock: Clock, ids: Ids
    ) -> None:
        self._subjects = subjects
        self._unit_of_work = unit_of_work
        self._resolver = resolver
        self._clock = clock
        self._ids = ids

    async def __call__(self, operator: Operator, command: Emergency) -> GlassBroken:
        """Raises InvalidInput, and NotFound for an unknown organization."""
        reason = checked_label(command.reason, "a reason")
        if not timedelta(0) < command.lasting <= LONGEST:
            raise InvalidInput(f"such a key lasts up to 24 hours, not {shown(str(command.lasting))}", field="hours")
        organization_id = command.organization_id or await self._only_one()
        found = await self._subjects.find(organization_id, SUBJECT)
        if found is None:
            raise NotFound(f"there is no organization {organization_id}", field="organization")
        access = await self._resolver.for_organization(organization_id, found.root)
        access = replace(access, principal=replace(access.principal, connection_id=operator.connection_id))
        ends_at = self._clock.now() + command.lasting
        principal_id = found.known.id if found.known else PrincipalId(self._ids.new())
        async with self._unit_of_work(access) as tx:
            if found.known is None:
                await tx.claimed.add_principal(principal_id, PrincipalKind.AGENT, NAME, SUBJECT)
            await tx.directory.switch_principal(principal_id, True)
            await tx.directory.set_membership(principal_id, found.root, Role.OWNER)
            key = await add_key(
                tx,
                CredentialId(self._ids.new()),
                principal_id,
                "break-glass",
                Role.OWNER,
                found.root,
                ends_at,
                issued_by=None,
            )
            payload = {"principal_id": str(principal_id), "credential_id": str(key.id)}
            await tx.journal.advance(Entry("break_glass", found.root, payload, reason=reason))
        return GlassBroken(organization_id, principal_id, key, ends_at)

    async def _only_one(self) -> OrganizationId:
        known = await self._subjects.organizations()
        if len(known) != 1:
            listed = ", ".join(map(str, known)) or "none"
            raise InvalidInput(f"say which organization: {listed}", field="organization")
        return known[0]
