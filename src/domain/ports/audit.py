"""The audit as it is read, and for how long it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from domain.audit.line import AuditLine, AuditRead
from domain.identity.ids import GroupId


class Audit(Protocol):
    """Inside a transaction: lines of its organization. They go in by ``AuditLines``; nothing changes or removes one."""

    async def lines(self, groups: Sequence[GroupId], read: AuditRead) -> list[AuditLine]:
        """The lines of these scopes that a read asks for, with the names of their principals."""
        ...

    async def days(self) -> int | None:
        """For how many days the organization has its lines kept; None: as the installation is configured."""
        ...

    async def keep_for(self, days: int | None) -> None:
        """Set it, 30 or more."""
        ...
