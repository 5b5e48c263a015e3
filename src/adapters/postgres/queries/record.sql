-- name: recall
SELECT recall($1, $2, $3, $4, $5)

-- name: known_items
SELECT key, assertion_id, run_id FROM assertions WHERE organization_id = tenant_organization() AND document_id = $1 AND key = ANY ($2::bytea[])

-- name: claim_entities
SELECT key, entity_id, made FROM claim_entities($1, $2::bytea[])

-- name: lock_slots
SELECT key, slot_id, fresh FROM lock_slots($1, $2::bytea[])

-- name: lock_slot_ids
SELECT lock_slot_ids($1::uuid[])

-- name: slot_facts
SELECT fact_id, group_id, key, slot_id, subject_id, predicate, object_id, object_literal::text AS object_literal, object_key,
       qualifiers::text AS qualifiers, sentence
FROM facts WHERE organization_id = tenant_organization() AND slot_id = ANY ($1::uuid[]) AND revision <= $2

-- name: facts_by_id
SELECT fact_id, group_id, key, slot_id, subject_id, predicate, object_id, object_literal::text AS object_literal, object_key,
       qualifiers::text AS qualifiers, sentence
FROM facts WHERE organization_id = tenant_organization() AND fact_id = ANY ($1::uuid[]) AND revision <= $2

-- name: displaced
SELECT DISTINCT s.fact_id, s.slot_id
FROM standings s JOIN facts f ON f.organization_id = s.organization_id AND f.fact_id = s.fact_id
WHERE s.organization_id = tenant_organization() AND s.slot_id <> f.slot_id AND s.from_rev <= $1 AND s.to_rev > $1

-- name: slot_testimonies
SELECT p.fact_id, p.assertion_id, p.state, a.polarity, a.kind, a.confidence, a.valid_from, a.valid_from_precision,
       a.valid_from_state, a.valid_to, a.valid_to_precision, a.valid_to_state, a.observed_at, a.published_at,
       CASE WHEN a.source_id = $3::uuid THEN $4::smallint ELSE g.tier END AS tier,
       CASE WHEN a.source_id = $3::uuid THEN $5::float8 ELSE g.trust END AS trust,
       a.independence_key, a.corrects_revision, p.approved
FROM placements p
JOIN assertions a ON a.organization_id = p.organization_id AND a.assertion_id = p.assertion_id
JOIN source_grades g ON g.organization_id = a.organization_id AND g.source_id = a.source_id
     AND g.from_rev <= $2 AND g.to_rev > $2
WHERE p.organization_id = tenant_organization() AND p.fact_id = ANY ($1::uuid[]) AND p.from_rev <= $2 AND p.to_rev > $2

-- name: slot_standings
SELECT standing_id, fact_id, standing_hash, lifecycle FROM standings
WHERE organization_id = tenant_organization() AND fact_id = ANY ($1::uuid[]) AND from_rev <= $2 AND to_rev > $2

-- name: named_fact
SELECT f.fact_id, f.group_id, f.key, f.slot_id, f.subject_id, f.predicate, f.object_id, f.object_literal::text AS object_literal,
       f.object_key, f.qualifiers::text AS qualifiers, f.sentence, s.name AS subject_name, s.kind AS subject_kind,
       o.name AS object_name, o.kind AS object_kind
FROM facts f
JOIN entities s ON s.organization_id = f.organization_id AND s.entity_id = f.subject_id
LEFT JOIN entities o ON o.organization_id = f.organization_id AND o.entity_id = f.object_id
WHERE f.organization_id = tenant_organization() AND f.fact_id = $1

-- name: holds
SELECT valid_from, valid_to FROM standings
WHERE organization_id = tenant_organization() AND fact_id = $1 AND to_rev = 9223372036854775807
  AND lifecycle IN ('active', 'disputed')
ORDER BY valid_from NULLS FIRST

-- name: slot_changed_at
SELECT coalesce(max(CASE WHEN s.to_rev = 9223372036854775807 THEN s.from_rev ELSE s.to_rev END), 0)
FROM facts f JOIN standings s ON s.organization_id = f.organization_id AND s.fact_id = f.fact_id
WHERE f.organization_id = tenant_organization() AND f.slot_id = $1

-- name: aliases_of
SELECT r.entity_id, CASE WHEN a.object_mention IS NULL THEN a.object_literal ->> 'value' ELSE m.surface END AS name, a.assertion_id
FROM assertions a
JOIN mentions m ON m.organization_id = a.organization_id AND m.mention_id = a.subject_mention
JOIN resolutions r ON r.organization_id = a.organization_id AND r.mention_id = coalesce(a.object_mention, a.subject_mention)
     AND r.to_rev = 9223372036854775807
WHERE a.organization_id = tenant_organization() AND a.assertion_id = ANY ($1::uuid[]) AND a.polarity = 'support'
  AND (a.object_mention IS NOT NULL OR a.object_literal ->> 'type' = 'text')

