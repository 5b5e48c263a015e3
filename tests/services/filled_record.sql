-- One tenant of a filled record: organization, scopes, documents and facts. Names behind a colon are put in as literals.
SELECT enter_tenant(:org, :workspace || ',' || :whole, :workspace || ',' || :whole);
INSERT INTO organizations (organization_id, name) VALUES (:org, 'Tenant ' || :number);
INSERT INTO heads (organization_id, revision, hash) VALUES (:org, 1, '\x00');
INSERT INTO principals (organization_id, principal_id, kind, name) VALUES (:org, :org, 'human', 'Tester');
INSERT INTO scopes (organization_id, group_id, scope_id, kind, container_id, name) VALUES
    (:org, :whole, uuidv7(), 'organization', NULL, 'whole'), (:org, :workspace, uuidv7(), 'workspace', :whole, 'work');
INSERT INTO sources (organization_id, group_id, source_id, kind, name, revision) VALUES (:org, :workspace, :org, 'folder', 'Folder', 1);
INSERT INTO source_grades (organization_id, group_id, source_id, tier, from_rev) VALUES (:org, :workspace, :org, 2, 1);
INSERT INTO mutations (organization_id, revision, group_id, principal_id, principal_kind, kind, commitment, previous_hash, hash, committed_at)
    VALUES (:org, 1, :workspace, :org, 'human', 'ingest', '\x00', '\x00', '\x00', '2026-01-01Z');
INSERT INTO documents (organization_id, group_id, document_id, source_id, record_key, revision)
    SELECT :org, :workspace, test_id(:number || ' document', d), :org, 'record ' || d, 1 FROM generate_series(0, (:facts - 1) / 50) d;
INSERT INTO artifacts (organization_id, group_id, source_id, content_hash, object_key, key_id, size, revision)
    SELECT :org, :workspace, :org, 'hash ' || d, 'object ' || d, 'key', 1, 1 FROM generate_series(0, (:facts - 1) / 50) d;
INSERT INTO document_versions (organization_id, group_id, version_id, document_id, source_id, content_hash, title, content_type,
                               source_uri, retrieved_at, published_at, gate, text, principal_id, principal_kind, revision)
    SELECT :org, :workspace, test_id(:number || ' document', d), test_id(:number || ' document', d), :org, 'hash ' || d,
           'Document ' || d, 'text/plain', 'file:///' || d, '2026-01-01Z', '2025-12-01Z', 'live', 'text', :org, 'human', 1
    FROM generate_series(0, (:facts - 1) / 50) d;
INSERT INTO runs (organization_id, group_id, run_id, version_id, recipe, extractor, extractor_version, revision)
    SELECT :org, :workspace, version_id, version_id, 'recipe', 'test', '1', 1 FROM document_versions WHERE organization_id = :org;

CREATE TEMP TABLE made ON COMMIT DROP AS
SELECT f, test_id(:number || ' fact', f) AS fact_id, test_id(:number || ' document', f / 50) AS document_id,
       (:entities * power(random(), 1.5))::int AS s, floor(:entities * random())::int AS o, 'RELATION_' || (f % 10) AS predicate,
       (SELECT string_agg('w' || floor(20000 * power(random(), 3))::int, ' ') FROM generate_series(1, 8 + f % 5)) AS words
FROM generate_series(0, :facts - 1) f;
INSERT INTO entities (organization_id, group_id, entity_id, kind, name, revision)
    SELECT :org, :workspace, md5(:number || ' entity ' || e)::uuid, 'thing', test_name(e), 1 FROM generate_series(0, :entities) e;
INSERT INTO names (organization_id, group_id, entity_id, name, normal, kind, from_rev)
    SELECT organization_id, group_id, entity_id, name, lower(name), kind, 1 FROM entities WHERE organization_id = :org;
INSERT INTO mentions (organization_id, group_id, mention_id, version_id, document_id, surface, normal, kind, revision)
    SELECT DISTINCT ON (document_id, e) :org, :workspace, md5(document_id || ' ' || e)::uuid, document_id, document_id, test_name(e), lower(test_name(e)), 'thing', 1
    FROM (SELECT document_id, s AS e FROM made UNION SELECT document_id, o FROM made) x;
INSERT INTO slots (organization_id, group_id, slot_id, key) SELECT :org, :workspace, fact_id, uuid_send(md5(fact_id::text)::uuid) FROM made;
INSERT INTO facts (organization_id, group_id, fact_id, key, slot_id, subject_id, predicate, object_id, object_key, sentence, revision)
    SELECT :org, :workspace, fact_id, uuid_send(md5(fact_id::text)::uuid), fact_id, md5(:number || ' entity ' || s)::uuid, predicate,
           md5(:number || ' entity ' || o)::uuid, md5(:number || ' entity ' || o)::uuid,
           test_name(s) || ' ' || lower(predicate) || ' ' || test_name(o) || ' ' || words, 1 FROM made;
INSERT INTO assertions (organization_id, group_id, assertion_id, key, document_id, version_id, run_id, source_id, principal_id, principal_kind,
                        predicate, subject_mention, object_mention, polarity, kind, confidence, valid_from_state, valid_to_state,
                        observed_at, independence_key, revision)
    SELECT :org, :workspace, fact_id, uuid_send(md5(fact_id::text)::uuid), document_id, document_id, document_id, :org, :org, 'human', predicate,
           md5(document_id || ' ' || s)::uuid, md5(document_id || ' ' || o)::uuid, 'support', 'fact', 0.9, 'unknown', 'unknown',
           '2025-12-01Z', document_id::text, 1 FROM made;
INSERT INTO evidence (organization_id, group_id, assertion_id, kind, version_id, start_offset, end_offset, excerpt, revision)
    SELECT :org, :workspace, fact_id, 'span', document_id, 0, length(words), words, 1 FROM made;
ANALYZE facts;
INSERT INTO placements (organization_id, group_id, assertion_id, fact_id, state, from_rev) SELECT :org, :workspace, fact_id, fact_id, 'live', 1 FROM made;
INSERT INTO standings (organization_id, group_id, standing_id, fact_id, slot_id, subject_id, predicate, object_id, object_key, valid_from,
                       lifecycle, support, refute, confidence, support_mass, refute_mass, score, reason, tier, verification, kind,
                       corrected, observed_at, standing_hash, from_rev)
    SELECT :org, :workspace, test_id(:number || ' standing', f), fact_id, fact_id, md5(:number || ' entity ' || s)::uuid, predicate,
           md5(:number || ' entity ' || o)::uuid, md5(:number || ' entity ' || o)::uuid, '2020-01-01Z'::timestamptz + f % 1000 * interval '1 day',
           CASE WHEN f % 20 = 19 THEN 'superseded' ELSE 'active' END, true, false, 0.9, 0.9, 0, 0.765, 'unrivalled', 2, 'auto', 'fact',
           f % 5000 = 4999, '2025-12-01Z', '\x00', 1 FROM made;
INSERT INTO chunks (organization_id, group_id, chunk_id, version_id, document_id, ordinal, start_offset, end_offset, text, embed, from_rev)
    SELECT :org, :workspace, test_id(:number || ' chunk', f / 5), document_id, document_id, f / 5 % 10, 0, 100, string_agg(words, '. ' ORDER BY f), true, 1
    FROM made GROUP BY f / 5, document_id;
