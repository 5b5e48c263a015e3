"""A trace goes from the request into the headers of the job that it enqueued."""

from __future__ import annotations

import json
from collections.abc import Iterator

import asyncpg
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from entrypoints.api import edge
from tests.entrypoints.api.conftest import Tenant
from tests.services.database import Database

TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer: trace.Tracer = provider.get_tracer("test")
    monkeypatch.setattr(edge, "_tracer", tracer)
    yield exporter
    provider.shutdown()


async def test_a_job_continues_the_trace_of_its_request(
    acme: Tenant, database: Database, spans: InMemorySpanExporter
) -> None:
    said = {"statements": [{"subject": "Acme", "predicate": "FOUNDED_BY", "object": "Ada"}]}
    headers = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
    assert (await acme.client.post("/v1/assertions", json=said, headers=headers)).status_code == 201
    server = next(span for span in spans.get_finished_spans() if span.name == "POST /v1/assertions")
    assert server.context is not None
    assert trace.format_trace_id(server.context.trace_id) == TRACE
    assert server.attributes is not None
    assert server.attributes["http.response.status_code"] == 201
    administrator = await asyncpg.connect(database.administrator)
    kept = await administrator.fetch("SELECT headers::text FROM assay.pgqueuer")
    await administrator.close()
    jobs = [json.loads(row[0]) for row in kept]
    assert {job["organization_id"] for job in jobs} == {acme.id}
    assert all(TRACE in json.dumps(job) for job in jobs)
