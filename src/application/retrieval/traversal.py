"""Neighbourhoods and paths, as whole facts. When the graph cannot answer, the record does, and a note says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from application.retrieval.queries import Term
from application.retrieval.vocabulary import Vocabularies
from domain.errors import InvalidInput, Unavailable
from domain.identity.access import Access
from domain.identity.ids import EntityId, StandingId
from domain.identity.permissions import Action, permit
from domain.ports.clock import Clock
from domain.ports.knowledge_reader import KnowledgeReader
from domain.ports.memory_engine import MemoryEngine
from domain.retrieval.directions import stored_directions
from domain.retrieval.facts import StandingFact
from domain.retrieval.graph import Direction, GraphView, HopEdge, NeighbourhoodQuery, Path, PathQuery
from domain.retrieval.reading import ReadPoint, Side

Result = TypeVar("Result")
_FLIPPED = {Direction.OUT: Direction.IN, Direction.IN: Direction.OUT}


@dataclass(frozen=True, slots=True)
class GraphReads:
    """What the reads of this module need. ``record_engine`` walks the record itself, at any revision."""

    engine: MemoryEngine
    record_engine: MemoryEngine
    reader: KnowledgeReader
    vocabularies: Vocabularies
    clock: Clock


@dataclass(frozen=True, slots=True)
class Walk:
    """How to walk. Predicates are in any spelling; none follows all of them."""

    hops: int = 1
    direction: Direction = Direction.BOTH
    predicates: tuple[str, ...] = ()
    limit: int = 200


@dataclass(frozen=True, slots=True)
class WalkedFact:
    """A fact and the hop at which the walk met it, from 1."""

    hop: int
    fact: StandingFact


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The facts around an entity by hop. ``engine`` answered; ``notes`` say when it was not the one asked for."""

    facts: tuple[WalkedFact, ...]
    truncated: bool
    engine: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Connection:
    """The shortest chain of facts between two entities, in order; None when there is none. Empty when they are one."""

    facts: tuple[StandingFact, ...] | None
    engine: str
    notes: tuple[str, ...] = ()


async def neighbourhood(
    reads: GraphReads, access: Access, entity: Term, walk: Walk | None = None, point: ReadPoint | None = None
) -> Surroundings:
    """What is within some hops of an entity and of what is the same as it; nothing for an unknown one.

    Raises InvalidInput for a range that is out of bounds, Unavailable when neither graph nor record answers.
    """
    permit(access, Action.READ)
    walk, point = walk or Walk(), point or ReadPoint()
    starts = await _entities(reads, access, entity, point)
    if not starts:
        return Surroundings((), False, _asked(reads, point).name)
    queries = await _queries(reads, access, walk, point, starts)

    async def ask(engine: MemoryEngine) -> tuple[list[HopEdge], bool]:
        answers = [await engine.neighbourhood(query) for query in queries]
        edges = {each.edge.standing_id: each for answer in answers for each in answer.edges}
        return list(edges.values()), any(answer.truncated for answer in answers)

    (edges, truncated), engine, notes = await _answered(reads, point, ask)
    hops = {each.edge.standing_id: each.hop for each in edges}
    facts = await _loaded(reads, access, list(hops), point)
    ordered = sorted((WalkedFact(hops[fact.standing_id], fact) for fact in facts), key=lambda walked: walked.hop)
    kept = tuple(ordered[: walk.limit])
    return Surroundings(kept, truncated or len(ordered) > walk.limit, engine, notes)


