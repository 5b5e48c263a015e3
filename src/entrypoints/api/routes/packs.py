"""Context packs: answers within a token budget."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody

from application.operations.queries import Follower
from application.retrieval.packs import MAX_DAYS, PackRequest
from application.retrieval.types import MAX_QUERY
from domain.retrieval.context_pack import MAX_BUDGET, Conflicts, ContextPack
from domain.retrieval.reading import ReadPoint
from entrypoints.api.paging import LAST_NUMBER
from entrypoints.api.reading import held, pinned, reached, settled
from entrypoints.api.routes.search import FilterWish
from entrypoints.api.sign_in import HELD, NARROWING, App, Caller, HttpRequest

Number = Annotated[int, msgspec.Meta(ge=0, le=LAST_NUMBER)]


class PackWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A question, and how many tokens the answer may have with everything in it.

    ``model`` is the one whose tokens count; left out, or where its vocabulary is not at hand, bytes of UTF-8 count, of
    which there are never fewer. ``conflicts`` includes contested facts with all their sides, excludes them, or shows
    only them. ``passages`` adds stretches of documents. Give ``known_at`` (a revision or a time) or ``snapshot``, not
    both. ``store`` keeps the pack for ``days`` with the snapshot that it was read by.
    """

    question: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_QUERY)]
    budget: Annotated[int, msgspec.Meta(ge=1, le=MAX_BUDGET)]
    model: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | None = None
    conflicts: Conflicts = Conflicts.INCLUDE
    passages: bool = False
    as_of: datetime | None = None
    known_at: Number | datetime | None = None
    snapshot: UUID | None = None
    filter: FilterWish = msgspec.field(default_factory=FilterWish)
    predicates: list[str] = []
    store: bool = False
    days: Annotated[float, msgspec.Meta(gt=0, le=MAX_DAYS)] | None = None
    at_least: Number | None = None

    def request(self, point: ReadPoint) -> PackRequest:
        """For the use case, at a point."""
        return PackRequest(
            self.question, self.budget, self.conflicts, self.passages, point, self.filter.filter(),
            tuple(self.predicates), self.model, self.days,
        )  # fmt: skip


@post("/packs", status_code=201, tags=["packs"], opt={HELD: True}, dependencies=NARROWING)
async def make_pack(app: App, access: Caller, request: HttpRequest, data: JSONBody[PackWish]) -> ContextPack:
    """Answer a question within a token budget: facts with citations, most informative first, as data and as one fenced
    text. A budget that is too small for one citation is refused with the least that would do."""
    point = ReadPoint(data.as_of, await reached(app, access, request, data.known_at))
    point = await pinned(app, access, request, data.snapshot, point)
    point = await held(app, access, request, point)
    await settled(app, access, data.at_least, Follower.VECTORS)
    packs = app.retrieval.packs
    return await (packs.store if data.store else packs.make)(access, data.request(point))


@get("/packs/{pack_id:uuid}", tags=["packs"])
async def pack(app: App, access: Caller, pack_id: FromPath[UUID]) -> ContextPack:
    """A stored pack, as it was made; 404 with the code `voided` when an erasure took something that it showed."""
    return await app.retrieval.packs.stored(access, pack_id)
