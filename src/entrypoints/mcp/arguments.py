"""Arguments that many tools share: their descriptions and bounds, and what they mean to a use case."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from application.retrieval.queries import Term
from domain.identity.ids import DocumentId, EntityId, Revision, SourceId
from domain.identity.scope_name import ScopeKind
from domain.ingestion.typed_triples import typed_triple
from domain.knowledge.assertion import ClaimKind, Mention
from domain.retrieval.reading import SHOWN_LIFECYCLES, FactFilter, ReadPoint
from domain.standing.testimony import Lifecycle

Scope: TypeAlias = Annotated[
    str | None,
    Field(
        description="Where to look or write: 'organization', 'personal', '<workspace>' or '<workspace>/<project>'. "
        "A scope also reads those around it. Left out: the reach of the key.",
        max_length=210,
    ),
]
Within: TypeAlias = Annotated[
    ScopeKind | None,
    Field(
        description="Of the scope and those around it, read only those up to this kind (project: it alone). "
        "Left out: all of them."
    ),
]
AsOf: TypeAlias = Annotated[
    datetime | None,
    Field(
        description="Valid time: what was true in the world at this moment, e.g. '2024-03-01T00:00:00Z'. Left out: now."
    ),
]
KnownAt: TypeAlias = Annotated[
    Annotated[int, Field(ge=0, le=2**62)] | datetime | None,
    Field(
        description="System time: what the record said at this revision (a number from an earlier result), or at this "
        "time; the answer's `known_at` is the revision that was read. Left out: the present record.",
    ),
]
ReadPointToken: TypeAlias = Annotated[
    str | None,
    Field(description="A read point that you were given: nothing past its two times is read.", max_length=500),
]
SnapshotId: TypeAlias = Annotated[
    UUID | None,
    Field(
        description="Read by this snapshot (of create_snapshot), in place of known_at: the same question gets the same "
        "answer ever after. `voided_by` in the answer names erasures that took something of it."
    ),
]
History: TypeAlias = Annotated[
    bool,
    Field(
        description="True for every period and every state: also what has ended, was superseded, refuted or retracted, "
        "or is only proposed. Not together with as_of."
    ),
]
Limit: TypeAlias = Annotated[int, Field(description="How many results at most.", ge=1, le=100)]
Thing: TypeAlias = Annotated[
    str, Field(description="Its name in any known spelling or alias, or its entity id.", min_length=1, max_length=500)
]
Predicates: TypeAlias = Annotated[
    list[str] | None,
    Field(description="Only these relations, in any spelling; see predicates_in_use.", max_length=50),
]
ObjectType: TypeAlias = Annotated[
    Literal["entity", "text", "number", "date", "boolean"],
    Field(description="What `object` is: 'entity' for the name of a thing, else a value."),
]
Unit: TypeAlias = Annotated[str | None, Field(description="Of a number: 'USD', '%', 'ms'.", max_length=40)]


class Filter(BaseModel):
    """Only facts for which one live assertion meets all of these."""

    model_config = ConfigDict(extra="forbid")

    kinds: list[ClaimKind] = Field(default_factory=list, description="How it was put: fact, claim, opinion.")
    asserter: str | None = Field(default=None, description="Who said so, according to the source.")
    tiers: list[Annotated[int, Field(ge=1, le=4)]] = Field(
        default_factory=list, description="Trust of the source: 1 strongest."
    )
    collections: list[str] = Field(default_factory=list, description="Names of collections.", max_length=200)
    documents: list[UUID] = Field(default_factory=list, description="Ids of documents.", max_length=200)
    sources: list[UUID] = Field(default_factory=list, description="Ids of sources, from list_sources.", max_length=200)
    untainted: bool = Field(default=False, description="Not only agents and sources of tier 4 speak for it.")


FilterArgument: TypeAlias = Annotated[Filter | None, Field(description="Only facts with such evidence.")]


def point(as_of: datetime | None, known_at: Revision | None, history: bool = False) -> ReadPoint:
    """The moment that a read asks about. Raises InvalidInput for one without a time zone."""
    return ReadPoint(
        as_of=as_of,
        known_at=known_at,
        lifecycles=tuple(Lifecycle) if history else SHOWN_LIFECYCLES,
        all_time=history,
    )


def fact_filter(given: Filter | None) -> FactFilter:
    """The filter for a use case."""
    if given is None:
        return FactFilter()
    return FactFilter(
        kinds=tuple(given.kinds),
        asserter=given.asserter,
        tiers=tuple(given.tiers),
        collections=tuple(given.collections),
        documents=tuple(DocumentId(each) for each in given.documents),
        sources=tuple(SourceId(each) for each in given.sources),
        untainted=given.untainted,
    )


def term(text: str) -> Term:
    """A thing by its id or its name."""
    try:
        return Term(id=EntityId(UUID(text)))
    except ValueError:
        return Term(name=text)


def object_term(text: str, object_type: str, unit: str | None) -> Term:
    """A thing or a value, read as statements are, so that both have one normal form. Raises InvalidInput."""
    if object_type == "entity":
        return term(text)
    stated = {"subject": "any", "predicate": "any", "object": stated_object(text, object_type, None, unit)}
    literal = typed_triple(stated).claim.object
    assert not isinstance(literal, Mention)
    return Term(literal=literal)


def stated_object(text: str, object_type: str, kind: str | None, unit: str | None) -> dict[str, Any]:
    """The object of a statement in the form of typed triples."""
    if object_type == "entity":
        return {"entity": text} | ({"kind": kind} if kind else {})
    if object_type == "number":
        return {"number": text} | ({"unit": unit} if unit else {})
    if object_type == "boolean":
        return {"boolean": {"true": True, "false": False}.get(text.strip().lower(), text)}
    return {object_type: text}
