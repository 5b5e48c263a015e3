"""Lines on their way into the audit: at once where a write needs it, else in batches."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import structlog

from domain.audit.line import AuditLine
from domain.errors import AssayError, Unavailable
from domain.ports.audit_lines import AuditLines

BATCH = 500
CAPACITY = 20_000
INTERVAL_SECONDS = 1.0
PATIENCE_SECONDS = 10.0

log = structlog.get_logger(__name__)


class AuditUnavailable(Unavailable):
    """What was asked cannot be entered in the audit, so there is no answer. A write may have been done."""

    code = "audit_unavailable"


class AuditTrail:
    """Enters lines as the application role, under the policies of their organization.

    - ``enter`` returns when the line is committed.
    - ``note`` keeps the line in memory; a batch is committed each second, or sooner when 500 wait, and at the end of
      ``running``. Of a process that is killed, lines of its last second are lost.
    - When 20,000 wait, ``note`` waits for room, and refuses after 10 s: no line is dropped to answer faster.
    """

    def __init__(self, audit: AuditLines, *, capacity: int = CAPACITY, patience: float = PATIENCE_SECONDS) -> None:
        self._audit = audit
        self._capacity = capacity
        self._patience = patience
        self._waiting: deque[AuditLine] = deque()
        self._full = asyncio.Event()
        self._room = asyncio.Event()
        self._turn = asyncio.Lock()

    async def enter(self, line: AuditLine) -> None:
        """Commit one line. Raises AuditUnavailable."""
        try:
            await self._append([line])
        except AssayError as error:
            raise _refusal() from error

    async def note(self, line: AuditLine) -> None:
        """Keep a line for the next batch. Raises AuditUnavailable when there is no room for it in time."""
        if len(self._waiting) >= self._capacity:
            await self._wait_for_room()
        self._waiting.append(line)
        if len(self._waiting) >= BATCH:
            self._full.set()

    async def flush(self) -> None:
        """Commit what waits. Raises Unavailable when the database does not answer; the lines then go on waiting."""
        async with self._turn:
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
                try:
                    await self._commit(batch)
                finally:
                    self._room.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Commit batches while the context is open, and the last one at its end."""
        ending = asyncio.Event()
        task = asyncio.create_task(self._run(ending), name="audit")
        try:
            yield
        finally:
            # It is not cancelled: what is being committed is committed.
            ending.set()
            self._full.set()
            await task
            try:
                await self.flush()
            except AssayError as error:
                log.error("lines of the audit are lost", lines=len(self._waiting), code=error.code)

    async def _run(self, ending: asyncio.Event) -> None:
        while not ending.is_set():
            await _pause(self._full)
            self._full.clear()
            try:
                await self.flush()
            except AssayError as error:
                log.warning("the audit waits", lines=len(self._waiting), code=error.code)
                await _pause(ending)

    async def _wait_for_room(self) -> None:
        try:
            async with asyncio.timeout(self._patience):
                while len(self._waiting) >= self._capacity:
                    self._room.clear()
                    self._full.set()
                    await self._room.wait()
        except TimeoutError:
            raise _refusal() from None

    async def _commit(self, batch: list[AuditLine]) -> None:
        """Each organization's lines in a transaction of their own; what was not committed waits on, in order."""
        by_organization: dict[object, list[AuditLine]] = {}
        for line in batch:
            by_organization.setdefault(line.organization_id, []).append(line)
        try:
            for organization, lines in list(by_organization.items()):
                await self._append_or_report(lines)
                del by_organization[organization]
        finally:
            left = [line for lines in by_organization.values() for line in lines]
            self._waiting.extendleft(reversed(left))

    async def _append_or_report(self, lines: Sequence[AuditLine]) -> None:
        """One line that the database refuses must not hold up the others: it goes to the log instead."""
        try:
            await self._append(lines)
        except Unavailable as error:
            if error.outage:
                raise
            await self._one_by_one(lines)
        except AssayError:
            await self._one_by_one(lines)

    async def _one_by_one(self, lines: Sequence[AuditLine]) -> None:
        for line in lines:
            try:
                await self._append([line])
            except AssayError as error:
                log.error("a line of the audit was refused", line=str(line), code=error.code)

    async def _append(self, lines: Sequence[AuditLine]) -> None:
        await self._audit.append(lines)


async def _pause(unless: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(INTERVAL_SECONDS):
            await unless.wait()
    except TimeoutError:
        return


def _refusal() -> AuditUnavailable:
    return AuditUnavailable(
        "this could not be entered in the audit, so there is no answer; what it wrote may have been written: look "
        "before you send it again"
    )
