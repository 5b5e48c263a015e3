-- name: contest
-- Of each hundred facts two fill one slot, and are disputed: their predicate takes one value.
WITH pairs AS (
    SELECT one.fact_id AS first, other.fact_id AS second, one.slot_id, one.subject_id
    FROM generate_series(0, $2::int - 11, 100) f
    JOIN facts one ON one.organization_id = $1 AND one.fact_id = test_id('1 fact', f)
    JOIN facts other ON other.organization_id = $1 AND other.fact_id = test_id('1 fact', f + 10)
        AND other.object_id <> one.object_id),
moved AS (
    UPDATE facts SET slot_id = pairs.slot_id, subject_id = pairs.subject_id FROM pairs
    WHERE organization_id = $1 AND fact_id = pairs.second RETURNING fact_id)
UPDATE standings s SET slot_id = pairs.slot_id, subject_id = pairs.subject_id, lifecycle = 'disputed', reason = 'rivals rivals=one'
FROM pairs WHERE s.organization_id = $1 AND s.fact_id IN (pairs.first, pairs.second)

-- name: one_value
INSERT INTO predicates (organization_id, name, policy, from_rev) VALUES ($1, $2, $3::text::jsonb, 1)

-- name: group_by
-- What somebody would write for one known tenant, as a superuser: which slots are disputed by how many facts and sources.
SELECT s.slot_id, count(DISTINCT s.fact_id) AS facts, count(DISTINCT a.independence_key) AS sources, max(s.score) AS best
FROM standings s
JOIN placements p ON p.organization_id = s.organization_id AND p.fact_id = s.fact_id AND p.state = 'live' AND p.to_rev = 9223372036854775807
JOIN assertions a ON a.organization_id = p.organization_id AND a.assertion_id = p.assertion_id
WHERE s.organization_id = $1 AND s.lifecycle = 'disputed' AND s.to_rev = 9223372036854775807
GROUP BY s.slot_id HAVING count(DISTINCT s.fact_id) > 1 ORDER BY best DESC, s.slot_id
