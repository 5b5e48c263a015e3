"""What erasing does with every column that can hold text: the one list, which a test compares with the catalogue.

A new column needs a line here, and what the line says done in ``functions/097_erasure.sql`` or ``098``. The functions
are tried with a canary that must be in no column afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_GONE = "its row goes"
_BLANKED = "it is emptied; the row stays as the place of what was erased"
_WORD = "a word of Assay's own"
_SETTING = "set by whoever administers the organization, and no content"
_REASON = "why somebody did something stays, with who and when"
_DIGEST = "a digest or an HMAC under a key or salt that is not in the database"
_QUEUE = "holds ids and no content"
_TRAIL = "who came when and from where, by id and address, stays until the audit's policy ends; it holds no content"

_BY_RULE: Mapping[str, str] = MappingProxyType(
    {
        _GONE: """
            sketches.content sketches.independence_key
            assertions.asserter assertions.independence_key assertions.key assertions.object_literal
            assertions.predicate assertions.qualifiers evidence.excerpt evidence.pointer facts.key
            facts.object_literal facts.predicate facts.qualifiers facts.sentence facts_search.predicate
            facts_search.terms standings.predicate standings.reason standings.standing_hash slots.key names.kind
            names.name names.normal names_search.folded names_search.normal entity_keys.key chunks.text
            chunks_search.terms fact_vectors.embedding chunk_vectors.embedding entity_vectors.embedding
            concept_vectors.embedding feedback.query feedback.signals receipt_rejections.code
            receipt_rejections.detail receipt_rejections.place mutation_payloads.payload mutation_payloads.salt
            idempotency_keys.key idempotency_keys.request_hash idempotency_keys.response artifacts.content_hash
            artifacts.key_id artifacts.object_key erasure_objects.key_id erasure_objects.object_key search_terms.term
            pgqueuer_log.traceback""",
        _BLANKED: """
            document_versions.content_hash document_versions.mapping document_versions.route_reason
            document_versions.origin_uri document_versions.source_uri document_versions.text document_versions.title
            document_states.detail
            documents.record_key mentions.kind mentions.normal mentions.surface entities.kind entities.label
            entities.name entities.search_terms proposals.payload proposals.reason receipts.notes runs.settings
            sources.cursor packs.payload collections.entities erasures.canaries erasures.digests erasures.sought
            erasures.sought_there""",
        _WORD: """
            assertions.kind assertions.polarity assertions.principal_kind assertions.valid_from_precision
            assertions.valid_from_state assertions.valid_to_precision assertions.valid_to_state credentials.grants
            credentials.kind credentials.role document_states.status document_versions.gate
            document_versions.principal_kind document_versions.route document_versions.screening
            document_versions.source_type document_versions.content_type entities.standing erased_items.kind
            erasures.counts erasures.kind erasures.principal_kind erasures.state evidence.kind facts_search.kind
            facts_search.lifecycle legal_holds.kind memberships.given_by memberships.role mutations.kind
            mutations.principal_kind organizations.gate placements.state principals.kind projections.engine
            proposals.kind proposals.state receipts.kind receipts.recipe receipts.status resolutions.rule
            runs.extractor runs.extractor_version runs.model runs.prompt_version runs.recipe scopes.gate scopes.kind
            search_terms.corpus search_totals.corpus sources.kind sources.zone standings.kind standings.lifecycle
            promotions.origin snapshots.principal_kind standings.verification usage.role""",
        _SETTING: """
            collections.name collections.settings credentials.name credentials.prefix mutations.connection_id
            organizations.name predicates.name predicates.policy principals.name principals.subject
            scopes.container_id scopes.name scopes.sensitive sources.name usage.model vector_indexes.model
            model_prices.model snapshots.scopes snapshots.statistics snapshots.weights""",
        _REASON: """
            mutations.reason erasures.reason legal_holds.reason legal_holds.lift_reason snapshots.name
            snapshots.reason""",
        _TRAIL: """
            audit.action audit.address audit.connection_id audit.door audit.outcome audit.principal_kind
            audit.request_id audit.what""",
        _DIGEST: """
            credentials.key_hash heads.hash mutations.commitment mutations.hash mutations.previous_hash
            suppressions.fingerprint erasures.certificate snapshots.buckets snapshots.digest
            erased_standings.leaf principals.claims_digest""",
        _QUEUE: """
            pgqueuer.dedupe_key pgqueuer.entrypoint pgqueuer.headers pgqueuer.payload pgqueuer_log.entrypoint
            pgqueuer_schedules.entrypoint pgqueuer_schedules.expression pgqueuer_statistics.entrypoint
            applied_functions.checksum applied_functions.name applied_migrations.checksum applied_migrations.name""",
    }
)

RULES: Mapping[str, str] = MappingProxyType(
    {column: rule for rule, columns in _BY_RULE.items() for column in columns.split()}
)
"""From "table.column" to what erasing does with it, or why it stays."""

CONTENT: tuple[str, ...] = tuple(sorted(column for column, rule in RULES.items() if rule in (_GONE, _BLANKED)))
"""The columns that hold content."""

_RECORD = "rows of the record: see RULES"
_NONE = "holds no content, or none that lasts"

_BY_STORE: Mapping[str, str] = MappingProxyType(
    {
        "objects are removed with former versions; those that stay are opened and looked through": "object_store",
        "a source's data key is destroyed with the source; keys are no content": "key_store",
        "vectors are forgotten by the digests of their texts, files written anew; it is looked through": "cache",
        "follows the record past the erasure, its files are written anew; it is looked through": "memory_engine",
        "holds ids; failed jobs, and what the log says of them, go: see RULES": "job_queue",
        _RECORD: """
            audit audit_lines budgets chronicle claimed concepts contradictions credentials directory documents
            entities erasure feedback history idempotency journal knowledge_reader operations projection_feed
            promotions record scope_finder search_index sketches snapshots stragglers unit_of_work usage
            vector_store vocabulary waiting""",
        _NONE: """
            access_tokens artifact_cipher claim_extractor clock document_parser document_router embedder fetcher ids
            language_model provider_login rate_limiter replacement_judge reranker sensitive_finder sketcher subjects
            token_counter token_verifier""",
    }
)

STORES: Mapping[str, str] = MappingProxyType(
    {port: rule for rule, ports in _BY_STORE.items() for port in ports.split()}
)
"""From each port to what erasing does with what goes through it: a new one, and so a new store, needs a line."""

CACHE_NAMESPACES = ("embedding",)
"""What keys of the cache begin with, up to the colon. A new one needs to be forgotten by an erasure."""

_PROPERTIES = """
    confidence_millionths content created_at entity_edges episodes fact fact_id generation group_id invalid_at kind
    lifecycle live name name_embedding number organization_id revision source source_description standing_hash summary
    uuid valid_at valid_from_us valid_to_us watermark"""

GRAPH_PROPERTIES: frozenset[str] = frozenset(name for name in _PROPERTIES.split())
"""What elements of a graph have: all of it is written by the projection, which follows the record."""
