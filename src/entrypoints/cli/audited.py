"""Every command that somebody signed in for has its line in the audit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import click

from application.audit.recorder import Ended
from application.audit.visit import visiting
from domain.audit.line import OK, AuditAction, Door
from domain.errors import AssayError
from entrypoints.application import Application

EXPORTS = frozenset({"assay journal export", "assay audit export", "assay erasure certificate"})


@asynccontextmanager
async def audited(app: Application, named: Mapping[str, object] | None = None) -> AsyncIterator[None]:
    """Enter the present command when it ended, with the ids among its arguments; what it raises goes on.

    It wrote where the journal says so. Raises AuditUnavailable.
    """
    what = click.get_current_context().command_path
    asked = AuditAction.EXPORT if what in EXPORTS else AuditAction.READ
    with visiting() as visit:
        try:
            yield
        except AssayError as error:
            await app.audit.recorder(visit, Ended(Door.CLI, asked, what, error.code, named or {}))
            raise
        await app.audit.recorder(visit, Ended(Door.CLI, asked, what, OK, named or {}))
