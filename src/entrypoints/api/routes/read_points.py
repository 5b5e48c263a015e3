"""Read points: tokens that pin both times."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from litestar import post
from litestar.params import JSONBody

from application.retrieval.read_points import LONGEST
from domain.identity.ids import Revision
from entrypoints.api.paging import LAST_NUMBER
from entrypoints.api.sign_in import App, Caller
from entrypoints.views.read_points import ReadPointView


class ReadPointWish(msgspec.Struct, forbid_unknown_fields=True):
    """Both times are now when left out; ``known_at`` is a revision or a time. The token lasts ``seconds``."""

    as_of: datetime | None = None
    known_at: Annotated[int, msgspec.Meta(ge=0, le=LAST_NUMBER)] | datetime | None = None
    seconds: Annotated[int, msgspec.Meta(ge=1, le=LONGEST)] = 3600


@post("/read-points", status_code=201, tags=["facts"])
async def make_read_point(app: App, access: Caller, data: JSONBody[ReadPointWish]) -> ReadPointView:
    """A token for the header `Assay-Read-Point`: no read with it goes past either time, and what asks for more is \
refused."""
    known_at = Revision(data.known_at) if isinstance(data.known_at, int) else data.known_at
    token, pin = await app.retrieval.read_points.make(access, data.as_of, known_at, data.seconds)
    return ReadPointView.of(token, pin)
