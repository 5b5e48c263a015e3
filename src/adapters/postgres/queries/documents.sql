-- name: sources
SELECT s.source_id, s.group_id, s.kind, s.name, g.tier, g.trust, s.zone, g.withdrawn,
       (SELECT count(*) FROM documents d WHERE d.organization_id = s.organization_id AND d.source_id = s.source_id) AS documents
FROM sources s
JOIN source_grades g ON g.organization_id = s.organization_id AND g.source_id = s.source_id AND g.to_rev = 9223372036854775807
WHERE s.organization_id = tenant_organization() AND ($1::text IS NULL OR s.name = $1) AND ($2::uuid IS NULL OR s.source_id = $2)
ORDER BY array_position(tenant_read_scopes(), s.group_id), s.name

-- name: add_source
INSERT INTO sources (organization_id, group_id, source_id, kind, name, zone, revision)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6)

-- name: close_grade
UPDATE source_grades SET to_rev = $2 WHERE organization_id = tenant_organization() AND source_id = $1 AND to_rev = 9223372036854775807

-- name: add_grade
INSERT INTO source_grades (organization_id, group_id, source_id, tier, trust, withdrawn, from_rev)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6)

-- name: collections
SELECT c.collection_id, c.name, c.settings::text AS settings, c.entities::text AS entities,
       (SELECT count(*) FROM documents d WHERE d.organization_id = c.organization_id AND d.collection_id = c.collection_id) AS documents
FROM collections c
WHERE c.organization_id = tenant_organization() AND ($1::text IS NULL OR c.name = $1)
ORDER BY array_position(tenant_read_scopes(), c.group_id), c.name

-- name: add_collection
INSERT INTO collections (organization_id, group_id, collection_id, name, settings, entities, revision)
VALUES (tenant_organization(), $1, $2, $3, $4::text::jsonb, $5::text::jsonb, $6)

-- name: configure_collection
UPDATE collections SET settings = $2::text::jsonb, entities = $3::text::jsonb
WHERE organization_id = tenant_organization() AND collection_id = $1

-- name: sensitive_policies
SELECT s.sensitive::text FROM scopes s
WHERE s.organization_id = tenant_organization() AND s.sensitive IS NOT NULL
ORDER BY array_position('{organization,workspace,project,personal}', s.kind)

-- name: own_sensitive_policy
SELECT s.sensitive::text FROM scopes s WHERE s.organization_id = tenant_organization() AND s.group_id = $1

-- name: set_sensitive_policy
UPDATE scopes SET sensitive = $2::text::jsonb WHERE organization_id = tenant_organization() AND group_id = $1 RETURNING true

-- name: lock_document
SELECT document_id FROM documents WHERE organization_id = tenant_organization() AND source_id = $1 AND record_key = $2 AND group_id = $3
FOR NO KEY UPDATE

-- name: versions
SELECT v.version_id, v.document_id, v.group_id, v.source_id, d.collection_id, d.record_key, v.content_hash, v.title, v.content_type,
       v.source_type, v.source_uri, v.published_at, v.retrieved_at, v.mapping::text AS mapping, v.gate, v.principal_id, v.principal_kind,
       s.status, s.detail, v.route, v.revision, a.object_key, a.key_id, v.origin_uri, v.screening::text AS screening, CASE WHEN $5 THEN v.text END AS text
FROM document_versions v
JOIN documents d ON d.organization_id = v.organization_id AND d.document_id = v.document_id
JOIN document_states s ON s.organization_id = v.organization_id AND s.version_id = v.version_id AND s.to_rev = 9223372036854775807
JOIN artifacts a ON a.organization_id = v.organization_id AND a.group_id = v.group_id AND a.source_id = v.source_id AND a.content_hash = v.content_hash
WHERE v.organization_id = tenant_organization() AND ($1::uuid IS NULL OR v.version_id = $1) AND ($2::uuid IS NULL OR v.document_id = $2)
  AND ($3::uuid IS NULL OR d.source_id = $3 AND d.record_key = $4 AND d.group_id = $6)
ORDER BY v.revision DESC, v.version_id DESC

