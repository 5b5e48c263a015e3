-- What is counted of predicates that may be one. The transaction's tenant holds; every count is of what holds now.

-- The predicates in use with their facts, the most used first.
CREATE OR REPLACE FUNCTION predicates_used(p_limit integer) RETURNS TABLE (predicate text, facts bigint)
LANGUAGE sql STABLE AS $$
    SELECT s.predicate, count(DISTINCT s.fact_id) FROM standings s
    WHERE s.organization_id = tenant_organization() AND s.to_rev = 9223372036854775807 AND s.lifecycle IN ('active', 'disputed')
    GROUP BY s.predicate ORDER BY 2 DESC, 1 LIMIT p_limit
$$;

-- Of two predicates, how many pairs of ends both have facts on: straight, and turned round. One pass over the facts by
-- their ends; ends with more than p_crowd predicates tell little, and would make most of the pairs.
CREATE OR REPLACE FUNCTION shared_ends(p_crowd integer, p_limit integer) RETURNS TABLE (one text, other text, straight bigint, turned bigint)
LANGUAGE sql STABLE AS $$
    WITH met AS MATERIALIZED (
        SELECT array_agg(DISTINCT CASE WHEN s.subject_id < s.object_key THEN '>' ELSE '<' END || s.predicate) AS told
        FROM standings s
        WHERE s.organization_id = tenant_organization() AND s.to_rev = 9223372036854775807 AND s.lifecycle IN ('active', 'disputed')
        GROUP BY least(s.subject_id, s.object_key), greatest(s.subject_id, s.object_key)
        HAVING count(DISTINCT s.predicate) BETWEEN 2 AND p_crowd)
    SELECT substr(a.told, 2), substr(b.told, 2), count(*) FILTER (WHERE left(a.told, 1) = left(b.told, 1)),
           count(*) FILTER (WHERE left(a.told, 1) <> left(b.told, 1))
    FROM met CROSS JOIN LATERAL unnest(met.told) AS a (told) CROSS JOIN LATERAL unnest(met.told) AS b (told)
    WHERE substr(a.told, 2) < substr(b.told, 2)
    GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2 LIMIT p_limit
$$;

-- Of p_sample facts of each first predicate: how many have their ends under the second too, and how many have under the
-- second only other ends at the same time. With facts that show the one and the other, and the kinds of all ends.
CREATE OR REPLACE FUNCTION compared_predicates(p_first text[], p_second text[], p_turned boolean[], p_sample integer) RETURNS TABLE (
    one text, other text, sampled bigint, shared bigint, different bigint, alike uuid[], apart uuid[],
    subject_kinds text[], object_kinds text[], other_subject_kinds text[], other_object_kinds text[])
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
    org uuid := tenant_organization();
BEGIN
    RETURN QUERY
    SELECT w.first, w.second, m.sampled, m.shared, m.different, m.alike, m.apart,
           CASE WHEN w.turned THEN own.objects ELSE own.subjects END, CASE WHEN w.turned THEN own.subjects ELSE own.objects END,
           their.subjects, their.objects
    FROM unnest(p_first, p_second, p_turned) AS w (first, second, turned)
    CROSS JOIN LATERAL (
        SELECT count(*) AS sampled, count(*) FILTER (WHERE x.same IS NOT NULL) AS shared,
               count(*) FILTER (WHERE x.same IS NULL AND x.other IS NOT NULL) AS different,
               (array_agg(x.fact_id ORDER BY x.fact_id) FILTER (WHERE x.same IS NOT NULL))[1:2]
                   || (array_agg(x.same ORDER BY x.fact_id) FILTER (WHERE x.same IS NOT NULL))[1:2] AS alike,
               (array_agg(x.fact_id ORDER BY x.fact_id) FILTER (WHERE x.same IS NULL AND x.other IS NOT NULL))[1:1]
                   || (array_agg(x.other ORDER BY x.fact_id) FILTER (WHERE x.same IS NULL AND x.other IS NOT NULL))[1:1] AS apart
        FROM (
            SELECT s.fact_id,
                   (SELECT t.fact_id FROM standings t
                    WHERE t.organization_id = org AND t.predicate = w.second AND t.to_rev = 9223372036854775807 AND t.lifecycle IN ('active', 'disputed')
                      AND t.subject_id = CASE WHEN w.turned THEN s.object_key ELSE s.subject_id END
                      AND t.object_key = CASE WHEN w.turned THEN s.subject_id ELSE s.object_key END LIMIT 1) AS same,
                   (SELECT t.fact_id FROM standings t
                    WHERE t.organization_id = org AND t.predicate = w.second AND t.to_rev = 9223372036854775807 AND t.lifecycle IN ('active', 'disputed')
                      AND t.subject_id = CASE WHEN w.turned THEN s.object_key ELSE s.subject_id END
                      AND (t.valid_from IS NULL OR s.valid_to IS NULL OR t.valid_from < s.valid_to)
                      AND (t.valid_to IS NULL OR s.valid_from IS NULL OR t.valid_to > s.valid_from)
                      AND t.object_key <> CASE WHEN w.turned THEN s.subject_id ELSE s.object_key END LIMIT 1) AS other
            FROM (SELECT * FROM standings x WHERE x.organization_id = org AND x.predicate = w.first AND x.to_rev = 9223372036854775807
                    AND x.lifecycle IN ('active', 'disputed') ORDER BY x.fact_id LIMIT p_sample) s) x) m
    CROSS JOIN LATERAL kinds_of_ends(org, w.first, p_sample) own
    CROSS JOIN LATERAL kinds_of_ends(org, w.second, p_sample) their;
END $$;

-- The kinds of what stands on either end of a predicate's first facts; a literal's kind is its type.
CREATE OR REPLACE FUNCTION kinds_of_ends(p_organization uuid, p_predicate text, p_sample integer, OUT subjects text[], OUT objects text[])
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
BEGIN
    SELECT array_agg(DISTINCT e.kind), array_agg(DISTINCT coalesce(o.kind, f.object_literal ->> 'type')) INTO subjects, objects
    FROM (SELECT * FROM standings x WHERE x.organization_id = p_organization AND x.predicate = p_predicate AND x.to_rev = 9223372036854775807
            AND x.lifecycle IN ('active', 'disputed') ORDER BY x.fact_id LIMIT least(p_sample, 100)) s
    JOIN facts f ON f.organization_id = p_organization AND f.fact_id = s.fact_id
    JOIN entities e ON e.organization_id = p_organization AND e.entity_id = s.subject_id
    LEFT JOIN entities o ON o.organization_id = p_organization AND o.entity_id = s.object_id;
END $$;
