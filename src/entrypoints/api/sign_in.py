"""From the Authorization header and the scope parameter to an access."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import Annotated, Any, TypeAlias

import structlog
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.handlers import BaseRouteHandler
from litestar.params import QueryParameter, SkipValidation

from application.identity.create_organization import Operator
from domain.errors import Forbidden, InvalidInput, NotAuthenticated, shown
from domain.identity.access import Access
from domain.identity.scope_name import ScopeKind
from domain.knowledge.storable import require_storable
from domain.ports.token_verifier import Credential, Resource
from entrypoints.api.door import only_header, sent_token
from entrypoints.api.limits import admit, client_address
from entrypoints.application import Application
from entrypoints.bearer import bearer_token

App: TypeAlias = SkipValidation[NamedDependency[Application]]
Caller: TypeAlias = SkipValidation[NamedDependency[Access]]
SignedIn: TypeAlias = SkipValidation[NamedDependency[Credential]]
Installer: TypeAlias = SkipValidation[NamedDependency[Operator]]
HttpRequest: TypeAlias = Request[Any, Any, State]

READ_POINT = "assay-read-point"
"""The header of a token that pins both times."""
HELD = "held_to_read_point"
"""Key of a route's ``opt``: it never goes past a read point. Every other route refuses a request with one."""
_SCOPE = QueryParameter(
    name="scope",
    description="The scope to work in: 'organization', 'personal', '<workspace>' or '<workspace>/<project>'; "
    "left out, it is the reach of the key.",
    required=False,
)

ScopePath: TypeAlias = Annotated[str | None, _SCOPE]
Within: TypeAlias = Annotated[
    ScopeKind | None,
    QueryParameter(
        description="Of the scope and those around it, read only those up to this kind: 'project' is the project "
        "alone, 'workspace' it and its workspace; left out, all of them. Writing is not touched by it."
    ),
]


async def require_key(connection: ASGIConnection[Any, Any, Any, State], _: BaseRouteHandler) -> None:
    """A guard: nothing of the request is read before its key is verified and it is within its limits."""
    await let_in(connection)


async def let_in(connection: ASGIConnection[Any, Any, Any, State]) -> Credential:
    """Verify the key and charge the request, once a request. Raises NotAuthenticated, RateLimited."""
    state = connection.scope["state"]
    if "credential" not in state:
        app: Application = connection.app.state.application
        token = sent_token(connection, app.settings.api)
        credential = await app.sign_ins.verify(token, client_address(connection.scope))
        credential.require_for(Resource.API)
        principal = str(credential.principal.id)
        state.update(credential=credential, principal_id=principal)
        structlog.contextvars.bind_contextvars(principal=principal)
        await admit(connection, credential.principal)
    found: Credential = state["credential"]
    return found


async def require_metrics_key(connection: ASGIConnection[Any, Any, Any, State], _: BaseRouteHandler) -> None:
    """A guard for the numbers of the installation, which are over all organizations."""
    app: Application = connection.app.state.application
    keys = [key for key in (app.settings.api.metrics_key, app.settings.api.operator_key) if key is not None]
    if not keys:
        raise Forbidden("metrics are not shown here; set ASSAY_API__METRICS_KEY and send it as the bearer token")
    token = token_of(connection).encode()
    if not any(hmac.compare_digest(token, key.get_secret_value().encode()) for key in keys):
        raise NotAuthenticated("this is not the key to the metrics; send the value of ASSAY_API__METRICS_KEY")


async def require_operator(connection: ASGIConnection[Any, Any, Any, State], _: BaseRouteHandler) -> None:
    """A guard for what only the operator of the installation may do."""
    app: Application = connection.app.state.application
    expected = app.settings.api.operator_key
    token = token_of(connection)
    if expected is None:
        raise Forbidden(
            "organizations are made on the server, by `assay`; set ASSAY_API__OPERATOR_KEY to allow it here"
        )
    if not hmac.compare_digest(token.encode(), expected.get_secret_value().encode()):
        raise NotAuthenticated("this is not the operator's key; send the value of ASSAY_API__OPERATOR_KEY")


