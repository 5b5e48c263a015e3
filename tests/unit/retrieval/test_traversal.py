"""The walks against the plainest way to say what they find."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import InvalidInput, LimitExceeded
from domain.identity.ids import EntityId, FactId, GroupId, OrganizationId, Revision, StandingId
from domain.retrieval import traversal
from domain.retrieval.graph import (
    Direction,
    EdgeElement,
    GraphView,
    NeighbourhoodQuery,
    PathQuery,
    SubgraphQuery,
    micros,
    moment_of,
)
from domain.retrieval.traversal import Link, NeighbourhoodWalk, PathSearch
from domain.standing.testimony import Lifecycle

SCOPE = GroupId("p_" + "1" * 32)
VIEW = GraphView(OrganizationId(uuid4()), (SCOPE,), datetime(2026, 1, 1, tzinfo=UTC))
Pair = tuple[int, int]
PAIRS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=16)
DIRECTIONS = st.sampled_from(list(Direction))


def entity(number: int) -> EntityId:
    return EntityId(UUID(int=number))


def link(number: int, pair: Pair) -> Link:
    return Link(FactId(UUID(int=number)), StandingId(UUID(int=1000 + number)), entity(pair[0]), entity(pair[1]))


def edge(number: int, pair: Pair) -> EdgeElement:
    return EdgeElement(
        standing_id=StandingId(UUID(int=1000 + number)),
        fact_id=FactId(UUID(int=number)),
        group_id=SCOPE,
        subject_id=entity(pair[0]),
        predicate="R",
        object_id=entity(pair[1]),
        object_text=None,
        fact_text="",
        valid_from=None,
        valid_to=None,
        lifecycle=Lifecycle.ACTIVE,
        confidence=1.0,
        standing_hash=b"",
        revision=Revision(1),
    )


def ways(pair: Pair, direction: Direction) -> list[Pair]:
    forward, backward = pair, pair[::-1]
    return {Direction.OUT: [forward], Direction.IN: [backward], Direction.BOTH: [forward, backward]}[direction]


def every_path(pairs: list[Pair], direction: Direction, length: int) -> list[tuple[list[int], list[int]]]:
    """(numbers of the edges, entities) of every walk of that length from entity 0."""
    paths: list[tuple[list[int], list[int]]] = [([], [0])]
    for _ in range(length):
        paths = [
            ([*edges, number], [*entities, end])
            for edges, entities in paths
            for number, pair in enumerate(pairs)
            for start, end in ways(pair, direction)
            if start == entities[-1] and end not in entities
        ]
    return paths


@given(PAIRS, DIRECTIONS, st.integers(1, 6))
def test_a_search_from_both_ends_finds_the_smallest_of_the_shortest_paths(
    pairs: list[Pair], direction: Direction, max_hops: int
) -> None:
    expected = None
    for length in range(1, max_hops + 1):
        reaching = [edges for edges, entities in every_path(pairs, direction, length) if entities[-1] == 7]
        if reaching:
            expected = min(reaching)
            break
    search = PathSearch(PathQuery(VIEW, entity(0), entity(7), max_hops, direction))
    while search.frontier:
        front = set(search.frontier)
        search.grow(
            link(number, pair)
            for number, pair in enumerate(pairs)
            if any(entity(start) in front for start, _ in ways(pair, search.direction))
        )
    found = search.links()
    assert (None if found is None else [one.fact_id.int for one in found]) == expected


@given(PAIRS, DIRECTIONS, st.integers(1, 3), st.integers(1, 20))
def test_a_walk_meets_every_edge_at_its_distance_in_order(
    pairs: list[Pair], direction: Direction, hops: int, limit: int
) -> None:
    distance = {0: 0}
    for hop in range(1, hops + 1):
        for pair in pairs:
            for start, end in ways(pair, direction):
                if distance.get(start) == hop - 1:
                    distance.setdefault(end, hop)
    expected = []
    for number, pair in enumerate(pairs):
        starts = [distance[start] for start, _ in ways(pair, direction) if distance.get(start, hops) < hops]
        if starts:
            expected.append((min(starts) + 1, number))
    walk = NeighbourhoodWalk(NeighbourhoodQuery(VIEW, (entity(0),), hops, direction, limit=limit))
    while walk.frontier:
        front = set(walk.frontier)
        touching = [
            edge(number, pair)
            for number, pair in enumerate(pairs)
            if any(entity(start) in front for start, _ in ways(pair, direction))
        ]
        walk.grow(touching[: walk.fetch_limit])
    answer = walk.result()
    assert [(met.hop, met.edge.fact_id.int) for met in answer.edges] == sorted(expected)[:limit]
    assert answer.truncated == (len(expected) > limit)
    ends = {end for _, number in sorted(expected)[:limit] for end in pairs[number]}
    assert answer.entity_ids == tuple(entity(end) for end in sorted(ends))


def test_a_search_that_touches_too_much_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traversal, "MAX_VISITED", 5)
    search = PathSearch(PathQuery(VIEW, entity(0), entity(99)))
    with pytest.raises(LimitExceeded, match="more than 5 entities; ask for fewer hops"):
        search.grow(link(number, (0, number)) for number in range(1, 8))


def test_a_search_grows_its_smaller_side_and_turns_the_direction_round() -> None:
    search = PathSearch(PathQuery(VIEW, entity(0), entity(9), direction=Direction.OUT))
    assert (search.frontier, search.direction) == ((entity(0),), Direction.OUT)
    search.grow([link(1, (0, 1)), link(2, (0, 2))])
    assert (search.frontier, search.direction) == ((entity(9),), Direction.IN)
    search.grow([link(3, (2, 9))])
    assert search.frontier == ()
    found = search.links()
    assert found is not None
    assert all(left.object_id == right.subject_id for left, right in pairwise(found))
    assert [one.fact_id.int for one in found] == [2, 3]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: NeighbourhoodQuery(VIEW, (entity(1),), 4), "hops lies between 1 and 3, not 4"),
        (lambda: NeighbourhoodQuery(VIEW, (entity(1),), limit=0), "limit lies between 1 and 10000, not 0"),
        (lambda: NeighbourhoodQuery(VIEW, ()), "entity_ids lies between 1 and 200, not 0"),
        (lambda: PathQuery(VIEW, entity(1), entity(2), 7), "max_hops lies between 1 and 6, not 7"),
        (lambda: SubgraphQuery(VIEW, (entity(1),) * 2001), "entity_ids lies between 0 and 2000, not 2001"),
        (lambda: GraphView(VIEW.organization_id, (), datetime(2026, 1, 1)), "as_of .* has no time zone"),
    ],
)
def test_a_question_out_of_range_is_refused_with_the_range(ask: object, message: str) -> None:
    assert callable(ask)
    with pytest.raises(InvalidInput, match=message):
        ask()


@given(st.datetimes(timezones=st.just(UTC)))
def test_microseconds_and_back_is_the_same_moment(moment: datetime) -> None:
    assert moment_of(micros(moment)) == moment


def test_times_before_1970_are_negative_and_nothing_stays_nothing() -> None:
    assert micros(datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)) == -1
    assert (micros(None), moment_of(None)) == (None, None)
