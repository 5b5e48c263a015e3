-- name: policies
SELECT policy FROM predicates WHERE organization_id = tenant_organization() AND from_rev <= $1 AND to_rev > $1 ORDER BY name

-- name: facts_of
SELECT DISTINCT s.fact_id FROM standings s
WHERE s.organization_id = tenant_organization() AND s.predicate = ANY ($1::text[]) AND s.to_rev = 9223372036854775807
  AND ($2::uuid IS NULL OR s.fact_id > $2) ORDER BY s.fact_id LIMIT $3

-- name: has_objects
SELECT EXISTS (SELECT 1 FROM standings s WHERE s.organization_id = tenant_organization() AND s.predicate = $1
    AND s.to_rev = 9223372036854775807 AND s.lifecycle IN ('active', 'disputed') AND (s.object_id IS NULL) = $2)

-- name: slots_of
SELECT DISTINCT f.slot_id FROM facts f
WHERE f.organization_id = tenant_organization() AND f.group_id = $1 AND f.key = ANY ($2::bytea[])

-- name: said
SELECT p.assertion_id, p.fact_id, p.group_id, f.slot_id, p.state, p.approved, a.predicate, s.entity_id AS subject_id,
       s.name AS subject_name, o.entity_id AS object_id, o.name AS object_name, a.object_literal::text AS object_literal,
       a.qualifiers::text AS qualifiers
FROM placements p
JOIN facts f ON f.organization_id = p.organization_id AND f.fact_id = p.fact_id
JOIN assertions a ON a.organization_id = p.organization_id AND a.assertion_id = p.assertion_id
JOIN resolutions rs ON rs.organization_id = a.organization_id AND rs.mention_id = a.subject_mention AND rs.to_rev = 9223372036854775807
LEFT JOIN entity_states ss ON ss.organization_id = rs.organization_id AND ss.entity_id = rs.entity_id AND ss.to_rev = 9223372036854775807
JOIN entities s ON s.organization_id = rs.organization_id AND s.entity_id = coalesce(ss.merged_into, rs.entity_id)
LEFT JOIN resolutions ro ON ro.organization_id = a.organization_id AND ro.mention_id = a.object_mention AND ro.to_rev = 9223372036854775807
LEFT JOIN entity_states so ON so.organization_id = ro.organization_id AND so.entity_id = ro.entity_id AND so.to_rev = 9223372036854775807
LEFT JOIN entities o ON o.organization_id = ro.organization_id AND o.entity_id = coalesce(so.merged_into, ro.entity_id)
WHERE p.organization_id = tenant_organization() AND p.fact_id = ANY ($1::uuid[]) AND p.to_rev = 9223372036854775807

-- name: changed_since
SELECT EXISTS (SELECT 1 FROM standings WHERE organization_id = tenant_organization() AND predicate = ANY ($1::text[])
    AND (from_rev > $2 OR to_rev > $2 AND to_rev < 9223372036854775807))

-- name: close_policies
UPDATE predicates SET to_rev = $2
WHERE organization_id = tenant_organization() AND name = ANY ($1::text[]) AND to_rev = 9223372036854775807

-- name: add_policy
INSERT INTO predicates (organization_id, name, policy, from_rev) VALUES (tenant_organization(), $1, $2::jsonb, $3)

-- name: rehouse
UPDATE facts f SET slot_id = u.slot FROM unnest($1::uuid[], $2::uuid[]) AS u (fact, slot)
WHERE f.organization_id = tenant_organization() AND f.fact_id = u.fact

-- name: close_redirects
UPDATE fact_redirects SET to_rev = $2
WHERE organization_id = tenant_organization() AND fact_id = ANY ($1::uuid[]) AND to_rev = 9223372036854775807

-- name: redirect
INSERT INTO fact_redirects (organization_id, fact_id, group_id, into_fact_id, from_rev)
SELECT tenant_organization(), fact, grp, target, $4 FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS u (fact, grp, target)

-- name: predicates_used
SELECT predicate, facts FROM predicates_used($1)

-- name: shared_ends
SELECT one, other, straight, turned FROM shared_ends($1, $2)

-- name: compared_predicates
SELECT * FROM compared_predicates($1::text[], $2::text[], $3::boolean[], $4)

-- name: suggested
SELECT p.proposal_id, p.target_id, p.state, p.payload::text AS payload FROM proposals p
WHERE p.organization_id = tenant_organization() AND p.kind = 'vocabulary' AND p.target_id = ANY ($1::uuid[])
ORDER BY p.proposal_id

-- name: sentences
SELECT f.fact_id, f.sentence FROM facts f
WHERE f.organization_id = tenant_organization() AND f.fact_id = ANY ($1::uuid[]) AND f.sentence IS NOT NULL
