"""Assertions, proposals, receipts and memory."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from application.ingestion import queries
from application.ingestion.decide_proposals import Decided
from application.ingestion.retract import Retracted
from application.retrieval.queries import get_assertion
from domain.identity.ids import AssertionId, DocumentId, FactId, ProposalId, ReceiptId, Revision
from domain.knowledge.assertion import AssertionState
from domain.knowledge.predicate import predicate_name
from domain.ports.documents import ProposalRow, Receipt
from domain.ports.waiting import WaitingAssertion, WaitingFilter
from domain.retrieval.explanation import PlacedSaying
from entrypoints.api.paging import Cursor, CursorOf, Limit, Page
from entrypoints.api.routes.sources import Reason, Withdrawal
from entrypoints.api.sign_in import App, Caller, SignedIn


class Statements(msgspec.Struct, forbid_unknown_fields=True):
    """Typed triples, as in a triples import."""

    statements: Annotated[list[dict[str, Any]], msgspec.Meta(min_length=1, max_length=1000)]


class Placed(msgspec.Struct):
    """A new assertion, the fact that it makes, its own state, and which statement of the request it is, from 0.

    A curator's statement is pending when the kinds of its ends do not fit its predicate.
    """

    assertion_id: UUID
    fact_id: UUID
    state: AssertionState
    statement: int


class StatementsMade(msgspec.Struct):
    """What became of the statements; merged ones were there before. ``state`` is pending when a new one is."""

    state: AssertionState
    placed: list[Placed]
    merged: int
    revision: Revision | None


class Decision(msgspec.Struct, forbid_unknown_fields=True):
    """Whether to approve, and why.

    ``saw`` is the revision at which a fact to be corrected was looked at, ``confirm`` the predicates whose large change
    was.
    """

    approve: bool
    reason: Reason | None = None
    saw: Annotated[int, msgspec.Meta(ge=0)] | None = None
    confirm: Annotated[list[str], msgspec.Meta(max_length=200)] = []


class AssertionDecisions(msgspec.Struct, forbid_unknown_fields=True):
    """One decision for many pending assertions: those of ``ids``, or else all that fit. ``dry_run`` only counts.

    Without ids at most 1,000 are decided at a time, and the answer shows a sample of them.
    """

    approve: bool
    ids: Annotated[list[UUID], msgspec.Meta(max_length=1000)] = []
    document_id: UUID | None = None
    source: str | None = None
    predicate: str | None = None
    below_confidence: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    reason: Reason | None = None
    dry_run: bool = False


class ProposalDecisions(msgspec.Struct, forbid_unknown_fields=True):
    """One decision for the newest pending proposals, of one kind or all; ``dry_run`` only says which."""

    approve: bool
    kind: str | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=200)] = 50
    reason: Reason | None = None
    dry_run: bool = True


class ProposalsDecided(msgspec.Struct):
    """Those that were decided; with a dry run, those that would be."""

    dry_run: bool
    items: list[ProposalRow]


class MemoryWish(msgspec.Struct, forbid_unknown_fields=True):
    """A text to remember."""

    text: str


class Vote(msgspec.Struct, forbid_unknown_fields=True):
    """Whether a hit helped, with the query and the signals that came with it."""

    fact_id: UUID
    helpful: bool
    query: str | None = None
    signals: dict[str, float] = {}


class Voted(msgspec.Struct):
    """The revision that the vote saw; it counts in reads from there on."""

    revision: Revision


@post("/assertions", tags=["assertions"])
async def assert_facts(app: App, access: Caller, data: JSONBody[Statements]) -> StatementsMade:
    """State facts directly. A curator's are live; others wait for one."""
    made = await app.ingestion.assert_facts(access, data.statements)
    placed = [Placed(each.assertion_id, each.fact_id, each.state, each.place) for each in made.placed]
    return StatementsMade(made.state, placed, made.merged, made.revision)


@get("/assertions/{assertion_id:uuid}", tags=["assertions"])
async def assertion(app: App, access: Caller, assertion_id: FromPath[UUID]) -> PlacedSaying:
    """One assertion with its state, its evidence and weight, and the fact that it makes."""
    return await get_assertion(app.unit_of_work, app.retrieval.facts, access, AssertionId(assertion_id))


@post("/assertions/{assertion_id:uuid}/retract", status_code=200, tags=["assertions"])
async def retract_assertion(
    app: App, access: Caller, assertion_id: FromPath[UUID], data: JSONBody[Withdrawal]
) -> Retracted:
    """Take back one assertion, for good."""
    return await app.ingestion.retract.assertion(access, AssertionId(assertion_id), data.reason)


