"""Tools that find facts and say why they stand."""

from __future__ import annotations

import base64
import binascii
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from application.identity.access import read_within
from application.retrieval import queries
from application.retrieval.queries import FactsQuery
from application.retrieval.types import CHUNKS, FACTS, MAX_QUERY, SearchRequest
from domain.errors import InvalidInput, shown
from domain.identity.ids import FactId
from domain.retrieval.expansion import Expansion
from domain.retrieval.reading import Cursor
from entrypoints.application import Application
from entrypoints.mcp.arguments import (
    AsOf,
    FilterArgument,
    History,
    KnownAt,
    Limit,
    ObjectType,
    Predicates,
    ReadPointToken,
    Scope,
    SnapshotId,
    Unit,
    Within,
    fact_filter,
    object_term,
    term,
)
from entrypoints.mcp.explanation_results import Explanation, explanation
from entrypoints.mcp.fact_results import FactPage, FactSegments, SearchAnswer, fact, fact_hit, passage
from entrypoints.mcp.sign_in import Call, SignIn, voided_by
from entrypoints.measured import measured_search
from entrypoints.telemetry import Metrics

FactIdArgument = Annotated[UUID, Field(description="`fact_id` of an earlier result.")]
GroundedAsOf = Annotated[
    datetime | None,
    Field(description="The moment at which grounding and epistemic_status are read, with a zone. Left out: now."),
]


