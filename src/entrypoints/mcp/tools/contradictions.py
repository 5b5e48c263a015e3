"""Tools that find what contradicts itself, and offer corrections of facts and things to a person."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated
from uuid import UUID

from pydantic import Field

from application.knowledge.correct import Correction, Verdict
from application.retrieval.contradictions import ContradictionsQuery, contradictions
from domain.errors import InvalidInput, shown
from domain.identity.access import Access
from domain.identity.ids import DocumentId, EntityId, FactId, Revision
from domain.ingestion.typed_triples import stated_object as parsed_object
from domain.knowledge.naming import MAX_DESCRIPTION, MAX_KIND
from domain.ports.contradictions import ContestedCursor, DocumentSet
from domain.resolution.entity_edit import MAX_ALIASES, EntityEdit
from domain.retrieval.reading import ReadPoint
from entrypoints.application import Application
from entrypoints.mcp.arguments import (
    AsOf,
    FilterArgument,
    KnownAt,
    ObjectType,
    Predicates,
    Scope,
    Unit,
    fact_filter,
    stated_object,
    term,
)
from entrypoints.mcp.contradiction_results import (
    Contradictions,
    ProposedCorrection,
    ProposedEntityEdit,
    contradictions_result,
)
from entrypoints.mcp.sign_in import Call, SignIn
from entrypoints.mcp.tools.knowledge import FactIdArgument
from entrypoints.views.corrections import corrected_bound

CorrectedDate = Annotated[
    str | None,
    Field(description="A date as exact as it is known, or 'open'. Left out: as long as the fact holds.", max_length=40),
]


class ContradictionTools:
    """Finding contradictions, and proposing corrections."""

    def __init__(self, app: Application, sign_in: SignIn) -> None:
        self._app = app
        self._sign_in = sign_in

    async def find_contradictions(
        self,
        call: Call,
        entity: Annotated[
            str | None,
            Field(description="Only those with this thing on a side: a name, alias or id.", max_length=500),
        ] = None,
        predicates: Predicates = None,
        about: Annotated[
            UUID | None, Field(description="Only that of this id, or of this fact on any of its sides.")
        ] = None,
        settled: Annotated[bool, Field(description="Also those that one side has won by its weight.")] = False,
        filter: FilterArgument = None,
        against_documents: Annotated[
            list[UUID] | None,
            Field(
                description="Compare two sets: the documents and collections of `filter` with these documents.",
                max_length=100,
            ),
        ] = None,
        against_collections: Annotated[
            list[str] | None, Field(description="The same with these collections.", max_length=100)
        ] = None,
        between_scopes: Annotated[
            bool, Field(description="Instead, what one scope says against another: a project against its organization.")
        ] = False,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        all_time: Annotated[bool, Field(description="Every period instead of one moment.")] = False,
        limit: Annotated[int, Field(description="How many at most.", ge=1, le=50)] = 10,
        after: Annotated[
            str | None, Field(description="`next` of the page before, with the same other arguments.", max_length=200)
        ] = None,
        scope: Scope = None,
    ) -> Contradictions:
        """Find what the memory contradicts itself in: facts that exclude each other at one time, and facts that are \
said and denied. Both sides come with their sources, words and weights, the most serious first. Use it before a \
report, when facts are contested, or to compare what two sets of documents say.

        A person decides them; you can offer a correction with propose_correction. Many values of a relation that \
takes several (two founders) are no contradiction."""
        access = await self._sign_in.access(call, scope)
        revision = await self._sign_in.reached(access, known_at)
        against = None
        if against_documents or against_collections:
            against = DocumentSet(tuple(map(DocumentId, against_documents or ())), tuple(against_collections or ()))
        query = ContradictionsQuery(
            predicates=tuple(predicates or ()),
            entity=None if entity is None else term(entity),
            about=about,
            settled=settled,
            point=ReadPoint(as_of, revision, all_time=all_time),
            filter=fact_filter(filter),
            against=against,
            between_scopes=between_scopes,
            limit=limit,
            after=None if after is None else _cursor(after),
        )
        page = await contradictions(self._app.retrieval.contradictions, access, query)
        return contradictions_result(page, _written(page.next) if page.next else None, revision)

    async def propose_correction(
        self,
        call: Call,
        fact_id: FactIdArgument,
        verdict: Annotated[
            Verdict, Field(description="'confirm': it is so; 'deny': it is not; 'replace': `object` holds instead.")
        ],
        reason: Annotated[str, Field(description="Why, with your evidence.", min_length=1, max_length=1_000)],
        object: Annotated[
            str | None, Field(description="For 'replace': a name, or a value.", min_length=1, max_length=2_000)
        ] = None,
        object_type: ObjectType = "entity",
        unit: Unit = None,
        valid_from: CorrectedDate = None,
        valid_to: CorrectedDate = None,
        saw: Annotated[
            int | None,
            Field(description="The revision at which you read the fact. Left out: the present one.", ge=0, le=2**62),
        ] = None,
        scope: Scope = None,
    ) -> ProposedCorrection:
        """Offer a correction of a fact to a person. Use it when a fact is wrong, outdated or contested and you have \
