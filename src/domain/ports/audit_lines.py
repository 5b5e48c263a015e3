"""Where lines of the audit go in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from domain.audit.line import AuditLine


class AuditLines(Protocol):
    """Adds lines, and does nothing else with them."""

    async def append(self, lines: Sequence[AuditLine]) -> None:
        """Commit lines of one organization, all or none; one that is there already is left as it is.

        Raises Unavailable when the database does not answer, another error for a line that it refuses.
        """
        ...
