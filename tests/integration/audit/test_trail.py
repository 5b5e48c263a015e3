"""Lines get into the audit, stay as they are, and are seen by their organization alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import asyncpg
import pytest

from adapters.postgres.audit_lines import PostgresAuditLines
from adapters.postgres.stragglers import PostgresStragglers
from adapters.postgres.unit_of_work import enter
from adapters.system.ids import TimeOrderedIds
from application.audit.queries import AuditFilter, audit_kept, audit_lines, every_audit_line, keep_audit
from application.audit.trail import AuditTrail, AuditUnavailable
from domain.audit.line import AuditAction, AuditLine, Door
from domain.errors import Forbidden, InvalidInput, Unavailable
from domain.identity.access import Access
from domain.identity.ids import PrincipalId
from domain.identity.principal import Role
from tests.services.database import Database
from tests.services.world import World, new_world

IDS = TimeOrderedIds()


def line_of(access: Access, what: str = "GET /v1/facts", *, ago: timedelta = timedelta(), **other: object) -> AuditLine:
    at = datetime.now(UTC) - ago
    fresh = IDS.new()
    made = fresh if not ago else type(fresh)(int=int(at.timestamp() * 1000) << 80 | fresh.int & ((1 << 80) - 1))
    line = AuditLine(
        made, access.organization_id, access.write_scope, at, access.principal.id, access.principal.kind.value,
        access.principal.connection_id, Door.API, AuditAction.READ, what, "ok",
    )  # fmt: skip
    return replace(line, **other)  # type: ignore[arg-type]


async def whats(world: World, asked: AuditFilter | None = None) -> list[str]:
    return [line.what for line in await audit_lines(world.unit_of_work, world.access, (asked or AuditFilter()).read())]


async def test_what_is_noted_is_there_after_the_flush_the_newest_first(world: World) -> None:
    trail = AuditTrail(PostgresAuditLines(world.pool))
    line = line_of(world.access, "GET /v1/facts/{fact_id}", objects=(IDS.new(), IDS.new()), request_id="abc")
    await trail.note(line)
    await trail.note(line_of(world.access, "GET /v1/sources"))
    assert await whats(world) == []
    await trail.flush()
    found = await audit_lines(world.unit_of_work, world.access, AuditFilter().read())
    assert [each.what for each in found] == ["GET /v1/sources", "GET /v1/facts/{fact_id}"]
    assert replace(found[1], principal_name=None) == line


async def test_batches_of_two_organizations_are_kept_apart(world: World) -> None:
    other, trail = await new_world(world.pool), AuditTrail(PostgresAuditLines(world.pool))
    for what, access in (("a", world.access), ("b", other.access), ("c", world.access)):
        await trail.note(line_of(access, what))
    await trail.flush()
    assert await whats(world) == ["c", "a"]
    assert await whats(other) == ["b"]


@pytest.mark.parametrize(
    "statement",
    ["UPDATE audit SET outcome = 'ok'", "DELETE FROM audit", "TRUNCATE audit", "ALTER TABLE audit DISABLE TRIGGER ALL"],
)
async def test_the_application_cannot_change_what_was_entered(world: World, statement: str) -> None:
    await AuditTrail(PostgresAuditLines(world.pool)).enter(line_of(world.access))
    async with world.pool.acquire() as connection, connection.transaction():
        await enter(connection, world.access)
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)


async def test_the_application_cannot_enter_a_line_in_another_organization(world: World) -> None:
    other = await new_world(world.pool)
    async with world.pool.acquire() as connection, connection.transaction():
        await enter(connection, world.access)
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(
                "INSERT INTO audit (organization_id, group_id, audit_id, at, principal_id, principal_kind, "
                "connection_id, door, action, what, outcome, objects) "
                "VALUES ($1, $2, uuidv7(), now(), uuidv7(), 'human', 'x', 'api', 'read', 'x', 'ok', '{}')",
                other.access.organization_id,
                other.access.write_scope,
            )


async def test_lines_are_found_by_who_what_how_and_when(world: World) -> None:
    trail, somebody = AuditTrail(PostgresAuditLines(world.pool)), PrincipalId(IDS.new())
    lines = [
        line_of(world.access, "old", ago=timedelta(days=2)),
        line_of(world.access, "hers", principal_id=somebody),
        line_of(world.access, "refused", action=AuditAction.REFUSED, outcome="forbidden"),
    ]
    for line in lines:
        await trail.enter(line)
    yesterday = datetime.now(UTC) - timedelta(days=1)
    assert await whats(world, AuditFilter(principal=somebody)) == ["hers"]
    assert await whats(world, AuditFilter(action=AuditAction.REFUSED)) == ["refused"]
    assert await whats(world, AuditFilter(outcome="forbidden")) == ["refused"]
    assert await whats(world, AuditFilter(until=yesterday)) == ["old"]
    assert await whats(world, AuditFilter(since=yesterday)) == ["refused", "hers"]
    with pytest.raises(InvalidInput, match="no time zone"):
        AuditFilter(since=datetime(2026, 1, 1)).read()
    with pytest.raises(InvalidInput, match="exchange them"):
        AuditFilter(since=datetime.now(UTC), until=yesterday).read()


async def test_an_export_gives_every_line_once_the_oldest_first(world: World) -> None:
    trail = AuditTrail(PostgresAuditLines(world.pool))
    for number in range(2_003):
        await trail.note(line_of(world.access, f"line {number}"))
    await trail.flush()
    found = [line.what async for line in every_audit_line(world.unit_of_work, world.access, AuditFilter())]
    assert found == [f"line {number}" for number in range(2_003)]


async def test_only_administrators_read_the_audit_and_only_owners_say_how_long_it_is_kept(world: World) -> None:
    curator = replace(world.access, principal=replace(world.access.principal, role=Role.CURATOR))
    admin = replace(world.access, principal=replace(world.access.principal, role=Role.ADMIN))
    with pytest.raises(Forbidden, match="reading the audit needs the role admin"):
        await audit_lines(world.unit_of_work, curator, AuditFilter().read())
    with pytest.raises(Forbidden, match="needs the role owner"):
        await keep_audit(world.unit_of_work, admin, 90)


async def swept(world: World, days: int) -> int:
    return await PostgresStragglers(world.pool).forget_audit(days, 1_000)


async def test_lines_go_when_they_are_older_than_the_organization_has_them_kept(world: World) -> None:
    other, trail = await new_world(world.pool), AuditTrail(PostgresAuditLines(world.pool))
    for access in (world.access, other.access):
        for days in (20, 40, 100, 400):
            await trail.enter(line_of(access, f"{days} days", ago=timedelta(days=days)))
    await keep_audit(world.unit_of_work, world.access, 90)
    assert (await audit_kept(world.unit_of_work, world.access, 365)).in_force == 90
    assert (await audit_kept(other.unit_of_work, other.access, 365)).in_force == 365
    assert await swept(world, 365) >= 3
    assert await whats(world) == ["20 days", "40 days"]
    assert await whats(other) == ["20 days", "40 days", "100 days"]
    await keep_audit(world.unit_of_work, world.access, None)
    assert await swept(world, 365) == 0


async def test_no_line_younger_than_thirty_days_goes_whatever_is_asked(world: World) -> None:
    trail = AuditTrail(PostgresAuditLines(world.pool))
    for days in (29, 31):
        await trail.enter(line_of(world.access, f"{days} days", ago=timedelta(days=days)))
    await swept(world, 0)
    assert await whats(world) == ["29 days"]
    for days in (0, 29, 36_501):
        with pytest.raises(InvalidInput, match="days lie between 30 and 36500"):
            await keep_audit(world.unit_of_work, world.access, days)


class Away:
    """A database that is away until it is told otherwise."""

    def __init__(self, world: World) -> None:
        self._inner = PostgresAuditLines(world.pool)
        self.away = True

    async def append(self, lines: Sequence[AuditLine]) -> None:
        if self.away:
            raise Unavailable("the database does not answer")
        await self._inner.append(lines)


async def test_lines_wait_while_the_database_is_away_and_keep_their_order(world: World) -> None:
    database = Away(world)
    trail = AuditTrail(database)
    for what in ("a", "b"):
        await trail.note(line_of(world.access, what))
    with pytest.raises(Unavailable):
        await trail.flush()
    with pytest.raises(AuditUnavailable, match="no answer"):
        await trail.enter(line_of(world.access, "write"))
    await trail.note(line_of(world.access, "c"))
    database.away = False
    await trail.flush()
    assert await whats(world) == ["c", "b", "a"]


async def test_a_full_buffer_makes_readers_wait_and_loses_nothing(world: World) -> None:
    database = Away(world)
    trail = AuditTrail(database, capacity=2)
    for what in ("a", "b"):
        await trail.note(line_of(world.access, what))
    waiting = asyncio.create_task(trail.note(line_of(world.access, "c")))
    await asyncio.sleep(0)
    assert not waiting.done()
    database.away = False
    await trail.flush()
    await waiting
    await trail.flush()
    assert await whats(world) == ["c", "b", "a"]


async def test_a_reader_that_waited_too_long_is_refused(world: World) -> None:
    trail = AuditTrail(Away(world), capacity=1, patience=0.01)
    await trail.note(line_of(world.access))
    with pytest.raises(AuditUnavailable):
        await trail.note(line_of(world.access))


async def test_a_line_that_the_database_refuses_does_not_hold_up_the_others(world: World) -> None:
    trail = AuditTrail(PostgresAuditLines(world.pool))
    for what in ("a", "x" * 300, "b"):
        await trail.note(line_of(world.access, what))
    await trail.flush()
    assert await whats(world) == ["b", "a"]


async def test_what_waits_is_entered_when_the_process_ends(world: World) -> None:
    trail = AuditTrail(PostgresAuditLines(world.pool))
    async with trail.running():
        await trail.note(line_of(world.access, "last"))
    assert await whats(world) == ["last"]


async def plan(database: Database, world: World, conditions: str, *arguments: object) -> str:
    async with world.pool.acquire() as connection, connection.transaction():
        await enter(connection, world.access)
        await connection.execute("SET LOCAL enable_seqscan = off")
        rows: Sequence[asyncpg.Record] = await connection.fetch(
            "EXPLAIN SELECT * FROM audit WHERE organization_id = tenant_organization() "
            f"AND {conditions} ORDER BY audit_id DESC LIMIT 10",
            *arguments,
        )
    return "\n".join(row[0] for row in rows)


async def test_pages_are_read_by_an_index(world: World, database: Database) -> None:
    assert "audit_by_principal" in await plan(database, world, "principal_id = $1", IDS.new())
    assert "audit_pkey" in await plan(database, world, "audit_id < $1", IDS.new())
