-- name: open
INSERT INTO erasures (organization_id, group_id, erasure_id, kind, target_id, principal_id, principal_kind, reason, canaries)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6, $7, $8)

-- name: place_of
SELECT d.group_id, NOT EXISTS (SELECT 1 FROM document_versions v JOIN document_states s ON s.organization_id = v.organization_id
           AND s.version_id = v.version_id AND s.to_rev = 9223372036854775807
       WHERE v.organization_id = d.organization_id AND v.document_id = d.document_id AND s.status <> 'erased') AS erased
FROM documents d WHERE $1 = 'document' AND d.organization_id = tenant_organization() AND d.document_id = $2
UNION ALL
SELECT o.group_id, EXISTS (SELECT 1 FROM erasures e WHERE e.organization_id = o.organization_id AND e.kind = 'source' AND e.target_id = o.source_id)
    AND NOT EXISTS (SELECT 1 FROM documents d JOIN document_versions v ON v.organization_id = d.organization_id AND v.document_id = d.document_id
        WHERE d.organization_id = o.organization_id AND d.source_id = o.source_id
          AND (NOT EXISTS (SELECT 1 FROM erased_items i WHERE i.organization_id = v.organization_id AND i.item_id = v.version_id)
               OR EXISTS (SELECT 1 FROM assertions a WHERE a.organization_id = v.organization_id AND a.version_id = v.version_id))) AS erased
FROM sources o WHERE $1 = 'source' AND o.organization_id = tenant_organization() AND o.source_id = $2
UNION ALL
SELECT e.group_id, e.name = '' FROM entities e WHERE $1 = 'entity' AND e.organization_id = tenant_organization() AND e.entity_id = $2

-- name: collect
SELECT erasure_collect($1)

-- name: holds
SELECT kind, target_id, reason FROM erasure_holds($1)

-- name: held_since
SELECT EXISTS (SELECT 1 FROM legal_holds WHERE organization_id = tenant_organization() AND revision > $1)

-- name: remove_said
SELECT erasure_remove_said($1)

-- name: overtaken
SELECT erasure_overtaken($1, $2)

-- name: names
SELECT name, shared FROM erasure_names($1, $2::text[], $3::text[])

-- name: naming
SELECT document_id, group_id, title, alone FROM erasure_naming($1, $2, $3)

-- name: decide
SELECT erasure_decide($1, $2::uuid[], $3::uuid[], $4, $5)

-- The records and contents of the documents. A content that something else of the organization holds is not gone, and what
-- a person or an agent says goes on under the same key. So does a record in which names are blacked out, unless its key has one.
-- name: contents
SELECT d.group_id, d.source_id, d.record_key, v.content_hash,
    s.kind IN ('person', 'agent') AND v.content_type = 'application/vnd.assay.stream+json' AS goes_on, EXISTS (
    SELECT 1 FROM document_versions o WHERE o.organization_id = v.organization_id AND o.content_hash = v.content_hash
    AND NOT EXISTS (SELECT 1 FROM erased_items x WHERE x.organization_id = o.organization_id AND x.item_id = o.version_id)) AS held
FROM erased_items i
JOIN document_versions v ON v.organization_id = i.organization_id AND v.version_id = i.item_id
JOIN documents d ON d.organization_id = v.organization_id AND d.document_id = v.document_id
JOIN sources s ON s.organization_id = d.organization_id AND s.source_id = d.source_id
WHERE i.organization_id = tenant_organization() AND i.erasure_id = $1 AND i.kind = 'version'
UNION ALL
SELECT d.group_id, d.source_id, d.record_key, v.content_hash, NOT coalesce(d.record_key ~* e.sought, false), EXISTS (
    SELECT 1 FROM document_versions o WHERE o.organization_id = v.organization_id AND o.content_hash = v.content_hash
    AND NOT EXISTS (SELECT 1 FROM erased_items x WHERE x.organization_id = o.organization_id AND x.item_id = o.version_id)
    AND NOT EXISTS (SELECT 1 FROM erasure_redactions x WHERE x.organization_id = o.organization_id AND x.version_id = o.version_id))
FROM erasure_redactions i
JOIN erasures e ON e.organization_id = i.organization_id AND e.erasure_id = i.erasure_id
JOIN document_versions v ON v.organization_id = i.organization_id AND v.version_id = i.version_id
JOIN documents d ON d.organization_id = v.organization_id AND d.document_id = v.document_id
WHERE i.organization_id = tenant_organization() AND i.erasure_id = $1

-- name: remove_rest
SELECT erasure_remove_rest($1, $2, $3::bytea[])

-- name: black_out_rest
SELECT erasure_black_out_rest($1, $2::text[])

-- name: suppressed_by
SELECT suppressed_by($1::bytea[])

-- name: erasure
SELECT erasure_id, group_id, kind, target_id, principal_id, principal_kind, reason, state, counts::text AS counts, canaries, digests,
       revision, requested_at, finished_at, certificate, restarts
