"""Tools that answer within a token budget, and that keep the record as it is for later."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from application.identity.access import read_within
from application.retrieval.packs import PackRequest
from application.retrieval.snapshots import SnapshotWish
from application.retrieval.types import MAX_QUERY
from domain.identity.ids import Revision
from domain.retrieval.context_pack import MAX_BUDGET, Conflicts
from domain.retrieval.snapshot import MAX_NAME, MAX_REASON
from entrypoints.application import Application
from entrypoints.mcp.arguments import (
    AsOf,
    FilterArgument,
    KnownAt,
    Predicates,
    ReadPointToken,
    Scope,
    SnapshotId,
    Within,
    fact_filter,
)
from entrypoints.mcp.pack_results import PackAnswer, SnapshotAnswer, pack_answer, snapshot_answer
from entrypoints.mcp.sign_in import Call, SignIn


class PackTools:
    """Context packs and snapshots."""

    def __init__(self, app: Application, sign_in: SignIn) -> None:
        self._packs = app.retrieval.packs
        self._snapshots = app.retrieval.snapshots
        self._sign_in = sign_in

    async def get_context_pack(
        self,
        call: Call,
        question: Annotated[
            str, Field(description="The question in plain words, in any language.", min_length=1, max_length=MAX_QUERY)
        ],
        budget: Annotated[
            int, Field(description="Tokens that the answer may take, citations and all.", ge=1, le=MAX_BUDGET)
        ] = 2_000,
        model: Annotated[
            str | None,
            Field(
                description="The model whose tokens count, such as 'gpt-4o'. Left out or unknown: bytes, a safe bound.",
                max_length=200,
            ),
        ] = None,
        conflicts: Annotated[
            Conflicts,
            Field(description="Contested facts: 'include' with all their sides, 'exclude', or 'only' those."),
        ] = Conflicts.INCLUDE,
        passages: Annotated[bool, Field(description="Also stretches of documents.")] = False,
        predicates: Predicates = None,
        filter: FilterArgument = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        snapshot: SnapshotId = None,
        read_point: ReadPointToken = None,
        scope: Scope = None,
        within: Within = None,
    ) -> PackAnswer:
        """What the memory knows about a question as one text that fits into your context: facts with citations, \
corrections first, then the most telling for their length, each once, contested ones with every side. Use it to fill \
a prompt; use search_knowledge to look at single facts with all their grades."""
        access = read_within(await self._sign_in.access(call, scope), within)
        when = await self._sign_in.point(access, as_of, known_at, read_point, snapshot)
        request = PackRequest(
            question, budget, conflicts, passages, when, fact_filter(filter), tuple(predicates or ()), model
        )
        return pack_answer(await self._packs.make(access, request))

    async def create_snapshot(
        self,
        call: Call,
        name: Annotated[
            str | None, Field(description="What to call it: 'before the audit'.", min_length=1, max_length=MAX_NAME)
        ] = None,
        reason: Annotated[
            str | None, Field(description="Why; the journal keeps it.", min_length=1, max_length=MAX_REASON)
        ] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        scope: Scope = None,
    ) -> SnapshotAnswer:
        """Keep the memory as it is now, or as it was, under an id. Reads with `snapshot` then give the same answers \
ever after, whatever is learned or corrected since; only what is erased goes. Use it before work that others must be \
able to check."""
        access = await self._sign_in.access(call, scope)
        asked = Revision(known_at) if isinstance(known_at, int) else known_at
        return snapshot_answer(await self._snapshots.make(access, SnapshotWish(asked, as_of, name, reason)))
