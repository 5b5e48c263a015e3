"""What every SECURITY DEFINER function may look at. One that is nowhere here fails the build; see docs/isolation.md."""

from __future__ import annotations

OF_THE_TENANT = frozenset({
    "corpus_statistics", "entities_in_text", "entities_named", "erasure_black_out", "erasure_black_out_rest",
    "erasure_black_out_versions", "erasure_collect", "erasure_decide", "erasure_forget_bytes",
    "erasure_forget_documents", "erasure_forget_facts", "erasure_forget_names", "erasure_holds", "erasure_names",
    "erasure_naming", "erasure_overtaken", "erasure_remove_rest", "erasure_remove_said", "erasure_residue",
    "erasure_reword_facts", "erasure_said_with", "erasure_sweep_vectors", "erasure_trace_rows", "erasure_trace_said",
    "erasure_void_packs", "erasure_void_packs_naming", "own_words", "pinned_counts", "reason_of_failure",
    "retry_jobs", "search_chunk_vectors", "search_chunks_text", "search_concept_labels", "search_concept_terms",
    "search_concepts_text", "search_entity_vectors", "search_fact_vectors", "search_facts_about", "search_facts_text",
    "search_names", "suppressed_by", "weigh_terms",
})  # fmt: skip
"""They take the organization and the scopes from the transaction; the test calls each with the ids of others."""

TRIGGERS = frozenset({
    "feed_closed_chunks", "feed_closed_standings", "feed_names", "feed_new_chunks", "feed_new_standings",
    "require_room",
})  # fmt: skip
"""They work on the rows of a statement, which passed the policies, and on what is in the same organization."""

BEFORE_A_TENANT = {
    "applied_scripts": "a starting process compares files; nothing of tenants",
    "authenticate_key": "finds whose a key is, by its digest; who knows the key is that tenant",
    "budget_lines": "sums of what the organization of who is signed in, or of a job, has used; no content",
    "budgets_around": "what is set in the organization of who is signed in, or of a job",
    "find_subject": "finds a subject of a verified token in the organization that the token's issuer maps to",
    "membership_roles": "roles of a principal that is signed in, in scopes of its organization",
    "own_scopes": "the scopes where a principal that is signed in has roles, within the reach of its credential",
    "organization_scopes": "the scopes of the organization that a signed-in principal or a job is of",
    "rates_of_organization": "how much the organization of who is signed in may ask",
    "resolve_scope": "from a scope's name to what contains it, in the organization of who is signed in",
    "scopes_below": "what a scope contains, in the organization of who is signed in",
    "scopes_inside": "the same, for sums",
    "scopes_open_below": "the same without personal scopes of others",
    "spent_this_month": "the sum that an organization's limit is compared with, before its call is made",
    "touch_key": "when a key was last used, of the key that just signed in",
    "used_of": "a sum of what the organization of who is signed in, or of a job, has used",
}
"""They answer one narrow question to the sign-in, which has the organization from a verified credential or a job."""

ACROSS = {
    "all_organizations": "for the sweeper, which enters each tenant, and for the operator; organization and scope only",
    "build_vector_graphs": "builds indexes over whole tables of vectors; returns a count",
    "create_vector_index": "makes tables for a model; nothing of tenants",
    "drop_outgrown_graph": "drops an index that its table outgrew; nothing of tenants",
    "forget_audit": "takes away lines that are over, each organization by its own number of days; returns a count",
    "forget_job_log": "takes away old lines of the queue's log; returns a count",
    "forget_kept_answers": "takes away answers that are over; returns a count",
    "forget_packs": "takes away packs that are over; returns a count",
    "forget_repeated_failures": "takes away dead letters of which there is a younger one; returns a count",
    "greatest_lag": "how far the projection that lags most is behind; a number over all organizations, for operators",
    "jobs_due": "which organization has which work to do, for the sweeper; no content",
    "lagging_projections": "which organization's graph is behind, for the sweeper; no content",
    "lagging_vectors": "which organization's vectors are behind, for the sweeper; no content",
    "organization_heads": "the revision of each organization, for the sweeper; no content",
    "queue_depth": "how many jobs are in which state, over all organizations, for operators",
    "refresh_search_terms": "counts an organization's words into its own rows, for the sweeper; returns nothing",
    "restart_erasures": "enqueues what is left of erasures, as their tenants; returns a count",
    "stuck_erasures": "which erasures do not end, for the sweeper; ids only",
    "walks_graph": "whether a plan walks an index of vectors; reads sizes of tables",
}
"""They look over all organizations, each for the reason given."""


def declared() -> frozenset[str]:
    """Every function that has a rule."""
    return OF_THE_TENANT | TRIGGERS | BEFORE_A_TENANT.keys() | ACROSS.keys()
