"""Letting a signed-in request in, and what its answer says of the limits."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.types import HTTPScope, Message, Scope

from application.quotas.admission import Admitted
from domain.identity.principal import Principal
from domain.quotas.rates import Cost
from entrypoints.application import Application
from entrypoints.costs import cost_of_route

_ADMITTED = "assay.admitted"
_HELD = "assay.held"


async def admit(connection: ASGIConnection[Any, Any, Any, State], principal: Principal) -> None:
    """Charge the request to its principal and organization. Raises RateLimited.

    A heavy one holds a place until ``release``.
    """
    app: Application = connection.app.state.application
    scope = connection.scope
    cost = cost_of_route(str(scope.get("method")), scope["path_template"])
    scope["state"][_ADMITTED] = await app.admission.admit(principal, cost)
    if cost is Cost.HEAVY:
        held = scope["state"][_HELD] = ExitStack()
        held.enter_context(app.admission.slot(principal, await app.admission.most_at_once(principal)))


def release(scope: HTTPScope) -> None:
    """After the answer: give back what the request held."""
    held = scope["state"].pop(_HELD, None)
    if held is not None:
        held.close()


def client_address(scope: Scope) -> str:
    """Where the request comes from; empty for a socket without addresses."""
    client = scope.get("client")
    return client[0] if client else ""


async def name_limits(message: Message, scope: Scope) -> None:
    """Before an answer is sent: the limits that were charged, and what is left (draft-ietf-httpapi-ratelimit)."""
    admitted: Admitted | None = scope.get("state", {}).get(_ADMITTED)
    if message["type"] != "http.response.start" or admitted is None or not admitted.charges:
        return
    pairs = list(zip(admitted.charges, admitted.remaining, strict=True))
    policy = ", ".join(f'"{charge.name}";q={charge.most};w={charge.seconds}' for charge, _ in pairs)
    left = ", ".join(f'"{charge.name}";r={remaining};t={charge.seconds}' for charge, remaining in pairs)
    message["headers"] = [
        *message["headers"],
        (b"ratelimit-policy", policy.encode()),
        (b"ratelimit", left.encode()),
    ]
