-- name: head
SELECT coalesce((SELECT revision FROM heads WHERE organization_id = tenant_organization()), 0)

-- name: generations
SELECT generation, live, watermark, coalesce(lease_until > clock_timestamp(), false) AS leased
FROM projections WHERE organization_id = tenant_organization() AND engine = $1 ORDER BY generation

-- name: add
INSERT INTO projections (organization_id, engine, generation, live) VALUES (tenant_organization(), $1, $2, $3)
ON CONFLICT DO NOTHING RETURNING true

-- name: lease
UPDATE projections SET lease_holder = $3, lease_until = clock_timestamp() + make_interval(secs => $4)
WHERE organization_id = tenant_organization() AND engine = $1 AND generation = $2
  AND (lease_holder = $3 OR lease_until IS NULL OR lease_until <= clock_timestamp())
RETURNING watermark

-- name: release
UPDATE projections SET lease_holder = NULL, lease_until = NULL
WHERE organization_id = tenant_organization() AND engine = $1 AND generation = $2 AND lease_holder = $3

-- name: advance
UPDATE projections SET watermark = greatest(watermark, $5), lease_until = clock_timestamp() + make_interval(secs => $4),
    updated_at = clock_timestamp()
WHERE organization_id = tenant_organization() AND engine = $1 AND generation = $2 AND lease_holder = $3
  AND lease_until > clock_timestamp()
RETURNING true

-- name: fall_back
UPDATE projections SET watermark = least(watermark, $5), lease_until = clock_timestamp() + make_interval(secs => $4),
    updated_at = clock_timestamp()
WHERE organization_id = tenant_organization() AND engine = $1 AND generation = $2 AND lease_holder = $3
  AND lease_until > clock_timestamp()
RETURNING true

-- name: follow
INSERT INTO projections AS p (organization_id, engine, generation, live, watermark)
SELECT organization_id, $1, 1, true, revision FROM heads WHERE organization_id = tenant_organization()
ON CONFLICT (organization_id, engine, generation) DO UPDATE SET watermark = EXCLUDED.watermark, updated_at = clock_timestamp()
WHERE p.watermark < EXCLUDED.watermark

-- name: forget_others
DELETE FROM projections WHERE organization_id = tenant_organization() AND engine = $1 AND generation <> $2

-- name: make_live
UPDATE projections SET live = true, updated_at = clock_timestamp()
WHERE organization_id = tenant_organization() AND engine = $1 AND generation = $2

-- The last revision of the next page: the one before that of the first row too many, or that one when it is the first.
-- name: reach
SELECT least($2::bigint, greatest(min(r) - 1, $1::bigint + 1)) FROM (
    (SELECT from_rev AS r FROM standings WHERE organization_id = tenant_organization() AND from_rev > $1 AND from_rev <= $2
     ORDER BY from_rev OFFSET $3 LIMIT 1)
    UNION ALL
    (SELECT revision FROM standing_closures WHERE organization_id = tenant_organization() AND revision > $1 AND revision <= $2
     ORDER BY revision OFFSET $3 LIMIT 1)
    UNION ALL
    (SELECT from_rev FROM resolutions WHERE organization_id = tenant_organization() AND from_rev > $1 AND from_rev <= $2
     ORDER BY from_rev OFFSET $3 LIMIT 1)
    UNION ALL
    SELECT $2 + 1) rows (r)

-- name: opened
SELECT s.standing_id, s.fact_id, s.group_id, s.subject_id, s.predicate, s.object_id, f.object_literal::text AS object_literal,
       f.sentence, s.valid_from, s.valid_to, s.lifecycle, s.confidence, s.standing_hash, s.from_rev
FROM standings s JOIN facts f ON f.organization_id = s.organization_id AND f.fact_id = s.fact_id
WHERE s.organization_id = tenant_organization() AND s.from_rev > $1 AND s.from_rev <= $2 AND s.to_rev > $3
ORDER BY s.from_rev, s.standing_id

-- Whether anything has a name or kind of its own; then the next two statements count.
-- name: anything_named
SELECT anything_named(tenant_organization())

-- Things whose name or kind changed.
-- name: renamed
SELECT DISTINCT s.subject_id FROM standings s
WHERE s.organization_id = tenant_organization() AND s.from_rev > $1 AND s.from_rev <= $2
  AND s.predicate IN ('CANONICAL_NAME', 'ENTITY_KIND')
UNION
SELECT e.entity_id FROM entity_states e JOIN entities n ON n.organization_id = e.organization_id AND n.entity_id = e.entity_id AND n.named
WHERE e.organization_id = tenant_organization() AND e.from_rev > $1 AND e.from_rev <= $2

-- What ``opened`` gives with the names of $3, and the facts about renamed things ($4) that stood before.
-- name: opened_by_name
SELECT s.standing_id, s.fact_id, s.group_id, s.subject_id, s.predicate, s.object_id, f.object_literal::text AS object_literal,
       shown_sentence(s.organization_id, f.sentence, s.subject_id, s.predicate, s.object_id, $3) AS sentence,
       s.valid_from, s.valid_to, s.lifecycle, s.confidence, s.standing_hash, s.from_rev
FROM (
    SELECT standing_id FROM standings
    WHERE organization_id = tenant_organization() AND from_rev > $1 AND from_rev <= $2 AND to_rev > $3
    UNION SELECT standing_id FROM standings
    WHERE organization_id = tenant_organization() AND subject_id = ANY ($4::uuid[]) AND from_rev <= $2 AND to_rev > $3
    UNION SELECT standing_id FROM standings
    WHERE organization_id = tenant_organization() AND object_key = ANY ($4::uuid[]) AND from_rev <= $2 AND to_rev > $3) u
