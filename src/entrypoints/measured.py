"""Searches whose stages are measured, whoever asks."""

from __future__ import annotations

from opentelemetry import trace

from application.retrieval.search import Search
from application.retrieval.types import SearchRequest, SearchResult
from domain.identity.access import Access
from entrypoints.telemetry import Metrics


async def measured_search(search: Search, metrics: Metrics, access: Access, request: SearchRequest) -> SearchResult:
    """The result; the times of its stages go into the metrics and the present span. Raises as the search."""
    result = await search(access, request)
    span = trace.get_current_span()
    for stage, seconds in result.seconds.items():
        metrics.search_stage(stage, seconds)
        span.set_attribute(f"assay.search.{stage}_ms", round(1_000 * seconds, 2))
    return result
