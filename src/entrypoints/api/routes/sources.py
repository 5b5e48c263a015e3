"""Sources and collections."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import get, post, put
from litestar.params import FromPath, JSONBody

from application.ingestion import queries
from application.ingestion.regrade_source import Regraded
from application.ingestion.retract import Retracted
from domain.identity.ids import SourceId
from domain.ports.documents import CollectionRow, SourceRow
from entrypoints.api.sign_in import App, Caller

Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]


class SourceView(msgspec.Struct):
    """A source with its present grade and how many documents it gave."""

    id: UUID
    kind: str
    name: str
    tier: int
    trust: float | None
    zone: str | None
    withdrawn: bool
    documents: int

    @classmethod
    def of(cls, row: SourceRow) -> SourceView:
        """As it is shown."""
        return cls(row.id, row.kind, row.name, row.tier, row.trust, row.zone, row.withdrawn, row.documents)


class Sources(msgspec.Struct):
    """Sources by name, narrowest scope first."""

    items: list[SourceView]


class Grade(msgspec.Struct, forbid_unknown_fields=True):
    """A source's new tier (1 strongest to 4), and trust (0 to 1) or none."""

    tier: Annotated[int, msgspec.Meta(ge=1, le=4)]
    trust: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    reason: Reason | None = None


class Withdrawal(msgspec.Struct, forbid_unknown_fields=True):
    """Why something is taken back."""

    reason: Reason | None = None


class Collections(msgspec.Struct):
    """Collections by name."""

    items: list[CollectionRow]


class CollectionWish(msgspec.Struct, forbid_unknown_fields=True):
    """Settings (sizes in characters) and declared entities (name to kind) in place of those that there are."""

    settings: dict[str, Any] = {}
    entities: dict[str, str] = {}


@get("/sources", tags=["sources"])
async def sources(app: App, access: Caller) -> Sources:
    """Where documents come from."""
    return Sources([SourceView.of(row) for row in await queries.sources(app.unit_of_work, access)])


@put("/sources/{source_id:uuid}/grade", tags=["sources"])
async def regrade(app: App, access: Caller, source_id: FromPath[UUID], data: JSONBody[Grade]) -> Regraded:
    """Set a source's tier and trust; what it said is assessed anew."""
    return await app.ingestion.regrade_source(access, SourceId(source_id), data.tier, data.trust, data.reason)


@post("/sources/{source_id:uuid}/retract", status_code=200, tags=["sources"])
async def retract_source(app: App, access: Caller, source_id: FromPath[UUID], data: JSONBody[Withdrawal]) -> Retracted:
    """Take back a source with every document it gave. What other sources support stays."""
    return await app.ingestion.retract.source(access, SourceId(source_id), data.reason)


@get("/collections", tags=["collections"])
async def collections(app: App, access: Caller) -> Collections:
    """Named sets of documents."""
    return Collections(await queries.collections(app.unit_of_work, access))


@put("/collections/{name:str}", tags=["collections"])
async def configure_collection(
    app: App, access: Caller, name: FromPath[str], data: JSONBody[CollectionWish]
) -> CollectionRow:
    """Replace a collection's settings and declared entities; documents follow when they are reprocessed."""
    return await app.ingestion.configure_collection(access, name, data.settings, data.entities)