JOIN standings s ON s.organization_id = tenant_organization() AND s.standing_id = u.standing_id
JOIN facts f ON f.organization_id = s.organization_id AND f.fact_id = s.fact_id
ORDER BY s.from_rev, s.standing_id

-- name: closed
SELECT standing_id FROM standing_closures WHERE organization_id = tenant_organization() AND revision > $1 AND revision <= $2
ORDER BY revision, standing_id

-- Entities that are new or whose state changed, as they are at $3: there, merged into another, or erased.
-- name: entities
SELECT e.entity_id, e.group_id, CASE WHEN e.named THEN shown_name(e, $3) ELSE e.name END AS name,
       coalesce(CASE WHEN e.named THEN shown_kind(e, $3) ELSE e.kind END, 'thing') AS kind,
       s.merged_into IS NOT NULL OR e.name = '' AS gone
FROM (SELECT entity_id FROM entities WHERE organization_id = tenant_organization() AND revision > $1 AND revision <= $2
      UNION SELECT entity_id FROM entity_states WHERE organization_id = tenant_organization() AND from_rev > $1 AND from_rev <= $2
      UNION SELECT unnest($4::uuid[])) c
JOIN entities e ON e.organization_id = tenant_organization() AND e.entity_id = c.entity_id
LEFT JOIN entity_states s ON s.organization_id = e.organization_id AND s.entity_id = e.entity_id AND s.from_rev <= $3 AND s.to_rev > $3
ORDER BY e.revision, e.entity_id

-- name: changed_documents
SELECT DISTINCT v.document_id FROM document_states s
JOIN document_versions v ON v.organization_id = s.organization_id AND v.version_id = s.version_id
WHERE s.organization_id = tenant_organization() AND s.from_rev > $1 AND s.from_rev <= $2

-- Documents as they are at $2: there while a version of them is accepted, else gone.
-- name: documents
SELECT d.document_id, d.group_id, coalesce(v.title, d.record_key) AS title, v.version_id IS NULL AS gone
FROM documents d
LEFT JOIN LATERAL (
    SELECT v.version_id, v.title FROM document_versions v
    JOIN document_states s ON s.organization_id = v.organization_id AND s.version_id = v.version_id AND s.from_rev <= $2 AND s.to_rev > $2
    WHERE v.organization_id = d.organization_id AND v.document_id = d.document_id AND s.status IN ('pending', 'processing', 'completed')
    ORDER BY v.revision DESC, v.version_id DESC LIMIT 1) v ON true
WHERE d.organization_id = tenant_organization() AND d.document_id = ANY ($1::uuid[]) ORDER BY d.document_id

-- Which documents name which entities: for mentions that were resolved in the range, those of the documents in $4, and
-- those of entities whose state changed. A pair is there at $3 while an accepted version has such a mention.
-- name: mentions
WITH touched AS (
    SELECT r.mention_id FROM resolutions r WHERE r.organization_id = tenant_organization() AND r.from_rev > $1 AND r.from_rev <= $2
    UNION
    SELECT m.mention_id FROM document_versions v JOIN mentions m ON m.organization_id = v.organization_id AND m.version_id = v.version_id
    WHERE v.organization_id = tenant_organization() AND v.document_id = ANY ($4::uuid[])
    UNION
    SELECT r.mention_id FROM entity_states e JOIN resolutions r ON r.organization_id = e.organization_id AND r.entity_id = e.entity_id
    WHERE e.organization_id = tenant_organization() AND e.from_rev > $1 AND e.from_rev <= $2
), pairs AS (
    SELECT m.document_id, r.entity_id, min(m.group_id) AS group_id,
           bool_or(coalesce(r.to_rev > $3 AND s.status IN ('pending', 'processing', 'completed'), false)) AS held,
           bool_or(e.merged_into IS NOT NULL) AS merged
    FROM touched t
    JOIN mentions m ON m.organization_id = tenant_organization() AND m.mention_id = t.mention_id
    JOIN resolutions r ON r.organization_id = m.organization_id AND r.mention_id = m.mention_id AND r.from_rev <= $2
    LEFT JOIN document_states s ON s.organization_id = m.organization_id AND s.version_id = m.version_id AND s.from_rev <= $3 AND s.to_rev > $3
    LEFT JOIN entity_states e ON e.organization_id = r.organization_id AND e.entity_id = r.entity_id AND e.from_rev <= $3 AND e.to_rev > $3
    GROUP BY m.document_id, r.entity_id
)
SELECT p.document_id, p.entity_id, p.group_id, NOT p.merged AND CASE WHEN p.held THEN true ELSE EXISTS (
    SELECT 1 FROM document_versions v
    JOIN document_states s ON s.organization_id = v.organization_id AND s.version_id = v.version_id AND s.from_rev <= $3 AND s.to_rev > $3
    JOIN mentions m ON m.organization_id = v.organization_id AND m.version_id = v.version_id
    JOIN resolutions r ON r.organization_id = m.organization_id AND r.mention_id = m.mention_id AND r.from_rev <= $2 AND r.to_rev > $3
    WHERE v.organization_id = tenant_organization() AND v.document_id = p.document_id AND r.entity_id = p.entity_id
      AND s.status IN ('pending', 'processing', 'completed')) END AS held
FROM pairs p ORDER BY p.document_id, p.entity_id

-- name: hashes
SELECT standing_id, standing_hash FROM standings WHERE organization_id = tenant_organization() AND from_rev <= $1 AND to_rev > $1
