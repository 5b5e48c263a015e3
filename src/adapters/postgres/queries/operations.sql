-- name: queue_depth
SELECT kind, state, jobs FROM queue_depth()

-- name: greatest_lag
SELECT projection, revisions FROM greatest_lag($1)

-- name: dead_letters
SELECT q.id, q.entrypoint, convert_from(q.payload, 'UTF8') AS subject, s.kind AS scope_kind,
       CASE s.kind WHEN 'organization' THEN 'organization' WHEN 'personal' THEN 'personal'
           WHEN 'workspace' THEN s.name ELSE c.name || '/' || s.name END AS scope,
       q.attempts, q.created, q.updated, reason_of_failure(q.id) AS reason
FROM pgqueuer q
JOIN scopes s ON s.organization_id = tenant_organization() AND s.group_id = q.headers ->> 'group_id'
LEFT JOIN scopes c ON c.organization_id = s.organization_id AND c.group_id = s.container_id
WHERE q.status = 'failed' AND q.id > $1 ORDER BY q.id LIMIT $2

-- name: retry
SELECT retry_jobs($1) AS id

-- name: watermarks
SELECT h.revision AS head, p.watermark AS graph, a.watermark AS vectors
FROM heads h
LEFT JOIN projections p ON p.organization_id = h.organization_id AND p.engine = $1 AND p.live
LEFT JOIN active_vector_indexes a ON a.organization_id = h.organization_id
WHERE h.organization_id = tenant_organization()

-- name: take_key
INSERT INTO idempotency_keys (organization_id, group_id, principal_id, key, request_hash)
VALUES (tenant_organization(), $1, $2, $3, $4)
ON CONFLICT (organization_id, group_id, principal_id, key) DO NOTHING RETURNING true

-- name: read_key
SELECT request_hash, response, created_at FROM idempotency_keys
WHERE organization_id = tenant_organization() AND group_id = $1 AND principal_id = $2 AND key = $3

-- name: keep_response
UPDATE idempotency_keys SET response = $4
WHERE organization_id = tenant_organization() AND group_id = $1 AND principal_id = $2 AND key = $3

-- name: drop_key
DELETE FROM idempotency_keys
WHERE organization_id = tenant_organization() AND group_id = $1 AND principal_id = $2 AND key = $3 AND response IS NULL
