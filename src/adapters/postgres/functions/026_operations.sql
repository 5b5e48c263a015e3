-- What watches the outbox and what follows the record.

-- How many jobs are in which state; over all organizations, so it holds nothing of theirs.
CREATE OR REPLACE FUNCTION queue_depth() RETURNS TABLE (kind text, state text, jobs bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT entrypoint, status::text, count(*) FROM pgqueuer GROUP BY 1, 2
$$;

-- How many revisions the engine's live graph, and the vectors, are behind in the organization that lags most.
CREATE OR REPLACE FUNCTION greatest_lag(p_engine text) RETURNS TABLE (projection text, revisions bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT 'graph', coalesce(max(h.revision - coalesce(p.watermark, 0)), 0)
    FROM heads h LEFT JOIN projections p ON p.organization_id = h.organization_id AND p.engine = p_engine AND p.live
    UNION ALL
    SELECT 'vectors', coalesce(max(h.revision - a.watermark), 0)
    FROM heads h JOIN active_vector_indexes a USING (organization_id)
$$;

-- Dead letters of the transaction's scopes go back into the queue. The application role may not change jobs otherwise.
CREATE OR REPLACE FUNCTION retry_jobs(p_ids bigint[]) RETURNS SETOF bigint
LANGUAGE sql SECURITY DEFINER SET search_path = assay, public AS $$
    WITH retried AS (
        UPDATE pgqueuer SET status = 'queued', execute_after = now(), updated = now(), attempts = 0, queue_manager_id = NULL,
               headers = headers - '{waits,deaths}'::text[]
        WHERE id = ANY (p_ids) AND status = 'failed'
          AND headers ->> 'organization_id' = tenant_organization()::text
          AND headers ->> 'group_id' = ANY (tenant_write_scopes())
        RETURNING id, entrypoint, priority
    ), logged AS (
        INSERT INTO pgqueuer_log (job_id, status, entrypoint, priority) SELECT id, 'queued', entrypoint, priority FROM retried
    )
    SELECT id FROM retried
$$;