async def shortest_path(
    reads: GraphReads,
    access: Access,
    source: Term,
    target: Term,
    walk: Walk | None = None,
    point: ReadPoint | None = None,
) -> Connection:
    """How two entities hang together, over at most ``walk.hops`` facts; None between unknown ones.

    Raises InvalidInput, LimitExceeded when the search touches too much, Unavailable.
    """
    permit(access, Action.READ)
    walk, point = walk or Walk(hops=4), point or ReadPoint()
    sources = await _entities(reads, access, source, point)
    targets = await _entities(reads, access, target, point)
    if not sources or not targets:
        return Connection(None, _asked(reads, point).name)
    predicates = await _either_way(reads, access, walk, point)
    view = _view(reads, access, point)

    async def ask(engine: MemoryEngine) -> Path | None:
        best: Path | None = None
        for start in sources:
            for end in targets:
                found = await engine.shortest_path(PathQuery(view, start, end, walk.hops, walk.direction, predicates))
                if found is not None and (best is None or len(found.edges) < len(best.edges)):
                    best = found
        return best

    path, engine, notes = await _answered(reads, point, ask)
    if path is None:
        return Connection(None, engine, notes)
    facts = await _loaded(reads, access, [edge.standing_id for edge in path.edges], point)
    if len(facts) < len(path.edges):
        notes = (*notes, "the graph is behind the record: a fact of this path has changed since")
    return Connection(tuple(facts), engine, notes)


async def _entities(reads: GraphReads, access: Access, entity: Term, point: ReadPoint) -> tuple[EntityId, ...]:
    if entity.literal is not None:
        raise InvalidInput("a walk starts at an entity; give its id or its name", field="entity")
    side = Side(ids=(entity.id,)) if entity.id is not None else Side(names=(entity.name or "",))
    summary = await reads.reader.summary(access, side, point, 0)
    return tuple(found.entity_id for found in summary.entities)


async def _queries(
    reads: GraphReads, access: Access, walk: Walk, point: ReadPoint, starts: tuple[EntityId, ...]
) -> list[NeighbourhoodQuery]:
    view = _view(reads, access, point)
    if not walk.predicates or walk.direction is Direction.BOTH:
        predicates = await _either_way(reads, access, walk, point)
        return [NeighbourhoodQuery(view, starts, walk.hops, walk.direction, predicates, walk.limit)]
    vocabulary = await reads.vocabularies.of(access, point.vocabulary_at)
    forward, backward = stored_directions(walk.predicates, vocabulary)
    queries = [NeighbourhoodQuery(view, starts, walk.hops, walk.direction, forward, walk.limit)]
    if backward:
        if walk.hops > 1:
            raise InvalidInput(
                f"{', '.join(walk.predicates)} is stored the other way round; walk one hop, or in both directions",
                field="direction",
            )
        flipped = _FLIPPED[walk.direction]
        queries.append(NeighbourhoodQuery(view, starts, 1, flipped, backward, walk.limit))
    return queries


async def _either_way(reads: GraphReads, access: Access, walk: Walk, point: ReadPoint) -> tuple[str, ...] | None:
    if not walk.predicates:
        return None
    vocabulary = await reads.vocabularies.of(access, point.vocabulary_at)
    forward, backward = stored_directions(walk.predicates, vocabulary)
    return tuple(dict.fromkeys((*(forward or ()), *(backward or ()))))


def _view(reads: GraphReads, access: Access, point: ReadPoint) -> GraphView:
    as_of = point.moment(reads.clock.now())
    return GraphView(access.organization_id, access.read_scopes, as_of, point.lifecycles, point.known_at)


def _asked(reads: GraphReads, point: ReadPoint) -> MemoryEngine:
    return reads.engine if point.pins is None else reads.record_engine


async def _answered(
    reads: GraphReads, point: ReadPoint, ask: Callable[[MemoryEngine], Awaitable[Result]]
) -> tuple[Result, str, tuple[str, ...]]:
    engine, record = reads.engine, reads.record_engine
    if point.pins is not None:
        return await ask(record), record.name, ()
    if point.known_at is not None and not engine.reads_history:
        note = f"the {engine.name} graph knows only the present; read from the record"
        return await ask(record), record.name, (note,)
    try:
        return await ask(engine), engine.name, ()
    except Unavailable as error:
        if engine is record:
            raise
        return await ask(record), record.name, (f"read from the record: {error.message}",)


async def _loaded(
    reads: GraphReads, access: Access, standings: Sequence[StandingId], point: ReadPoint
) -> list[StandingFact]:
    return await reads.reader.load(access, standings, point) if standings else []