-- name: documents
SELECT v.version_id, v.document_id, v.group_id, v.source_id, d.collection_id, d.record_key, v.content_hash, v.title, v.content_type,
       v.source_type, v.source_uri, v.published_at, v.retrieved_at, v.mapping::text AS mapping, v.gate, v.principal_id, v.principal_kind,
       s.status, s.detail, v.route, v.revision, a.object_key, a.key_id, v.origin_uri, v.screening::text AS screening, NULL AS text
FROM documents d
JOIN LATERAL (SELECT * FROM document_versions v WHERE v.organization_id = d.organization_id AND v.document_id = d.document_id
              ORDER BY v.revision DESC, v.version_id DESC LIMIT 1) v ON true
JOIN document_states s ON s.organization_id = v.organization_id AND s.version_id = v.version_id AND s.to_rev = 9223372036854775807
JOIN artifacts a ON a.organization_id = v.organization_id AND a.group_id = v.group_id AND a.source_id = v.source_id AND a.content_hash = v.content_hash
LEFT JOIN collections c ON c.organization_id = d.organization_id AND c.collection_id = d.collection_id
JOIN sources o ON o.organization_id = d.organization_id AND o.source_id = d.source_id
WHERE d.organization_id = tenant_organization() AND ($1::text IS NULL OR c.name = $1) AND ($2::text IS NULL OR o.name = $2)
  AND ($3::text IS NULL OR s.status = $3) AND ($4::uuid IS NULL OR d.document_id > $4)
ORDER BY d.document_id LIMIT $5

-- name: add_document
INSERT INTO documents (organization_id, group_id, document_id, source_id, collection_id, record_key, revision)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6)

-- name: add_artifact
INSERT INTO artifacts (organization_id, group_id, source_id, content_hash, object_key, key_id, size, revision)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING

-- name: add_version
INSERT INTO document_versions (organization_id, group_id, version_id, document_id, source_id, content_hash, title, content_type,
    source_type, source_uri, published_at, retrieved_at, mapping, gate, text, principal_id, principal_kind, revision, origin_uri, screening)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::text::jsonb, $13, $14, $15, $16, $17, $18, $19::text::jsonb)

-- name: close_state
UPDATE document_states SET to_rev = $2 WHERE organization_id = tenant_organization() AND version_id = $1 AND to_rev = 9223372036854775807

-- name: add_state
INSERT INTO document_states (organization_id, group_id, version_id, status, detail, from_rev)
SELECT tenant_organization(), v.group_id, v.version_id, $2, $3, $4 FROM document_versions v
WHERE v.organization_id = tenant_organization() AND v.version_id = $1

-- name: set_text
UPDATE document_versions SET text = $2, title = coalesce(title, $3) WHERE organization_id = tenant_organization() AND version_id = $1

-- name: set_route
UPDATE document_versions SET route = $2, route_confidence = $3, route_reason = $4
WHERE organization_id = tenant_organization() AND version_id = $1

-- name: add_chunks
INSERT INTO chunks (organization_id, group_id, chunk_id, version_id, document_id, ordinal, start_offset, end_offset, text, embed, from_rev)
SELECT tenant_organization(), $1, id, $2, $3, ordinal, s, e, text, $4, $5
FROM unnest($6::uuid[], $7::int[], $8::int[], $9::int[], $10::text[]) AS u (id, ordinal, s, e, text)

-- name: close_chunks
UPDATE chunks SET to_rev = $2 WHERE organization_id = tenant_organization() AND version_id = ANY ($1::uuid[]) AND to_rev = 9223372036854775807

-- name: add_run
INSERT INTO runs (organization_id, group_id, run_id, version_id, recipe, extractor, extractor_version, model, prompt_version, settings, revision)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb, $10)

-- name: runs
SELECT run_id, version_id, recipe, extractor, extractor_version, model, prompt_version, settings::text AS settings FROM runs
WHERE organization_id = tenant_organization() AND version_id = $1 ORDER BY revision DESC, run_id DESC

-- name: add_receipt
INSERT INTO receipts (organization_id, group_id, receipt_id, principal_id, kind, document_id, version_id, status, recipe, items,
    stored, merged, queued, rejected, notes, revision, finished_at)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::text::jsonb, $15, CASE WHEN $16 THEN now() END)

-- name: update_receipt
UPDATE receipts SET status = $2, document_id = $3, version_id = $4, recipe = $5, items = $6, stored = $7, merged = $8, queued = $9,
    rejected = $10, notes = $11::text::jsonb, revision = $12, finished_at = CASE WHEN $13 THEN now() END
