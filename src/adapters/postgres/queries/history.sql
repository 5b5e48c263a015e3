-- name: mutation
SELECT m.revision, m.kind, m.principal_id::text, m.principal_kind, m.connection_id, m.reason, m.committed_at, p.payload, m.group_id
FROM mutations m LEFT JOIN mutation_payloads p USING (organization_id, revision)
WHERE m.organization_id = tenant_organization() AND m.revision = $1

-- name: flips
SELECT b.state AS before, coalesce(b.approved, false) AS approved, c.from_rev AS last, c.assertion_id, c.fact_id, f.slot_id,
       c.group_id, c.state, f.predicate, a.principal_kind, a.document_id
FROM placements s
LEFT JOIN placements b ON b.organization_id = s.organization_id AND b.assertion_id = s.assertion_id AND b.to_rev = $1
JOIN placements c ON c.organization_id = s.organization_id AND c.assertion_id = s.assertion_id AND c.to_rev = 9223372036854775807
JOIN facts f ON f.organization_id = c.organization_id AND f.fact_id = c.fact_id
JOIN assertions a ON a.organization_id = c.organization_id AND a.assertion_id = c.assertion_id
WHERE s.organization_id = tenant_organization() AND s.from_rev = $1 ORDER BY c.assertion_id

-- name: later_states
SELECT l.from_rev FROM document_states s
JOIN document_states l ON l.organization_id = s.organization_id AND l.version_id = s.version_id AND l.from_rev > $1
WHERE s.organization_id = tenant_organization() AND s.from_rev = $1
UNION
SELECT l.from_rev FROM source_grades s
JOIN source_grades l ON l.organization_id = s.organization_id AND l.source_id = s.source_id AND l.from_rev > $1
WHERE s.organization_id = tenant_organization() AND s.from_rev = $1
ORDER BY 1

-- name: grade_before
SELECT b.source_id, b.tier, b.trust, c.from_rev
FROM source_grades b
JOIN source_grades c ON c.organization_id = b.organization_id AND c.source_id = b.source_id AND c.to_rev = 9223372036854775807
WHERE b.organization_id = tenant_organization() AND b.to_rev = $1

-- name: close_states
UPDATE document_states SET to_rev = $2
WHERE organization_id = tenant_organization() AND from_rev = $1 AND to_rev = 9223372036854775807

-- name: reopen_states
INSERT INTO document_states (organization_id, group_id, version_id, status, detail, from_rev)
SELECT organization_id, group_id, version_id, status, detail, $2 FROM document_states
WHERE organization_id = tenant_organization() AND to_rev = $1

-- name: close_chunks
UPDATE chunks SET to_rev = $2
WHERE organization_id = tenant_organization() AND from_rev = $1 AND to_rev = 9223372036854775807

-- name: reopen_chunks
INSERT INTO chunks (organization_id, group_id, chunk_id, version_id, document_id, ordinal, start_offset, end_offset, text, embed, from_rev)
SELECT organization_id, group_id, uuidv7(), version_id, document_id, ordinal, start_offset, end_offset, text, embed, $2 FROM chunks
WHERE organization_id = tenant_organization() AND to_rev = $1

-- name: close_grades
UPDATE source_grades SET to_rev = $2
WHERE organization_id = tenant_organization() AND from_rev = $1 AND to_rev = 9223372036854775807

-- name: reopen_grades
INSERT INTO source_grades (organization_id, group_id, source_id, tier, trust, withdrawn, from_rev)
SELECT organization_id, group_id, source_id, tier, trust, withdrawn, $2 FROM source_grades
WHERE organization_id = tenant_organization() AND to_rev = $1
