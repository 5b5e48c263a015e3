"""Bodies that come too slowly are cut off."""

from __future__ import annotations

import asyncio

from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, HTTPReceiveMessage, Receive, Scope, Send, WebSocketReceiveMessage

from entrypoints.sections.serving import LimitsSettings


class Patience:
    """Waits for the next piece of a body at most ``body_pause_seconds``, and for the whole that and what its bytes take
    at ``body_bytes_per_second``; only the time that the server spends waiting counts. Then the request ends with 408.
    """

    def __init__(self, app: ASGIApp, limits: LimitsSettings) -> None:
        self._app = app
        self._pause = limits.body_pause_seconds
        self._rate = limits.body_bytes_per_second

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        waited, received, whole = 0.0, 0, False
        clock = asyncio.get_running_loop().time

        async def receive_in_time() -> HTTPReceiveMessage | WebSocketReceiveMessage:
            nonlocal waited, received, whole
            if whole:
                return await receive()
            began = clock()
            try:
                async with asyncio.timeout(min(self._pause, self._pause + received / self._rate - waited)):
                    message = await receive()
            except TimeoutError:
                raise _too_slow() from None
            waited += clock() - began
            if message["type"] == "http.request":
                received += len(message["body"])
                whole = not message.get("more_body")
            else:
                whole = True
            return message

        await self._app(scope, receive_in_time, send)


def _too_slow() -> HTTPException:
    return HTTPException(
        status_code=408,
        detail="the body came too slowly, or not at all; send it faster",
        headers={"Connection": "close"},
    )
