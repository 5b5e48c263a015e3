"""A journal that was tampered with does not verify, and what was done to it is named by its revision."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest

from adapters.postgres.scope_finder import PostgresScopeFinder
from application.identity.access import AccessResolver
from application.journal.export import ExportJournal
from application.journal.queries import journal_entries, row_target
from application.journal.verify import VerifyJournal
from domain.errors import Forbidden, InvalidInput
from domain.identity.ids import OPEN, Revision
from domain.identity.principal import PrincipalKind, Role
from domain.journal.entries import EntriesRead, TargetKind
from domain.journal.verification import Anchor, FaultKind
from domain.knowledge.assertion import Claim, Mention
from domain.standing.testimony import Lifecycle
from tests.services.database import Database
from tests.services.world import World

ENTRIES = 9
FORGE = """
UPDATE mutations SET reason = 'forged', hash = mutation_hash(previous_hash, organization_id, revision, group_id,
    principal_id, principal_kind, connection_id, kind, 'forged', committed_at, commitment) WHERE revision = $1"""
"""Whoever can change an entry can make its hash anew."""


@pytest.fixture
async def administrator(database: Database) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database.administrator)
    await connection.execute("SET session_replication_role = replica; SET search_path = assay, public")
    yield connection
    await connection.close()


@pytest.fixture
async def verify(world: World) -> VerifyJournal:
    for number in range(ENTRIES):
        await world.say(says(f"City {number % 3}"), source=f"source {number}")
    return VerifyJournal(AccessResolver(PostgresScopeFinder(world.pool)), world.unit_of_work)


def says(target: str) -> Claim:
    return Claim(Mention("Acme"), "headquartered in", Mention(target), 0.9)


async def found(verify: VerifyJournal, world: World, anchor: Anchor | None = None) -> list[tuple[int, int, FaultKind]]:
    return [(f.revision, f.last, f.kind) for f in (await verify(world.access, anchor)).faults]


async def head(world: World) -> int:
    return int((await world.rows("SELECT revision FROM heads"))[0][0])


async def test_a_whole_journal_verifies_and_counts_its_entries(world: World, verify: VerifyJournal) -> None:
    verified = await verify(world.access)
    assert verified.faults == ()
    assert verified.entries == verified.head.revision == await head(world)
    assert verified.erased == 0


@pytest.mark.parametrize(
    "change",
    [
        "kind = 'other'", "reason = 'because'", "reason = ''", "principal_kind = 'agent'", "connection_id = 'x'",
        "principal_id = gen_random_uuid()", "committed_at = committed_at + interval '1 microsecond'",
        "commitment = sha256('other')", "hash = sha256('other')",
    ],
)  # fmt: skip
async def test_a_changed_entry_is_named(
    world: World, verify: VerifyJournal, administrator: asyncpg.Connection, change: str
) -> None:
    await administrator.execute(f"UPDATE mutations SET {change} WHERE revision = 4")
    assert (4, 4, FaultKind.CHANGED) in await found(verify, world)


async def test_an_entry_that_was_moved_to_a_scope_that_is_none_is_missing(
    world: World, verify: VerifyJournal, administrator: asyncpg.Connection
) -> None:
    await administrator.execute("UPDATE mutations SET group_id = 'w_' || group_id WHERE revision = 4")
    assert await found(verify, world) == [(4, 4, FaultKind.MISSING)]


async def test_missing_entries_are_named_in_the_middle_at_the_start_and_at_the_end(
    world: World, verify: VerifyJournal, administrator: asyncpg.Connection
) -> None:
    last = await head(world)
    await administrator.execute("DELETE FROM mutations WHERE revision IN (1, 4, 5) OR revision = $1", last)
    assert await found(verify, world) == [
        (1, 1, FaultKind.MISSING), (4, 5, FaultKind.MISSING), (last, last, FaultKind.MISSING),
    ]  # fmt: skip


async def test_entries_that_changed_places_are_named(
    world: World, verify: VerifyJournal, administrator: asyncpg.Connection
) -> None:
    await administrator.execute(
        "UPDATE mutations SET revision = -revision WHERE revision IN (4, 5);"
        "UPDATE mutations SET revision = 9 + revision WHERE revision IN (-4, -5)"
    )
    faults = await found(verify, world)
    assert (4, 4, FaultKind.REORDERED) in faults
    assert (5, 5, FaultKind.REORDERED) in faults


async def test_an_entry_whose_hash_was_made_anew_is_given_away_by_the_next(
    world: World, verify: VerifyJournal, administrator: asyncpg.Connection
) -> None:
    await administrator.execute(FORGE, 4)
    assert await found(verify, world) == [(5, 5, FaultKind.REPLACED)]


async def test_the_last_entry_is_held_by_the_head(
    world: World, verify: VerifyJournal, administrator: asyncpg.Connection
) -> None:
    last = await head(world)
    await administrator.execute(FORGE, last)
    assert await found(verify, world) == [(last, last, FaultKind.CHANGED)]
    await administrator.execute("UPDATE heads SET revision = revision - 1")
    assert (last, last, FaultKind.BEYOND_HEAD) in await found(verify, world)


async def test_a_payload_is_held_to_its_commitment_unless_it_was_erased_with_its_salt(
    world: World, verify: VerifyJournal, administrator: asyncpg.Connection
) -> None:
    await administrator.execute("UPDATE mutation_payloads SET payload = payload || ' ' WHERE revision = 3")
    await administrator.execute("UPDATE mutation_payloads SET payload = '' WHERE revision = 5")
    await administrator.execute("UPDATE mutation_payloads SET salt = '' WHERE revision = 6")
    await administrator.execute("DELETE FROM mutation_payloads WHERE revision = 7")
    verified = await verify(world.access)
    assert [(f.revision, f.kind) for f in verified.faults] == [(n, FaultKind.PAYLOAD) for n in (3, 5, 6)]
    assert verified.erased == 1


async def test_an_anchor_finds_a_journal_that_was_rewritten_as_a_whole(
    world: World, verify: VerifyJournal, administrator: asyncpg.Connection
) -> None:
    export = ExportJournal(AccessResolver(PostgresScopeFinder(world.pool)), world.unit_of_work)
    anchor = await export.anchor(world.access)
    lines = [line async for line in export(world.access, anchor.revision)]
    assert [line["revision"] for line in lines] == list(range(1, anchor.revision + 1))
    assert lines[-1]["hash"] == anchor.hash
    await world.say(says("City 9"))
    assert await found(verify, world, anchor) == []
    mine = f"organization_id = '{world.access.organization_id}'"
    await administrator.execute(f"""
        DO $$ DECLARE m record; before bytea; BEGIN
            SELECT previous_hash INTO before FROM mutations WHERE {mine} AND revision = 1;
            UPDATE mutations SET reason = 'forged' WHERE {mine} AND revision = 4;
            FOR m IN SELECT * FROM mutations WHERE {mine} ORDER BY revision LOOP
                before := mutation_hash(before, m.organization_id, m.revision, m.group_id, m.principal_id,
                    m.principal_kind, m.connection_id, m.kind, m.reason, m.committed_at, m.commitment);
                UPDATE mutations SET hash = before WHERE {mine} AND revision = m.revision;
                UPDATE mutations SET previous_hash = before WHERE {mine} AND revision = m.revision + 1;
            END LOOP;
            UPDATE heads SET hash = before WHERE {mine};
        END $$""")
    assert await found(verify, world) == []
    assert await found(verify, world, anchor) == [(anchor.revision, anchor.revision, FaultKind.ANCHOR)]


async def test_only_who_operates_the_organization_verifies_it(world: World, verify: VerifyJournal) -> None:
    with pytest.raises(Forbidden):
        await verify(world.acting(PrincipalKind.HUMAN, Role.CURATOR))
    other = Anchor(world.access.principal.id, Revision(1), b"", None)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="another organization"):
        await verify(world.access, other)


async def test_the_history_of_one_row_one_predicate_and_one_actor(world: World) -> None:
    first = await world.say(says("Oslo"), source="a")
    second = await world.say(says("Bergen"), source="b")
    third = await world.say(Claim(Mention("Brik"), "founded by", Mention("Ada"), 0.9), source="c")
    (source,) = await world.rows("SELECT source_id FROM sources WHERE name = 'a'")
    await world.regrade(world.access, source[0], 1, None, None)
    regraded = await head(world)
    facts = {r["sentence"].split()[-1]: r["fact_id"] for r in await world.rows("SELECT sentence, fact_id FROM facts")}

    async def revisions(kind: TargetKind, query: str) -> list[int]:
        (row,) = await world.rows(query)
        read = EntriesRead(target=row_target(kind, row[0]))
        return [entry.mutation.revision for entry in await journal_entries(world.unit_of_work, world.access, read)]

    assert first.revision is not None
    assert second.revision is not None
    assert third.revision is not None
    oslo = await revisions(TargetKind.FACT, "SELECT fact_id FROM facts WHERE sentence LIKE '%Oslo'")
    assert oslo == [first.revision, second.revision, regraded]
    asserted = "SELECT assertion_id FROM assertions JOIN sources USING (source_id) WHERE name = "
    assert await revisions(TargetKind.ASSERTION, f"{asserted}'b'") == [second.revision]
    assert third.revision in await revisions(TargetKind.SOURCE, "SELECT source_id FROM sources WHERE name = 'c'")
    assert regraded in await revisions(TargetKind.SOURCE, "SELECT source_id FROM sources WHERE name = 'a'")
    documents = "SELECT document_id FROM documents JOIN sources USING (source_id) WHERE name = 'b'"
    assert second.revision in await revisions(TargetKind.DOCUMENT, documents)
    everything = await journal_entries(world.unit_of_work, world.access, EntriesRead(actor=world.access.principal.id))
    assert [entry.mutation.revision for entry in everything] == list(range(1, regraded + 1))
    assert {entry.principal_name for entry in everything} == {"Tester"}
    kinds = await journal_entries(world.unit_of_work, world.access, EntriesRead(kind="regrade_source"))
    assert [entry.mutation.revision for entry in kinds] == [regraded]
    (made,) = await journal_entries(
        world.unit_of_work,
        world.access,
        EntriesRead(Revision(second.revision - 1), second.revision, row_target(TargetKind.FACT, facts["Oslo"])),
    )
    assert [(s.opened, s.lifecycle, s.sources) for s in made.did] == [
        (False, Lifecycle.ACTIVE, ()), (True, Lifecycle.ACTIVE, ()),
    ]  # fmt: skip
    whole = await journal_entries(
        world.unit_of_work, world.access, EntriesRead(Revision(second.revision - 1), OPEN, limit=1)
    )
    assert (whole[0].steps, len(whole[0].did)) == (3, 3)
    assert {s.sources for s in whole[0].did if s.fact_id == facts["Bergen"]} == {("b",)}
