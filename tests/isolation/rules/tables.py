"""Whose rows a table holds. A table that is nowhere here fails the build; docs/isolation.md says how to choose."""

from __future__ import annotations

BY_SCOPE = frozenset({
    "artifacts", "assertions", "audit", "chunk_vectors", "chunks", "collections", "concept_vectors", "credentials",
    "document_states", "document_versions", "documents", "entities", "entity_keys", "entity_states",
    "entity_vectors", "erased_items", "erased_standings", "erasure_objects", "erasure_redactions", "erasure_traces",
    "erasures", "evidence", "fact_redirects", "fact_vectors", "facts", "feedback", "idempotency_keys",
    "legal_holds", "memberships", "mentions", "mutation_payloads", "mutations", "names", "pack_items", "packs",
    "placements", "promotions", "proposals", "quotas", "receipt_rejections", "receipts", "resolutions", "runs",
    "scopes", "sketch_bands", "sketches", "slots", "snapshots", "source_grades", "sources", "standing_closures",
    "standings", "suppressions", "usage",
})  # fmt: skip
"""Policies compare organization_id and group_id."""

BY_ORGANIZATION = frozenset({
    "active_vector_indexes", "heads", "organizations", "predicates", "principals", "projections",
})  # fmt: skip
"""Policies compare organization_id; what is said there holds for every scope of the organization."""

SEARCH = frozenset(["chunks_search", "facts_search", "names_search", "search_terms", "search_totals"])
"""No policy, and no right of the application: definer functions read them, filtered by the transaction's tenant."""

QUEUE = frozenset({"pgqueuer"})
"""The tenant is in the headers of a job."""

WORKER_ONLY = {
    "pgqueuer_log": "what became of a job, by its number; the application adds the first line and reads none",
    "pgqueuer_schedules": "the queue package's own; unused",
    "pgqueuer_statistics": "the queue package's own; unused",
}
"""The application reads nothing of them."""

INSTALLATION = {
    "applied_functions": "which SQL files were applied",
    "applied_migrations": "which SQL files were applied",
    "model_prices": "list prices of models, the same for everybody",
    "vector_indexes": "model names and dimensions, the same for everybody",
}
"""The same for every organization, and the application only reads them. Each with the reason why that is harmless."""

KEYS_OF_OTHER_KINDS = {
    "credentials_by_hash": "a key is looked up before there is a tenant; the digest of 256 random bits meets no other",
    "pgqueuer_pkey": "the queue package numbers jobs from one sequence; a number tells how many there were",
    "pgqueuer_unique_dedupe_key": "the queue package's; Assay sends no such key",
    "pgqueuer_picked_slot_idx": "the queue package's, of jobs that a worker has picked; only workers pick",
    "chunk_vectors_pkey": "tables of vectors are divided by index; the organization comes next",
    "concept_vectors_pkey": "tables of vectors are divided by index; the organization comes next",
    "entity_vectors_pkey": "tables of vectors are divided by index; the organization comes next",
    "fact_vectors_pkey": "tables of vectors are divided by index; the organization comes next",
    "active_vector_indexes_index_id_fkey": "refers to the installation's list of indexes",
    "active_vector_indexes_building_id_fkey": "refers to the installation's list of indexes",
    "snapshots_index_id_fkey": "refers to the installation's list of indexes",
}
"""Keys of tables with tenants' rows that do not begin with organization_id, each with its reason."""


def declared() -> dict[str, str]:
    """The kind of every table that has one."""
    kinds = {
        "by scope": BY_SCOPE,
        "by organization": BY_ORGANIZATION,
        "search": SEARCH,
        "queue": QUEUE,
        "worker only": WORKER_ONLY,
        "installation": INSTALLATION,
    }
    return {table: kind for kind, tables in kinds.items() for table in tables}
