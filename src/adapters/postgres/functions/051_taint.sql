-- Whether nothing but unverified words speaks for a fact at a revision: what an agent brought or a source of tier 4 says.
-- It is read off the assertions, as they are placed then, so that no merge, promotion or new name washes it off. It is
-- cleared while a person's approval or correction stands, or while a source of tier 2 or better says the same that is no
-- later copy of such words. One of tier 3 taints nothing, and clears nothing that was said before it. With nothing live,
-- the pending assertions are asked; where a fact is only denied, those who deny it.
CREATE OR REPLACE FUNCTION fact_tainted(p_organization uuid, p_fact uuid, p_known_at bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
BEGIN
    RETURN coalesce((
        WITH said AS MATERIALIZED (
            SELECT p.state, a.polarity, p.approved OR a.corrects_fact IS NOT NULL AS confirmed,
                   a.principal_kind = 'agent' OR coalesce(g.tier, 4) = 4 AS unverified, a.independence_key, a.revision,
                   coalesce(g.tier, 4) AS tier
            FROM placements p
            CROSS JOIN LATERAL (SELECT * FROM assertions x WHERE x.organization_id = p_organization AND x.assertion_id = p.assertion_id LIMIT 1) a
            LEFT JOIN LATERAL (SELECT x.tier FROM source_grades x WHERE x.organization_id = p_organization AND x.source_id = a.source_id
                               AND x.from_rev <= p_known_at AND x.to_rev > p_known_at LIMIT 1) g ON true
            WHERE p.organization_id = p_organization AND p.fact_id = p_fact AND p.from_rev <= p_known_at AND p.to_rev > p_known_at),
        heard AS (
            SELECT s.*, first_value(s.state) OVER w AS first_state, first_value(s.polarity) OVER w AS first_polarity
            FROM said s WHERE s.state IN ('live', 'pending') WINDOW w AS (ORDER BY s.state, s.polarity DESC))
        SELECT bool_and(NOT h.confirmed AND (h.unverified OR EXISTS (
                   SELECT 1 FROM said o WHERE o.unverified AND NOT o.confirmed AND o.revision < h.revision
                       AND (o.independence_key = h.independence_key OR h.tier > 2 AND o.state = 'live' AND o.polarity = h.polarity))))
        FROM heard h WHERE h.state = h.first_state AND h.polarity = h.first_polarity), false);
END $$;