class KnowledgeTools:
    """Search, patterns and single facts."""

    def __init__(self, app: Application, sign_in: SignIn, metrics: Metrics) -> None:
        self._metrics = metrics
        self._retrieval = app.retrieval
        self._sign_in = sign_in

    async def search_knowledge(
        self,
        call: Call,
        query: Annotated[
            str, Field(description="The question in plain words, in any language.", min_length=1, max_length=MAX_QUERY)
        ],
        limit: Limit = 10,
        passages: Annotated[
            Literal["none", "cited", "all"],
            Field(description="Also stretches of documents: of those that the facts cite, or of any."),
        ] = "none",
        predicates: Predicates = None,
        expand_hops: Annotated[
            int, Field(description="Also facts this far in the graph around what was found.", ge=0, le=2)
        ] = 0,
        filter: FilterArgument = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        read_point: ReadPointToken = None,
        snapshot: SnapshotId = None,
        history: History = False,
        scope: Scope = None,
        within: Within = None,
    ) -> SearchAnswer:
        """Find facts that answer a question, ranked and graded, each with its source and excerpt. Start here when you \
have a question in words; use query_facts when you know the names, get_entity_profile for all about one thing.

        Ask with passages='all' when facts alone do not answer. No hit means that the memory does not know; with \
match='weak' what was found is only perhaps near in meaning."""
        access = read_within(await self._sign_in.access(call, scope), within)
        when = await self._sign_in.point(access, as_of, known_at, read_point, snapshot, history=history)
        request = SearchRequest(
            query=query,
            limit=limit,
            sections=(FACTS,) if passages == "none" else (FACTS, CHUNKS),
            cited_only=passages == "cited",
            point=when,
            filter=fact_filter(filter),
            predicates=tuple(predicates or ()),
            expansion=Expansion(hops=expand_hops) if expand_hops else None,
        )
        found = await measured_search(self._retrieval.search, self._metrics, access, request)
        return SearchAnswer(
            facts=[fact_hit(hit) for hit in found.hits],
            passages=[passage(hit) for hit in found.passages],
            as_of=found.as_of,
            notes=list(found.notes),
            match=found.match,
            known_at=when.known_at,
            voided_by=voided_by(when),
        )

    async def query_facts(
        self,
        call: Call,
        subject: Annotated[
            str | None, Field(description="Whom or what it is about: a name, alias or entity id.", max_length=500)
        ] = None,
        predicate: Annotated[
            str | None,
            Field(description="The relation in any spelling or direction: 'founded by', 'founder of', 'RUNS_ON'."),
        ] = None,
        object: Annotated[
            str | None, Field(description="The other thing (a name, alias or entity id), or a value.", max_length=2_000)
        ] = None,
        object_type: ObjectType = "entity",
        unit: Unit = None,
        filter: FilterArgument = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        read_point: ReadPointToken = None,
        snapshot: SnapshotId = None,
        history: History = False,
        limit: Limit = 20,
        after: Annotated[
            str | None, Field(description="`next` of the page before, with the same other arguments.", max_length=200)
        ] = None,
        scope: Scope = None,
        within: Within = None,
    ) -> FactPage:
        """Look facts up exactly, by any one or two of subject, predicate and object (or all three, to check one \
fact). Use it when you know the names: who founded X (subject, predicate), what runs on X (predicate, object), how X \
and Y are related (subject, object), all about X (subject), every use of a relation (predicate), what points to X \
(object).

        Complete within its limit and not ranked. Unknown names give no facts. For a past date use as_of."""
        access = read_within(await self._sign_in.access(call, scope), within)
        when = await self._sign_in.point(access, as_of, known_at, read_point, snapshot, history=history)
        query = FactsQuery(
            subject=None if subject is None else term(subject),
            predicates=() if predicate is None else (predicate,),
            object=None if object is None else object_term(object, object_type, unit),
            point=when,
            filter=fact_filter(filter),
            limit=limit,
            after=None if after is None else _cursor(after),
        )
        page = await queries.facts_by_pattern(self._retrieval.facts, access, query)
        following = _written(page.next) if page.next else None
        return FactPage(
            facts=[fact(each) for each in page.facts], next=following, known_at=when.known_at, voided_by=voided_by(when)
        )

    async def get_fact(
        self,
        call: Call,
        fact_id: FactIdArgument,
        as_of: GroundedAsOf = None,
        known_at: KnownAt = None,
        snapshot: SnapshotId = None,
        scope: Scope = None,
    ) -> FactSegments:
        """One fact by its id, in every period of valid time and every state, with its evidence and other sides. Use \
it to open a hit again, or to see whether something still stands."""
        access = await self._sign_in.access(call, scope)
        when = await self._sign_in.point(access, as_of, known_at, snapshot=snapshot)
        found = await queries.get_fact(self._retrieval.facts, access, FactId(fact_id), when.known_at, when.as_of)
        return FactSegments(
            fact_id=found[0].fact_id,
            segments=[fact(each) for each in found],
            known_at=when.known_at,
            voided_by=voided_by(when),
        )

    async def explain_fact(
        self,
        call: Call,
        fact_id: FactIdArgument,
        as_of: GroundedAsOf = None,
        known_at: KnownAt = None,
        snapshot: SnapshotId = None,
        scope: Scope = None,
    ) -> Explanation:
        """Why a fact stands as it does: everyone who says it or denies it with their words and weight, which of them \
are independent and which are copies that count once, how it stood before, and what changed it. Use it before you rely \
on something that matters, or when a fact is contested."""
        access = await self._sign_in.access(call, scope)
        when = await self._sign_in.point(access, as_of, known_at, snapshot=snapshot)
        found = await queries.explain_fact(self._retrieval.facts, access, FactId(fact_id), when.known_at, when.as_of)
        return explanation(found, when.known_at)


def _written(cursor: Cursor) -> str:
    start = cursor.valid_from.isoformat() if cursor.valid_from else ""
    text = f"{int(cursor.corrected)}|{cursor.fact_id}|{start}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _cursor(text: str) -> Cursor:
    try:
        corrected, fact_id, start = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().split("|")
        return Cursor(corrected == "1", FactId(UUID(fact_id)), datetime.fromisoformat(start) if start else None)
    except (binascii.Error, ValueError):
        raise InvalidInput(f"{shown(text)} is no `next` of a page; start without it", field="after") from None
