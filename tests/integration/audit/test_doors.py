"""What a job ended is entered as Assay's own work; what a killed process can lose are lines of reads alone."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from adapters.postgres.audit_lines import PostgresAuditLines
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.audit.queries import AuditFilter, audit_lines
from application.audit.recorder import Ended, Recorder
from application.audit.trail import AuditTrail
from application.audit.visit import visiting
from application.identity.access import system_principal
from domain.audit.line import AuditAction, AuditLine, Door
from domain.errors import Unavailable
from domain.identity.access import Access
from domain.ports.job_queue import JobKind
from domain.ports.journal import Entry
from entrypoints.worker.audited import audited
from tests.services.world import World


def recorder_of(world: World, trail: AuditTrail | None = None, *, reads: bool = True) -> Recorder:
    return Recorder(trail or AuditTrail(PostgresAuditLines(world.pool)), TimeOrderedIds(), SystemClock(), reads=reads)


async def lines(world: World) -> list[AuditLine]:
    return await audit_lines(world.unit_of_work, world.access, AuditFilter().read(oldest_first=True))


async def test_an_erasure_that_ended_or_failed_has_its_line(world: World) -> None:
    trail = AuditTrail(PostgresAuditLines(world.pool))
    root = world.access.write_scope
    access = Access(system_principal(world.access.organization_id), (root,), root)
    erasure = uuid4()

    async def ends(_: Access, __: UUID | None) -> object:
        return None

    async def fails(_: Access, __: UUID | None) -> object:
        raise Unavailable("the object store does not answer")

    await audited(recorder_of(world, trail), JobKind.ERASE, ends)(access, erasure)
    with pytest.raises(Unavailable):
        await audited(recorder_of(world, trail), JobKind.ERASE, fails)(access, erasure)
    await trail.flush()
    found = await lines(world)
    assert [(line.door, line.what, line.outcome) for line in found if line.action is AuditAction.WRITE] == [
        (Door.WORKER, f"job {JobKind.ERASE.value}", "ok"),
        (Door.WORKER, f"job {JobKind.ERASE.value}", "unavailable"),
    ]
    assert {line.objects for line in found if line.action is AuditAction.WRITE} == {(erasure,)}
    assert {line.principal_kind for line in found} == {"system"}


async def test_without_a_flush_writes_exports_and_administration_are_there_and_reads_are_not(world: World) -> None:
    recorder = recorder_of(world)
    for what, asked, kind in (
        ("read", AuditAction.READ, None),
        ("write", AuditAction.WRITE, None),
        ("export", AuditAction.EXPORT, None),
        ("role", AuditAction.WRITE, "set_membership"),
    ):
        with visiting() as visit:
            visit.access = world.access
            if kind is not None:
                async with world.unit_of_work(world.access) as tx:
                    await tx.journal.advance(Entry(kind, world.access.write_scope, {"principal_id": str(uuid4())}))
            await recorder(visit, Ended(Door.API, asked, what))
    found = await lines(world)
    assert [(line.what, line.action.value) for line in found] == [
        ("write", "write"), ("export", "export"), ("role", "administer"),
    ]  # fmt: skip
    assert (len(found[2].objects), found[2].revision is not None) == (1, True)


async def test_reads_may_be_left_out_and_nothing_else(world: World) -> None:
    trail = AuditTrail(PostgresAuditLines(world.pool))
    recorder = recorder_of(world, trail, reads=False)
    for asked, outcome in ((AuditAction.READ, "ok"), (AuditAction.READ, "forbidden"), (AuditAction.EXPORT, "ok")):
        with visiting() as visit:
            visit.access = world.access
            await recorder(visit, Ended(Door.API, asked, "x", outcome))
    await trail.flush()
    assert [line.action.value for line in await lines(world)] == ["refused", "export"]


async def test_what_a_limit_stopped_has_no_line(world: World) -> None:
    trail = AuditTrail(PostgresAuditLines(world.pool))
    with visiting() as visit:
        visit.access = world.access
        await recorder_of(world, trail)(visit, Ended(Door.API, AuditAction.WRITE, "x", "rate_limited"))
    await trail.flush()
    assert await lines(world) == []
