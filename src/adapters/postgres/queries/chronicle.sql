-- name: chain_faults
-- One row a revision, the telling kind first. What is missing at the end shows against the head.
WITH links AS (
    SELECT m.revision, m.hash, m.previous_hash, lag(m.hash) OVER w AS before, coalesce(lag(m.revision) OVER w, 0) AS prior,
           mutation_hash(m.previous_hash, m.organization_id, m.revision, m.group_id, m.principal_id, m.principal_kind,
                         m.connection_id, m.kind, m.reason, m.committed_at, m.commitment) AS expected
    FROM mutations m WHERE m.organization_id = tenant_organization() WINDOW w AS (ORDER BY m.revision)),
head AS (SELECT h.revision, h.hash, (SELECT coalesce(max(revision), 0) FROM links) AS last
         FROM heads h WHERE h.organization_id = tenant_organization()),
found (revision, last, kind, rank, named) AS (
    SELECT revision, revision, 'changed', 3, NULL::bytea FROM links WHERE hash <> expected
    UNION ALL
    SELECT prior + 1, revision - 1, 'missing', 1, NULL FROM links WHERE prior < revision - 1
    UNION ALL
    SELECT revision, revision, 'replaced', 2, previous_hash FROM links WHERE prior = revision - 1 AND previous_hash <> coalesce(before, sha256(convert_to('assay ' || tenant_organization()::text, 'UTF8')))
    UNION ALL
    SELECT last + 1, revision, 'missing', 1, NULL FROM head WHERE last < revision
    UNION ALL
    SELECT l.revision, l.revision, 'beyond_head', 1, NULL FROM links l, head WHERE l.revision > head.revision
    UNION ALL
    SELECT l.revision, l.revision, 'changed', 3, NULL FROM links l, head
    WHERE l.revision = head.revision AND l.hash <> head.hash),
first AS (SELECT DISTINCT ON (revision) * FROM found ORDER BY revision, rank LIMIT $1)
SELECT revision, last, CASE WHEN kind = 'replaced' AND EXISTS (
    SELECT FROM mutations m WHERE m.organization_id = tenant_organization() AND m.hash = first.named) THEN 'reordered' ELSE kind END
FROM first ORDER BY revision

-- name: seal
SELECT h.organization_id, h.revision, h.hash, m.committed_at FROM heads h
LEFT JOIN mutations m ON m.organization_id = h.organization_id AND m.revision = h.revision
WHERE h.organization_id = tenant_organization()

-- name: hash_at
SELECT hash FROM mutations WHERE organization_id = tenant_organization() AND revision = $1

-- name: commitments
SELECT m.revision, m.commitment, p.salt, p.payload
FROM mutations m LEFT JOIN mutation_payloads p USING (organization_id, revision)
WHERE m.organization_id = tenant_organization() AND m.revision > $1 ORDER BY m.revision LIMIT $2

-- name: links
SELECT m.revision, m.group_id, m.principal_id::text, m.principal_kind, m.connection_id, m.kind, m.reason, m.committed_at,
       m.commitment, m.previous_hash, m.hash, p.payload
FROM mutations m LEFT JOIN mutation_payloads p USING (organization_id, revision)
WHERE m.organization_id = tenant_organization() AND m.revision > $1 AND m.revision <= $2 ORDER BY m.revision LIMIT $3

-- name: entries
SELECT m.revision, m.kind, m.principal_id::text, m.principal_kind, m.connection_id, m.reason, m.committed_at, p.payload,
       m.group_id, w.name
FROM mutations m LEFT JOIN mutation_payloads p USING (organization_id, revision)
LEFT JOIN principals w ON w.organization_id = m.organization_id AND w.principal_id = m.principal_id
WHERE m.organization_id = tenant_organization() AND m.revision > $1 AND m.revision <= $2
  AND ($3::uuid IS NULL OR m.principal_id = $3) AND ($4::text IS NULL OR m.kind = $4)
  AND ($5::bigint[] IS NULL OR m.revision = ANY ($5))
ORDER BY m.revision LIMIT $6

-- name: touched_entity
SELECT s.from_rev FROM standings s WHERE s.organization_id = tenant_organization() AND s.subject_id = ANY ($1::uuid[])
UNION SELECT s.to_rev FROM standings s WHERE s.organization_id = tenant_organization() AND s.subject_id = ANY ($1::uuid[])
UNION SELECT s.from_rev FROM standings s WHERE s.organization_id = tenant_organization() AND s.object_key = ANY ($1::uuid[])
UNION SELECT s.to_rev FROM standings s WHERE s.organization_id = tenant_organization() AND s.object_key = ANY ($1::uuid[])
UNION SELECT e.revision FROM entities e WHERE e.organization_id = tenant_organization() AND e.entity_id = ANY ($1::uuid[])
UNION SELECT e.from_rev FROM entity_states e WHERE e.organization_id = tenant_organization() AND e.entity_id = ANY ($1::uuid[])

