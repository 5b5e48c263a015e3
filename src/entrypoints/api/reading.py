"""What reads have in common over HTTP: the moment asked about, filters, waiting for a revision, and how facts look."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, TypeAlias
from uuid import UUID

import msgspec
from litestar.di import NamedDependency
from litestar.params import QueryParameter, SkipValidation

from application.operations.queries import Follower, await_revision, require_reached
from application.retrieval.queries import Term
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import DocumentId, EntityId, Revision, SourceId
from domain.identity.scope_name import ScopeKind, kind_of
from domain.knowledge.assertion import ClaimKind
from domain.knowledge.object_wire import to_wire
from domain.knowledge.objects import Literal
from domain.retrieval.facts import Citation, Named, Rival, StandingFact
from domain.retrieval.reading import SHOWN_LIFECYCLES, FactFilter, ReadPoint
from domain.standing.testimony import Lifecycle, Verification
from entrypoints.api.paging import RevisionParameter
from entrypoints.api.sign_in import App, Caller
from entrypoints.application import Application

Point: TypeAlias = SkipValidation[NamedDependency[ReadPoint]]
Chosen: TypeAlias = SkipValidation[NamedDependency[FactFilter]]
Tier: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=4)]
KnownAt: TypeAlias = Annotated[int | None, RevisionParameter("As the record was at this revision.")]
AtLeast: TypeAlias = Annotated[
    int | None, RevisionParameter("Wait until this revision can be read; 503 says what lags.")
]


class RivalView(msgspec.Struct):
    """Another fact in the same slot, or what another scope says (``differs_by_scope``)."""

    fact_id: UUID
    standing_id: UUID
    scope: ScopeKind
    sentence: str | None
    lifecycle: Lifecycle
    confidence: float
    support_mass: float
    refute_mass: float
    tier: int
    valid_from: datetime | None
    valid_to: datetime | None
    differs_by_scope: bool


class FactView(msgspec.Struct):
    """One segment of a fact, graded, dated and cited.

    Valid time is half-open; null is unbounded. ``scope`` is the kind of the scope that holds it: of each kind the
    caller reads at most one. ``object`` has a ``type``: entity, with id, name and kind, or that of a literal.
    ``revision`` is when it came to stand like this.
    """

    id: UUID
    standing_id: UUID
    scope: ScopeKind
    sentence: str | None
    subject: Named
    predicate: str
    object: dict[str, Any] | None
    qualifiers: dict[str, str]
    valid_from: datetime | None
    valid_to: datetime | None
    lifecycle: Lifecycle
    support: bool
    refute: bool
    confidence: float
    support_mass: float
    refute_mass: float
    score: float
    reason: str
    tier: int
    verification: Verification
    kind: ClaimKind
    corrected: bool
    observed_at: datetime
    revision: int
    citation: Citation | None
    helpful: int
    unhelpful: int
    differs_by_scope: bool
    rivals: list[RivalView]

    @classmethod
    def of(cls, f: StandingFact) -> FactView:
        """As it is shown."""
        return cls(
            f.fact_id, f.standing_id, kind_of(f.group_id), f.sentence, f.subject, f.predicate, _object(f.object),
            dict(f.qualifiers), f.valid_from, f.valid_to, f.lifecycle, f.support, f.refute, f.confidence,
            f.support_mass, f.refute_mass, f.score, f.reason, f.tier, f.verification, f.kind, f.corrected,
            f.observed_at, f.from_revision, f.citation, f.helpful, f.unhelpful, f.differs_by_scope,
            [rival_view(r) for r in f.rivals],
        )  # fmt: skip


def _object(target: Named | Literal | None) -> dict[str, Any] | None:
    if isinstance(target, Named):
        return {"type": "entity", "id": target.id, "name": target.name, "kind": target.kind}
    return None if target is None else dict(to_wire(target))


def rival_view(r: Rival) -> RivalView:
    """A rival as it is shown."""
    return RivalView(
        r.fact_id, r.standing_id, kind_of(r.group_id), r.sentence, r.lifecycle, r.confidence, r.support_mass,
        r.refute_mass, r.tier, r.valid_from, r.valid_to, r.differs_by_scope,
    )  # fmt: skip


def fact_views(facts: Sequence[StandingFact]) -> list[FactView]:
    """Facts as they are shown."""
    return [FactView.of(fact) for fact in facts]


def term(name: str | None, identifier: UUID | None, side: str) -> Term | None:
    """One side of a question, by name or by id; None when neither is given. Raises InvalidInput for both."""
    if name is not None and identifier is not None:
        raise InvalidInput(f"give {side} or {side}_id, not both", field=side)
    if identifier is not None:
        return Term(id=EntityId(identifier))
    return None if name is None else Term(name=name)


def needed_term(name: str | None, identifier: UUID | None, side: str) -> Term:
    """The same for a side that must be given."""
    found = term(name, identifier, side)
    if found is None:
        raise InvalidInput(f"give {side} (a name) or {side}_id", field=side)
    return found


async def settled(app: Application, access: Access, at_least: int | None, *needed: Follower) -> None:
    """Wait until the caller's write can be read."""
    if at_least is not None:
        seconds = app.settings.limits.consistency_seconds
        await await_revision(app.operations, access, Revision(at_least), needed, seconds)


async def reached(app: Application, access: Access, known_at: int | None) -> Revision | None:
    """The revision to read as of; None is the present. Raises InvalidInput for one that the record has not reached."""
    revision = None if known_at is None else Revision(known_at)
    await require_reached(app.operations, access, revision, "known_at")
    return revision


async def provide_point(
    app: App,
    access: Caller,
    as_of: Annotated[datetime | None, QueryParameter(description="The moment asked about; now when left out.")] = None,
    known_at: KnownAt = None,
    all_time: Annotated[bool, QueryParameter(description="Every segment instead of one moment.")] = False,
    lifecycle: Annotated[list[Lifecycle] | None, QueryParameter(description="active and disputed by default.")] = None,
) -> ReadPoint:
    """When, and as known when."""
    revision = await reached(app, access, known_at)
    return ReadPoint(as_of, revision, tuple(lifecycle) if lifecycle else SHOWN_LIFECYCLES, all_time)


def provide_chosen(
    point: Point,
    kind: Annotated[list[ClaimKind] | None, QueryParameter(description="fact, claim or opinion.")] = None,
    asserter: Annotated[str | None, QueryParameter(description="Who is quoted.")] = None,
    tier: Annotated[list[Tier] | None, QueryParameter(description="Tiers of sources, 1 to 4.")] = None,
    collection: Annotated[list[str] | None, QueryParameter(description="Names of collections.")] = None,
    document: Annotated[list[UUID] | None, QueryParameter(description="Ids of documents.")] = None,
    source: Annotated[list[UUID] | None, QueryParameter(description="Ids of sources.")] = None,
) -> FactFilter:
    """A fact passes when one live assertion meets all of these."""
    return FactFilter(
        tuple(kind or ()),
        asserter,
        tuple(tier or ()),
        tuple(collection or ()),
        tuple(DocumentId(d) for d in document or ()),
        tuple(SourceId(s) for s in source or ()),
    )
