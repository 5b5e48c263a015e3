-- name: tenant
-- One organization with one workspace and one source: $1 organization, $2 its workspace's group.
WITH o AS (INSERT INTO organizations (organization_id, name) VALUES ($1::uuid, 'benchmark')),
     h AS (INSERT INTO heads (organization_id, revision, hash) VALUES ($1::uuid, 1, '\x00')),
     p AS (INSERT INTO principals (organization_id, principal_id, kind, name) VALUES ($1::uuid, $1::uuid, 'human', 'benchmark'))
INSERT INTO scopes (organization_id, group_id, scope_id, kind, name) VALUES ($1::uuid, $2::text, $1::uuid, 'organization', 'benchmark')

-- name: source
WITH s AS (INSERT INTO sources (organization_id, group_id, source_id, kind, name, revision) VALUES ($1::uuid, $2::text, $1::uuid, 'folder', 'benchmark', 1))
INSERT INTO source_grades (organization_id, group_id, source_id, tier, from_rev) VALUES ($1::uuid, $2::text, $1::uuid, 2, 1)

-- name: documents
INSERT INTO documents (organization_id, group_id, document_id, source_id, record_key, revision)
SELECT $1::uuid, $2::text, id, $1::uuid, id::text, 1 FROM unnest($3::uuid[]) AS u (id)

-- name: artifacts
INSERT INTO artifacts (organization_id, group_id, source_id, content_hash, object_key, key_id, size, revision)
SELECT $1::uuid, $2::text, $1::uuid, id::text, id::text, 'none', 0, 1 FROM unnest($3::uuid[]) AS u (id)

-- name: versions
INSERT INTO document_versions (organization_id, group_id, version_id, document_id, source_id, content_hash, content_type, retrieved_at,
                               gate, principal_id, principal_kind, revision)
SELECT $1::uuid, $2::text, id, id, $1::uuid, id::text, 'text/plain', now(), 'live', $1::uuid, 'human', 1 FROM unnest($3::uuid[]) AS u (id)

-- name: runs
INSERT INTO runs (organization_id, group_id, run_id, version_id, recipe, extractor, extractor_version, revision)
SELECT $1::uuid, $2::text, id, id, 'shipped', 'shipped', '1', 1 FROM unnest($3::uuid[]) AS u (id)

-- name: chunks
INSERT INTO chunks (organization_id, group_id, chunk_id, version_id, document_id, ordinal, start_offset, end_offset, text, embed, from_rev)
SELECT $1::uuid, $2::text, id, id, id, 0, 0, length(text), text, true, 1 FROM unnest($3::uuid[], $4::text[]) AS u (id, text)

-- name: entities
INSERT INTO entities (organization_id, group_id, entity_id, name, revision)
SELECT $1::uuid, $2::text, id, name, 1 FROM unnest($3::uuid[], $4::text[]) AS u (id, name)

-- name: names
INSERT INTO names (organization_id, group_id, entity_id, name, normal, from_rev)
SELECT $1::uuid, $2::text, id, name, normal, 1 FROM unnest($3::uuid[], $4::text[], $5::text[]) AS u (id, name, normal)

-- name: slots
INSERT INTO slots (organization_id, group_id, slot_id, key) SELECT $1::uuid, $2::text, id, uuid_send(id) FROM unnest($3::uuid[]) AS u (id)

-- name: facts
INSERT INTO facts (organization_id, group_id, fact_id, key, slot_id, subject_id, predicate, object_id, object_key, sentence, revision)
SELECT $1::uuid, $2::text, id, uuid_send(id), id, s, p, o, o, sentence, 1
FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::text[]) AS u (id, s, p, o, sentence)

-- name: mentions
INSERT INTO mentions (organization_id, group_id, mention_id, version_id, document_id, surface, normal, revision)
SELECT $1::uuid, $2::text, id, d, d, 'mention ' || id, id::text, 1 FROM unnest($3::uuid[], $4::uuid[]) AS u (id, d)

-- name: assertions
INSERT INTO assertions (organization_id, group_id, assertion_id, key, document_id, version_id, run_id, source_id, principal_id, principal_kind,
                        predicate, subject_mention, object_mention, polarity, kind, confidence, valid_from_state, valid_to_state,
                        observed_at, independence_key, revision)
SELECT $1::uuid, $2::text, id, uuid_send(id), d, d, d, $1::uuid, $1::uuid, 'human', 'P', d, d, 'support', 'fact', 0.9, 'unknown', 'unknown',
       now(), 'one', 1
FROM unnest($3::uuid[], $4::uuid[]) AS u (id, d)

-- name: evidence
INSERT INTO evidence (organization_id, group_id, assertion_id, kind, version_id, excerpt, revision)
SELECT $1::uuid, $2::text, id, 'record', d, sentence, 1 FROM unnest($3::uuid[], $4::uuid[], $5::text[]) AS u (id, d, sentence)

-- name: placements
INSERT INTO placements (organization_id, group_id, assertion_id, fact_id, state, from_rev)
SELECT $1::uuid, $2::text, assertion, fact, 'live', 1 FROM unnest($3::uuid[], $4::uuid[]) AS u (assertion, fact)

-- name: standings
INSERT INTO standings (organization_id, group_id, standing_id, fact_id, slot_id, subject_id, predicate, object_id, object_key, lifecycle,
                       support, refute, confidence, support_mass, refute_mass, score, reason, tier, verification, kind, corrected,
                       observed_at, standing_hash, from_rev)
SELECT organization_id, group_id, fact_id, fact_id, slot_id, subject_id, predicate, object_id, object_key, 'active', true, false, 0.9, 0.9, 0,
       0.765, 'unrivalled', 2, 'auto', 'fact', false, now(), '\x00', 1
FROM facts WHERE organization_id = $1::uuid AND group_id = $2::text
