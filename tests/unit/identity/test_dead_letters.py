"""What operators see of failed jobs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast
from uuid import UUID

from application.operations.queries import dead_letters
from domain.identity.access import Access
from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.ports.operations import DeadLetter, Operations

AT = datetime(2026, 1, 1, tzinfo=UTC)


class Failed:
    """Three jobs that failed, each with a reason that quotes what it read."""

    async def dead_letters(self, access: Access, after: int, limit: int) -> list[DeadLetter]:
        places = ("organization", "personal", "personal/q3")
        return [DeadLetter(n, "ingest", None, place, 1, AT, AT, "cannot read 'x'") for n, place in enumerate(places)]


async def test_why_a_job_of_a_personal_scope_failed_is_not_said() -> None:
    group = GroupId(f"o_{'0' * 32}")
    principal = Principal(
        PrincipalId(UUID(int=1)), OrganizationId(UUID(int=2)), PrincipalKind.HUMAN, Role.ADMIN, "c", "Ada"
    )
    found = await dead_letters(cast(Operations, Failed()), Access(principal, (group,), group), 0, 10)
    assert [each.reason for each in found] == ["cannot read 'x'", None, "cannot read 'x'"]
