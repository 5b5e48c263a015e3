"""Tools that offer something to the memory, and say what became of it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from application.ingestion import queries
from application.ingestion.sources import own_source
from application.ingestion.submission import DocumentSubmission
from domain.identity.ids import FactId, ReceiptId
from entrypoints.application import Application
from entrypoints.mcp.arguments import ObjectType, Scope, Unit, stated_object
from entrypoints.mcp.results import (
    AssertedFact,
    AssertResult,
    FeedbackResult,
    ReceiptResult,
    SourceList,
    receipt_result,
    source_result,
)
from entrypoints.mcp.sign_in import Call, SignIn

_CONTENT_TYPES = Literal["text/markdown", "text/plain", "text/html", "text/csv", "application/json"]
_MAX_SOURCES = 200

PartialDate = Annotated[
    str | None, Field(description="A date as exact as it is known: '2021', '2021-04', '2021-04-01'.", max_length=40)
]
EvidenceText = Annotated[
    str | None,
    Field(description="The literal words that say so, if you quote somebody; at most 300 characters.", max_length=300),
]


class SubmissionTools:
    """Documents, statements and votes."""

    def __init__(self, app: Application, sign_in: SignIn) -> None:
        self._app = app
        self._sign_in = sign_in

    async def propose_document(
        self,
        call: Call,
        title: Annotated[str, Field(description="What the document is called.", min_length=1, max_length=500)],
        content: Annotated[str, Field(description="The whole document as text.", min_length=1)],
        content_type: Annotated[_CONTENT_TYPES, Field(description="How the text is written.")] = "text/markdown",
        key: Annotated[
            str | None,
            Field(
                description="A stable name of this document among yours; the same key again is a new version of it. "
                "Left out: the title.",
                max_length=1_000,
            ),
        ] = None,
        source_uri: Annotated[str | None, Field(description="Where you found it, as a URI.", max_length=2_000)] = None,
        published_at: Annotated[
            datetime | None, Field(description="When it was published, with a time zone, if it says so.")
        ] = None,
        collection: Annotated[
            str | None, Field(description="A named set of documents to put it in.", max_length=200)
        ] = None,
        scope: Scope = None,
    ) -> ReceiptResult:
        """Offer a whole document (a page, notes, a report) from which facts will be extracted. Use it when the source \
text should be kept as evidence; use assert_fact for one statement, remember for notes of your own.

        What an agent proposes waits for a person: until then only its bytes are kept. The result is a receipt; follow \
it with get_receipt. The same content again changes nothing."""
        access = await self._sign_in.access(call, scope)
        submission = DocumentSubmission(
            data=content.encode(),
            source=own_source(access),
            record_key=key or title,
            content_type=content_type,
            title=title,
            source_uri=source_uri,
            published_at=published_at,
            collection=collection,
        )
        return receipt_result(await self._app.ingestion.submit_document(access, submission))

    async def assert_fact(
        self,
        call: Call,
        subject: Annotated[str, Field(description="The name of the thing that it is about.", min_length=1)],
        predicate: Annotated[
            str,
            Field(description="The relation, in any spelling: 'founded by', 'RUNS_ON'. See predicates_in_use."),
        ],
        object: Annotated[str, Field(description="The name of the other thing, or the value as text.", min_length=1)],
        object_type: ObjectType = "entity",
        subject_kind: Annotated[str | None, Field(description="E.g. 'organization', 'person', 'system'.")] = None,
        object_kind: Annotated[str | None, Field(description="The same for an object that is a thing.")] = None,
        unit: Unit = None,
        kind: Annotated[
            Literal["fact", "claim", "opinion"], Field(description="How it is put; 'claim' when unsure.")
        ] = "claim",
        denied: Annotated[bool, Field(description="True to say that this is not so.")] = False,
        confidence: Annotated[float, Field(ge=0, le=1, description="An agent's counts 0.5 at most.")] = 1.0,
        valid_from: PartialDate = None,
        valid_to: PartialDate = None,
        evidence: EvidenceText = None,
        asserter: Annotated[str | None, Field(description="Who says so, if not you.", max_length=500)] = None,
        qualifiers: Annotated[
            dict[str, str] | None, Field(description="Details by name, e.g. {'environment': 'production'}.")
        ] = None,
        scope: Scope = None,
    ) -> AssertResult:
        """State one fact for everyone in the scope: subject, predicate, object. Use it for a single thing that you \
established; use propose_document when there is a text to keep as evidence, remember for notes of your own.

        What an agent states usually waits for a person ('pending'). The same statement again changes nothing, and \
nobody corroborates themselves."""
        access = await self._sign_in.access(call, scope)
        statement = {
            "subject": _named(subject, subject_kind),
            "predicate": predicate,
            "object": stated_object(object, object_type, object_kind, unit),
            "polarity": "refute" if denied else "support",
            "kind": kind,
            "confidence": confidence,
            "valid_from": valid_from,
            "valid_to": valid_to,
            "excerpt": evidence,
            "asserter": asserter,
            "qualifiers": qualifiers,
        }
        made = await self._app.ingestion.assert_facts(access, [statement])
        return AssertResult(
            state=made.state.value,
            asserted=[
                AssertedFact(assertion_id=each.assertion_id, fact_id=each.fact_id, state=each.state.value)
                for each in made.placed
            ],
            already_known=made.merged,
            revision=made.revision,
        )

    async def get_receipt(
        self,
        call: Call,
        receipt_id: Annotated[UUID, Field(description="From propose_document or remember.")],
        scope: Scope = None,
    ) -> ReceiptResult:
        """What became of a submitted document: how many facts were stored, merged, queued for a person or rejected, \
and why. Use it after propose_document or remember."""
        access = await self._sign_in.access(call, scope)
        return receipt_result(await queries.receipt(self._app.unit_of_work, access, ReceiptId(receipt_id)))

    async def list_sources(self, call: Call, scope: Scope = None) -> SourceList:
        """The sources that facts come from, with their trust tiers and numbers of documents. Use it to judge how far \
a citation can be trusted, or to find the id for a filter by source."""
        access = await self._sign_in.access(call, scope)
        found = await queries.sources(self._app.unit_of_work, access)
        shown = [source_result(row) for row in found[:_MAX_SOURCES]]
        return SourceList(sources=shown, truncated=len(found) > _MAX_SOURCES)

    async def feedback(
        self,
        call: Call,
        fact_id: Annotated[UUID, Field(description="The fact of a search hit.")],
        helpful: Annotated[bool, Field(description="Whether it helped to answer.")],
        query: Annotated[str | None, Field(description="What you had asked.", max_length=2_000)] = None,
        signals: Annotated[
            dict[str, float] | None, Field(description="The hit's `signals`, unchanged.", max_length=20)
        ] = None,
        scope: Scope = None,
    ) -> FeedbackResult:
        """Say whether a search hit helped. It improves the ranking; it does not change what is true. Voting again \
replaces your vote. To dispute a fact, use assert_fact with denied=true."""
        access = await self._sign_in.access(call, scope)
        revision = await self._app.ingestion.give_feedback(access, FactId(fact_id), helpful, query, signals)
        return FeedbackResult(fact_id=fact_id, helpful=helpful, revision=revision)


def _named(name: str, kind: str | None) -> str | dict[str, str]:
    return {"name": name, "kind": kind} if kind else name
