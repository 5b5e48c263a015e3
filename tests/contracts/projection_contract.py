"""How a graph follows the record, on every engine. No model is anywhere near: there is none to call."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.graphiti import graphiti_core
from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.knowledge.change import ChangeWriter
from application.knowledge.edit_entity import EditEntity
from application.projection.projector import Projected
from application.projection.verify import Difference, GraphBusy
from domain.errors import Forbidden, Unavailable
from domain.identity.ids import EntityId, GroupId, OrganizationId, Revision, StandingId
from domain.identity.principal import Role
from domain.knowledge.assertion import AssertionState
from domain.ports.memory_engine import MemoryEngine
from domain.ports.projection_feed import Lease, LeaseLost
from domain.resolution.entity_edit import EntityEdit
from domain.retrieval.graph import Batch, GraphCounts, GraphView, NeighbourhoodQuery
from domain.standing.digest import bucket_digests
from tests.integration.projection.changes import notes, says, set_document_status, set_source_state
from tests.integration.projection.projecting import Projecting, projecting
from tests.services.world import World, new_world

AT = datetime(2100, 1, 1, tzinfo=UTC)


async def entity(world: World, name: str) -> EntityId:
    rows = await world.rows("SELECT entity_id FROM entities WHERE name = $1", name)
    return EntityId(rows[0]["entity_id"])


async def texts(world: World, engine: MemoryEngine, name: str) -> list[str]:
    """The sentences of the edges around an entity, as a reader of the graph sees them."""
    view = GraphView(world.access.organization_id, world.access.read_scopes, AT)
    met = await engine.neighbourhood(NeighbourhoodQuery(view, (await entity(world, name),)))
    return sorted(hop.edge.fact_text for hop in met.edges)


async def node(world: World, engine: MemoryEngine, entity_id: EntityId) -> tuple[str, str | None]:
    """What the graph calls an entity, and its kind, as the graph's own tools read them."""
    organization = world.access.organization_id
    if isinstance(engine, InMemoryMemoryEngine):
        held = engine._generations[organization][engine._live[organization]].entities[entity_id]
        return held.name, held.kind
    driver = engine.graphiti_driver(organization)  # type: ignore[attr-defined]
    read = await graphiti_core.nodes.EntityNode.get_by_uuid(driver, str(entity_id))
    return read.name, read.attributes["kind"]


async def recorded(world: World) -> list[bytes]:
    rows = await world.rows("SELECT standing_id, standing_hash FROM standings WHERE to_rev = 9223372036854775807")
    return bucket_digests((row["standing_id"], row["standing_hash"]) for row in rows)


