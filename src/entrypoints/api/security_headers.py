"""What every answer tells a browser: to guess nothing, to embed and keep nothing, and to come by HTTPS alone."""

from __future__ import annotations

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

_ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"x-permitted-cross-domain-policies", b"none"),
    (b"cache-control", b"no-store"),
)
_OVER_HTTPS = (b"strict-transport-security", b"max-age=31536000")


class WithSecurityHeaders:
    """Adds to each answer those that it has not got itself; nothing may be cached unless its route says so.

    ``https`` says that clients come by HTTPS, whatever this process itself speaks to a proxy before it.
    """

    def __init__(self, app: ASGIApp, *, https: bool) -> None:
        self._app = app
        self._headers = (*_ALWAYS, _OVER_HTTPS) if https else _ALWAYS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(pair for pair in self._headers if pair[0] not in present)]
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == ScopeType.HTTP else send)
