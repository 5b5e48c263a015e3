-- Concepts of a tenant of a filled record, each with a kind and two search terms. Their standings come first by id. Names behind
-- a colon are put in as literals.
SELECT enter_tenant(:org, :workspace || ',' || :whole, :workspace || ',' || :whole);
CREATE TEMP TABLE put_forward ON COMMIT DROP AS
SELECT c, t, md5(:number || ' concept ' || c || ' ' || t)::uuid AS fact_id, md5(:number || ' concept ' || c)::uuid AS concept_id,
       test_id(:number || ' document', c % ((:facts - 1) / 50 + 1)) AS document_id, 'Concept ' || c || ' ' || test_name(c) AS label,
       CASE t WHEN 0 THEN 'HAS_CONCEPT_KIND' ELSE 'HAS_SEARCH_TERM' END AS predicate,
       CASE t WHEN 0 THEN 'claim' ELSE 'term' || c || ' ' || test_name(c + 1000 * t) END AS said
FROM generate_series(1, :concepts) c CROSS JOIN generate_series(0, 2) t;
INSERT INTO entities (organization_id, group_id, entity_id, kind, name, revision)
    SELECT :org, :workspace, concept_id, 'concept', label, 1 FROM put_forward WHERE t = 0;
INSERT INTO names (organization_id, group_id, entity_id, name, normal, kind, from_rev)
    SELECT organization_id, group_id, entity_id, name, lower(name), kind, 1 FROM entities WHERE organization_id = :org AND kind = 'concept';
INSERT INTO mentions (organization_id, group_id, mention_id, version_id, document_id, surface, normal, kind, revision)
    SELECT :org, :workspace, concept_id, document_id, document_id, label, lower(label), 'concept', 1 FROM put_forward WHERE t = 0;
INSERT INTO slots (organization_id, group_id, slot_id, key) SELECT :org, :workspace, fact_id, uuid_send(fact_id) FROM put_forward;
INSERT INTO facts (organization_id, group_id, fact_id, key, slot_id, subject_id, predicate, object_literal, object_key, sentence, revision)
    SELECT :org, :workspace, fact_id, uuid_send(fact_id), fact_id, concept_id, predicate, json_build_object('type', 'text', 'value', said),
           md5(said)::uuid, label || ' ' || predicate || ' ' || said, 1 FROM put_forward;
INSERT INTO assertions (organization_id, group_id, assertion_id, key, document_id, version_id, run_id, source_id, principal_id, principal_kind,
                        predicate, subject_mention, object_literal, polarity, kind, confidence, valid_from_state, valid_to_state,
                        observed_at, independence_key, revision)
    SELECT :org, :workspace, fact_id, uuid_send(fact_id), document_id, document_id, document_id, :org, :org, 'human', predicate,
           concept_id, json_build_object('type', 'text', 'value', said), 'support', 'fact', 0.9, 'unknown', 'unknown',
           '2025-12-01Z', document_id::text, 1 FROM put_forward;
INSERT INTO evidence (organization_id, group_id, assertion_id, kind, version_id, start_offset, end_offset, excerpt, revision)
    SELECT :org, :workspace, fact_id, 'span', document_id, 0, length(label), label, 1 FROM put_forward;
INSERT INTO placements (organization_id, group_id, assertion_id, fact_id, state, from_rev) SELECT :org, :workspace, fact_id, fact_id, 'live', 1 FROM put_forward;
INSERT INTO standings (organization_id, group_id, standing_id, fact_id, slot_id, subject_id, predicate, object_key,
                       lifecycle, support, refute, confidence, support_mass, refute_mass, score, reason, tier, verification, kind,
                       corrected, observed_at, standing_hash, from_rev)
    SELECT :org, :workspace, overlay(md5(:number || ' stands ' || c || ' ' || t) PLACING '00000000' FROM 1)::uuid, fact_id, fact_id, concept_id, predicate, md5(said)::uuid,
           'active', true, false, 0.9, 0.9, 0, 0.765, 'unrivalled', 2, 'auto', 'fact', false, '2025-12-01Z', '\x00', 1 FROM put_forward;
