-- The slots that several readable scopes fill otherwise: a key has no scope in it, so the same slot has one in each.
-- A row is one scope's slot, with its facts and the keys by which they are the same in every scope.
CREATE OR REPLACE FUNCTION differing_scopes(
    p_organization uuid, p_read_scopes text, p_as_of timestamptz, p_known_at bigint, p_predicates text[], p_limit integer)
RETURNS TABLE (
    key bytea, slot_id uuid, group_id text, predicate text, policy text, standings uuid[], said text, facts uuid[], objects uuid[])
LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    scopes text[];
    past boolean := p_known_at < 9223372036854775806;
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    scopes := tenant_read_scopes();
    IF cardinality(scopes) < 2 THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH shared AS MATERIALIZED (
        SELECT k.slot_id, k.group_id, k.key FROM slots k
        JOIN (SELECT x.key FROM slots x WHERE x.organization_id = p_organization AND x.group_id = ANY (scopes) AND x.key IS NOT NULL
              GROUP BY x.key HAVING count(*) > 1) d ON d.key = k.key
        WHERE k.organization_id = p_organization AND k.group_id = ANY (scopes)),
    held AS MATERIALIZED (
        SELECT w.key, w.slot_id, w.group_id, t.fact_id, t.subject_id, t.predicate, t.object_key, t.lifecycle
        FROM shared w
        CROSS JOIN LATERAL (
            SELECT x.* FROM facts y
            CROSS JOIN LATERAL (SELECT * FROM standings x WHERE x.organization_id = p_organization AND x.fact_id = y.fact_id OFFSET 0) x
            WHERE NOT past AND y.organization_id = p_organization AND y.slot_id = w.slot_id
            UNION ALL
            -- A change of policy moves facts to other slots: what filled one then is read off the standings of then.
            SELECT x.* FROM (
                SELECT DISTINCT y.subject_id, y.predicate FROM facts y
                WHERE past AND y.organization_id = p_organization AND y.slot_id = w.slot_id) f
            JOIN standings x ON x.organization_id = p_organization AND x.subject_id = f.subject_id AND x.predicate = f.predicate
                AND x.slot_id = w.slot_id) t
        WHERE t.from_rev <= p_known_at AND t.to_rev > p_known_at AND t.lifecycle IN ('active', 'disputed', 'refuted')
          AND (p_predicates IS NULL OR t.predicate = ANY (p_predicates))
          AND (p_as_of IS NULL OR (t.valid_from IS NULL OR t.valid_from <= p_as_of) AND (t.valid_to IS NULL OR t.valid_to > p_as_of))),
    differing AS (
        SELECT h.key FROM held h GROUP BY h.key
        HAVING count(DISTINCT h.group_id) > 1
           AND (count(DISTINCT h.object_key) > 1 OR bool_or(h.lifecycle = 'refuted') AND bool_or(h.lifecycle <> 'refuted'))
        ORDER BY h.key LIMIT p_limit),
    per_slot AS (
        SELECT h.key, h.slot_id, h.group_id, h.subject_id, h.predicate, array_agg(h.fact_id ORDER BY h.fact_id) AS facts,
               array_agg(h.object_key ORDER BY h.fact_id) AS objects
        FROM (SELECT DISTINCT key, slot_id, group_id, subject_id, predicate, fact_id, object_key FROM held) h
        JOIN differing d ON d.key = h.key
        GROUP BY h.key, h.slot_id, h.group_id, h.subject_id, h.predicate)
    SELECT s.key, s.slot_id, s.group_id, s.predicate,
           (SELECT q.policy::text FROM predicates q WHERE q.organization_id = p_organization AND q.name = s.predicate
              AND q.from_rev <= p_known_at AND q.to_rev > p_known_at LIMIT 1),
           slot_segments(p_organization, s.slot_id, s.subject_id, s.predicate, p_as_of, p_known_at),
           slot_sayings(p_organization, s.slot_id, s.subject_id, s.predicate, p_known_at, NULL), s.facts, s.objects
    FROM per_slot s ORDER BY s.key, array_position(scopes, s.group_id);
END $$;
