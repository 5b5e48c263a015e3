-- name: lead
SELECT pg_try_advisory_lock(hashtextextended('assay.sweep', 0))

-- name: follow
SELECT pg_advisory_unlock(hashtextextended('assay.sweep', 0))

-- name: jobs_due
SELECT organization_id, group_id, kind FROM jobs_due($1) ORDER BY organization_id, kind

-- name: organizations
SELECT organization_id, group_id, revision FROM organization_heads()

-- name: unfinished
SELECT s.version_id, s.group_id FROM document_states s
JOIN mutations m ON m.organization_id = s.organization_id AND m.revision = s.from_rev
WHERE s.organization_id = tenant_organization() AND s.to_rev = 9223372036854775807 AND s.status IN ('pending', 'processing')
  AND m.committed_at < clock_timestamp() - $1::interval
  AND NOT EXISTS (SELECT 1 FROM pgqueuer q WHERE q.entrypoint = 'ingest_version' AND q.payload = convert_to(s.version_id::text, 'UTF8'))
ORDER BY s.from_rev, s.version_id LIMIT 1000

-- name: restart_erasures
SELECT organization_id, group_id, erasure_id FROM restart_erasures($1)

-- name: stuck_erasures
SELECT organization_id, erasure_id FROM stuck_erasures($1)

-- name: refresh_search_terms
SELECT refresh_search_terms($1)

-- name: forget_job_log
SELECT forget_job_log($1, $2)

-- name: forget_repeated_failures
SELECT forget_repeated_failures($1)

-- name: forget_kept_answers
SELECT forget_kept_answers($1, $2)

-- name: forget_packs
SELECT forget_packs($1)
