-- name: policies
SELECT policy FROM predicates WHERE organization_id = tenant_organization() AND to_rev = 9223372036854775807 ORDER BY name

-- name: candidates
SELECT n.normal, coalesce(s.merged_into, n.entity_id) AS entity_id, coalesce(e.kind, n.kind) AS kind, n.group_id,
       n.assertion_id IS NOT NULL AS by_alias
FROM names n
JOIN entities e ON e.organization_id = n.organization_id AND e.entity_id = n.entity_id
LEFT JOIN entity_states s ON s.organization_id = n.organization_id AND s.entity_id = n.entity_id AND s.to_rev = 9223372036854775807
WHERE n.organization_id = tenant_organization() AND n.normal = ANY ($1::text[]) AND n.to_rev = 9223372036854775807

-- name: mentions_of
SELECT m.mention_id, m.version_id, m.document_id, m.surface, m.normal, m.kind, m.start_offset, m.end_offset, r.entity_id, r.rule
FROM mentions m
JOIN resolutions r ON r.organization_id = m.organization_id AND r.mention_id = m.mention_id AND r.to_rev = 9223372036854775807
WHERE m.organization_id = tenant_organization() AND m.version_id = $1 AND m.normal = ANY ($2::text[])

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

-- name: slot_testimonies
SELECT p.fact_id, p.assertion_id, p.state, a.polarity, a.kind, a.confidence, a.valid_from, a.valid_from_precision,
       a.valid_from_state, a.valid_to, a.valid_to_precision, a.valid_to_state, a.observed_at, a.published_at,
       g.tier, g.trust, a.independence_key, a.corrects_revision, p.approved
FROM placements p
JOIN assertions a ON a.organization_id = p.organization_id AND a.assertion_id = p.assertion_id
JOIN source_grades g ON g.organization_id = a.organization_id AND g.source_id = a.source_id
     AND g.from_rev <= $2 AND g.to_rev > $2
WHERE p.organization_id = tenant_organization() AND p.fact_id = ANY ($1::uuid[]) AND p.from_rev <= $2 AND p.to_rev > $2

-- name: slot_standings
SELECT standing_id, fact_id, standing_hash FROM standings
WHERE organization_id = tenant_organization() AND fact_id = ANY ($1::uuid[]) AND from_rev <= $2 AND to_rev > $2

-- name: placed
SELECT p.assertion_id, p.fact_id, f.slot_id, p.group_id, p.state, f.predicate, a.principal_kind, a.document_id
FROM placements p
JOIN facts f ON f.organization_id = p.organization_id AND f.fact_id = p.fact_id
JOIN assertions a ON a.organization_id = p.organization_id AND a.assertion_id = p.assertion_id
WHERE p.organization_id = tenant_organization() AND p.assertion_id = ANY ($1::uuid[]) AND p.to_rev = 9223372036854775807

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

-- name: slot_ids
SELECT slot_id FROM slots WHERE organization_id = tenant_organization() AND group_id = ANY (tenant_read_scopes())
  AND ($1::uuid IS NULL OR slot_id > $1) ORDER BY slot_id LIMIT $2

-- name: insert_entities
INSERT INTO entities (organization_id, group_id, entity_id, kind, name, revision)
SELECT tenant_organization(), $1, id, kind, name, $2 FROM unnest($3::uuid[], $4::text[], $5::text[]) AS u (id, kind, name)

-- name: insert_names
INSERT INTO names (organization_id, group_id, entity_id, name, normal, kind, assertion_id, from_rev)
SELECT tenant_organization(), $1, id, name, normal, kind, assertion, $2
FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[]) AS u (id, name, normal, kind, assertion)
ON CONFLICT DO NOTHING

-- name: close_aliases_of
UPDATE names SET to_rev = $2 WHERE organization_id = tenant_organization() AND assertion_id = ANY ($1::uuid[])
  AND to_rev = 9223372036854775807

-- name: insert_mentions
INSERT INTO mentions (organization_id, group_id, mention_id, version_id, document_id, surface, normal, kind, start_offset, end_offset, revision)
SELECT tenant_organization(), $1, id, version, document, surface, normal, kind, s, e, $2
FROM unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::int[], $10::int[])
     AS u (id, version, document, surface, normal, kind, s, e)

-- name: insert_resolutions
INSERT INTO resolutions (organization_id, group_id, mention_id, entity_id, rule, score, from_rev)
SELECT tenant_organization(), $1, mention, entity, rule, 1.0, $2
FROM unnest($3::uuid[], $4::uuid[], $5::text[]) AS u (mention, entity, rule)

