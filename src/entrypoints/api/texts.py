"""Texts of a request that could not be kept are refused before a handler sees them."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import ClientException

from domain.knowledge.storable import require_storable
from entrypoints.api.refusals import LIMIT_SETTING
from entrypoints.json_text import TOO_DEEP, nests_too_deep

_ESCAPED_NUL = b"\\u0000"


async def require_storable_texts(request: Request[Any, Any, Any]) -> None:
    """For the routes of a router, before their handlers. Raises InvalidInput, ClientException for what nests too deep.

    JSON holds a NUL as an escape only, and half a surrogate pair not at all. The guards look at parameters; files and
    streams are looked at where they are read.
    """
    require_storable(request.scope["path"], "path")
    if request.method in {"GET", "HEAD"} or LIMIT_SETTING in request.route_handler.opt:
        return
    body = await request.body()
    if nests_too_deep(body):
        raise ClientException(TOO_DEEP)
    if _ESCAPED_NUL not in body:
        return
    try:
        sent = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return  # said when it is read
    require_storable(sent)
