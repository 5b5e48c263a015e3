"""What each route and tool counts as. Others count as a read or a write, by their method or their hint."""

from __future__ import annotations

from domain.quotas.rates import Cost

ROUTES: dict[tuple[str, str], Cost] = {
    ("POST", "/v1/search"): Cost.HEAVY,
    ("GET", "/v1/search"): Cost.HEAVY,
    ("GET", "/v1/memory"): Cost.HEAVY,
    ("POST", "/v1/packs"): Cost.HEAVY,
    ("GET", "/v1/concepts"): Cost.HEAVY,
    ("GET", "/v1/graph/neighbourhood"): Cost.HEAVY,
    ("GET", "/v1/graph/path"): Cost.HEAVY,
    ("POST", "/v1/graph/verify"): Cost.HEAVY,
    ("POST", "/v1/graph/rebuild"): Cost.HEAVY,
    ("GET", "/v1/journal/verification"): Cost.HEAVY,
    ("POST", "/v1/snapshots"): Cost.HEAVY,
    ("POST", "/v1/snapshots/{snapshot_id}/verify"): Cost.HEAVY,
    ("POST", "/v1/vocabulary/suggestions"): Cost.HEAVY,
    ("POST", "/v1/contradictions/suggestions"): Cost.HEAVY,
    ("GET", "/v1/entities/{entity_id}/erasure-plan"): Cost.HEAVY,
    ("POST", "/v1/documents/upload"): Cost.HEAVY,
    ("POST", "/v1/triples"): Cost.HEAVY,
    ("POST", "/v1/reprocess"): Cost.HEAVY,
    ("POST", "/v1/read-points"): Cost.READ,
}
TOOLS: dict[str, Cost] = {
    "search_knowledge": Cost.HEAVY,
    "recall": Cost.HEAVY,
    "get_context_pack": Cost.HEAVY,
    "search_concepts": Cost.HEAVY,
    "neighbours": Cost.HEAVY,
    "shortest_path": Cost.HEAVY,
    "create_snapshot": Cost.HEAVY,
}
_READS = frozenset({"GET", "HEAD", "OPTIONS"})


def cost_of_route(method: str, template: str) -> Cost:
    """The class of a request; ``template`` is the route's path with the names of its parameters, no types."""
    named = ROUTES.get((method, template))
    return named or (Cost.READ if method in _READS else Cost.WRITE)


def cost_of_tool(name: str, reads: bool) -> Cost:
    """The class of a call of a tool; ``reads`` is its hint."""
    return TOOLS.get(name) or (Cost.READ if reads else Cost.WRITE)