@post("/assertions/decide", status_code=200, tags=["assertions"])
async def decide_assertions(app: App, access: Caller, data: JSONBody[AssertionDecisions]) -> Decided:
    """Approve or reject pending assertions; those that are not pending are left as they are."""
    decide = app.ingestion.decide_proposals
    if data.ids:
        ids = [AssertionId(i) for i in data.ids]
        return await decide.assertions(access, ids, data.approve, data.reason, data.dry_run)
    chosen = _waiting(data.document_id, data.source, data.predicate, data.below_confidence)
    return await decide.matching(access, chosen, data.approve, data.reason, data.dry_run)


@get("/assertions/waiting", tags=["assertions"])
async def waiting_assertions(
    app: App,
    access: Caller,
    document_id: Annotated[UUID | None, QueryParameter(description="Only those of this document.")] = None,
    source: Annotated[str | None, QueryParameter(description="Only those of the source of this name.")] = None,
    predicate: Annotated[str | None, QueryParameter(description="Only those of this predicate, any spelling.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[WaitingAssertion]:
    """Assertions that wait for a person, oldest first, with their sentences, excerpts and sources."""
    cursors = CursorOf("waiting", access.read_scopes, document_id, source, predicate)
    after = cursors.after_id(cursor)
    rows = await queries.waiting_assertions(
        app.unit_of_work,
        access,
        _waiting(document_id, source, predicate, None),
        AssertionId(after) if after else None,
        limit + 1,
    )
    return cursors.page(rows, limit, lambda row: row.assertion_id)


def _waiting(document_id: UUID | None, source: str | None, predicate: str | None, below: float | None) -> WaitingFilter:
    name = predicate_name(predicate) if predicate is not None else None
    return WaitingFilter(DocumentId(document_id) if document_id else None, source, name, below)


@get("/proposals", tags=["proposals"])
async def proposals(
    app: App,
    access: Caller,
    status: Annotated[str, QueryParameter(description="pending, approved or rejected.")] = "pending",
    kind: Annotated[str | None, QueryParameter(description="A kind, such as document.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[ProposalRow]:
    """What waits for a person, newest first."""
    cursors = CursorOf("proposals", access.read_scopes, status, kind)
    after = cursors.after_id(cursor)
    rows = await queries.proposals(
        app.unit_of_work, access, state=status, kind=kind, after=ProposalId(after) if after else None, limit=limit + 1
    )
    return cursors.page(rows, limit, lambda row: row.id)


@post("/proposals/{proposal_id:uuid}/decide", status_code=200, tags=["proposals"])
async def decide_proposal(
    app: App, access: Caller, proposal_id: FromPath[UUID], data: JSONBody[Decision]
) -> ProposalRow:
    """Approve or reject one proposal. A decision is final. An approved correction is written as the caller's; 409 when
    its fact changed since it was proposed, unless ``saw`` names the revision at which the caller looked at it."""
    saw = Revision(data.saw) if data.saw is not None else None
    return await app.ingestion.decide_proposals.proposal(
        access, ProposalId(proposal_id), data.approve, data.reason, saw, data.confirm
    )


@post("/proposals/decide", status_code=200, tags=["proposals"])
async def decide_proposals(app: App, access: Caller, data: JSONBody[ProposalDecisions]) -> ProposalsDecided:
    """Decide many proposals, each in a transaction of its own. Try it with ``dry_run`` first: that is the default."""
    found = await queries.proposals(app.unit_of_work, access, kind=data.kind, limit=data.limit)
    if not data.dry_run:
        decide = app.ingestion.decide_proposals.proposal
        found = [await decide(access, row.id, data.approve, data.reason) for row in found]
    return ProposalsDecided(data.dry_run, found)


@get("/receipts", tags=["receipts"])
async def receipts(app: App, access: Caller, limit: Limit = 50, cursor: Cursor = None) -> Page[Receipt]:
    """What became of submissions, newest first, without their rejected items."""
    cursors = CursorOf("receipts", access.read_scopes)
    after = cursors.after_id(cursor)
    rows = await queries.receipts(app.unit_of_work, access, ReceiptId(after) if after else None, limit + 1)
    return cursors.page(rows, limit, lambda row: row.id)


@get("/receipts/{receipt_id:uuid}", tags=["receipts"])
async def receipt(app: App, access: Caller, receipt_id: FromPath[UUID]) -> Receipt:
    """One receipt, with each rejected item's place, code and reason. Finished, its totals add up."""
    return await queries.receipt(app.unit_of_work, access, ReceiptId(receipt_id))


@post("/memory", status_code=202, tags=["memory"])
async def remember(app: App, credential: SignedIn, data: JSONBody[MemoryWish]) -> Receipt:
    """Remember a text in the caller's personal scope; nobody else reads it."""
    return await app.ingestion.remember(await app.resolve_access(credential, "personal"), data.text)


@post("/feedback", tags=["feedback"])
async def give_feedback(app: App, access: Caller, data: JSONBody[Vote]) -> Voted:
    """Say whether a hit helped; a later vote on the same fact replaces it."""
    fact = FactId(data.fact_id)
    return Voted(await app.ingestion.give_feedback(access, fact, data.helpful, data.query, data.signals))
