"""Jobs that end what somebody asked for have a line in the audit, as the writes and exports of people do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias
from uuid import UUID

from application.audit.recorder import Ended, Recorder
from application.audit.visit import visiting
from domain.audit.line import OK, AuditAction, Door
from domain.errors import AssayError
from domain.identity.access import Access
from domain.ports.job_queue import JobKind

_Handler: TypeAlias = Callable[[Access, UUID | None], Awaitable[object]]


def audited(recorder: Recorder, kind: JobKind, handler: _Handler) -> _Handler:
    """The handler with a line at its end, in the scope of its job: the principal is Assay itself."""

    async def handle(access: Access, subject: UUID | None) -> object:
        with visiting() as visit:
            visit.access = access
            named = {"subject": subject}
            try:
                result = await handler(access, subject)
            except AssayError as error:
                await recorder(visit, Ended(Door.WORKER, AuditAction.WRITE, f"job {kind.value}", error.code, named))
                raise
            await recorder(visit, Ended(Door.WORKER, AuditAction.WRITE, f"job {kind.value}", OK, named))
        return result

    return handle
