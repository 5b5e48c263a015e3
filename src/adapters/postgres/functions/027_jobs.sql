-- What befalls a job: it waits, its worker dies, it fails for good.

-- A job that waits for something that is away, or that its worker hands back, has used no attempt. A job without a subject
-- does all that there is to do: of several that wait for the same, one is enough.
CREATE OR REPLACE FUNCTION put_off_job(p_job bigint, p_delay interval, p_outage boolean) RETURNS void
LANGUAGE plpgsql SET search_path = assay, public AS $$
BEGIN
    DELETE FROM pgqueuer q WHERE q.id = p_job AND q.payload IS NULL AND EXISTS (
        SELECT 1 FROM pgqueuer o WHERE o.entrypoint = q.entrypoint AND o.status = 'queued' AND o.payload IS NULL
        AND o.id <> q.id AND o.headers ->> 'organization_id' = q.headers ->> 'organization_id');
    IF NOT FOUND THEN
        UPDATE pgqueuer q
        SET status = 'queued', execute_after = clock_timestamp() + p_delay, updated = clock_timestamp(), queue_manager_id = NULL,
            headers = CASE WHEN p_outage THEN counted_once_more(q.headers, 'waits') ELSE q.headers END
        WHERE q.id = p_job;
    END IF;
END $$;

CREATE OR REPLACE FUNCTION counted_once_more(p_headers jsonb, p_name text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(p_headers, '{}') || jsonb_build_object(p_name, coalesce((p_headers ->> p_name)::int, 0) + 1)
$$;

-- A picked job that another manager picks gave no sign of life: its worker was killed, or hung.
CREATE OR REPLACE FUNCTION count_death() RETURNS trigger LANGUAGE plpgsql SET search_path = assay, public AS $$
BEGIN
    NEW.headers := counted_once_more(NEW.headers, 'deaths');
    RETURN NEW;
END $$;

-- Why a job of the transaction's scopes failed for good: what the worker said last.
CREATE OR REPLACE FUNCTION reason_of_failure(p_job bigint) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT l.traceback ->> 'exception_message' FROM pgqueuer_log l JOIN pgqueuer q ON q.id = l.job_id
    WHERE l.job_id = p_job AND l.status = 'failed'
      AND q.headers ->> 'organization_id' = tenant_organization()::text AND q.headers ->> 'group_id' = ANY (tenant_read_scopes())
    ORDER BY l.id DESC LIMIT 1
$$;
