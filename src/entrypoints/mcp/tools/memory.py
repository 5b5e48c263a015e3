"""Tools for what a principal remembers for itself."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from application.ingestion import queries
from application.ingestion.remember import MAX_MEMORY
from application.ingestion.sources import MEMORY
from application.retrieval.types import CHUNKS, FACTS, MAX_QUERY, SearchRequest
from domain.identity.access import Access
from domain.identity.ids import SourceId
from domain.retrieval.closeness import Match
from domain.retrieval.reading import FactFilter
from entrypoints.application import Application
from entrypoints.mcp.arguments import AsOf, KnownAt, Limit
from entrypoints.mcp.fact_results import SearchAnswer, fact_hit, passage
from entrypoints.mcp.results import ReceiptResult, receipt_result
from entrypoints.mcp.sign_in import Call, SignIn
from entrypoints.measured import measured_search
from entrypoints.telemetry import Metrics

PERSONAL = "personal"
"""The source that ``remember`` writes under."""

Text = Annotated[
    str,
    Field(description="What to remember, in full sentences that name things.", min_length=1, max_length=MAX_MEMORY),
]
Question = Annotated[str, Field(description="What to look for, in plain words.", min_length=1, max_length=MAX_QUERY)]


class MemoryTools:
    """Notes in the personal scope."""

    def __init__(self, app: Application, sign_in: SignIn, metrics: Metrics) -> None:
        self._metrics = metrics
        self._app = app
        self._sign_in = sign_in

    async def remember(self, call: Call, text: Text) -> ReceiptResult:
        """Keep something for yourself, in your personal scope: nobody else reads it. Use it for preferences and \
context of later conversations; use assert_fact or propose_document for what everyone should know.

        Facts drawn from it count half at most. Find it again with recall, a moment later. The same text again changes \
nothing."""
        access = await self._sign_in.access(call, PERSONAL)
        return receipt_result(await self._app.ingestion.remember(access, text))

    async def recall(
        self, call: Call, query: Question, limit: Limit = 10, as_of: AsOf = None, known_at: KnownAt = None
    ) -> SearchAnswer:
        """Find what you remembered: your own notes as passages, and the facts drawn from them. Use it at the start of \
a task; use search_knowledge for what the organization knows.

        Nothing of it is evidence for anybody else."""
        access = await self._sign_in.access(call, PERSONAL)
        sources = await self._memories(access)
        when = await self._sign_in.point(access, as_of, known_at)
        if not sources:
            return SearchAnswer(facts=[])
        request = SearchRequest(
            query=query, limit=limit, sections=(FACTS, CHUNKS), point=when, filter=FactFilter(sources=sources)
        )
        found = await measured_search(self._app.retrieval.search, self._metrics, access, request)
        mine = access.write_scope
        facts = [fact_hit(hit) for hit in found.hits if hit.fact.group_id == mine]
        passages = [passage(hit) for hit in found.passages if hit.passage.group_id == mine]
        return SearchAnswer(
            facts=facts,
            passages=passages,
            as_of=found.as_of,
            notes=list(found.notes),
            known_at=when.known_at,
            match=found.match if facts or passages else Match.NONE,
        )

    async def _memories(self, access: Access) -> tuple[SourceId, ...]:
        found = await queries.sources(self._app.unit_of_work, access)
        return tuple(source.id for source in found if source.name == MEMORY.name)
