-- Names to entities. The search table has no policy, so this is a definer function and filters by the session's scopes.

-- A name as it is compared when accents are not typed.
CREATE OR REPLACE FUNCTION folded_name(p_name text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE SET search_path = assay, public AS $$
    SELECT lower(unaccent('unaccent', p_name))
$$;

-- The entities that bear one of the names, given in normal form. A name that nothing bears exactly is tried without accents.
CREATE OR REPLACE FUNCTION entities_named(p_names text[], p_known_at bigint) RETURNS TABLE (entity_id uuid, name text)
LANGUAGE plpgsql STABLE ROWS 4 SECURITY DEFINER SET search_path = assay, public SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    organization uuid := tenant_organization();
    scopes text[] := tenant_known_scopes();
BEGIN
    IF p_names IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH exact AS MATERIALIZED (
        SELECT DISTINCT n.entity_id, n.normal FROM names_search n
        WHERE n.organization_id = organization AND n.group_id = ANY (scopes) AND n.normal = ANY (p_names)
          AND n.from_rev <= p_known_at AND n.to_rev > p_known_at)
    SELECT exact.entity_id, exact.normal FROM exact
    UNION ALL
    SELECT DISTINCT n.entity_id, asked.name
    FROM unnest(p_names) AS asked (name)
    CROSS JOIN LATERAL (SELECT x.entity_id FROM names_search x
        WHERE x.organization_id = organization AND x.group_id = ANY (scopes) AND x.folded = folded_name(asked.name)
          AND x.from_rev <= p_known_at AND x.to_rev > p_known_at OFFSET 0) n
    WHERE NOT EXISTS (SELECT 1 FROM exact e WHERE e.normal = asked.name);
END $$;
