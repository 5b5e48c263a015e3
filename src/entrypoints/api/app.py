"""The REST API as one ASGI application."""

from __future__ import annotations

from collections.abc import Sequence

from litestar import Litestar, Router, post
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import ControllerRouterHandler

from entrypoints.api import problems
from entrypoints.api.audited import Audited
from entrypoints.api.edge import Edge
from entrypoints.api.limits import name_limits
from entrypoints.api.patience import Patience
from entrypoints.api.reading import name_revision, provide_chosen, provide_point
from entrypoints.api.refusals import LIMIT_SETTING
from entrypoints.api.replay import Replay
from entrypoints.api.routes import (
    audit,
    browser,
    concepts,
    contradictions,
    documents,
    entity_edits,
    erasure,
    facts,
    graph,
    identity,
    journal,
    judging,
    knowledge,
    merges,
    operations,
    packs,
    protected_resources,
    read_points,
    search,
    sensitive,
    snapshots,
    sources,
    statements,
    usage,
)
from entrypoints.api.security_headers import WithSecurityHeaders
from entrypoints.api.sign_in import (
    READ_POINT,
    KeyAndParameters,
    KnownParametersOnly,
    provide_access,
    provide_app,
    provide_credential,
    provide_operating_access,
    provide_operator,
    provide_wide_access,
)
from entrypoints.api.texts import require_storable_texts
from entrypoints.application import Application
from entrypoints.sections.serving import LimitsSettings
from entrypoints.settings import Settings
from entrypoints.telemetry import Metrics

OPEN_ROUTES: tuple[ControllerRouterHandler, ...] = (
    operations.health,
    operations.readiness,
    operations.metrics,
    operations.openapi,
    browser.login,
    browser.callback,
    protected_resources.api_resource,
    protected_resources.mcp_resource,
)
OPERATOR_ROUTES: tuple[ControllerRouterHandler, ...] = (identity.create_organization,)
SIGNED_IN_ROUTES: tuple[ControllerRouterHandler, ...] = (
    identity.me,
    identity.current_organization,
    identity.workspaces,
    identity.create_workspace,
    identity.projects,
    identity.create_project,
    identity.principals,
    identity.add_principal,
    identity.memberships,
    identity.set_membership,
    identity.remove_membership,
    identity.leave,
    identity.disable_principal,
    identity.enable_principal,
    identity.keys,
    identity.issue_key,
    identity.rotate_key,
    identity.revoke_key,
    audit.audit,
    audit.export_audit,
    audit.audit_retention,
    audit.set_audit_retention,
    journal.changes,
    journal.timeline,
    journal.timeline_of_fact,
    journal.timeline_of_entity,
    journal.verification,
    operations.revision,
    operations.dead_letters,
    operations.retry,
    usage.usage_by_day,
    usage.limit_usage,
    usage.set_quotas,
    sources.sources,
    sources.regrade,
    sources.retract_source,
    sources.collections,
    sources.configure_collection,
    sensitive.treatments,
    sensitive.treat,
    sensitive.fetch,
    documents.submit,
    documents.submit_records,
    documents.documents,
    documents.document,
    documents.original,
    documents.version_text,
    documents.retract_document,
    documents.reprocess,
    statements.assert_facts,
    statements.assertion,
    statements.retract_assertion,
    statements.decide_assertions,
    statements.waiting_assertions,
    statements.proposals,
    statements.decide_proposal,
    statements.decide_proposals,
    statements.receipts,
    statements.receipt,
    statements.remember,
    statements.give_feedback,
    facts.facts,
    facts.fact,
    facts.explanation,
    facts.predicates,
    read_points.make_read_point,
    snapshots.make_snapshot,
    snapshots.snapshots,
    snapshots.snapshot,
    snapshots.verify_snapshot,
    packs.make_pack,
    packs.pack,
    knowledge.correct,
    knowledge.propose_correction,
    knowledge.propose_promotion,
    entity_edits.edit_entity,
    entity_edits.propose_entity_edit,
    knowledge.undo,
    knowledge.vocabulary,
    knowledge.change_vocabulary,
    merges.suggest_merges,
    merges.merges,
    concepts.concepts,
    concepts.concept,
    contradictions.list_contradictions,
    contradictions.decide_contradiction,
    judging.judge_replacements,
    search.search,
    search.search_by_query,
    search.recall,
    search.entities,
    search.entity,
    search.profile,
    graph.neighbours,
    graph.path,
    graph.status,
    graph.verify,
    graph.rebuild,
    erasure.erase_document,
    erasure.erase_source,
    erasure.erase_entity,
    erasure.erasure_plan,
    erasure.erasures,
    erasure.erasure,
    erasure.certificate,
    erasure.legal_holds,
    erasure.place_hold,
    erasure.lift_hold,
    erasure.signing_keys,
    erasure.rotate_signing_key,
)