evidence; assert_fact adds evidence of your own instead.

        Nothing changes until a curator approves it; agents can never correct by themselves. The same again changes \
nothing."""
        access = await self._sign_in.access(call, scope)
        target = None if object is None else parsed_object(stated_object(object, object_type, None, unit))
        done = await self._app.knowledge.propose_correction(
            access,
            Correction(
                FactId(fact_id),
                verdict,
                await self._seen(access, saw),
                target,
                corrected_bound(valid_from, "valid_from"),
                corrected_bound(valid_to, "valid_to"),
                reason,
            ),
        )
        return ProposedCorrection(proposal_id=done.proposal_id, fact_id=done.fact_id, revision=done.revision)

    async def propose_entity_edit(
        self,
        call: Call,
        entity_id: Annotated[UUID, Field(description="The id of the thing, from a profile or a hit.")],
        reason: Annotated[str, Field(description="Why, with your evidence.", min_length=1, max_length=1_000)],
        name: Annotated[
            str | None, Field(description="What it is called from now on.", min_length=1, max_length=500)
        ] = None,
        kind: Annotated[
            str | None, Field(description="What kind of thing it is, such as 'organization'.", max_length=MAX_KIND)
        ] = None,
        aliases: Annotated[list[str] | None, Field(description="Further names of it.", max_length=MAX_ALIASES)] = None,
        not_aliases: Annotated[
            list[str] | None, Field(description="Names that are taken for its and are none.", max_length=MAX_ALIASES)
        ] = None,
        description: Annotated[
            str | None, Field(description="What it is, in a sentence.", max_length=MAX_DESCRIPTION)
        ] = None,
        homonym: Annotated[bool, Field(description="Another thing of the kind may bear the name, too.")] = False,
        saw: Annotated[
            int | None,
            Field(description="The revision at which you read about it. Left out: the present one.", ge=0, le=2**62),
        ] = None,
        scope: Scope = None,
    ) -> ProposedEntityEdit:
        """Offer a person an edit of a thing itself: its name, kind, aliases or description. Use it when a thing goes \
by a wrong or former name, or its kind is wrong; propose_correction is for one fact about it.

        Nothing changes until a curator approves it; agents can never edit by themselves. The same again changes \
nothing."""
        access = await self._sign_in.access(call, scope)
        edit = EntityEdit(
            EntityId(entity_id),
            await self._seen(access, saw),
            name,
            kind,
            tuple(aliases or ()),
            tuple(not_aliases or ()),
            description,
            homonym,
            reason,
        )
        done = await self._app.knowledge.propose_entity_edit(access, edit)
        return ProposedEntityEdit(proposal_id=done.proposal_id, entity_id=done.entity_id, revision=done.revision)

    async def _seen(self, access: Access, saw: int | None) -> Revision:
        if saw is not None:
            return Revision(saw)
        async with self._app.unit_of_work(access) as tx:
            return (await tx.journal.head()).revision


def _written(cursor: ContestedCursor) -> str:
    return base64.urlsafe_b64encode(f"{cursor.severity!r}|{cursor.about}".encode()).decode().rstrip("=")


def _cursor(text: str) -> ContestedCursor:
    try:
        severity, about = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().split("|")
        return ContestedCursor(float(severity), UUID(about))
    except (binascii.Error, ValueError):
        raise InvalidInput(f"{shown(text)} is no `next` of a page; start without it", field="after") from None