def token_of(connection: ASGIConnection[Any, Any, Any, State]) -> str:
    """The bearer token of a request. Raises NotAuthenticated when there is none."""
    return bearer_token(only_header(connection) or "")


class KnownParametersOnly:
    """A guard: a parameter that nobody reads is a mistake, and a group_id never comes from a client."""

    def __init__(self) -> None:
        # By route and method: the framework gives every request a copy of its handler.
        self._known: dict[tuple[str, str], frozenset[str]] = {}

    async def __call__(self, connection: ASGIConnection[Any, Any, Any, State], handler: BaseRouteHandler) -> None:
        """Raises InvalidInput that names the parameter, also for a NUL in it: nothing that is kept has one."""
        if not connection.scope["query_string"]:
            return
        place = (connection.scope["path_template"], str(connection.scope.get("method")))
        if place not in self._known:
            model = handler.create_kwargs_model(path_parameters={})
            self._known[place] = frozenset(parameter.field_alias for parameter in model.expected_query_params)
        known = self._known[place]
        for name, value in connection.query_params.multi_items():
            if name not in known:
                raise _unknown(name, known)
            require_storable(value, name)


class KeyAndParameters:
    """A guard: first the key, then the parameters. It is one, since every guard costs a copy of the handler."""

    def __init__(self) -> None:
        self._parameters = KnownParametersOnly()

    async def __call__(self, connection: ASGIConnection[Any, Any, Any, State], handler: BaseRouteHandler) -> None:
        """Raises NotAuthenticated, then InvalidInput."""
        await require_key(connection, handler)
        if READ_POINT in connection.headers and not handler.opt.get(HELD):
            raise InvalidInput("this cannot be held to a read point; send it without the header", field=READ_POINT)
        await self._parameters(connection, handler)


def _unknown(name: str, known: Iterable[str]) -> InvalidInput:
    if name == "group_id":
        return InvalidInput("group_id is not accepted; name the scope by its path: ?scope=…", field=name)
    names = ", ".join(sorted(known)) or "none"
    return InvalidInput(f"{shown(name)} is no parameter here; there are: {names}", field=name)


def provide_app(request: HttpRequest) -> Application:
    """The running Assay."""
    found: Application = request.app.state.application
    return found


# Each dependency takes the one before it, used or not: independent ones would each cost a task of their own.


def provide_credential(request: HttpRequest, app: App) -> Credential:
    """Who signed in."""
    return _credential(request)


def provide_operator(app: App) -> Operator:
    """After ``require_operator``."""
    return Operator("api")


async def provide_access(request: HttpRequest, app: App, named_scope: ScopePath = None) -> Access:
    """What the caller may touch in the scope that the request names."""
    return await app.resolve_access(_credential(request), named_scope)


async def provide_reading_access(
    request: HttpRequest, app: App, named_scope: ScopePath = None, within: Within = None
) -> Access:
    """The same for a read that may ask for less than all that is around the scope."""
    return await app.resolve_access(_credential(request), named_scope, within)


NARROWING = {"access": Provide(provide_reading_access)}
"""Dependencies of a route that reads, and takes ``within``."""


async def provide_wide_access(request: HttpRequest, app: App, named_scope: ScopePath = None) -> Access:
    """The same with everything inside the scope that is not somebody else's personal one."""
    return await app.resolve_access.with_everything_below(_credential(request), named_scope)


async def provide_operating_access(request: HttpRequest, app: App, named_scope: ScopePath = None) -> Access:
    """The same for what operators look at: numbers and failed jobs, of every scope inside."""
    return await app.resolve_access.for_operating(_credential(request), named_scope)


def _credential(request: HttpRequest) -> Credential:
    """After ``require_key``."""
    found: Credential = request.scope["state"]["credential"]
    return found
