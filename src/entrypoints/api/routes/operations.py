"""Health, readiness, metrics and the outbox."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from litestar import Response, get, post
from litestar.params import JSONBody

from application.operations import queries
from domain.errors import AssayError
from domain.ports.operations import DeadLetter, Watermarks
from entrypoints.api.described import with_refusals
from entrypoints.api.paging import LAST_NUMBER, Cursor, CursorOf, Limit, Page
from entrypoints.api.sign_in import App, Caller, HttpRequest, require_metrics_key

JobId: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=LAST_NUMBER)]


class ServiceState(msgspec.Struct):
    """One service: ``ok``, or ``down`` with what goes without it."""

    name: str
    state: str
    needed: bool
    reason: str | None = None
    without: str | None = None


class Readiness(msgspec.Struct):
    """``ready`` when everything that is needed answers; ``degraded`` when something else does not."""

    state: str
    services: list[ServiceState]


class JobIds(msgspec.Struct, forbid_unknown_fields=True):
    """Dead letters to queue again."""

    ids: Annotated[list[JobId], msgspec.Meta(min_length=1, max_length=1000)]


class Retried(msgspec.Struct):
    """Those that were queued again."""

    ids: list[int]


@get("/health", exclude_from_auth=True, tags=["operations"])
async def health() -> dict[str, str]:
    """The process answers; it looks at nothing else."""
    return {"state": "ok"}


@get("/readiness", tags=["operations"])
async def readiness(app: App) -> Response[Readiness]:
    """What the process needs, and whether it answers: 503 when something needed does not."""
    services = []
    for probe in app.probes:
        try:
            await probe.check()
            services.append(ServiceState(probe.name, "ok", probe.needed))
        except AssayError as error:
            services.append(ServiceState(probe.name, "down", probe.needed, error.message, probe.without or None))
    down = [s for s in services if s.state == "down"]
    unready = any(s.needed for s in down)
    state = "unready" if unready else "degraded" if down else "ready"
    return Response(Readiness(state, services), status_code=503 if unready else 200)


@get(
    "/metrics", guards=[require_metrics_key], media_type="text/plain; version=0.0.4; charset=utf-8", tags=["operations"]
)
async def metrics(app: App, request: HttpRequest) -> bytes:
    """Prometheus metrics: numbers over all organizations, no content. For the key that the operator set for them."""
    try:
        backlog = await app.operations.backlog()
    except AssayError:
        backlog = None
    request.app.state.metrics.limits_are_local(app.limits_are_local())
    rendered: bytes = request.app.state.metrics.rendered(backlog)
    return rendered


@get("/v1/openapi.json", include_in_schema=False)
async def openapi(request: HttpRequest) -> dict[str, Any]:
    """Every route, as OpenAPI."""
    return with_refusals(request.app.openapi_schema.to_schema())


@get("/revision", tags=["changes"])
async def revision(app: App, access: Caller) -> Watermarks:
    """The organization's last revision, and how far graph and vectors have come."""
    return await queries.watermarks(app.operations, access)


@get("/jobs/dead-letters", tags=["operations"])
async def dead_letters(
    app: App, operating_access: Caller, limit: Limit = 50, cursor: Cursor = None
) -> Page[DeadLetter]:
    """Jobs that failed for good and wait for a decision, in the scope and everything inside it."""
    cursors = CursorOf("dead-letters", operating_access.write_scope)
    found = await queries.dead_letters(app.operations, operating_access, cursors.after_number(cursor), limit + 1)
    return cursors.page(found, limit, lambda letter: letter.id)


@post("/jobs/retry", status_code=200, tags=["operations"])
async def retry(app: App, operating_access: Caller, data: JSONBody[JobIds]) -> Retried:
    """Queue dead letters again."""
    return Retried(await queries.retry_dead_letters(app.operations, operating_access, data.ids))
