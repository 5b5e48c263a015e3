"""The audit: lines that are added and read, and never changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from domain.audit.line import AuditLine, AuditRead
from domain.identity.ids import GroupId


class Audit(Protocol):
    """Inside a transaction: lines of its organization. There is no way to change or remove one."""

    async def append(self, lines: Sequence[AuditLine]) -> None:
        """Add lines of the transaction's organization and writable scopes."""
        ...

    async def lines(self, groups: Sequence[GroupId], read: AuditRead) -> list[AuditLine]:
        """The lines of these scopes that a read asks for, with the names of their principals."""
        ...

    async def days(self) -> int | None:
        """For how many days the organization has its lines kept; None: as the installation is configured."""
        ...

    async def keep_for(self, days: int | None) -> None:
        """Set it, 30 or more."""
        ...
