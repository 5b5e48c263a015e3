"""What reads have in common over HTTP: the moment asked about, filters, waiting for a revision, and how facts look."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias
from uuid import UUID

import msgspec
from litestar.di import NamedDependency
from litestar.params import QueryParameter, SkipValidation
from litestar.types import Message, Scope

from application.operations.queries import Follower, await_revision
from application.retrieval.queries import Term
from application.retrieval.system_time import revision_of
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import DocumentId, EntityId, Revision, SourceId
from domain.knowledge.assertion import ClaimKind
from domain.retrieval.reading import SHOWN_LIFECYCLES, FactFilter, ReadPoint
from domain.standing.testimony import Lifecycle
from entrypoints.api.paging import LAST_NUMBER, RevisionParameter
from entrypoints.api.sign_in import READ_POINT, App, Caller, HttpRequest
from entrypoints.application import Application

KNOWN_AT = "assay.known_at"
"""Where a request keeps the revision that it reads."""
VOIDED = "assay.voided"
"""Where it keeps the erasures that took something of the snapshot that it reads by."""
Point: TypeAlias = SkipValidation[NamedDependency[ReadPoint]]
Chosen: TypeAlias = SkipValidation[NamedDependency[FactFilter]]
Tier: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=4)]
KnownAt: TypeAlias = Annotated[
    Annotated[int, msgspec.Meta(ge=0, le=LAST_NUMBER)] | datetime | None,
    QueryParameter(
        description="As the record was at this revision or time. The header `Assay-Known-At` of the answer names the "
        "revision that was read.",
    ),
]
BySnapshot: TypeAlias = Annotated[
    UUID | None,
    QueryParameter(
        name="snapshot",
        description="Read by this snapshot, in place of `known_at`: the answer stays the same. The header "
        "`Assay-Snapshot-Voided` names erasures that took something of it.",
    ),
]
AtLeast: TypeAlias = Annotated[
    int | None, RevisionParameter("Wait until this revision can be read; 503 says what lags.")
]


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


async def reached(
    app: Application, access: Access, request: HttpRequest, known_at: int | datetime | None
) -> Revision | None:
    """The revision to read as of, which the answer names; None is the present.

    Raises InvalidInput for what the record has not reached.
    """
    asked = Revision(known_at) if isinstance(known_at, int) else known_at
    revision = await revision_of(app.unit_of_work, app.operations, access, asked)
    request.scope["state"][KNOWN_AT] = revision
    return revision


async def pinned(
    app: Application, access: Access, request: HttpRequest, snapshot: UUID | None, point: ReadPoint
) -> ReadPoint:
    """The point as a read by a snapshot, if one is named; the answer names its revision and what voided it."""
    if snapshot is None:
        return point
    by = await app.retrieval.snapshots.pinned(access, snapshot, point)
    request.scope["state"][KNOWN_AT] = by.known_at
    request.scope["state"][VOIDED] = by.pins.voided_by if by.pins is not None else ()
    return by


async def held(app: Application, access: Access, request: HttpRequest, point: ReadPoint) -> ReadPoint:
    """The point within the read point that the request was sent with, if it was."""
    token = request.headers.get(READ_POINT)
    if token is None:
        return point
    within = await app.retrieval.read_points.held(access, token, point)
    request.scope["state"][KNOWN_AT] = within.known_at
    return within


async def name_revision(message: Message, scope: Scope) -> None:
    """Before an answer is sent: the revision that it was read at, when one was asked for."""
    revision = scope.get("state", {}).get(KNOWN_AT)
    if message["type"] == "http.response.start" and revision is not None:
        message["headers"] = [*message["headers"], (b"assay-known-at", str(revision).encode())]
        voided = ",".join(map(str, scope.get("state", {}).get(VOIDED, ())))
        if voided:
            message["headers"] = [*message["headers"], (b"assay-snapshot-voided", voided.encode())]


async def provide_point(
    app: App,
    access: Caller,
    request: HttpRequest,
    as_of: Annotated[datetime | None, QueryParameter(description="The moment asked about; now when left out.")] = None,
    known_at: KnownAt = None,
    all_time: Annotated[bool, QueryParameter(description="Every segment instead of one moment.")] = False,
    lifecycle: Annotated[list[Lifecycle] | None, QueryParameter(description="active and disputed by default.")] = None,
    snapshot: BySnapshot = None,
) -> ReadPoint:
    """When, and as known when."""
    revision = await reached(app, access, request, known_at)
    point = ReadPoint(as_of, revision, tuple(lifecycle) if lifecycle else SHOWN_LIFECYCLES, all_time)
    point = await pinned(app, access, request, snapshot, point)
    return await held(app, access, request, point)


def provide_chosen(
    point: Point,
    kind: Annotated[list[ClaimKind] | None, QueryParameter(description="fact, claim or opinion.")] = None,
    asserter: Annotated[str | None, QueryParameter(description="Who is quoted.")] = None,
    tier: Annotated[list[Tier] | None, QueryParameter(description="Tiers of sources, 1 to 4.")] = None,
    collection: Annotated[list[str] | None, QueryParameter(description="Names of collections.")] = None,
    document: Annotated[list[UUID] | None, QueryParameter(description="Ids of documents.")] = None,
    source: Annotated[list[UUID] | None, QueryParameter(description="Ids of sources.")] = None,
    untainted: Annotated[
        bool, QueryParameter(description="Not only agents and sources of tier 4 speak for it.")
    ] = False,
) -> FactFilter:
    """A fact passes when one live assertion meets all of these."""
    return FactFilter(
        tuple(kind or ()),
        asserter,
        tuple(tier or ()),
        tuple(collection or ()),
        tuple(DocumentId(d) for d in document or ()),
        tuple(SourceId(s) for s in source or ()),
        untainted,
    )
