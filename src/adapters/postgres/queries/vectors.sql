-- name: indexes
SELECT a.index_id, i.model, i.dimension, a.watermark, a.building_id, b.model AS building_model, b.dimension AS building_dimension,
       a.building_watermark
FROM active_vector_indexes a
JOIN vector_indexes i ON i.index_id = a.index_id
LEFT JOIN vector_indexes b ON b.index_id = a.building_id
WHERE a.organization_id = tenant_organization()

-- name: lock_indexes
SELECT pg_advisory_xact_lock(hashtext('assay.ensure_vector_index'))

-- name: index_of_model
SELECT index_id FROM vector_indexes WHERE model = $1 AND dimension = $2 ORDER BY index_id DESC LIMIT 1

-- name: create_index
SELECT create_vector_index($1, $2)

-- name: activate
INSERT INTO active_vector_indexes (organization_id, index_id) VALUES (tenant_organization(), $1)

-- name: start_building
UPDATE active_vector_indexes SET building_id = $1, building_watermark = 0 WHERE organization_id = tenant_organization()

-- name: switch
UPDATE active_vector_indexes SET index_id = building_id, watermark = building_watermark, building_id = NULL, building_watermark = 0
WHERE organization_id = tenant_organization() AND building_id IS NOT NULL RETURNING index_id

-- name: advance
UPDATE active_vector_indexes SET watermark = CASE WHEN index_id = $1 THEN greatest(watermark, $2) ELSE watermark END,
    building_watermark = CASE WHEN building_id = $1 THEN greatest(building_watermark, $2) ELSE building_watermark END
WHERE organization_id = tenant_organization() AND (index_id = $1 OR building_id = $1)

-- name: build_graphs
SELECT build_vector_graphs($1, $2)

-- name: drop_outgrown_graph
SELECT drop_outgrown_graph($1, $2, $3)

-- name: pending_fact
SELECT f.fact_id AS id, f.revision, f.sentence AS text FROM facts f
WHERE f.organization_id = tenant_organization() AND f.revision > $2 AND f.sentence IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM fact_vectors v WHERE v.index_id = $1 AND v.organization_id = f.organization_id AND v.fact_id = f.fact_id)
ORDER BY f.revision, f.fact_id LIMIT $3

-- name: pending_chunk
SELECT c.chunk_id AS id, c.from_rev AS revision, c.text FROM chunks c
WHERE c.organization_id = tenant_organization() AND c.from_rev > $2 AND c.embed AND c.to_rev = 9223372036854775807
  AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.index_id = $1 AND v.organization_id = c.organization_id AND v.chunk_id = c.chunk_id)
ORDER BY c.from_rev, c.chunk_id LIMIT $3

-- name: pending_entity
SELECT e.entity_id AS id, e.revision, e.name AS text FROM entities e
WHERE e.organization_id = tenant_organization() AND e.revision > $2 AND e.name <> ''
  AND NOT EXISTS (SELECT 1 FROM entity_vectors v WHERE v.index_id = $1 AND v.organization_id = e.organization_id AND v.entity_id = e.entity_id)
ORDER BY e.revision, e.entity_id LIMIT $3

-- name: pending_concept
SELECT e.entity_id AS id, e.revision, concat_ws(', ', coalesce(e.label, e.name), array_to_string(e.search_terms, ', ')) AS text FROM entities e
WHERE e.organization_id = tenant_organization() AND e.revision > $2 AND e.kind = 'concept'
  AND NOT EXISTS (SELECT 1 FROM concept_vectors v WHERE v.index_id = $1 AND v.organization_id = e.organization_id AND v.concept_id = e.entity_id)
ORDER BY e.revision, e.entity_id LIMIT $3

-- name: store_fact
INSERT INTO fact_vectors (index_id, organization_id, group_id, fact_id, embedding)
SELECT $1, r.organization_id, r.group_id, r.fact_id, u.v FROM unnest($2::uuid[], $3::halfvec[]) AS u (id, v)
JOIN facts r ON r.organization_id = tenant_organization() AND r.fact_id = u.id
ON CONFLICT (index_id, organization_id, fact_id) DO UPDATE SET embedding = EXCLUDED.embedding

-- name: store_chunk
INSERT INTO chunk_vectors (index_id, organization_id, group_id, chunk_id, embedding)
SELECT $1, r.organization_id, r.group_id, r.chunk_id, u.v FROM unnest($2::uuid[], $3::halfvec[]) AS u (id, v)
JOIN chunks r ON r.organization_id = tenant_organization() AND r.chunk_id = u.id
ON CONFLICT (index_id, organization_id, chunk_id) DO UPDATE SET embedding = EXCLUDED.embedding

-- name: store_entity
INSERT INTO entity_vectors (index_id, organization_id, group_id, entity_id, embedding)
SELECT $1, r.organization_id, r.group_id, r.entity_id, u.v FROM unnest($2::uuid[], $3::halfvec[]) AS u (id, v)
JOIN entities r ON r.organization_id = tenant_organization() AND r.entity_id = u.id
ON CONFLICT (index_id, organization_id, entity_id) DO UPDATE SET embedding = EXCLUDED.embedding

-- name: store_concept
INSERT INTO concept_vectors (index_id, organization_id, group_id, concept_id, embedding)
SELECT $1, r.organization_id, r.group_id, r.entity_id, u.v FROM unnest($2::uuid[], $3::halfvec[]) AS u (id, v)
JOIN entities r ON r.organization_id = tenant_organization() AND r.entity_id = u.id AND r.kind = 'concept'
ON CONFLICT (index_id, organization_id, concept_id) DO UPDATE SET embedding = EXCLUDED.embedding

-- name: enter
SELECT enter_tenant($1::uuid, $2::text, $3::text)
