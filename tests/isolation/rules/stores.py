"""What is kept outside the database, and how it says whose it is. An undeclared cache fails the build."""

from __future__ import annotations

CACHES = {
    "adapters/embeddings/caching.py": "vectors by role, model and digest of the text; by organization where it pays",
    "adapters/fallback/rate_limiter.py": "counts under the principal or the organization, as in Valkey",
    "adapters/inmemory/cache.py": "what the embedder keeps, see there",
    "adapters/inmemory/rate_limiter.py": "counts under the principal or the organization",
    "adapters/postgres/api_keys.py": "the digest of a key names one principal of one organization",
    "adapters/valkey/cache.py": "what the embedder keeps, see there",
    "adapters/valkey/rate_limiter.py": "counts under the principal or the organization",
    "application/identity/access.py": "organization, principal, connection, reach and name are the key",
    "application/identity/verify_token.py": "the digest of a token names one principal of one organization",
    "application/quotas/recent_rates.py": "rates under the organization",
    "application/quotas/sign_ins.py": "digests of keys that were good, and counts under the address that failed",
    "entrypoints/bootstrap/wiring.py": "makes the cache of vectors, see adapters/embeddings/caching.py",
}
"""Every module that keeps something between requests, with what is in its keys."""

PURE = (
    "adapters/embeddings/deterministic.py", "adapters/embeddings/wordpiece.py", "adapters/extraction/offline/",
    "adapters/graphiti/reading.py", "adapters/graphiti/schema.py", "adapters/screening/folding.py",
    "application/ingestion/assertions.py", "domain/",
)  # fmt: skip
"""Where results of pure functions are remembered, by all that they depend on; no answer tells whether they were."""

LABELS = frozenset({
    "kind", "le", "limit", "method", "outcome", "projection", "route", "stage", "state", "status", "tool",
})  # fmt: skip
"""The labels of metrics; the values of each come from a closed set."""

GRAPH_BY_ID = {"edges_by_id": "asked for standings that the record named under its policies"}
"""Statements of the graph that name no scopes, each with the reason."""
