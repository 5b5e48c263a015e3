"""What stands before the HTTP transport: Host, Origin and key are checked before a byte of the body is read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from application.quotas.admission import Admission
from application.quotas.sign_ins import SignIns
from domain.errors import (
    AssayError,
    Forbidden,
    InsufficientScope,
    InvalidInput,
    LimitExceeded,
    NotAuthenticated,
    RateLimited,
    Unavailable,
    shown,
)
from domain.identity.grants import Grant
from domain.ports.token_verifier import Credential, Resource
from domain.quotas.rates import Cost
from entrypoints.bearer import bearer_token
from entrypoints.mcp.problems import as_protocol_error
from entrypoints.mcp.profiles import Profile
from entrypoints.mcp.sign_in import CALLER, Caller
from entrypoints.protected_resources import base_address, challenge
from entrypoints.sections.serving import ApiSettings

_ANY = "*"


class WrongOrigin(Forbidden):
    """A page of another site sent the request."""

    code = "wrong_origin"


class WrongHost(InvalidInput):
    """The request names another server."""

    code = "wrong_host"


class MethodNotAllowed(InvalidInput):
    """Only POST is served: no session is kept, so there is none to listen to or to end."""

    code = "method_not_allowed"


class ReadPointHeader(InvalidInput):
    """A read point as a header: here it is an argument, so that a tool that cannot keep to it refuses it."""

    code = "read_point_header"


class Gate:
    """Lets a request pass with its caller, or answers with a problem.

    - A Host that is not among the allowed ones is refused (421), against DNS rebinding.
    - An Origin is refused (403) unless it is allowed by name or its host is one of this server.
    - Without a key, or a token that was made for this resource, there is no call (401), nor beyond the limits of its
      principal and organization (429).
    - Every message is a POST (else 405).
    - ``?profile=`` narrows what is offered; there is no other parameter (422).
    - What needs a grant that the token lacks is refused (403), with what to ask for.
    """

    def __init__(
        self, app: ASGIApp, sign_ins: SignIns, admission: Admission, api: ApiSettings, widest: Profile
    ) -> None:
        self._app = app
        self._sign_ins = sign_ins
        self._admission = admission
        self._api = api
        self._widest = widest
        self._hosts = frozenset(host.lower() for host in api.allowed_hosts)
        self._origins = frozenset(origin.lower().rstrip("/") for origin in api.allowed_origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            self._check_host(headers.get("host", ""))
            self._check_origin(headers.get("origin"))
            credential = await self._signed_in(scope)
            _check_method(scope["method"])
            if "assay-read-point" in headers:
                raise ReadPointHeader("pass the read point to each tool as read_point", field="Assay-Read-Point")
            caller = Caller(credential, _profile(scope["query_string"]).at_most(self._widest), Cost.READ)
        except AssayError as error:
            await self._refuse(error, scope, send)
            return
        principal = str(credential.principal.id)
        scope[CALLER] = caller
        scope.setdefault("state", {})["principal_id"] = principal
        with structlog.contextvars.bound_contextvars(principal=principal):
            await self._app(scope, receive, self._unless_lacking(caller, scope, send))

    async def _signed_in(self, scope: Scope) -> Credential:
        sent = [value.decode("latin-1") for name, value in scope["headers"] if name == b"authorization"]
        if len(sent) > 1:
            raise NotAuthenticated("there are two Authorization headers; send one", field="Authorization")
        client = scope.get("client")
        credential = await self._sign_ins.verify(bearer_token("".join(sent)), client[0] if client else "")
        credential.require_for(Resource.MCP)
        # What a tool costs beyond a read is charged when its name is known.
        await self._admission.admit(credential.principal, Cost.READ)
        return credential

    def _unless_lacking(self, caller: Caller, scope: Scope, send: Send) -> Send:
        """Answers with the challenge instead, once a grant is missing: an answer begins after its call has ended."""
        refused = False

        async def answer(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and caller.lacking is not None:
                refused = True
                await self._ask_for_more(caller, caller.lacking, scope, send)
            elif not refused:
                await send(message)

        return answer

    async def _ask_for_more(self, caller: Caller, lacking: InsufficientScope, scope: Scope, send: Send) -> None:
        """What the token has already is asked for again, or it would be lost.

        The body is an error of the protocol: a client that cannot get a token shows it to its agent.
        """
        wanted = {*(caller.credential.principal.grants or ()), Grant(lacking.scope)}
        headers = [
            (b"content-type", b"application/json"),
            (b"www-authenticate", self._challenge(scope, "insufficient_scope", wanted).encode()),
        ]
        error = as_protocol_error(lacking).error.model_dump(exclude_none=True)
        body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
        await send({"type": "http.response.start", "status": 403, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _challenge(self, scope: Scope, error: str | None, wanted: Iterable[Grant] = (Grant.READ,)) -> str:
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        return challenge(base_address(self._api, scope["scheme"], host), Resource.MCP, error, wanted)

    def _check_host(self, header: str) -> None:
        if not self._is_ours(header.lower()):
            raise WrongHost(
                f"{shown(header)} is not a name of this server; add it to ASSAY_API__ALLOWED_HOSTS if it is",
                field="Host",
            )

    def _check_origin(self, header: str | None) -> None:
        if header is None:
            return
        origin = header.lower()
        try:
            place = urlsplit(origin).netloc
        except ValueError:
            place = ""
        listed = origin in self._origins or _ANY in self._origins
        if not listed and not (place and self._is_ours(place, anything=False)):
            raise WrongOrigin(
                f"{shown(header)} may not call this server; add it to ASSAY_API__ALLOWED_ORIGINS if it may",
                field="Origin",
            )

    def _is_ours(self, host: str, *, anything: bool = True) -> bool:
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        return (anything and _ANY in self._hosts) or host in self._hosts or name in self._hosts

    async def _refuse(self, error: AssayError, scope: Scope, send: Send) -> None:
        status, title = next((s, t) for family, s, t in _STATUSES if isinstance(error, family))
        body: dict[str, Any] = {
            "type": f"urn:assay:problem:{error.code}",
            "title": title,
            "status": status,
            "detail": error.message,
            "code": error.code,
            "request_id": str(scope.get("state", {}).get("request_id", "")),
            "retryable": error.retryable,
        }
        if error.field:
            body["field"] = error.field
        headers = [(b"content-type", b"application/problem+json")]
        if status == 401:
            sent = any(name == b"authorization" for name, _ in scope["headers"])
            headers.append((b"www-authenticate", self._challenge(scope, "invalid_token" if sent else None).encode()))
        if status == 405:
            headers.append((b"allow", b"POST"))
        if isinstance(error, RateLimited):
            body["limit"] = error.limit
        if error.retryable:
            seconds = error.retry_after if isinstance(error, RateLimited) else 1
            headers.append((b"retry-after", str(max(1, math.ceil(seconds))).encode()))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": json.dumps(body).encode(), "more_body": False})


def _check_method(method: str) -> None:
    if method != "POST":
        raise MethodNotAllowed(f"{method} is not served here; send each message by POST")


def _profile(query: bytes) -> Profile:
    """The profile that the address names; the widest where it names none."""
    profile = Profile.CURATOR
    for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if name != "profile":
            raise InvalidInput(f"{shown(name)} is no parameter here; there is: profile", field="query")
        profile = Profile.named(value)
    return profile


_STATUSES: tuple[tuple[type[AssayError], int, str], ...] = (
    (WrongHost, 421, "Misdirected Request"),
    (Forbidden, 403, "Forbidden"),
    (MethodNotAllowed, 405, "Method Not Allowed"),
    (InvalidInput, 422, "Unprocessable Entity"),
    (NotAuthenticated, 401, "Unauthorized"),
    (LimitExceeded, 429, "Too Many Requests"),
    (Unavailable, 503, "Service Unavailable"),
)
