"""Tools that find and read concepts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from application.retrieval import concepts
from domain.knowledge.concept import ConceptKind
from domain.retrieval.concepts import MAX_CONCEPTS, MAX_QUERY, ConceptsQuery
from entrypoints.application import Application
from entrypoints.mcp.arguments import (
    AsOf,
    FilterArgument,
    KnownAt,
    ReadPointToken,
    Scope,
    SnapshotId,
    fact_filter,
    term,
)
from entrypoints.mcp.concept_results import ConceptAnswer, ConceptsAnswer, concept_answer, concepts_answer
from entrypoints.mcp.sign_in import Call, SignIn


class ConceptTools:
    """Concepts by meaning, and one with everything that bears on it."""

    def __init__(self, app: Application, sign_in: SignIn) -> None:
        self._reads = app.retrieval.concepts
        self._sign_in = sign_in

    async def search_concepts(
        self,
        call: Call,
        query: Annotated[
            str, Field(description="What the concepts are about, in any words.", min_length=1, max_length=MAX_QUERY)
        ],
        kinds: Annotated[
            list[ConceptKind] | None,
            Field(description="Only these: 'claim', 'definition', 'event', 'principle'.", max_length=4),
        ] = None,
        limit: Annotated[int, Field(description="How many at most.", ge=1, le=MAX_CONCEPTS)] = 10,
        filter: FilterArgument = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        read_point: ReadPointToken = None,
        snapshot: SnapshotId = None,
        scope: Scope = None,
    ) -> ConceptsAnswer:
        """Find what sources think rather than single facts: claims that they argue, definitions, events that they \
draw on and principles, by meaning. Each comes with its best quote, how many independent sources put it forward, how \
well it is grounded, and what contradicts it. Use search_knowledge for facts, get_concept for one concept in full."""
        access = await self._sign_in.access(call, scope)
        when = await self._sign_in.point(access, as_of, known_at, read_point, snapshot)
        asked = ConceptsQuery(query, tuple(kinds or ()), when, fact_filter(filter), limit)
        return concepts_answer(await concepts.search_concepts(self._reads, access, asked), when)

    async def get_concept(
        self,
        call: Call,
        concept: Annotated[
            str, Field(description="Its id, or its label as search_concepts gave it.", min_length=1, max_length=500)
        ],
        relations: Annotated[int, Field(description="How many relations at most.", ge=1, le=200)] = 50,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        read_point: ReadPointToken = None,
        snapshot: SnapshotId = None,
        scope: Scope = None,
    ) -> ConceptAnswer:
        """Everything about one concept: the quotes of the sources that put it forward, with document and place; what \
it implies, supports, contradicts, causes, is part of or exemplifies, and what does so with it; how well it is \
grounded. Where it is contradicted, show both sides."""
        access = await self._sign_in.access(call, scope)
        when = await self._sign_in.point(access, as_of, known_at, read_point, snapshot)
        found = await concepts.get_concept(self._reads, access, term(concept), when, relations)
        return concept_answer(found, when)