class ProjectionContract:
    """Override ``engine``. Each test has an organization of its own."""

    @pytest.fixture
    def engine(self) -> MemoryEngine:
        raise NotImplementedError

    @pytest.fixture
    def follow(self, world: World, engine: MemoryEngine) -> Projecting:
        return projecting(world, engine, page=2)

    async def test_catching_up_makes_the_graph_what_the_record_says_and_twice_changes_nothing(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        await world.say(says("Acme", "founded by", "Ada"), says("Acme", "located in", "Lyon"))
        await world.say(notes("Acme", "has status", "growing"), source="b")
        first = await follow.project(world.access)
        head = await follow.feed.head(world.access)
        assert (first.watermark, first.busy) == (head, False)
        if engine.projected:
            assert first.changes == 3
        assert await texts(world, engine, "Acme") == [
            "Acme has the status growing",
            "Acme is located in Lyon",
            "Acme was founded by Ada",
        ]
        assert await engine.digest(world.access.organization_id) == await recorded(world)
        assert await follow.project(world.access) == Projected(head)

    async def test_an_edited_entity_has_its_new_name_and_kind_in_the_graph_and_the_digest_is_the_records(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        await world.say(says("Acme", "founded by", "Ada"), notes("Ada", "has status", "retired"))
        await world.say(says("Bob", "works for", "Acme"), source="b")
        await follow.project(world.access)
        edit = EditEntity(
            world.unit_of_work,
            world.streams,
            ChangeWriter(TimeOrderedIds()),
            world.keys,
            SystemClock(),
            TimeOrderedIds(),
        )
        acme, head = await entity(world, "Acme"), await follow.feed.head(world.access)
        await edit(world.access, EntityEdit(acme, head, name="Apex", kind="company"))
        renamed = [
            "Acme is called Apex",
            "Apex is of the kind company",
            "Apex was founded by Ada",
            "Bob works for Apex",
        ]
        for _ in range(2):
            await follow.project(world.access)
            assert await texts(world, engine, "Acme") == renamed
            if engine.projected:
                assert await node(world, engine, acme) == ("Apex", "company")
                assert await node(world, engine, await entity(world, "Ada")) == ("Ada", "thing")
            assert await engine.digest(world.access.organization_id) == await recorded(world)
            await follow.rebuild(world.access)

    async def test_retracting_one_of_two_sources_keeps_the_edge_and_both_removes_it(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        await world.say(says("Acme", "founded by", "Ada"), source="a")
        await world.say(says("Acme", "founded by", "Ada"), source="b")
        await follow.project(world.access)
        await set_source_state(world, "a", AssertionState.WITHDRAWN)
        await follow.project(world.access)
        assert await texts(world, engine, "Acme") == ["Acme was founded by Ada"]
        await set_source_state(world, "b", AssertionState.WITHDRAWN)
        await follow.project(world.access)
        assert await texts(world, engine, "Acme") == []
        assert await engine.digest(world.access.organization_id) == await recorded(world)

    async def test_what_is_opened_and_closed_within_one_range_ends_as_deleted(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        await follow.project(world.access)
        await world.say(says("Acme", "founded by", "Ada"), source="a")
        await set_source_state(world, "a", AssertionState.WITHDRAWN)
        await set_source_state(world, "a", AssertionState.LIVE)
        await set_source_state(world, "a", AssertionState.WITHDRAWN)
        await follow.project(world.access)
        assert await texts(world, engine, "Acme") == []
        assert await engine.digest(world.access.organization_id) == await recorded(world)

    async def test_a_retracted_document_leaves_the_graph_with_its_mentions_and_comes_back(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        await world.say(says("Acme", "founded by", "Ada"), source="a")
        await world.say(says("Acme", "founded by", "Bob"), source="b")
        await follow.project(world.access)
        organization = world.access.organization_id
        assert await engine.counts(organization) == GraphCounts(3, 2, 4, 2, 0)
        await set_document_status(world, "a", "retracted")
        await follow.project(world.access)
        assert await engine.counts(organization) == GraphCounts(3, 1, 2, 2, 0)
        await set_document_status(world, "a", "completed")
        await follow.project(world.access)
        assert await engine.counts(organization) == GraphCounts(3, 2, 4, 2, 0)

    async def test_a_rebuild_gives_the_digest_of_the_record_while_readers_see_one_whole_graph(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        await world.say(*(says("Hub", "depends on", f"Part {n}") for n in range(20)))
        await set_source_state(world, "records", AssertionState.WITHDRAWN)
        await set_source_state(world, "records", AssertionState.LIVE)
        await follow.project(world.access)
        before = await engine.digest(world.access.organization_id)
        seen: set[int] = set()
        done = asyncio.Event()

        async def read() -> None:
            while not done.is_set():
                seen.add(len(await texts(world, engine, "Hub")))
                await asyncio.sleep(0)

        readers = [asyncio.create_task(read()) for _ in range(3)]
        rebuilt = await follow.rebuild(world.access)
        done.set()
        await asyncio.gather(*readers)
        if engine.swaps_atomically:
            assert seen == {20}
        assert rebuilt.watermark == await follow.feed.head(world.access)
        assert await engine.digest(world.access.organization_id) == before == await recorded(world)
        assert len(await follow.feed.generations(world.access, engine.name)) == 1
        assert (await follow.verify(world.access, deep=True)).whole

    async def test_scopes_of_the_organization_are_all_projected_and_keep_apart(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        workspace = GroupId("w_" + world.access.write_scope[2:])
        both = (workspace, world.access.write_scope)
        async with world.unit_of_work(replace(world.access, read_scopes=both, write_scopes=both)) as tx:
            await tx.directory.add_scope(workspace, "workspace", "one", world.access.write_scope, None)
        inner = replace(world.access, read_scopes=both, write_scope=workspace)
        await world.say(says("Acme", "founded by", "Ada"))
        await world.say(says("Acme", "located in", "Lyon"), access=inner)
        await follow.project(world.access)
        assert await texts(world, engine, "Acme") == ["Acme was founded by Ada"]
        view = GraphView(world.access.organization_id, inner.read_scopes, AT)
        met = await engine.neighbourhood(NeighbourhoodQuery(view, (await entity(world, "Acme"),)))
        assert len(met.edges) == 2

    async def test_two_organizations_have_a_graph_each(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        other = await new_world(world.pool)
        await world.say(says("Acme", "founded by", "Ada"))
        await other.say(says("Acme", "founded by", "Eve"))
        await follow.project(world.access)
        await follow.project(other.access)
        assert await texts(world, engine, "Acme") == ["Acme was founded by Ada"]
        assert await texts(other, engine, "Acme") == ["Acme was founded by Eve"]

    async def test_only_an_administrator_of_the_organization_rebuilds(self, world: World, follow: Projecting) -> None:
        curator = replace(world.access, principal=replace(world.access.principal, role=Role.CURATOR))
        with pytest.raises(Forbidden):
            await follow.rebuild(curator)


class ProjectedEngineContract(ProjectionContract):
    """More, for engines that hold a copy."""

    async def test_one_worker_at_a_time_and_another_leaves_at_once(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        await follow.project(world.access)
        await world.say(says("Acme", "founded by", "Ada"))
        lease = Lease(engine.name, 1, world.append._ids.new(), 30.0)
        watermark = await follow.feed.lease(world.access, lease)
        assert (await follow.project(world.access)).busy
        with pytest.raises(GraphBusy):
            await follow.verify(world.access)
        assert watermark is not None
        await follow.feed.release(world.access, lease)
        assert not (await follow.project(world.access)).busy
        assert await texts(world, engine, "Acme") == ["Acme was founded by Ada"]

    async def test_a_killed_worker_is_followed_by_another_when_its_lease_is_over(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        await follow.project(world.access)
        await world.say(*(says("Hub", "depends on", f"Part {n}") for n in range(5)))
        dead = Lease(engine.name, 1, world.append._ids.new(), 0.001)
        watermark = await follow.feed.lease(world.access, dead)
        assert watermark is not None
        # It died after it changed the graph and before it said so.
        page = await follow.feed.page(world.access, watermark, await follow.feed.head(world.access), 1)
        await engine.apply(world.access.organization_id, 1, page.batch)
        await asyncio.sleep(0.01)
        assert not (await follow.project(world.access)).busy
        assert len(await texts(world, engine, "Hub")) == 5
        assert await engine.digest(world.access.organization_id) == await recorded(world)
        with pytest.raises(LeaseLost):
            await follow.feed.advance(world.access, dead, page.reached)

    async def test_eight_workers_at_once_apply_everything_once(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        for n in range(6):
            await world.say(says("Hub", "depends on", f"Part {n}"))
        outcomes = await asyncio.gather(*(follow.project(world.access) for _ in range(8)))
        assert sum(outcome.changes for outcome in outcomes) == 6
        assert await engine.digest(world.access.organization_id) == await recorded(world)

    async def test_rebuilds_projections_and_writes_at_once_end_equal(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        async def write(source: str) -> None:
            for n in range(6):
                await world.say(says("Hub", "headquartered in", f"City {n}"), source=source)
                await follow.project(world.access)

        rebuilds = [follow.rebuild(world.access) for _ in range(3)]
        await asyncio.gather(write("a"), write("b"), *rebuilds)
        await follow.project(world.access)
        assert await engine.digest(world.access.organization_id) == await recorded(world)
        (live,) = await follow.feed.generations(world.access, engine.name)
        assert live.live
        assert not live.leased

    async def test_a_lost_graph_is_built_anew(self, world: World, engine: MemoryEngine, follow: Projecting) -> None:
        await world.say(says("Acme", "founded by", "Ada"))
        await follow.project(world.access)
        await engine.drop(world.access.organization_id)
        outcome = await follow.project(world.access)
        assert outcome.rebuilt
        assert await texts(world, engine, "Acme") == ["Acme was founded by Ada"]
        assert (await follow.verify(world.access)).whole

    async def test_a_graph_that_lacks_what_its_watermark_promises_is_built_anew(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        await world.say(says("Acme", "founded by", "Ada"))
        await follow.project(world.access)
        acme = await entity(world, "Acme")
        await engine.apply(world.access.organization_id, 1, Batch(delete_entities=(acme,)))
        await world.say(says("Acme", "located in", "Lyon"))
        assert (await follow.project(world.access)).rebuilt
        assert len(await texts(world, engine, "Acme")) == 2

    async def test_a_graph_that_came_back_from_an_older_copy_catches_up_from_there(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        organization = world.access.organization_id
        await world.say(says("Acme", "headquartered in", "Lyon"), source="a")
        before = await follow.project(world.access)
        older = (await follow.feed.page(world.access, Revision(0), before.watermark, 100)).batch
        await world.say(says("Acme", "founded by", "Ada"), source="b")
        await set_source_state(world, "a", AssertionState.WITHDRAWN)
        newer = await follow.project(world.access)
        page = await follow.feed.page(world.access, before.watermark, newer.watermark, 100)
        back = Batch(delete_edges=tuple(edge.standing_id for edge in page.batch.upsert_edges))
        await engine.apply(organization, 1, replace(older, delete_edges=back.delete_edges))
        await engine.mark(organization, 1, before.watermark)
        assert await texts(world, engine, "Acme") == ["Acme is headquartered in Lyon"]
        outcome = await follow.project(world.access)
        assert (outcome.watermark, outcome.rebuilt) == (newer.watermark, False)
        assert await texts(world, engine, "Acme") == ["Acme was founded by Ada"]
        assert await engine.watermark(organization) == newer.watermark
        assert await engine.digest(organization) == await recorded(world)

    async def test_a_rebuild_that_died_between_swap_and_record_is_completed(
        self, world: World, engine: MemoryEngine, follow: Projecting
    ) -> None:
        await world.say(says("Acme", "founded by", "Ada"))
        await follow.project(world.access)
        await follow.feed.add(world.access, engine.name, 2, live=False)
        lease = Lease(engine.name, 2, world.append._ids.new(), 30.0)
        await follow.feed.lease(world.access, lease)
        await engine.prepare(world.access.organization_id, 2)
        await follow.catch_up(world.access, lease, Revision(0))
        await engine.swap(world.access.organization_id, 2)
        await follow.feed.release(world.access, lease)
        await world.say(says("Acme", "located in", "Lyon"))
        outcome = await follow.project(world.access)
        assert (outcome.changes, outcome.rebuilt) == (1, False)
        (live,) = await follow.feed.generations(world.access, engine.name)
        assert (live.number, live.live) == (2, True)
        assert (await follow.verify(world.access)).whole

    async def test_a_deep_look_names_what_differs(self, world: World, engine: MemoryEngine, follow: Projecting) -> None:
        await world.say(*(says("Hub", "depends on", f"Part {n}") for n in range(3)))
        await follow.project(world.access)
        page = await follow.feed.page(world.access, Revision(0), await follow.feed.head(world.access), 100)
        first, second, third = page.batch.upsert_edges
        extra = replace(first, standing_id=StandingId(world.append._ids.new()))
        await engine.apply(
            world.access.organization_id,
            1,
            Batch(
                delete_edges=(first.standing_id,),
                upsert_edges=(replace(second, standing_hash=b"\1" * 32), extra),
            ),
        )
        shallow = await follow.verify(world.access)
        assert not shallow.whole
        assert shallow.differences == ()
        assert dict((await follow.verify(world.access, deep=True)).differences) == {
            first.standing_id: Difference.MISSING,
            second.standing_id: Difference.ALTERED,
            extra.standing_id: Difference.EXTRA,
        }
        assert third.standing_id not in dict((await follow.verify(world.access, deep=True)).differences)
        await follow.rebuild(world.access)
        assert (await follow.verify(world.access)).whole

    async def test_an_engine_that_is_down_is_unavailable_and_the_backlog_waits(
        self, world: World, engine: MemoryEngine, follow: Projecting, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await follow.project(world.access)
        await world.say(says("Acme", "founded by", "Ada"))

        async def down(organization_id: OrganizationId, generation: int, batch: Batch) -> None:
            raise Unavailable("the graph does not answer")

        with monkeypatch.context() as patched:
            patched.setattr(engine, "apply", down)
            with pytest.raises(Unavailable):
                await follow.project(world.access)
        assert (await follow.project(world.access)).changes == 1
        assert await texts(world, engine, "Acme") == ["Acme was founded by Ada"]
