"""What the graph adds around the hits of a search."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from application.retrieval.types import Hit, SearchRequest, SearchSettings
from domain.errors import InvalidInput, LimitExceeded, Unavailable
from domain.identity.access import Access
from domain.identity.ids import EntityId
from domain.ports.memory_engine import MemoryEngine
from domain.ports.search_index import SearchIndex
from domain.retrieval.blend import signals_of
from domain.retrieval.expansion import neighbours
from domain.retrieval.facts import Named
from domain.retrieval.graph import MAX_STARTS, GraphView, NeighbourhoodQuery

MAX_WALKED = 2_000
"""Edges that one expansion looks at."""


class Widening:
    """Adds facts that the graph holds around the hits' entities, at their expansion scores.

    A hit that is there already keeps its score. Without entities, or when no engine answers, the hits stay as they
    are. ``history`` answers for revisions that the graph does not know any more.
    """

    def __init__(self, index: SearchIndex, engine: MemoryEngine, history: MemoryEngine) -> None:
        self._index = index
        self._engine = engine
        self._history = history

    async def __call__(
        self,
        access: Access,
        request: SearchRequest,
        hits: Sequence[Hit],
        settings: SearchSettings,
        now: datetime,
        notes: list[str],
    ) -> list[Hit]:
        asked = request.expansion
        seeds = _entities(hits)
        if asked is None or not seeds:
            return list(hits)
        point = request.point
        view = GraphView(
            access.organization_id,
            (*access.read_scopes, *access.around),
            point.moment(now),
            point.lifecycles,
            point.known_at,
        )
        walk = NeighbourhoodQuery(view, seeds, hops=asked.hops, limit=MAX_WALKED)
        fitting = point.known_at is None or self._engine.reads_history
        engine = self._engine if fitting and point.pins is None else self._history
        try:
            around = await engine.neighbourhood(walk)
        except (Unavailable, LimitExceeded, InvalidInput) as error:
            notes.append(f"not expanded: {error.message}")
            return list(hits)
        present = {hit.fact.standing_id for hit in hits}
        found = {
            each.standing_id: each.score for each in neighbours(around.edges, seeds, present, asked, request.limit)
        }
        hops = {hop.edge.standing_id: hop.hop for hop in around.edges}
        facts = await self._index.load(access, list(found), point, request.filter)
        added = [
            Hit(fact, found[fact.standing_id], signals_of(fact, 0.0, now), hops[fact.standing_id]) for fact in facts
        ]
        return [*hits, *added]


def _entities(hits: Sequence[Hit]) -> tuple[EntityId, ...]:
    ends: dict[EntityId, None] = {}
    for hit in hits:
        ends.setdefault(hit.fact.subject.id)
        if isinstance(hit.fact.object, Named):
            ends.setdefault(hit.fact.object.id)
    return tuple(ends)[:MAX_STARTS]