-- name: insert_assertions
INSERT INTO assertions (organization_id, group_id, assertion_id, key, document_id, version_id, run_id, source_id,
    principal_id, principal_kind, predicate, subject_mention, object_mention, object_literal, qualifiers, polarity, kind,
    asserter, confidence, valid_from, valid_from_precision, valid_from_state, valid_to, valid_to_precision, valid_to_state,
    observed_at, published_at, independence_key, corrects_fact, corrects_revision, revision)
SELECT tenant_organization(), $1, u.id, u.key, u.document, u.version, u.run, u.source, $3, $4, u.predicate, u.subject, u.object,
       u.literal::jsonb, u.qualifiers::jsonb, u.polarity, u.kind, u.asserter, u.confidence, u.vf, u.vfp, u.vfs, u.vt, u.vtp, u.vts,
       u.observed, u.published, u.independence, u.corrects, u.saw, $2
FROM unnest($5::uuid[], $6::bytea[], $7::uuid[], $8::uuid[], $9::uuid[], $10::uuid[], $11::text[], $12::uuid[], $13::uuid[],
            $14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::float8[], $20::timestamptz[], $21::text[],
            $22::text[], $23::timestamptz[], $24::text[], $25::text[], $26::timestamptz[], $27::timestamptz[], $28::text[],
            $29::uuid[], $30::bigint[])
     AS u (id, key, document, version, run, source, predicate, subject, object, literal, qualifiers, polarity, kind, asserter,
           confidence, vf, vfp, vfs, vt, vtp, vts, observed, published, independence, corrects, saw)

-- name: insert_evidence
INSERT INTO evidence (organization_id, group_id, assertion_id, kind, version_id, chunk_id, start_offset, end_offset, pointer, excerpt, revision)
SELECT tenant_organization(), $1, assertion, kind, version, chunk, s, e, pointer, excerpt, $2
FROM unnest($3::uuid[], $4::text[], $5::uuid[], $6::uuid[], $7::int[], $8::int[], $9::text[], $10::text[])
     AS u (assertion, kind, version, chunk, s, e, pointer, excerpt)

-- name: insert_facts
INSERT INTO facts (organization_id, group_id, fact_id, key, slot_id, subject_id, predicate, object_id, object_literal, object_key,
                   qualifiers, sentence, revision)
SELECT tenant_organization(), $1, id, key, slot, subject, predicate, object, literal::jsonb, object_key, qualifiers::jsonb, sentence, $2
FROM unnest($3::uuid[], $4::bytea[], $5::uuid[], $6::uuid[], $7::text[], $8::uuid[], $9::text[], $10::uuid[], $11::text[], $12::text[])
     AS u (id, key, slot, subject, predicate, object, literal, object_key, qualifiers, sentence)

-- name: close_placements
UPDATE placements SET to_rev = $2 WHERE organization_id = tenant_organization() AND assertion_id = ANY ($1::uuid[])
  AND to_rev = 9223372036854775807

-- name: insert_placements
INSERT INTO placements (organization_id, group_id, assertion_id, fact_id, state, approved, from_rev)
SELECT tenant_organization(), grp, assertion, fact, state, approved, $1
FROM unnest($2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::bool[]) AS u (grp, assertion, fact, state, approved)

-- name: close_standings
UPDATE standings SET to_rev = $2 WHERE organization_id = tenant_organization() AND standing_id = ANY ($1::uuid[])
  AND to_rev = 9223372036854775807

-- name: insert_standings
INSERT INTO standings (organization_id, group_id, standing_id, fact_id, slot_id, subject_id, predicate, object_id, object_key,
    valid_from, valid_to, lifecycle, support, refute, confidence, support_mass, refute_mass, score, reason, tier, verification,
    kind, corrected, observed_at, standing_hash, from_rev)
SELECT tenant_organization(), u.grp, u.id, u.fact, u.slot, u.subject, u.predicate, u.object, u.object_key, u.vf, u.vt, u.lifecycle,
       u.support, u.refute, u.confidence, u.sm, u.rm, u.score, u.reason, u.tier, u.verification, u.kind, u.corrected, u.observed, u.hash, $1
FROM unnest($2::text[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::uuid[], $9::uuid[], $10::timestamptz[],
            $11::timestamptz[], $12::text[], $13::bool[], $14::bool[], $15::float8[], $16::float8[], $17::float8[], $18::float8[],
            $19::text[], $20::int2[], $21::text[], $22::text[], $23::bool[], $24::timestamptz[], $25::bytea[])
     AS u (grp, id, fact, slot, subject, predicate, object, object_key, vf, vt, lifecycle, support, refute, confidence, sm, rm,
           score, reason, tier, verification, kind, corrected, observed, hash)
