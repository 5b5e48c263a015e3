"""Traces, for processes that stay; a command has none."""

from __future__ import annotations

from collections.abc import Callable

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from pgqueuer.adapters.tracing.opentelemetry import OpenTelemetryTracing
from pgqueuer.ports.tracing import set_tracing_class

from entrypoints.sections.serving import TelemetrySettings


def configure_tracing(settings: TelemetrySettings) -> Callable[[], None]:
    """Send spans to the collector, if one is named; a job's span continues the trace of the write that enqueued it.

    The result flushes and stops; call it once at the end.
    """
    if settings.otlp_endpoint is None:
        return lambda: None
    provider = TracerProvider(resource=Resource.create({"service.name": settings.service_name}))
    endpoint = settings.otlp_endpoint.rstrip("/")
    endpoint = endpoint if endpoint.endswith("/v1/traces") else f"{endpoint}/v1/traces"
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
    trace.set_tracer_provider(provider)
    set_tracing_class(OpenTelemetryTracing())
    return provider.shutdown
