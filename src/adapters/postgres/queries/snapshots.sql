-- name: digest
SELECT buckets, standings FROM standings_digest($1, $2, $3)

-- name: corpus
SELECT corpus_statistics($1)

-- name: vectors
SELECT a.index_id, i.model, i.dimension, a.watermark FROM active_vector_indexes a JOIN vector_indexes i ON i.index_id = a.index_id
WHERE a.organization_id = tenant_organization()

-- name: vocabulary_revision
SELECT coalesce(max(greatest(p.from_rev, CASE WHEN p.to_rev <= $1 THEN p.to_rev ELSE 0 END)), 0) FROM predicates p
WHERE p.organization_id = tenant_organization() AND p.from_rev <= $1

-- name: committed_at
SELECT m.committed_at FROM mutations m WHERE m.organization_id = tenant_organization() AND m.revision <= $1
ORDER BY m.revision DESC LIMIT 1

-- name: erased_since
SELECT EXISTS (SELECT 1 FROM erasures e WHERE e.organization_id = tenant_organization() AND e.revision > $1)

-- name: add
INSERT INTO snapshots (organization_id, group_id, snapshot_id, scopes, revision, as_of, vocabulary_revision, index_id, embedded_up_to,
    statistics, weights, reading_version, packing_version, standings, digest, buckets, name, reason, kept, principal_id,
    principal_kind, made_revision, made_at, verified_at)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text::jsonb, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
    $21, $22, $22)

-- name: snapshot
SELECT s.snapshot_id, s.group_id, s.scopes, s.revision, s.as_of, s.vocabulary_revision, s.index_id, v.model, v.dimension,
    s.embedded_up_to, s.statistics, s.weights::text AS weights, s.reading_version, s.packing_version, s.standings, s.digest,
    s.name, s.reason, s.kept, s.principal_id, s.principal_kind, s.made_revision, s.made_at, s.verified_at, s.altered_at,
    ARRAY(SELECT t.erasure_id FROM erasure_traces t JOIN erasures e ON e.organization_id = t.organization_id AND e.erasure_id = t.erasure_id
          WHERE t.organization_id = s.organization_id AND t.group_id = ANY (s.scopes) AND t.held @> s.revision
            AND e.revision > s.made_revision GROUP BY t.erasure_id ORDER BY t.erasure_id) AS voided_by
FROM snapshots s LEFT JOIN vector_indexes v ON v.index_id = s.index_id
WHERE s.organization_id = tenant_organization() AND s.snapshot_id = $1

-- name: snapshots
SELECT s.snapshot_id, s.group_id, s.scopes, s.revision, s.as_of, s.vocabulary_revision, s.index_id, v.model, v.dimension,
    s.embedded_up_to, s.statistics, s.weights::text AS weights, s.reading_version, s.packing_version, s.standings, s.digest,
    s.name, s.reason, s.kept, s.principal_id, s.principal_kind, s.made_revision, s.made_at, s.verified_at, s.altered_at,
    ARRAY(SELECT t.erasure_id FROM erasure_traces t JOIN erasures e ON e.organization_id = t.organization_id AND e.erasure_id = t.erasure_id
          WHERE t.organization_id = s.organization_id AND t.group_id = ANY (s.scopes) AND t.held @> s.revision
            AND e.revision > s.made_revision GROUP BY t.erasure_id ORDER BY t.erasure_id) AS voided_by
FROM snapshots s LEFT JOIN vector_indexes v ON v.index_id = s.index_id
WHERE s.organization_id = tenant_organization() AND ($1::uuid IS NULL OR s.snapshot_id < $1)
ORDER BY s.snapshot_id DESC LIMIT $2

-- The last snapshot of the same scopes that would read the same: nothing was written since but snapshots and packs, and
-- nothing was embedded.
-- name: reusable
SELECT s.snapshot_id FROM snapshots s
WHERE s.organization_id = tenant_organization() AND s.scopes = $1 AND s.weights = $2::text::jsonb AND s.reading_version = $3
  AND s.packing_version = $4 AND s.index_id IS NOT DISTINCT FROM $5 AND s.embedded_up_to = $6 AND s.altered_at IS NULL
  AND s.as_of > $7
  AND NOT EXISTS (SELECT 1 FROM mutations m WHERE m.organization_id = s.organization_id AND m.revision > s.revision
                  AND m.kind NOT IN ('make_snapshot', 'store_pack'))
ORDER BY s.snapshot_id DESC LIMIT 1

-- name: buckets
SELECT buckets FROM snapshots WHERE organization_id = tenant_organization() AND snapshot_id = $1

-- name: mark
UPDATE snapshots SET verified_at = CASE WHEN $2 THEN $3 ELSE verified_at END, altered_at = CASE WHEN $2 THEN NULL ELSE $3 END
WHERE organization_id = tenant_organization() AND snapshot_id = $1

-- name: trace_said
SELECT erasure_trace_said($1)

-- name: trace_rows
SELECT erasure_trace_rows($1, $2, $3)

-- name: void_packs
SELECT erasure_void_packs($1)

-- name: add_pack
INSERT INTO packs (organization_id, group_id, pack_id, snapshot_id, principal_id, payload, revision, made_at, expires_at)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6, $7, $8)

-- name: add_items
INSERT INTO pack_items (organization_id, group_id, pack_id, item_id)
SELECT DISTINCT tenant_organization(), $1, $2::uuid, i FROM unnest($3::uuid[]) i

-- name: pack
SELECT payload, voided_by, expires_at FROM packs WHERE organization_id = tenant_organization() AND pack_id = $1