FROM erasures WHERE organization_id = tenant_organization() AND erasure_id = $1

-- name: erasures
SELECT erasure_id, group_id, kind, target_id, principal_id, principal_kind, reason, state, counts::text AS counts, '{}'::text[] AS canaries,
       '{}'::text[] AS digests, revision, requested_at, finished_at, certificate, restarts
FROM erasures WHERE organization_id = tenant_organization() AND ($1::uuid IS NULL OR erasure_id < $1) AND revision IS NOT NULL
ORDER BY erasure_id DESC LIMIT $2

-- name: erasure_of
SELECT e.erasure_id, e.requested_at FROM erased_items i JOIN erasures e ON e.organization_id = i.organization_id AND e.erasure_id = i.erasure_id
WHERE i.organization_id = tenant_organization() AND i.item_id = $1

-- name: erasure_of_target
SELECT erasure_id, requested_at FROM (
    SELECT e.erasure_id, e.requested_at, 0 AS taken FROM erasures e
    WHERE e.organization_id = tenant_organization() AND e.kind = $1 AND e.target_id = $2
    UNION ALL
    SELECT e.erasure_id, e.requested_at, 1 FROM erased_items i JOIN erasures e ON e.organization_id = i.organization_id AND e.erasure_id = i.erasure_id
    WHERE i.organization_id = tenant_organization() AND i.item_id = $2) x
ORDER BY taken, erasure_id LIMIT 1

-- name: objects
SELECT object_key, key_id FROM erasure_objects WHERE organization_id = tenant_organization() AND erasure_id = $1 ORDER BY object_key LIMIT $2

-- name: object_gone
WITH gone AS (
    DELETE FROM erasure_objects WHERE organization_id = tenant_organization() AND erasure_id = $1 AND object_key = $2 RETURNING 1)
UPDATE erasures SET counts = counts || jsonb_build_object($4::text, coalesce((counts ->> $4::text)::int, 0) + (SELECT count(*) FROM gone))
WHERE organization_id = tenant_organization() AND erasure_id = $1 AND $3::boolean

-- name: key_in_use
SELECT EXISTS (SELECT 1 FROM artifacts WHERE organization_id = tenant_organization() AND key_id = $1)

-- name: sweep_vectors
SELECT erasure_sweep_vectors($1)

-- name: residue
SELECT place, looked_at, rows_found FROM erasure_residue($1)

-- name: artifacts
SELECT object_key, key_id, content_hash, size FROM artifacts WHERE organization_id = tenant_organization() AND object_key <> ''
ORDER BY revision DESC, object_key

-- name: finish
UPDATE erasures SET state = 'done', canaries = '{}', digests = '{}', touched = '{}', sought = NULL, sought_there = NULL, finished_at = $3, certificate = $2
WHERE organization_id = tenant_organization() AND erasure_id = $1 AND state = 'open' RETURNING true

-- name: place_hold
INSERT INTO legal_holds (organization_id, group_id, hold_id, kind, target_id, reason, principal_id, revision)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6, $7)

-- name: hold
SELECT hold_id, group_id, kind, target_id, reason, principal_id, revision, placed_at, lifted_at, lift_reason FROM legal_holds
WHERE organization_id = tenant_organization() AND hold_id = $1

-- name: all_holds
SELECT hold_id, group_id, kind, target_id, reason, principal_id, revision, placed_at, lifted_at, lift_reason FROM legal_holds
WHERE organization_id = tenant_organization() AND ($1 OR lifted_at IS NULL) ORDER BY hold_id DESC LIMIT 1000

-- name: lift_hold
UPDATE legal_holds SET lifted_at = now(), lifted_by = $2, lift_reason = $3, lifted_revision = $4
WHERE organization_id = tenant_organization() AND hold_id = $1 AND lifted_at IS NULL RETURNING true

-- Tables of tenants, whose removed rows go; the partitioned ones stand for their parts.
-- name: vacuum
SELECT 'VACUUM (ANALYZE) ' || string_agg(format('%I.%I', n.nspname, c.relname), ', ' ORDER BY c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'assay' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND has_table_privilege(c.oid, 'MAINTAIN')

-- Indexes over words keep each word that they ever had.
-- name: word_indexes
SELECT c.relname AS name, format('REINDEX INDEX %I.%I', n.nspname, c.relname) AS rebuild, pg_relation_size(c.oid) AS size FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_am a ON a.oid = c.relam JOIN pg_index i ON i.indexrelid = c.oid
WHERE n.nspname = 'assay' AND a.amname = 'gin' AND c.relkind = 'i' AND has_table_privilege(i.indrelid, 'MAINTAIN') ORDER BY 1

-- name: settle
VACUUM (ANALYZE) erasures

-- name: checkpoint
CHECKPOINT

-- name: switch_wal
SELECT pg_switch_wal()
