-- Passages that are alike. Who asks takes the organization's turn until the transaction ends, and so does an erasure: of two
-- copies that are read at once the second finds the first, and nothing is added to what is being erased.

CREATE OR REPLACE FUNCTION take_sketches_turn() RETURNS void LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('assay sketches ' || tenant_organization()::text, 0))
$$;

-- The first twenty of each band: copies share their key, so that more would say nothing new.
CREATE OR REPLACE FUNCTION alike_sketches(p_group text, p_bands bigint[]) RETURNS TABLE (
    sketch_id uuid, version_id uuid, document_id uuid, start_offset integer, end_offset integer, content bytea,
    independence_key text, copy_of uuid, likeness real)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT s.sketch_id, s.version_id, s.document_id, s.start_offset, s.end_offset, s.content, s.independence_key, s.copy_of,
           s.likeness
    FROM (SELECT DISTINCT b.sketch_id FROM unnest(p_bands) w (band)
          CROSS JOIN LATERAL (SELECT x.sketch_id FROM sketch_bands x
              WHERE x.organization_id = tenant_organization() AND x.band = w.band ORDER BY x.sketch_id LIMIT 20) b) found
    CROSS JOIN LATERAL (SELECT * FROM sketches x
        WHERE x.organization_id = tenant_organization() AND x.sketch_id = found.sketch_id LIMIT 1) s
    WHERE s.group_id = p_group
    ORDER BY s.sketch_id;
END $$;

-- Adds passages with their bands, as one JSON array; false when the version was erased.
CREATE OR REPLACE FUNCTION add_sketches(p_group text, p_sketches json) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
BEGIN
    IF EXISTS (SELECT 1 FROM json_to_recordset(p_sketches) AS u (version uuid)
               JOIN document_states d ON d.organization_id = org AND d.version_id = u.version WHERE d.status = 'erased') THEN
        RETURN false;
    END IF;
    WITH u AS MATERIALIZED (
        SELECT * FROM json_to_recordset(p_sketches) AS u (id uuid, version uuid, document uuid, starts int, ends int,
            content text, key text, copy_of uuid, likeness real, bands bigint[])),
    made AS (
        INSERT INTO sketches (organization_id, group_id, sketch_id, version_id, document_id, start_offset, end_offset, content,
                              independence_key, copy_of, likeness)
        SELECT org, p_group, id, version, document, starts, ends, decode(content, 'base64'), key, copy_of, likeness FROM u
        ON CONFLICT DO NOTHING RETURNING sketch_id)
    INSERT INTO sketch_bands (organization_id, group_id, band, sketch_id)
    SELECT DISTINCT org, p_group, band, u.id FROM u JOIN made ON made.sketch_id = u.id CROSS JOIN LATERAL unnest(u.bands) b (band);
    RETURN true;
END $$;
