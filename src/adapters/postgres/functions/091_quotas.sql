-- Quotas and budgets: what is set, what is used, and what is refused. These run as the owner: a budget counts a scope and
-- everything inside it, whatever the caller sees, and says sums alone.

CREATE OR REPLACE FUNCTION rates_of_organization(p_organization uuid)
RETURNS TABLE (principal_units bigint, organization_units bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT q.principal_units, q.organization_units FROM quotas q JOIN scopes s USING (organization_id, group_id)
    WHERE q.organization_id = p_organization AND s.kind = 'organization'
$$;

-- The budgets that a write or a call in a scope counts against: its own and those of what contains it.
CREATE OR REPLACE FUNCTION budgets_around(p_organization uuid, p_group text)
RETURNS TABLE (group_id text, kind text, monthly_model_micros bigint, artifact_bytes bigint, assertions bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    WITH RECURSIVE chain AS (
        SELECT s.group_id, s.kind, s.container_id FROM scopes s
        WHERE s.organization_id = p_organization AND s.group_id = p_group
        UNION ALL
        SELECT s.group_id, s.kind, s.container_id FROM chain c
        JOIN scopes s ON s.organization_id = p_organization AND s.group_id = c.container_id
    )
    SELECT c.group_id, c.kind,
           CASE c.kind WHEN 'organization' THEN o.monthly_model_limit_micros ELSE q.monthly_model_micros END,
           q.artifact_bytes, q.assertions
    FROM chain c JOIN organizations o ON o.organization_id = p_organization
    LEFT JOIN quotas q ON q.organization_id = p_organization AND q.group_id = c.group_id
$$;

CREATE OR REPLACE FUNCTION scopes_inside(p_organization uuid, p_group text) RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    WITH RECURSIVE inside AS (
        SELECT s.group_id FROM scopes s WHERE s.organization_id = p_organization AND s.group_id = p_group
        UNION ALL
        SELECT s.group_id FROM inside i
        JOIN scopes s ON s.organization_id = p_organization AND s.container_id = i.group_id
    )
    SELECT group_id FROM inside
$$;

-- How much of one budget is used: money of this month (UTC) in millionths, bytes of artifacts, or assertions.
CREATE OR REPLACE FUNCTION used_of(p_organization uuid, p_group text, p_what text) RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE
    inside text[] := ARRAY(SELECT scopes_inside(p_organization, p_group));
BEGIN
    RETURN CASE p_what
        WHEN 'model_calls' THEN (
            SELECT coalesce(sum(u.price_micros), 0) FROM usage u
            WHERE u.organization_id = p_organization AND u.group_id = ANY (inside)
              AND u.day >= date_trunc('month', now() AT TIME ZONE 'UTC')::date)
        WHEN 'artifact_bytes' THEN (
            SELECT coalesce(sum(a.size), 0) FROM artifacts a
            WHERE a.organization_id = p_organization AND a.group_id = ANY (inside))
        WHEN 'assertions' THEN (
            SELECT count(*) FROM assertions a
            WHERE a.organization_id = p_organization AND a.group_id = ANY (inside))
    END;
END $$;

-- The budgets around a scope, a line each: nothing where none is set.
CREATE OR REPLACE FUNCTION budget_lines(p_organization uuid, p_groups text[], p_what text[])
RETURNS TABLE (group_id text, what text, budget bigint, used bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT b.group_id, w.what, w.budget, used_of(p_organization, b.group_id, w.what)
    FROM (SELECT DISTINCT a.* FROM unnest(p_groups) g, budgets_around(p_organization, g) a) b,
         LATERAL (VALUES ('model_calls', b.monthly_model_micros), ('artifact_bytes', b.artifact_bytes),
                         ('assertions', b.assertions)) w (what, budget)
    WHERE w.budget IS NOT NULL AND w.what = ANY (p_what)
    ORDER BY b.kind, b.group_id, w.what
$$;

-- After rows were added: refused when a budget around them is passed. It counts what is committed and its own, so that
-- transactions at the same moment may pass it together by what each of them adds.
CREATE OR REPLACE FUNCTION require_room() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE
    over record;
BEGIN
    FOR over IN
        SELECT l.* FROM (SELECT DISTINCT organization_id, group_id FROM added) a
        JOIN LATERAL (SELECT TRUE FROM quotas q WHERE q.organization_id = a.organization_id LIMIT 1) any_set ON TRUE,
             LATERAL budget_lines(a.organization_id, ARRAY[a.group_id], ARRAY[TG_ARGV[0]]) l
        WHERE l.used > l.budget LIMIT 1
    LOOP
        RAISE EXCEPTION '%', over.what USING ERRCODE = 'AS429', DETAIL = over.budget::text;
    END LOOP;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER require_room AFTER INSERT ON artifacts REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION require_room('artifact_bytes');
CREATE OR REPLACE TRIGGER require_room AFTER INSERT ON assertions REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION require_room('assertions');