def _large_routes(limits: LimitsSettings) -> list[ControllerRouterHandler]:
    """Routes that take more than other requests may bring."""
    upload = post(
        "/documents/upload",
        status_code=202,
        tags=["documents"],
        request_max_body_size=limits.upload_bytes + limits.body_bytes,
        opt={LIMIT_SETTING: "LIMITS__UPLOAD_BYTES"},
    )
    stream = post(
        "/triples",
        status_code=200,
        tags=["documents"],
        request_max_body_size=limits.stream_bytes,
        opt={LIMIT_SETTING: "LIMITS__STREAM_BYTES"},
    )
    return [upload(documents.upload), stream(documents.import_triples)]


def create_api(
    application: Application,
    settings: Settings,
    *,
    metrics: Metrics | None = None,
    more: Sequence[ControllerRouterHandler] = (),
) -> Litestar:
    """The API over a running Assay. ``more`` are handlers to serve beside it, such as MCP.

    The caller keeps the application open for as long as the result is served.
    """
    measured = metrics or Metrics()
    routes = [*SIGNED_IN_ROUTES, *_large_routes(settings.limits)]
    signed_in = Router(
        "/v1",
        route_handlers=routes,
        guards=[KeyAndParameters()],
        middleware=[Replay],
        before_request=require_storable_texts,
    )
    operator = Router(
        "/v1", route_handlers=OPERATOR_ROUTES, guards=[KnownParametersOnly()], before_request=require_storable_texts
    )
    leaving = Router("/", route_handlers=[browser.sign_out], guards=[KeyAndParameters()])
    api = Litestar(
        route_handlers=[*OPEN_ROUTES, signed_in, operator, leaving, *more],
        dependencies={
            "app": Provide(provide_app, sync_to_thread=False),
            "credential": Provide(provide_credential, sync_to_thread=False),
            "operator": Provide(provide_operator, sync_to_thread=False),
            "access": Provide(provide_access),
            "wide_access": Provide(provide_wide_access),
            "operating_access": Provide(provide_operating_access),
            "point": Provide(provide_point),
            "chosen": Provide(provide_chosen, sync_to_thread=False),
        },
        exception_handlers=problems.handlers(),
        before_send=[name_revision, name_limits],
        openapi_config=_openapi(),
        cors_config=_cors(settings),
        request_max_body_size=settings.limits.body_bytes,
        state=State({"application": application, "metrics": measured}),
        logging_config=None,
        debug=False,
    )
    # Around the router as well: what it refuses by itself passes no middleware.
    audited = Audited(api.asgi_handler, application.audit.recorder)
    patient = Patience(audited, settings.limits)
    api.asgi_handler = Edge(patient, settings.api.allowed_hosts, measured, settings.limits.head_bytes)
    https = (settings.api.public_url or "").startswith("https://")
    api.asgi_handler = WithSecurityHeaders(api.asgi_handler, https=https)
    return api


def _openapi() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Assay",
        version="1",
        path="/v1/schema",
        description="Memory that can prove what it knows. Errors are problem+json (RFC 9457).",
        components=Components(
            security_schemes={"key": SecurityScheme(type="http", scheme="bearer", description="An API key: `assay_…`.")}
        ),
        security=[{"key": []}],
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],
    )


def _cors(settings: Settings) -> CORSConfig | None:
    origins = list(settings.api.allowed_origins)
    if not origins:
        return None
    return CORSConfig(
        allow_origins=origins,
        allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        allow_headers=[
            "authorization",
            "content-type",
            "idempotency-key",
            "x-request-id",
            "traceparent",
            "tracestate",
            "last-event-id",
            "mcp-protocol-version",
            "mcp-session-id",
            "mcp-method",
            "mcp-name",
            READ_POINT,
        ],
        expose_headers=[
            "x-request-id",
            "retry-after",
            "ratelimit",
            "ratelimit-policy",
            "idempotent-replayed",
            "assay-known-at",
            "assay-snapshot-voided",
            "mcp-session-id",
            "mcp-protocol-version",
            "www-authenticate",
        ],
    )