-- name: touched_fact
SELECT s.from_rev FROM standings s WHERE s.organization_id = tenant_organization() AND s.fact_id = ANY ($1::uuid[])
UNION SELECT s.to_rev FROM standings s WHERE s.organization_id = tenant_organization() AND s.fact_id = ANY ($1::uuid[])
UNION SELECT p.from_rev FROM placements p WHERE p.organization_id = tenant_organization() AND p.fact_id = ANY ($1::uuid[])
UNION SELECT p.to_rev FROM placements p WHERE p.organization_id = tenant_organization() AND p.fact_id = ANY ($1::uuid[])

-- name: touched_assertion
SELECT p.from_rev FROM placements p WHERE p.organization_id = tenant_organization() AND p.assertion_id = ANY ($1::uuid[])
UNION SELECT p.to_rev FROM placements p WHERE p.organization_id = tenant_organization() AND p.assertion_id = ANY ($1::uuid[])

-- name: touched_document
SELECT d.revision FROM documents d WHERE d.organization_id = tenant_organization() AND d.document_id = ANY ($1::uuid[])
UNION SELECT v.revision FROM document_versions v WHERE v.organization_id = tenant_organization() AND v.document_id = ANY ($1::uuid[])
UNION SELECT s.from_rev FROM document_versions v JOIN document_states s USING (organization_id, version_id)
WHERE v.organization_id = tenant_organization() AND v.document_id = ANY ($1::uuid[])
UNION SELECT p.from_rev FROM document_versions v JOIN assertions a USING (organization_id, version_id)
JOIN placements p USING (organization_id, assertion_id)
WHERE v.organization_id = tenant_organization() AND v.document_id = ANY ($1::uuid[])

-- name: touched_source
SELECT s.revision FROM sources s WHERE s.organization_id = tenant_organization() AND s.source_id = ANY ($1::uuid[])
UNION SELECT g.from_rev FROM source_grades g WHERE g.organization_id = tenant_organization() AND g.source_id = ANY ($1::uuid[])
UNION SELECT p.from_rev FROM assertions a JOIN placements p USING (organization_id, assertion_id)
WHERE a.organization_id = tenant_organization() AND a.source_id = ANY ($1::uuid[])

-- name: touched_predicate
SELECT p.from_rev FROM predicates p WHERE p.organization_id = tenant_organization() AND p.name = $1
UNION SELECT p.to_rev FROM predicates p WHERE p.organization_id = tenant_organization() AND p.name = $1

-- name: steps
-- Segments that each revision opened and closed, at most $3 a revision; of some facts only where they are given.
SELECT w.revision, s.standing_id, s.fact_id,
       shown_sentence(s.organization_id, f.sentence, s.subject_id, s.predicate, s.object_id, w.revision) AS sentence, s.opened, s.valid_from, s.valid_to, s.lifecycle, s.confidence, s.reason,
       ARRAY(SELECT DISTINCT o.name FROM placements p JOIN assertions a USING (organization_id, assertion_id)
             JOIN sources o USING (organization_id, source_id)
             WHERE p.organization_id = s.organization_id AND p.fact_id = s.fact_id
               AND (p.from_rev = w.revision OR p.to_rev = w.revision) ORDER BY 1 LIMIT 5) AS sources, s.steps
FROM unnest($1::bigint[]) w (revision)
CROSS JOIN LATERAL (
    SELECT x.*, count(*) OVER () AS steps FROM (
        SELECT o.*, true AS opened FROM standings o WHERE o.organization_id = tenant_organization() AND o.from_rev = w.revision
        UNION ALL
        SELECT o.*, false FROM standing_closures c JOIN standings o USING (organization_id, standing_id)
        WHERE c.organization_id = tenant_organization() AND c.revision = w.revision) x
    WHERE $2::uuid[] IS NULL OR x.fact_id = ANY ($2)
    ORDER BY x.fact_id, x.opened, x.valid_from NULLS FIRST LIMIT $3) s
JOIN facts f ON f.organization_id = s.organization_id AND f.fact_id = s.fact_id
ORDER BY w.revision, s.fact_id, s.opened, s.valid_from NULLS FIRST
