"""Typed triples: streamed, idempotent, resumable; and direct statements."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from application.ingestion.sources import SourceSpec
from domain.errors import InvalidInput, StorageFull, Unavailable
from domain.identity.principal import PrincipalKind, Role
from domain.knowledge.assertion import AssertionState
from domain.ports.waiting import WaitingFilter
from tests.services.world import World

SOURCE = SourceSpec("export", "record_export")


async def lines(*items: object) -> AsyncIterator[bytes]:
    for item in items:
        yield item if isinstance(item, bytes) else json.dumps(item).encode()


def triple(n: int) -> dict[str, object]:
    return {"subject": f"Service {n % 50}", "predicate": "depends on", "object": f"Service {n}"}


async def test_good_lines_land_and_each_bad_one_is_named(world: World) -> None:
    receipt = await world.triples(
        world.access, SOURCE, "load",
        lines(
            triple(1), b"{broken", {**triple(2), "group_id": "x"}, {**triple(3), "confidence": 7}, {"subject": "a"},
            triple(4),
        ),
    )  # fmt: skip
    assert (receipt.items, receipt.stored, receipt.rejected, receipt.status) == (6, 2, 4, "completed")
    assert [r.place for r in receipt.rejections] == ["line 2", "line 3", "line 4", "line 5"]
    assert "group_id" in receipt.rejections[1].rejection.detail


async def test_an_import_sent_again_merges_every_line_whatever_the_batches(world: World) -> None:
    first = await world.triples(world.access, SOURCE, "load", lines(*(triple(n) for n in range(1_500))))
    again = await world.triples(world.access, SOURCE, "load", lines(*(triple(n) for n in range(1_499, -1, -1))))
    assert (first.stored, first.merged) == (1_500, 0)
    assert (again.stored, again.merged, again.items) == (0, 1_500, 1_500)
    assert len(await world.rows("SELECT 1 FROM assertions")) == 1_500


async def test_bulk_of_n_equals_n_singles(world: World) -> None:
    await world.triples(world.access, SOURCE, "bulk", lines(*(triple(n) for n in range(20))))
    bulk = await world.rows("SELECT sentence FROM facts ORDER BY sentence")
    for n in range(20):
        await world.triples(world.access, SourceSpec("singles", "record_export"), "s", lines(triple(n)))
    assert await world.rows("SELECT sentence FROM facts ORDER BY sentence") == bulk
    masses = await world.rows("SELECT DISTINCT support_mass > 0.5 FROM standings WHERE to_rev = 9223372036854775807")
    assert masses == [(True,)]


async def test_a_member_and_an_agent_wait_and_a_curator_does_not(world: World) -> None:
    said = await world.assert_facts(world.acting(PrincipalKind.HUMAN, Role.MEMBER), [triple(1)])
    assert said.state is AssertionState.PENDING
    agent = await world.assert_facts(world.acting(PrincipalKind.AGENT, Role.CURATOR), [triple(2)])
    assert agent.state is AssertionState.PENDING
    curator = await world.assert_facts(world.acting(PrincipalKind.HUMAN, Role.CURATOR), [triple(3)])
    assert curator.state is AssertionState.LIVE
    capped = await world.rows("SELECT max(confidence) FROM assertions WHERE principal_kind = 'agent'")
    assert capped == [(0.5,)]


async def test_one_bad_statement_keeps_none_of_a_request(world: World) -> None:
    with pytest.raises(InvalidInput, match="confidence"):
        await world.assert_facts(world.access, [triple(1), {**triple(2), "confidence": -1}])
    assert await world.rows("SELECT 1 FROM assertions") == []


async def test_what_waits_is_reviewed_by_filter_with_a_sample_and_a_dry_run(world: World) -> None:
    member = world.acting(PrincipalKind.HUMAN, Role.MEMBER)
    await world.assert_facts(member, [triple(1), {**triple(2), "predicate": "uses"}])
    chosen = WaitingFilter(predicate="DEPENDS_ON")
    dry = await world.decide.matching(world.access, chosen, True, None, True)
    assert (dry.decided, [w.sentence for w in dry.sample]) == (1, ["Service 1 depends on Service 1"])
    assert (await world.decide.matching(world.access, chosen, True, "fine", False)).decided == 1
    async with world.unit_of_work(world.access) as tx:
        left = await tx.record.waiting(WaitingFilter(), None, 10)
    assert [w.sentence for w in left] == ["Service 2 uses Service 2"]


async def test_a_cut_off_import_that_is_sent_again_closes_its_receipt(world: World) -> None:
    async def cut_off() -> AsyncIterator[bytes]:
        for n in range(1_200):
            yield json.dumps(triple(n)).encode()
        raise Unavailable("the client is gone")

    with pytest.raises(Unavailable):
        await world.triples(world.access, SOURCE, "load", cut_off())
    async with world.unit_of_work(world.access) as tx:
        (left,) = await tx.documents.receipts(None, 10)
    assert (left.status, left.items, left.stored, left.finished_at) == ("processing", 1_000, 1_000, None)
    other = await world.triples(world.access, SOURCE, "another load", lines(triple(1)))
    again = await world.triples(world.access, SOURCE, "load", lines(*(triple(n) for n in range(1_500))))
    assert (again.status, again.items, again.stored, again.merged) == ("completed", 1_500, 500, 1_000)
    async with world.unit_of_work(world.access) as tx:
        found = {receipt.id: receipt for receipt in await tx.documents.receipts(None, 10)}
    closed = found[left.id]
    assert (closed.status, closed.items, closed.stored, closed.notes) == (
        "interrupted", 1_000, 1_000, {"sent_again": str(again.id)},
    )  # fmt: skip
    assert closed.finished_at is not None
    assert found[other.id].status == "completed"


async def test_writers_who_say_the_same_in_one_stream_at_once_merge_and_none_is_refused(world: World) -> None:
    def spoken(n: int) -> dict[str, object]:
        return {"subject": f"Plant {n % 3}", "predicate": "headquartered in", "object": f"City {n % 2}"}

    made = await asyncio.gather(*(world.assert_facts(world.access, [spoken(n), spoken(n + 1)]) for n in range(24)))
    assert sum(len(one.placed) for one in made) == 6
    assert sum(one.merged for one in made) == 42
    assert len(await world.rows("SELECT 1 FROM assertions")) == 6


async def test_an_import_that_the_database_cuts_off_says_what_is_kept(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, calls = world.triples._append, 0

    async def full(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise StorageFull("the database has no room left; nothing was changed; free space and try again")
        return await append(*arguments)

    monkeypatch.setattr(world.triples, "_append", full)
    with pytest.raises(StorageFull, match=r"^up to line 2000: the database has no room left.* The 1000 items before"):
        await world.triples(world.access, SOURCE, "load", lines(*(triple(n) for n in range(2_500))))
    assert len(await world.rows("SELECT 1 FROM assertions")) == 1_000
