"""Metrics stay bounded; logs keep no secrets."""

from __future__ import annotations

import json

import pytest
import structlog

from domain.ports.job_queue import JobKind
from domain.ports.operations import Backlog
from entrypoints.sections.serving import TelemetrySettings
from entrypoints.telemetry import Metrics, configure_logging
from entrypoints.tracing import configure_tracing


def test_labels_come_from_closed_sets() -> None:
    metrics = Metrics()
    metrics.request("GET", "/v1/facts", 200, 0.003)
    for number in range(3):
        metrics.request(f"X{number}", "unmatched", 405, 0.003)
    metrics.job(JobKind.PROJECT, "exploded", 0.2)
    metrics.search_stage("candidates", 0.002)
    metrics.search_stage("made up", 0.002)
    text = metrics.rendered(Backlog({("project", "queued"): 3, ("evil", "queued"): 1}, {"graph": 7})).decode()
    assert 'assay_http_requests_total{method="GET",route="/v1/facts",status="200"} 1.0' in text
    assert 'assay_http_requests_total{method="other",route="unmatched",status="405"} 3.0' in text
    assert 'assay_jobs_total{kind="project",outcome="other"} 1.0' in text
    assert 'assay_search_seconds_count{stage="other"} 1.0' in text
    assert 'assay_queue_jobs{kind="project",state="queued"} 3.0' in text
    assert 'assay_queue_jobs{kind="other",state="queued"} 1.0' in text
    assert 'assay_lag_revisions{projection="graph"} 7.0' in text
    assert "assay_queue_jobs{" not in metrics.rendered(None).decode()


def test_a_log_line_has_its_context_and_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(TelemetrySettings(log_format="json"))
    with structlog.contextvars.bound_contextvars(request_id="r1"):
        structlog.get_logger("test").info("signed in", api_key="assay_secret", principal="p1")
    line = json.loads(capsys.readouterr().err)
    assert (line["event"], line["request_id"], line["principal"]) == ("signed in", "r1", "p1")
    assert line["api_key"] == "[hidden]"
    structlog.reset_defaults()


def test_without_a_collector_there_is_nothing_to_stop() -> None:
    configure_tracing(TelemetrySettings())()
