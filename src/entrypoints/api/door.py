"""The one token that a request sends: in its Authorization header, or as the cookie of a browser's session."""

from __future__ import annotations

from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import State

from domain.errors import Forbidden, NotAuthenticated
from entrypoints.bearer import bearer_token
from entrypoints.protected_resources import base_address
from entrypoints.sections.serving import ApiSettings

Connection = ASGIConnection[Any, Any, Any, State]
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class CrossSite(Forbidden):
    """A page of another site tried to act with the session of the browser."""

    code = "cross_site"


def session_cookie(api: ApiSettings) -> str:
    """The name of the session's cookie; where the server is reached by https, no other host can have set it."""
    return "__Host-assay_session" if is_secure(api) else "assay_session"


def is_secure(api: ApiSettings) -> bool:
    """Whether browsers reach the server by https."""
    return api.public_url is not None and api.public_url.startswith("https://")


def sent_token(connection: Connection, api: ApiSettings) -> str:
    """The token; a header goes before a session. Raises NotAuthenticated for none or two, and CrossSite."""
    header = only_header(connection)
    if header is None:
        session = connection.cookies.get(session_cookie(api))
        if session:
            _require_same_origin(connection, api)
            return session
    return bearer_token(header or "")


def only_header(connection: Connection) -> str | None:
    """The Authorization header. Raises NotAuthenticated where there are two, or a token is in the address."""
    sent = [value.decode("latin-1") for name, value in connection.scope["headers"] if name == b"authorization"]
    if len(sent) > 1:
        raise NotAuthenticated("there are two Authorization headers; send one", field="Authorization")
    if b"access_token=" in connection.scope["query_string"]:
        raise NotAuthenticated(
            "a token does not go into the address, where logs keep it; send it as 'Authorization: Bearer <token>'",
            field="access_token",
        )
    return sent[0] if sent else None


def _require_same_origin(connection: Connection, api: ApiSettings) -> None:
    """A browser sends its cookies along whoever made it ask: what changes something must come from our own pages."""
    if connection.scope.get("method") in _SAFE:
        return
    site, origin = connection.headers.get("sec-fetch-site"), connection.headers.get("origin")
    base = base_address(api, connection.scope["scheme"], connection.headers.get("host", ""))
    if site != "same-origin" and (site is not None or origin != base):
        raise CrossSite("a session changes something only from pages of this server; send an API key otherwise")