-- name: placed
SELECT p.assertion_id, p.fact_id, f.slot_id, p.group_id, p.state, f.predicate, a.principal_kind, a.document_id
FROM placements p
JOIN facts f ON f.organization_id = p.organization_id AND f.fact_id = p.fact_id
JOIN assertions a ON a.organization_id = p.organization_id AND a.assertion_id = p.assertion_id
WHERE p.organization_id = tenant_organization() AND p.assertion_id = ANY ($1::uuid[]) AND p.to_rev = 9223372036854775807

-- name: waiting
SELECT a.assertion_id, p.fact_id, f.sentence, e.excerpt, a.confidence, a.document_id, v.title, s.name, g.tier
FROM placements p
JOIN assertions a ON a.organization_id = p.organization_id AND a.assertion_id = p.assertion_id
JOIN facts f ON f.organization_id = p.organization_id AND f.fact_id = p.fact_id
JOIN evidence e ON e.organization_id = a.organization_id AND e.assertion_id = a.assertion_id
JOIN document_versions v ON v.organization_id = a.organization_id AND v.version_id = a.version_id
JOIN sources s ON s.organization_id = a.organization_id AND s.source_id = a.source_id
JOIN source_grades g ON g.organization_id = s.organization_id AND g.source_id = s.source_id AND g.to_rev = 9223372036854775807
WHERE p.organization_id = tenant_organization() AND p.state = 'pending' AND p.to_rev = 9223372036854775807
  AND ($1::uuid IS NULL OR a.document_id = $1) AND ($2::text IS NULL OR s.name = $2) AND ($3::text IS NULL OR f.predicate = $3)
  AND ($4::float8 IS NULL OR a.confidence < $4) AND ($5::uuid IS NULL OR a.assertion_id > $5)
ORDER BY a.assertion_id LIMIT $6

-- name: placed_by_version
SELECT p.assertion_id, p.fact_id, f.slot_id, p.group_id, p.state, f.predicate, a.principal_kind, a.document_id
FROM assertions a
JOIN placements p ON p.organization_id = a.organization_id AND p.assertion_id = a.assertion_id AND p.to_rev = 9223372036854775807
JOIN facts f ON f.organization_id = p.organization_id AND f.fact_id = p.fact_id
WHERE a.organization_id = tenant_organization() AND a.version_id = $1 AND p.state = ANY ($2::text[])
  AND ($3::uuid IS NULL OR a.run_id <> $3)

-- name: placed_by_document
SELECT p.assertion_id, p.fact_id, f.slot_id, p.group_id, p.state, f.predicate, a.principal_kind, a.document_id
FROM document_versions v
JOIN assertions a ON a.organization_id = v.organization_id AND a.version_id = v.version_id
JOIN placements p ON p.organization_id = a.organization_id AND p.assertion_id = a.assertion_id AND p.to_rev = 9223372036854775807
JOIN facts f ON f.organization_id = p.organization_id AND f.fact_id = p.fact_id
WHERE v.organization_id = tenant_organization() AND v.document_id = $1 AND ($2::uuid IS NULL OR v.version_id <> $2)
  AND p.state IN ('live', 'pending')

-- name: placed_by_source
SELECT p.assertion_id, p.fact_id, f.slot_id, p.group_id, p.state, f.predicate, a.principal_kind, a.document_id
FROM assertions a
JOIN placements p ON p.organization_id = a.organization_id AND p.assertion_id = a.assertion_id AND p.to_rev = 9223372036854775807
JOIN facts f ON f.organization_id = p.organization_id AND f.fact_id = p.fact_id
WHERE a.organization_id = tenant_organization() AND a.source_id = $1 AND p.state IN ('live', 'pending')

-- name: slots_of_source
SELECT DISTINCT f.slot_id FROM assertions a
JOIN placements p ON p.organization_id = a.organization_id AND p.assertion_id = a.assertion_id AND p.to_rev = 9223372036854775807
JOIN facts f ON f.organization_id = p.organization_id AND f.fact_id = p.fact_id
WHERE a.organization_id = tenant_organization() AND a.source_id = $1 ORDER BY f.slot_id

-- name: spoke_since
SELECT EXISTS (SELECT 1 FROM assertions WHERE organization_id = tenant_organization() AND source_id = $1 AND revision > $2)

-- name: slot_ids
SELECT slot_id FROM slots WHERE organization_id = tenant_organization() AND group_id = ANY (tenant_read_scopes())
  AND ($1::uuid IS NULL OR slot_id > $1) ORDER BY slot_id LIMIT $2

-- name: write_rows
SELECT write_rows($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)

-- name: append_rows
SELECT append_rows($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
                   $24)

-- name: enqueue_jobs
SELECT enqueue_jobs($1)
