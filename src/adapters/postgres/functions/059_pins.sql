-- What a read by a snapshot is held to. The settings are local to the transaction, like the tenant.

-- Ranks the reads that follow in this transaction by what was counted and embedded at a revision; the index's id 0 is none.
CREATE OR REPLACE FUNCTION pin_reads(p_known_at bigint, p_index integer, p_embedded_up_to bigint, p_statistics double precision[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('app.pinned_at', p_known_at::text, true), set_config('app.pinned_index', coalesce(p_index, 0)::text, true),
            set_config('app.pinned_embedded', p_embedded_up_to::text, true),
            set_config('app.pinned_statistics', p_statistics::text, true);
END $$;

-- NULL where nothing is pinned.
CREATE OR REPLACE FUNCTION pinned_at() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('app.pinned_at', true), '')::bigint;

CREATE OR REPLACE FUNCTION pinned_index() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('app.pinned_index', true), '')::integer;

CREATE OR REPLACE FUNCTION pinned_embedded() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('app.pinned_embedded', true), '')::bigint;

-- Of the facts, then of the chunks: how many, and their mean number of words.
CREATE OR REPLACE FUNCTION pinned_statistics() RETURNS double precision[] LANGUAGE sql STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('app.pinned_statistics', true), '')::double precision[];

-- The same, counted for the scopes of the session at a revision.
CREATE OR REPLACE FUNCTION corpus_statistics(p_known_at bigint) RETURNS double precision[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE
    facts record;
    texts record;
BEGIN
    SELECT count(*) AS rows, coalesce(avg(s.words), 1) AS mean INTO facts FROM facts_search s
    WHERE s.organization_id = tenant_organization() AND s.group_id = ANY (tenant_read_scopes())
      AND s.from_rev <= p_known_at AND s.to_rev > p_known_at;
    SELECT count(*) AS rows, coalesce(avg(s.words), 1) AS mean INTO texts FROM chunks_search s
    WHERE s.organization_id = tenant_organization() AND s.group_id = ANY (tenant_read_scopes())
      AND s.from_rev <= p_known_at AND s.to_rev > p_known_at;
    RETURN ARRAY[facts.rows, facts.mean, texts.rows, texts.mean]::double precision[];
END $$;

-- In how many rows each term was at the pinned revision, up to 5,000: a number that does not depend on which are read first.
CREATE OR REPLACE FUNCTION pinned_counts(p_source text, p_terms text[]) RETURNS integer[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE
    counts integer[] := '{}';
    term text;
    found integer;
BEGIN
    FOREACH term IN ARRAY coalesce(p_terms, '{}') LOOP
        EXECUTE format('SELECT count(*)::int FROM (SELECT 1 FROM %I s WHERE s.organization_id = %L AND s.group_id = ANY (%L)
                AND s.terms @@ %L::tsquery AND s.from_rev <= $1 AND s.to_rev > $1 LIMIT 5000) x',
            p_source, tenant_organization(), tenant_read_scopes(), term_query(term)) INTO found USING pinned_at();
        counts := counts || found;
    END LOOP;
    RETURN counts;
END $$;
