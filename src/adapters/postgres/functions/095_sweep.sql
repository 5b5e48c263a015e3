-- What the sweeper asks, over all organizations; answers hold nothing of theirs but ids.

-- The jobs that organizations need because something lags and neither a job nor a worker is at it.
CREATE OR REPLACE FUNCTION jobs_due(p_engine text) RETURNS TABLE (organization_id uuid, group_id text, kind text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT due.* FROM (
        SELECT h.organization_id, s.group_id, 'project' AS kind
        FROM heads h JOIN scopes s ON s.organization_id = h.organization_id AND s.kind = 'organization'
        WHERE NOT EXISTS (SELECT 1 FROM projections p WHERE p.organization_id = h.organization_id AND p.engine = p_engine
                          AND p.live AND (p.watermark >= h.revision OR p.lease_until > clock_timestamp()))
        UNION ALL
        SELECT h.organization_id, s.group_id, 'embed'
        FROM heads h JOIN scopes s ON s.organization_id = h.organization_id AND s.kind = 'organization'
        LEFT JOIN active_vector_indexes a ON a.organization_id = h.organization_id
        WHERE coalesce(a.watermark, 0) < h.revision
          AND NOT EXISTS (SELECT 1 FROM projections p WHERE p.organization_id = h.organization_id AND p.engine = 'vectors'
                          AND p.generation = a.index_id AND p.lease_until > clock_timestamp())
    ) due
    -- What has just failed for good would fail again: it gets some time.
    WHERE NOT EXISTS (SELECT 1 FROM pgqueuer q WHERE q.entrypoint = due.kind
                      AND (q.status IN ('queued', 'picked')
                           OR q.status = 'failed' AND q.updated > clock_timestamp() - interval '15 minutes')
                      AND q.headers ->> 'organization_id' = due.organization_id::text)
$$;

CREATE OR REPLACE FUNCTION organization_heads() RETURNS TABLE (organization_id uuid, group_id text, revision bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT s.organization_id, s.group_id, h.revision FROM scopes s JOIN heads h USING (organization_id)
    WHERE s.kind = 'organization' ORDER BY s.organization_id
$$;

-- What is of no worth any more goes in portions of at most p_most rows; each says how many went.

-- Lines of the queue's log. A failed job that is still there keeps the line that says why.
DROP FUNCTION IF EXISTS forget_finished_jobs(interval);
CREATE OR REPLACE FUNCTION forget_job_log(p_older interval, p_most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE forgotten bigint;
BEGIN
    DELETE FROM pgqueuer_log WHERE id = ANY (ARRAY (
        SELECT l.id FROM pgqueuer_log l WHERE l.created < clock_timestamp() - p_older
          AND NOT (l.status = 'failed' AND EXISTS (SELECT 1 FROM pgqueuer q WHERE q.id = l.job_id))
        LIMIT p_most));
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    RETURN forgotten;
END $$;

-- A job without a subject does all that there is to do: of several that failed, the last one says it.
CREATE OR REPLACE FUNCTION forget_repeated_failures(p_most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE forgotten bigint;
BEGIN
    DELETE FROM pgqueuer WHERE id = ANY (ARRAY (
        SELECT q.id FROM pgqueuer q WHERE q.status = 'failed' AND q.payload IS NULL AND EXISTS (
            SELECT 1 FROM pgqueuer later WHERE later.status = 'failed' AND later.payload IS NULL
            AND later.entrypoint = q.entrypoint AND later.id > q.id
            AND later.headers ->> 'organization_id' = q.headers ->> 'organization_id')
        LIMIT p_most));
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    RETURN forgotten;
END $$;

CREATE OR REPLACE FUNCTION forget_kept_answers(p_older interval, p_most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE forgotten bigint;
BEGIN
    DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM idempotency_keys WHERE created_at < clock_timestamp() - p_older ORDER BY created_at LIMIT p_most));
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    RETURN forgotten;
END $$;