WHERE organization_id = tenant_organization() AND receipt_id = $1

-- name: interrupt_receipts
UPDATE receipts SET status = 'interrupted', finished_at = now(), notes = notes || jsonb_build_object('sent_again', $3::uuid)
WHERE organization_id = tenant_organization() AND version_id = $1 AND kind = $2 AND finished_at IS NULL AND receipt_id <> $3
  AND group_id = $4

-- name: add_rejections
INSERT INTO receipt_rejections (organization_id, group_id, receipt_id, ordinal, place, code, detail)
SELECT tenant_organization(), $1, $2, n + (SELECT coalesce(max(ordinal), 0) FROM receipt_rejections r
        WHERE r.organization_id = tenant_organization() AND r.receipt_id = $2), place, code, detail
FROM unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY AS u (place, code, detail, n)

-- name: receipt
SELECT receipt_id, kind, status, document_id, version_id, recipe, items, stored, merged, queued, rejected, notes::text AS notes,
       revision, created_at, finished_at
FROM receipts WHERE organization_id = tenant_organization() AND receipt_id = $1

-- name: lock_receipt
SELECT true FROM receipts WHERE organization_id = tenant_organization() AND receipt_id = $1 FOR NO KEY UPDATE

-- name: receipt_of
SELECT receipt_id, kind, status, document_id, version_id, recipe, items, stored, merged, queued, rejected, notes::text AS notes,
       revision, created_at, finished_at
FROM receipts WHERE organization_id = tenant_organization() AND version_id = $1 AND status <> 'unchanged'
ORDER BY finished_at IS NOT NULL, CASE WHEN finished_at IS NULL THEN receipt_id END, receipt_id DESC LIMIT 1

-- name: receipts
SELECT receipt_id, kind, status, document_id, version_id, recipe, items, stored, merged, queued, rejected, notes::text AS notes,
       revision, created_at, finished_at
FROM receipts WHERE organization_id = tenant_organization() AND ($1::uuid IS NULL OR receipt_id < $1) ORDER BY receipt_id DESC LIMIT $2

-- name: rejections
SELECT place, code, detail FROM receipt_rejections WHERE organization_id = tenant_organization() AND receipt_id = $1 ORDER BY ordinal LIMIT 1000

-- name: add_proposal
INSERT INTO proposals (organization_id, group_id, proposal_id, kind, target_id, payload, principal_id, revision)
VALUES (tenant_organization(), $1, $2, $3, $4, $5::text::jsonb, $6, $7)

-- name: proposals
SELECT p.proposal_id, p.kind, p.target_id, p.payload::text AS payload, p.principal_id, r.name, p.state, p.reason, p.created_at, p.decided_at
FROM proposals p JOIN principals r ON r.organization_id = p.organization_id AND r.principal_id = p.principal_id
WHERE p.organization_id = tenant_organization() AND ($1::uuid IS NULL OR p.proposal_id = $1) AND ($2::text IS NULL OR p.state = $2)
  AND ($3::text IS NULL OR p.kind = $3) AND ($4::uuid IS NULL OR p.proposal_id < $4)
ORDER BY p.proposal_id DESC LIMIT $5

-- name: waiting_proposals
SELECT p.proposal_id, p.kind, p.target_id, p.payload::text AS payload, p.principal_id, r.name, p.state, p.reason, p.created_at, p.decided_at
FROM proposals p JOIN principals r ON r.organization_id = p.organization_id AND r.principal_id = p.principal_id
WHERE p.organization_id = tenant_organization() AND p.target_id = $2 AND p.kind = $1 AND p.state = 'pending'
ORDER BY p.proposal_id LIMIT 100

-- name: lock_proposal
SELECT true FROM proposals WHERE organization_id = tenant_organization() AND proposal_id = $1 FOR NO KEY UPDATE

-- name: decide_proposal
UPDATE proposals SET state = $2, decided_by = $3, decided_at = now(), reason = $4
WHERE organization_id = tenant_organization() AND proposal_id = $1

-- name: set_gate
UPDATE document_versions SET gate = $2 WHERE organization_id = tenant_organization() AND version_id = $1
