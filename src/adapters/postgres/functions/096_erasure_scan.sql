-- Looking for what was erased, and for erasures whose clean-up nobody is at.

-- Bytes as the text that they are, else escaped. Digests and keys are never text.
CREATE OR REPLACE FUNCTION readable(p_bytes bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF octet_length(p_bytes) IN (16, 32) THEN
        RETURN encode(p_bytes, 'escape');
    END IF;
    RETURN convert_from(p_bytes, 'UTF8');
EXCEPTION WHEN OTHERS THEN
    RETURN encode(p_bytes, 'escape');
END $$;

-- Every column of every table of a tenant that can hold text, from the catalogue, with how many of the rows in the
-- transaction's scopes were looked at, and in how many the expression was found. Numbers, times, ids and vectors hold none.
-- What an open erasure looks for stands in its own row, and is left out.
DROP FUNCTION IF EXISTS erasure_residue(uuid);
CREATE OR REPLACE FUNCTION erasure_residue(p_pattern text) RETURNS TABLE (place text, looked_at bigint, rows_found bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE
    t record;
    found bigint[];
BEGIN
    FOR t IN
        SELECT c.relname, array_agg(a.attname ORDER BY a.attname) AS columns,
               string_agg(format('count(*) FILTER (WHERE %s ~* $1)', format(CASE y.typname WHEN 'bytea' THEN 'readable(%I)' ELSE '%I::text' END, a.attname)),
                          ', ' ORDER BY a.attname) AS counts,
               CASE WHEN c.relname = 'pgqueuer' THEN 'headers ->> ''organization_id'' = tenant_organization()::text'
                    WHEN c.relname = 'pgqueuer_log' THEN 'job_id IN (SELECT q.id FROM pgqueuer q WHERE q.headers ->> ''organization_id'' = tenant_organization()::text)'
                    ELSE 'organization_id = tenant_organization()'
                         || CASE WHEN bool_or(g.attname IS NOT NULL) THEN ' AND group_id = ANY (tenant_read_scopes())' ELSE '' END
               END AS condition
        FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        JOIN pg_type y ON y.oid = a.atttypid
        LEFT JOIN pg_attribute o ON o.attrelid = c.oid AND o.attname = 'organization_id'
        LEFT JOIN pg_attribute g ON g.attrelid = c.oid AND g.attname = 'group_id'
        WHERE c.relnamespace = 'assay'::regnamespace AND c.relkind IN ('r', 'p', 'm') AND NOT c.relispartition
          AND (o.attname IS NOT NULL OR c.relname IN ('pgqueuer', 'pgqueuer_log'))
          AND y.typname <> ALL ('{uuid,_uuid,bool,int2,int4,int8,_int8,float4,float8,numeric,date,timestamp,timestamptz,interval,oid,halfvec}')
          AND NOT (c.relname = 'erasures' AND a.attname IN ('canaries', 'sought', 'sought_there'))
        GROUP BY c.relname ORDER BY c.relname
    LOOP
        EXECUTE format('SELECT count(*), ARRAY[%s]::bigint[] FROM %I WHERE %s', t.counts, t.relname, t.condition)
        INTO looked_at, found USING p_pattern;
        FOR n IN 1..cardinality(t.columns) LOOP
            place := t.relname || '.' || t.columns[n];
            rows_found := found[n];
            RETURN NEXT;
        END LOOP;
    END LOOP;
END $$;

-- Assay's own words: names of tables, columns and properties, values that a column may have, and what receipts tell. They say
-- nothing about a content, and are never gone.
CREATE OR REPLACE FUNCTION own_words() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT lower(concat_ws(' ',
        (SELECT string_agg(DISTINCT c.relname || ' ' || a.attname, ' ') FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE c.relnamespace = 'assay'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition),
        (SELECT string_agg(pg_get_constraintdef(k.oid), ' ') FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
         WHERE k.connamespace = 'assay'::regnamespace AND k.contype = 'c' AND NOT c.relispartition),
        'confidence_millionths entity_edges episodes source_description watermark looked_at blacked_out_document',
        (SELECT string_agg(n.notes::text, ' ') FROM (
            SELECT r.notes FROM receipts r WHERE r.organization_id = tenant_organization() ORDER BY r.receipt_id DESC LIMIT 100) n)))
$$;

-- Open erasures that no job is at, because theirs was held or is gone: each is counted as started again, later each time.
CREATE OR REPLACE FUNCTION restart_erasures(p_most integer) RETURNS TABLE (organization_id uuid, group_id text, erasure_id uuid)
LANGUAGE sql SECURITY DEFINER SET search_path = assay, public AS $$
    UPDATE erasures e SET restarts = e.restarts + 1, restarted_at = clock_timestamp()
    WHERE e.state = 'open' AND e.revision IS NOT NULL AND e.restarts < p_most
      AND coalesce(e.restarted_at, e.requested_at) < clock_timestamp() - interval '1 minute' * power(2, e.restarts)
      AND NOT EXISTS (SELECT 1 FROM pgqueuer q WHERE q.entrypoint = 'erase' AND q.status IN ('queued', 'picked')
                      AND q.payload = convert_to(e.erasure_id::text, 'UTF8'))
    RETURNING e.organization_id, e.group_id, e.erasure_id
$$;

-- Those that were started again as often as may be, and still are open with no job at them.
CREATE OR REPLACE FUNCTION stuck_erasures(p_most integer) RETURNS TABLE (organization_id uuid, erasure_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT e.organization_id, e.erasure_id FROM erasures e
    WHERE e.state = 'open' AND e.revision IS NOT NULL AND e.restarts >= p_most
      AND NOT EXISTS (SELECT 1 FROM pgqueuer q WHERE q.entrypoint = 'erase' AND q.status IN ('queued', 'picked')
                      AND q.payload = convert_to(e.erasure_id::text, 'UTF8'))
    ORDER BY e.organization_id, e.erasure_id
$$;
