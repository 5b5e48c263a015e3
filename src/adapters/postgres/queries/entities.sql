-- name: shown
SELECT e.entity_id, e.group_id, shown_name(e, 9223372036854775806) AS name, shown_kind(e, 9223372036854775806) AS kind,
       e.name AS mentioned_as, e.kind AS mentioned_kind, e.name = '' AS erased
FROM entities e WHERE e.organization_id = tenant_organization() AND e.entity_id = $1

-- No lock of the row: whoever has the head may change it, and would wait for who waits for the head.
-- name: hold
SELECT pg_advisory_xact_lock(hashtextextended(tenant_organization()::text || $1::uuid::text, 0))

-- What makes an edit: the standings of names, kinds and aliases, and of descriptions that a person gave.
-- name: edited
WITH touched AS (
    SELECT CASE WHEN s.to_rev = 9223372036854775807 THEN s.from_rev ELSE s.to_rev END AS revision FROM standings s
    WHERE s.organization_id = tenant_organization() AND s.subject_id = $1
      AND (s.predicate IN ('CANONICAL_NAME', 'ENTITY_KIND', 'ALIAS_OF') OR s.predicate = 'HAS_DESCRIPTION' AND s.corrected)
    UNION ALL
    SELECT CASE WHEN s.to_rev = 9223372036854775807 THEN s.from_rev ELSE s.to_rev END FROM standings s
    WHERE s.organization_id = tenant_organization() AND s.object_key = $1 AND s.predicate = 'ALIAS_OF')
SELECT coalesce(max(t.revision), 0) AS revision,
       (SELECT coalesce(p.name, m.principal_id::text) FROM mutations m
        LEFT JOIN principals p ON p.organization_id = m.organization_id AND p.principal_id = m.principal_id
        WHERE m.organization_id = tenant_organization() AND m.revision = (SELECT max(revision) FROM touched)) AS by
FROM touched t

-- name: named
SELECT e.entity_id, e.group_id, shown_name(e, 9223372036854775806) AS name, shown_kind(e, 9223372036854775806) AS kind,
       e.name AS mentioned_as, e.kind AS mentioned_kind, e.name = '' AS erased
FROM entities e
WHERE e.organization_id = tenant_organization() AND e.entity_id <> $2 AND e.entity_id IN (
    SELECT n.entity_id FROM names n
    WHERE n.organization_id = tenant_organization() AND n.normal = $1 AND n.to_rev = 9223372036854775807)
ORDER BY e.entity_id LIMIT 20

-- name: aliases
SELECT DISTINCT ON (f.fact_id) f.fact_id, f.predicate, n.name AS text, f.object_id, f.subject_id
FROM names n
JOIN placements p ON p.organization_id = n.organization_id AND p.assertion_id = n.assertion_id AND p.to_rev = 9223372036854775807
JOIN facts f ON f.organization_id = p.organization_id AND f.fact_id = p.fact_id
WHERE n.organization_id = tenant_organization() AND n.entity_id = $1 AND n.normal = $2 AND n.to_rev = 9223372036854775807
  AND f.predicate = 'ALIAS_OF'
ORDER BY f.fact_id

-- name: descriptions
SELECT DISTINCT ON (f.fact_id) f.fact_id, f.predicate, f.object_literal ->> 'value' AS text, f.object_id, f.subject_id
FROM standings s JOIN facts f ON f.organization_id = s.organization_id AND f.fact_id = s.fact_id
WHERE s.organization_id = tenant_organization() AND s.subject_id = $1 AND s.predicate = 'HAS_DESCRIPTION'
  AND s.corrected AND s.lifecycle IN ('active', 'disputed') AND s.to_rev = 9223372036854775807 AND f.object_literal IS NOT NULL
ORDER BY f.fact_id
