"""How every memory engine answers questions, whatever it is made of."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from domain.errors import InvalidInput
from domain.identity.ids import EntityId, OrganizationId, Revision
from domain.ports.memory_engine import MemoryEngine
from domain.retrieval.graph import (
    Batch,
    Direction,
    EdgeElement,
    GraphCounts,
    Neighbourhood,
    Path,
    Subgraph,
)
from domain.standing.digest import bucket_digests
from domain.standing.testimony import Lifecycle
from tests.contracts.graph_world import (
    NOW,
    ORGANIZATION,
    OTHER_PROJECT,
    PROJECT,
    SCOPES,
    WORKSPACE,
    GraphWorld,
)

Seed = Callable[[OrganizationId, Batch], Awaitable[None]]
STRANGE = (
    "Nguyễn Thị Ánh Tuyết",
    "北京大学 — 中文系",
    'He said "no" and it\'s `fine` \\ \\" \\u0041',
    "x'}) DETACH DELETE n // $rows [1] {a:1} CYPHER a=1",
    "two\nlines\tand a tab, \x01 control, 😀 \u2028 end",
)


def found(neighbourhood: Neighbourhood) -> list[tuple[int, int]]:
    """(hop, number of the standing) of every edge."""
    return [(met.hop, met.edge.standing_id.bytes[-1]) for met in neighbourhood.edges]


def numbers(edges: tuple[EdgeElement, ...]) -> list[int]:
    return [edge.standing_id.bytes[-1] for edge in edges]


class MemoryEngineContract:
    """Subclasses override ``engine``; an engine that reads the record itself overrides ``seed`` too."""

    @pytest.fixture
    def engine(self) -> MemoryEngine:
        raise NotImplementedError

    @pytest.fixture
    def seed(self, engine: MemoryEngine) -> Seed:
        """Put elements into the live graph of an organization."""

        async def put(organization_id: OrganizationId, batch: Batch) -> None:
            live = await engine.live_generation(organization_id)
            if live is None:
                await engine.prepare(organization_id, 1)
                await engine.swap(organization_id, 1)
            await engine.apply(organization_id, live or 1, batch)

        return put

    @pytest.fixture
    def world(self) -> GraphWorld:
        return GraphWorld()

    async def test_it_answers_when_asked_whether_it_is_there(self, engine: MemoryEngine) -> None:
        await engine.ping()

    async def test_an_unknown_organization_reads_as_empty(self, engine: MemoryEngine, world: GraphWorld) -> None:
        (ann, bob) = world.named("Ann", "Bob")
        assert await engine.neighbourhood(world.around(ann, hops=3)) == Neighbourhood()
        assert await engine.shortest_path(world.between(ann, bob)) is None
        assert await engine.shortest_path(world.between(ann, ann)) is None
        assert await engine.subgraph(world.among(ann, bob)) == Subgraph()
        assert await engine.digest(world.organization_id) == bucket_digests([])
        assert list(await engine.elements_in_bucket(world.organization_id, 1)) == []
        assert await engine.counts(world.organization_id) == GraphCounts()

    async def test_every_field_of_an_edge_comes_back(self, engine: MemoryEngine, seed: Seed, world: GraphWorld) -> None:
        ann, acme = world.named("Ann", "Acme")
        edge = world.edge(
            ann,
            "WORKS_FOR",
            acme,
            group_id=WORKSPACE,
            valid_from=datetime(1, 1, 1, 0, 0, 0, 1, tzinfo=UTC),
            valid_to=datetime(9999, 12, 31, 23, 59, 59, 999_998, tzinfo=UTC),
            lifecycle=Lifecycle.DISPUTED,
            revision=2**53 + 1,
            fact_text="Ann works for Acme",
        )
        world.edges[0] = edge = replace(edge, confidence=0.123457)
        await seed(world.organization_id, world.batch)
        answer = await engine.neighbourhood(world.around(ann))
        assert [met.edge for met in answer.edges] == [edge]
        assert answer.entity_ids == (ann, acme)
        assert not answer.truncated

    @pytest.mark.parametrize(
        ("direction", "expected"), [(Direction.OUT, [1]), (Direction.IN, [2]), (Direction.BOTH, [1, 2])]
    )
    async def test_edges_are_followed_in_the_direction_asked_for(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld, direction: Direction, expected: list[int]
    ) -> None:
        ann, bob, eve = world.named("Ann", "Bob", "Eve")
        world.edge(bob, "KNOWS", eve)
        world.edge(ann, "KNOWS", bob)
        await seed(world.organization_id, world.batch)
        answer = await engine.neighbourhood(world.around(bob, direction=direction))
        assert found(answer) == [(1, number) for number in expected]

    async def test_only_the_predicates_asked_for_are_followed(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        ann, bob, eve = world.named("Ann", "Bob", "Eve")
        world.edge(ann, "KNOWS", bob)
        world.edge(ann, "MARRIED_TO", eve)
        world.edge(bob, "KNOWS", eve)
        await seed(world.organization_id, world.batch)
        assert found(await engine.neighbourhood(world.around(ann, hops=2, predicates=("KNOWS",)))) == [(1, 1), (2, 3)]
        assert found(await engine.neighbourhood(world.around(ann, hops=2, predicates=()))) == []

    async def test_valid_time_is_half_open_and_unbounded_where_not_stated(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        ann, bob = world.named("Ann", "Bob")
        instant = timedelta(microseconds=1)
        world.edge(ann, "ALWAYS", bob)
        world.edge(ann, "SINCE", bob, valid_from=NOW)
        world.edge(ann, "UNTIL", bob, valid_to=NOW)
        await seed(world.organization_id, world.batch)

        async def at(moment: datetime) -> list[tuple[int, int]]:
            return found(await engine.neighbourhood(world.around(ann, view=world.view(as_of=moment))))

        assert await at(NOW - instant) == [(1, 1), (1, 3)]
        assert await at(NOW) == [(1, 1), (1, 2)]
        assert await at(datetime(1, 1, 2, tzinfo=UTC)) == [(1, 1), (1, 3)]
        assert await at(datetime(9999, 12, 31, tzinfo=UTC)) == [(1, 1), (1, 2)]

    async def test_superseded_and_retracted_edges_are_followed_only_when_asked_for(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        ann, bob = world.named("Ann", "Bob")
        for lifecycle in Lifecycle:
            world.edge(ann, "KNOWS", bob, lifecycle=lifecycle)
        await seed(world.organization_id, world.batch)
        asked = world.view(lifecycles=(Lifecycle.SUPERSEDED,))
        current = [met.edge.lifecycle for met in (await engine.neighbourhood(world.around(ann))).edges]
        superseded = [met.edge.lifecycle for met in (await engine.neighbourhood(world.around(ann, view=asked))).edges]
        assert current == [Lifecycle.ACTIVE, Lifecycle.DISPUTED]
        assert superseded == [Lifecycle.SUPERSEDED]

    async def test_an_edge_counts_at_the_hop_that_first_meets_it(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        a, b, c, d, e = world.named("a", "b", "c", "d", "e")
        world.edge(d, "R", e)  # 1: three hops away
        world.edge(b, "R", c)  # 2: between two neighbours of a
        world.edge(a, "R", b)  # 3
        world.edge(c, "R", a)  # 4: closes the triangle
        world.edge(c, "R", d)  # 5
        world.edge(a, "R", a)  # 6: a loop
        await seed(world.organization_id, world.batch)
        answers = [await engine.neighbourhood(world.around(a, hops=hops)) for hops in (1, 2, 3)]
        assert found(answers[0]) == [(1, 3), (1, 4), (1, 6)]
        assert found(answers[1]) == [(1, 3), (1, 4), (1, 6), (2, 2), (2, 5)]
        assert found(answers[2]) == [(1, 3), (1, 4), (1, 6), (2, 2), (2, 5), (3, 1)]
        assert answers[0].entity_ids == (a, b, c)
        assert answers[2].entity_ids == (a, b, c, d, e)

    async def test_edges_come_by_fact_then_standing_and_the_limit_says_so(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        hub, *rim = world.named("hub", "a", "b", "c", "d")
        for number, end in enumerate(rim, start=1):
            world.edge(hub, "R", end, fact=9 - number)
        world.edge(rim[0], "S", rim[1], fact=1)
        await seed(world.organization_id, world.batch)
        whole = await engine.neighbourhood(world.around(hub, hops=2))
        cut = await engine.neighbourhood(world.around(hub, hops=2, limit=3))
        exact = await engine.neighbourhood(world.around(hub, hops=2, limit=5))
        assert found(whole) == [(1, 4), (1, 3), (1, 2), (1, 1), (2, 5)]
        assert found(cut) == [(1, 4), (1, 3), (1, 2)]
        assert cut.entity_ids == (hub, rim[1], rim[2], rim[3])
        assert [cut.truncated, exact.truncated, exact == whole] == [True, False, True]

    async def test_an_edge_is_returned_only_when_it_and_both_its_ends_are_readable(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        mine, (theirs,) = world.entity("mine"), world.named("theirs", group_id=OTHER_PROJECT)
        readable = world.entity("readable")
        world.edge(mine, "R", theirs)
        world.edge(theirs, "R", mine)
        world.edge(mine, "R", readable, group_id=OTHER_PROJECT)
        world.edge(mine, "SECRET", "a literal", group_id=OTHER_PROJECT)
        await seed(world.organization_id, world.batch)
        blind = world.view(scopes=())
        assert await engine.neighbourhood(world.around(mine, hops=3)) == Neighbourhood()
        assert await engine.neighbourhood(world.around(theirs, hops=3)) == Neighbourhood()
        assert await engine.shortest_path(world.between(mine, theirs)) is None
        assert await engine.shortest_path(world.between(theirs, theirs)) is None
        assert await engine.subgraph(world.among(mine, theirs, readable)) == Subgraph()
        assert await engine.neighbourhood(world.around(mine, view=blind)) == Neighbourhood()
        everything = world.view(scopes=(PROJECT, OTHER_PROJECT))
        assert found(await engine.neighbourhood(world.around(mine, view=everything))) == [(1, n) for n in (1, 2, 3, 4)]

    async def test_a_path_crosses_project_workspace_and_organization_when_all_are_readable(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        task = world.entity("task", PROJECT)
        team = world.entity("team", WORKSPACE)
        office = world.entity("office", ORGANIZATION)
        city = world.entity("city", ORGANIZATION)
        world.edge(task, "OWNED_BY", team, group_id=PROJECT)
        world.edge(team, "SITS_IN", office, group_id=WORKSPACE)
        world.edge(office, "LOCATED_IN", city, group_id=ORGANIZATION)
        await seed(world.organization_id, world.batch)
        path = await engine.shortest_path(world.between(task, city))
        assert path == Path((task, team, office, city), tuple(world.edges))
        without_middle = world.view(scopes=(PROJECT, ORGANIZATION))
        assert await engine.shortest_path(world.between(task, city, view=without_middle)) is None
        assert found(await engine.neighbourhood(world.around(task, hops=3, view=without_middle))) == []
        assert found(await engine.neighbourhood(world.around(task, hops=3))) == [(1, 1), (2, 2), (3, 3)]

    async def test_a_literal_object_is_shown_and_links_nothing(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        ann, bob = world.named("Ann", "Bob")
        world.edge(ann, "BORN_ON", "1990-04-01")
        world.edge(bob, "BORN_ON", "1990-04-01")
        await seed(world.organization_id, world.batch)
        answer = await engine.neighbourhood(world.around(ann, hops=3))
        assert [met.edge for met in answer.edges] == [world.edges[0]]
        assert answer.entity_ids == (ann,)
        assert await engine.shortest_path(world.between(ann, bob)) is None
        assert await engine.subgraph(world.among(ann, bob)) == Subgraph()

    async def test_the_shortest_path_is_the_one_with_the_smallest_fact_ids(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        a, b, c, d, z = world.named("a", "b", "c", "d", "z")
        world.edge(a, "R", b, fact=3)
        world.edge(a, "R", c, fact=2)
        world.edge(a, "R", d, fact=1)  # the smallest, but d leads nowhere
        world.edge(b, "R", z, fact=4)
        world.edge(z, "R", c, fact=9)
        world.edge(a, "R", c, fact=8)
        await seed(world.organization_id, world.batch)
        undirected = await engine.shortest_path(world.between(a, z))
        directed = await engine.shortest_path(world.between(a, z, direction=Direction.OUT))
        backwards = await engine.shortest_path(world.between(z, a, direction=Direction.IN))
        assert undirected is not None
        assert directed is not None
        assert backwards is not None
        assert numbers(undirected.edges) == [2, 5]
        assert undirected.entity_ids == (a, c, z)
        assert numbers(directed.edges) == [1, 4]
        assert numbers(backwards.edges) == [4, 1]

    async def test_a_path_has_at_most_the_hops_asked_for(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        chain = world.named(*"abcdefgh")
        for left, right in pairwise(chain):
            world.edge(left, "R", right)
        await seed(world.organization_id, world.batch)
        six = await engine.shortest_path(world.between(chain[0], chain[6]))
        assert six is not None
        assert numbers(six.edges) == [1, 2, 3, 4, 5, 6]
        assert await engine.shortest_path(world.between(chain[0], chain[7])) is None
        assert await engine.shortest_path(world.between(chain[0], chain[6], max_hops=5)) is None
        assert await engine.shortest_path(world.between(chain[0], chain[2], predicates=("S",))) is None
        assert await engine.shortest_path(world.between(chain[0], chain[0])) == Path((chain[0],), ())

    async def test_a_subgraph_holds_the_edges_between_its_entities(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        a, b, c, d = world.named("a", "b", "c", "d")
        world.edge(b, "R", c, fact=9)
        world.edge(c, "R", d)
        world.edge(a, "R", b)
        world.edge(a, "SAYS", "something")
        world.edge(a, "OLD", c, valid_to=NOW)
        world.edge(a, "SELF", a)
        await seed(world.organization_id, world.batch)
        answer = await engine.subgraph(world.among(a, b, c))
        assert numbers(answer.edges) == [3, 6, 1]
        assert answer.entity_ids == (a, b, c)
        assert await engine.subgraph(world.among()) == Subgraph()

    @pytest.mark.parametrize("text", STRANGE)
    async def test_any_text_is_only_text(self, engine: MemoryEngine, seed: Seed, world: GraphWorld, text: str) -> None:
        ann, other = world.entity(text, kind=text), world.entity("other")
        world.document(text, ann)
        world.edge(ann, "SAID", text, fact_text=text)
        world.edge(ann, text, other, fact_text=text)
        await seed(world.organization_id, world.batch)
        answer = await engine.neighbourhood(world.around(ann))
        assert [met.edge for met in answer.edges] == world.edges
        assert found(await engine.neighbourhood(world.around(ann, predicates=(text,)))) == [(1, 2)]
        assert await engine.counts(world.organization_id) == GraphCounts(2, 1, 1, 2, 1)

    async def test_two_organizations_with_the_same_ids_never_see_each_other(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        twin = GraphWorld()
        for side, predicate in ((world, "OURS"), (twin, "THEIRS")):
            a, b = side.named("a", "b")
            side.edge(a, predicate, b, revision=len(predicate))
            await seed(side.organization_id, side.batch)
        for side in (world, twin):
            answer = await engine.neighbourhood(side.around(side.entities[0].entity_id, hops=3))
            assert [met.edge for met in answer.edges] == side.edges
            path = await engine.shortest_path(side.between(side.entities[0].entity_id, side.entities[1].entity_id))
            assert path is not None
            assert list(path.edges) == side.edges
            hashes = [(edge.standing_id, edge.standing_hash) for edge in side.edges]
            assert await engine.digest(side.organization_id) == bucket_digests(hashes)

    async def test_an_earlier_revision_is_refused_by_an_engine_that_only_knows_the_present(
        self, engine: MemoryEngine, world: GraphWorld
    ) -> None:
        if engine.reads_history:
            pytest.skip("this engine answers it")
        a, b = world.named("a", "b")
        earlier = replace(world.view(), known_at=Revision(3))
        with pytest.raises(InvalidInput, match="revision 3"):
            await engine.neighbourhood(world.around(a, view=earlier))
        with pytest.raises(InvalidInput, match="revision 3"):
            await engine.shortest_path(world.between(a, b, view=earlier))
        with pytest.raises(InvalidInput, match="revision 3"):
            await engine.subgraph(world.among(a, b, view=earlier))

    async def test_two_hops_are_cut_at_the_limit_by_hop_and_whole_when_it_is_just_enough(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        hub, *rim = world.named("hub", *(f"e{number}" for number in range(4)))
        for first, second in pairwise(rim):
            world.edge(first, "NEXT", second)
        for end in rim:
            world.edge(end, "OF", hub)
        await seed(world.organization_id, world.batch)
        whole = [(1, 4), (1, 5), (1, 6), (1, 7), (2, 1), (2, 2), (2, 3)]
        for limit in (7, 6, 4, 3):
            answer = await engine.neighbourhood(world.around(hub, hops=2, limit=limit))
            assert (found(answer), answer.truncated) == (whole[:limit], limit < 7)
            answer = await engine.neighbourhood(world.around(hub, hops=3, direction=Direction.IN, limit=limit))
            assert (found(answer), answer.truncated) == (whole[:limit], limit < 7)

    async def test_random_questions_get_the_answers_of_the_reference(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        chance = random.Random(7)
        entities = _random_graph(world, chance)
        await seed(world.organization_id, world.batch)
        reference = InMemoryMemoryEngine()
        await reference.prepare(world.organization_id, 1)
        await reference.apply(world.organization_id, 1, world.batch)
        await reference.swap(world.organization_id, 1)
        for _ in range(40):
            view = world.view(
                scopes=tuple(chance.sample(SCOPES, chance.randint(2, 3))),
                as_of=NOW + timedelta(days=chance.randint(-400, 400)),
            )
            direction = chance.choice(list(Direction))
            predicates = chance.choice([None, None, ("R0", "R1")])
            a, b = chance.sample(entities, 2)
            around = world.around(
                a,
                hops=chance.randint(1, 3),
                direction=direction,
                predicates=predicates,
                limit=chance.choice([5, 1000]),
                view=view,
            )
            between = world.between(a, b, direction=direction, predicates=predicates, view=view)
            among = world.among(*chance.sample(entities, 15), view=view)
            assert await engine.neighbourhood(around) == await reference.neighbourhood(around)
            assert await engine.shortest_path(between) == await reference.shortest_path(between)
            assert await engine.subgraph(among) == await reference.subgraph(among)
        assert await engine.digest(world.organization_id) == await reference.digest(world.organization_id)
        assert await engine.counts(world.organization_id) == await reference.counts(world.organization_id)


def _random_graph(world: GraphWorld, chance: random.Random) -> list[EntityId]:
    """40 entities and 200 edges over three scopes, with valid times around NOW."""
    entities = [world.entity(f"e{number}", chance.choice(SCOPES)) for number in range(40)]
    for number, fact in enumerate(chance.sample(range(10_000), 200)):
        start = NOW + timedelta(days=chance.randint(-600, 300))
        world.edge(
            chance.choice(entities),
            f"R{chance.randint(0, 3)}",
            chance.choice(entities) if chance.random() < 0.9 else f"literal {number % 7}",
            group_id=chance.choice(SCOPES),
            valid_from=chance.choice([None, start]),
            valid_to=chance.choice([None, start + timedelta(days=500)]),
            lifecycle=chance.choice([Lifecycle.ACTIVE, Lifecycle.ACTIVE, Lifecycle.DISPUTED, Lifecycle.SUPERSEDED]),
            fact=fact,
        )
    return entities
