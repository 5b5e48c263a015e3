"""Logs and metrics. Context goes into logs; content and secrets never do."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog
from opentelemetry import trace
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from domain.ports.job_queue import JobKind
from domain.ports.operations import Backlog
from entrypoints.sections.serving import TelemetrySettings

_HIDDEN = frozenset(
    {"authorization", "token", "key", "api_key", "password", "secret", "text", "excerpt", "content", "query", "body"}
)
_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_JOB_SECONDS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1800.0)
_STAGES = frozenset({"embed", "candidates", "load", "blend", "passages", "rerank", "expand"})
_LIMITS = frozenset({"principal", "organization", "failed sign-ins", "browser sign-ins", "heavy requests at once"})
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_OUTCOMES = frozenset({"done", "retried", "waiting", "failed"})
_STATES = frozenset({"queued", "picked", "failed", "exception"})


def configure_logging(settings: TelemetrySettings) -> None:
    """Structured lines on standard error: JSON, or readable ones on a terminal."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    readable = settings.log_format == "console" or (settings.log_format is None and sys.stderr.isatty())
    renderer: structlog.typing.Processor = (
        # The default formatter shows local variables, and secrets with them.
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if readable
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _with_trace,
            _without_secrets,
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    # Libraries that log by the standard module say only what needs attention.
    logging.basicConfig(
        stream=sys.stderr, level=max(level, logging.WARNING), format="%(levelname)s %(name)s %(message)s"
    )
    # Whoever needs a connection that cannot be had says so; that the pool lacks one in reserve is no news then.
    logging.getLogger("asyncpg.pool").setLevel(logging.ERROR)


def _with_trace(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    context = trace.get_current_span().get_span_context()
    if context.is_valid:
        event["trace_id"] = trace.format_trace_id(context.trace_id)
    return event


def _without_secrets(_: object, __: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    return {name: "[hidden]" if name.lower() in _HIDDEN else value for name, value in event.items()}


class Metrics:
    """Prometheus metrics whose labels come from closed sets, so that nobody can make them grow."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "assay_http_requests", "Requests.", ("method", "route", "status"), registry=self._registry
        )
        self._request_seconds = Histogram(
            "assay_http_request_seconds",
            "Time to answer.",
            ("method", "route"),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._tools = Counter("assay_mcp_calls", "Calls of tools.", ("tool", "outcome"), registry=self._registry)
        self._tool_seconds = Histogram(
            "assay_mcp_call_seconds", "Time of a call of a tool.", ("tool",), buckets=_SECONDS, registry=self._registry
        )
        self._jobs = Counter("assay_jobs", "Jobs that ended.", ("kind", "outcome"), registry=self._registry)
        self._job_seconds = Histogram(
            "assay_job_seconds", "Time of a job.", ("kind",), buckets=_JOB_SECONDS, registry=self._registry
        )
        self._queue = Gauge("assay_queue_jobs", "Jobs in the queue.", ("kind", "state"), registry=self._registry)
        self._lag = Gauge(
            "assay_lag_revisions", "Revisions behind, where most.", ("projection",), registry=self._registry
        )
        self._limited = Counter("assay_rate_limited", "Requests refused.", ("limit",), registry=self._registry)
        self._local_limits = Gauge(
            "assay_rate_limiter_local", "1 while this process keeps the limits by itself.", registry=self._registry
        )
        self._search = Histogram(
            "assay_search_seconds", "Time of a search stage.", ("stage",), buckets=_SECONDS, registry=self._registry
        )

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """One answered request; ``route`` is its template, never its path. A method that nobody serves is ``other``."""
        method = _one_of(method, _METHODS)
        self._requests.labels(method, route, str(status)).inc()
        self._request_seconds.labels(method, route).observe(seconds)

    def tool(self, name: str, outcome: str, seconds: float) -> None:
        """One call of an MCP tool: ok, refused or failed; ``name`` is one of the server's own, or ``unknown``."""
        self._tools.labels(name, outcome).inc()
        self._tool_seconds.labels(name).observe(seconds)

    def job(self, kind: JobKind, outcome: str, seconds: float) -> None:
        """One job that ended: done, retried, waiting or failed."""
        self._jobs.labels(kind.value, _one_of(outcome, _OUTCOMES)).inc()
        self._job_seconds.labels(kind.value).observe(seconds)

    def limited(self, limit: str) -> None:
        """One request that a rate limit refused; quotas of tools count as one."""
        self._limited.labels(_one_of(limit, _LIMITS)).inc()

    def limits_are_local(self, local: bool) -> None:
        """Whether this process keeps the rate limits by itself, since their store does not answer."""
        self._local_limits.set(local)

    def search_stage(self, stage: str, seconds: float) -> None:
        """One stage of one search."""
        self._search.labels(_one_of(stage, _STAGES)).observe(seconds)

    def rendered(self, backlog: Backlog | None) -> bytes:
        """The text format, with the backlog as it is now; without one its gauges are left out."""
        self._queue.clear()
        self._lag.clear()
        if backlog is not None:
            kinds = frozenset(kind.value for kind in JobKind)
            for (kind, state), jobs in backlog.jobs.items():
                self._queue.labels(_one_of(kind, kinds), _one_of(state, _STATES)).inc(jobs)
            for projection, behind in backlog.lag.items():
                self._lag.labels(projection).set(behind)
        return generate_latest(self._registry)


def _one_of(value: str, known: frozenset[str]) -> str:
    return value if value in known else "other"
