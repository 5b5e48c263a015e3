"""Tools about things, what is around them, and the words that relate them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from application.identity.access import read_within
from application.retrieval import queries, traversal
from application.retrieval.queries import Term
from application.retrieval.traversal import Walk
from domain.identity.access import Access
from domain.ports.search_index import FoundEntity
from domain.retrieval.graph import MAX_HOPS, MAX_PATH, Direction
from domain.retrieval.reading import ReadPoint
from entrypoints.application import Application
from entrypoints.mcp.arguments import (
    AsOf,
    KnownAt,
    Limit,
    Predicates,
    ReadPointToken,
    Scope,
    SnapshotId,
    Thing,
    Within,
    term,
)
from entrypoints.mcp.entity_results import (
    NeighboursAnswer,
    PathAnswer,
    PredicatesAnswer,
    PredicateUse,
    ProfileAnswer,
    neighbours,
    path,
    profile,
)
from entrypoints.mcp.sign_in import Call, SignIn

_MAX_PREDICATES = 200
_SUGGESTIONS = 5


class EntityTools:
    """Profiles, neighbourhoods, paths and predicates."""

    def __init__(self, app: Application, sign_in: SignIn) -> None:
        self._retrieval = app.retrieval
        self._sign_in = sign_in

    async def get_entity_profile(
        self,
        call: Call,
        entity: Thing,
        limit: Limit = 30,
        documents: Annotated[int, Field(description="How many documents that name it.", ge=0, le=100)] = 10,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        read_point: ReadPointToken = None,
        snapshot: SnapshotId = None,
        scope: Scope = None,
        within: Within = None,
    ) -> ProfileAnswer:
        """Everything known about one thing (a person, system, organization, place, concept) in one call: its names, \
totals by predicate, facts on either side, and documents that name it. Use it before several query_facts.

        An unknown name gives an empty profile with names that are alike."""
        access = read_within(await self._sign_in.access(call, scope), within)
        when, who = await self._sign_in.point(access, as_of, known_at, read_point, snapshot), term(entity)
        found = await queries.entity_profile(self._retrieval.facts, access, who, when, limit, documents)
        suggestions = await self._alike(access, who, when) if not found.summary.entities else ()
        return profile(found, suggestions, when.known_at)

    async def neighbours(
        self,
        call: Call,
        entity: Thing,
        hops: Annotated[int, Field(description="How many facts away.", ge=1, le=MAX_HOPS)] = 1,
        direction: Annotated[
            Direction, Field(description="'out': it is the subject; 'in': it is the object; 'both'.")
        ] = Direction.BOTH,
        predicates: Predicates = None,
        limit: Limit = 50,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        read_point: ReadPointToken = None,
        snapshot: SnapshotId = None,
        scope: Scope = None,
    ) -> NeighboursAnswer:
        """Walk the graph around one thing and return the facts by distance. Use it for dependencies, ownership and \
other chains ('what would break if X fails'); use get_entity_profile for one thing alone, shortest_path for two."""
        access = await self._sign_in.access(call, scope)
        walk = Walk(hops=hops, direction=direction, predicates=tuple(predicates or ()), limit=limit)
        when = await self._sign_in.point(access, as_of, known_at, read_point, snapshot)
        found = await traversal.neighbourhood(self._retrieval.graph, access, term(entity), walk, when)
        return neighbours(found, when.known_at)

    async def shortest_path(
        self,
        call: Call,
        source: Thing,
        target: Thing,
        max_hops: Annotated[int, Field(description="Facts of the longest path.", ge=1, le=MAX_PATH)] = 4,
        predicates: Predicates = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        read_point: ReadPointToken = None,
        snapshot: SnapshotId = None,
        scope: Scope = None,
    ) -> PathAnswer:
        """How two things hang together: the shortest chain of facts between them, in either direction. Use it for \
'how is X connected to Y'; connected=false means that there is no chain of that length."""
        access = await self._sign_in.access(call, scope)
        walk = Walk(hops=max_hops, predicates=tuple(predicates or ()))
        when = await self._sign_in.point(access, as_of, known_at, read_point, snapshot)
        ends = term(source), term(target)
        return path(await traversal.shortest_path(self._retrieval.graph, access, *ends, walk, when), when.known_at)

    async def predicates_in_use(
        self,
        call: Call,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        read_point: ReadPointToken = None,
        snapshot: SnapshotId = None,
        scope: Scope = None,
    ) -> PredicatesAnswer:
        """The relations that facts use, with some facts of each and how many it has. Use it to learn the vocabulary \
before query_facts or assert_fact; any spelling of a predicate is understood."""
        access = await self._sign_in.access(call, scope)
        when = await self._sign_in.point(access, as_of, known_at, read_point, snapshot)
        found = await queries.predicates_in_use(self._retrieval.facts, access, when)
        listed = [
            PredicateUse(predicate=use.predicate, facts=use.facts, examples=list(use.examples), reviewed=use.reviewed)
            for use in found[:_MAX_PREDICATES]
        ]
        return PredicatesAnswer(predicates=listed, truncated=len(found) > _MAX_PREDICATES, known_at=when.known_at)

    async def _alike(self, access: Access, who: Term, when: ReadPoint) -> Sequence[FoundEntity]:
        if who.name is None:
            return ()
        retrieval = self._retrieval
        return await queries.find_entities(retrieval.index, retrieval.embedder, access, who.name, when, _SUGGESTIONS)
