-- What an erasure removes once it has its revision: rows, search rows, vectors, kept answers and journal payloads. Plans are
-- generic for the checks of foreign keys, which would else be planned anew for each row.

-- The names that nobody says any more go, with the entities that have none left; one that goes on without its name takes
-- another of its own. Returns the entities that went.
CREATE OR REPLACE FUNCTION erasure_forget_names(p_erasure uuid, p_revision bigint, p_mentions uuid[], p_entities uuid[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    forever CONSTANT bigint := 9223372036854775807;
    asked uuid[];
    gone uuid[];
    renamed record;
BEGIN
    SELECT array_agg(i.item_id) INTO asked FROM erased_items i
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'entity';
    DELETE FROM resolutions WHERE organization_id = org AND mention_id = ANY (p_mentions);
    UPDATE mentions SET surface = '', normal = mention_id::text, kind = NULL, start_offset = NULL, end_offset = NULL
    WHERE organization_id = org AND mention_id = ANY (p_mentions);
    DELETE FROM names n WHERE n.organization_id = org AND n.entity_id = ANY (p_entities) AND (
        n.entity_id = ANY (asked)
        OR n.assertion_id IS NOT NULL AND EXISTS (
            SELECT 1 FROM erased_items i WHERE i.organization_id = org AND i.item_id = n.assertion_id)
        OR n.assertion_id IS NULL AND NOT EXISTS (
            SELECT 1 FROM entities e WHERE e.organization_id = org AND e.entity_id = n.entity_id AND e.standing = 'curated')
           AND NOT EXISTS (
            SELECT 1 FROM resolutions r JOIN mentions m ON m.organization_id = org AND m.mention_id = r.mention_id
            WHERE r.organization_id = org AND r.entity_id = n.entity_id AND m.normal = n.normal));
    DELETE FROM names_search s WHERE s.organization_id = org AND s.entity_id = ANY (p_entities) AND NOT EXISTS (
        SELECT 1 FROM names n WHERE n.organization_id = org AND n.entity_id = s.entity_id AND n.normal = s.normal AND n.from_rev = s.from_rev);
    SELECT array_agg(e) INTO gone FROM unnest(p_entities) e WHERE e = ANY (asked) OR NOT EXISTS (
            SELECT 1 FROM names n WHERE n.organization_id = org AND n.entity_id = e)
        AND NOT EXISTS (SELECT 1 FROM resolutions r WHERE r.organization_id = org AND r.entity_id = e)
        AND NOT EXISTS (SELECT 1 FROM standings s WHERE s.organization_id = org AND s.subject_id = e)
        AND NOT EXISTS (SELECT 1 FROM standings s WHERE s.organization_id = org AND s.object_key = e)
        AND NOT EXISTS (SELECT 1 FROM entities x WHERE x.organization_id = org AND x.entity_id = e AND x.standing = 'curated');
    INSERT INTO erased_items SELECT org, e.group_id, e.entity_id, 'entity', p_erasure FROM entities e
    WHERE e.organization_id = org AND e.entity_id = ANY (gone) ON CONFLICT DO NOTHING;
    -- An entity stays as an empty row: graphs that follow the record learn from its new state that it is gone.
    UPDATE entities SET name = '', kind = NULL, label = NULL, search_terms = NULL, standing = 'mentioned'
    WHERE organization_id = org AND entity_id = ANY (gone);
    UPDATE entity_states SET to_rev = p_revision WHERE organization_id = org AND entity_id = ANY (gone) AND to_rev = forever;
    INSERT INTO entity_states (organization_id, group_id, entity_id, from_rev)
    SELECT org, e.group_id, e.entity_id, p_revision FROM entities e
    WHERE e.organization_id = org AND e.entity_id = ANY (gone) ON CONFLICT DO NOTHING;
    DELETE FROM entity_keys WHERE organization_id = org AND entity_id = ANY (gone);
    -- What said its name or kind may be gone: graphs learn from its new state to look again.
    INSERT INTO entity_states (organization_id, group_id, entity_id, merged_into, from_rev)
    SELECT org, e.group_id, e.entity_id, s.merged_into, p_revision FROM entities e
    LEFT JOIN entity_states s ON s.organization_id = org AND s.entity_id = e.entity_id AND s.to_rev = forever
    WHERE e.organization_id = org AND e.entity_id = ANY (p_entities) AND e.named AND NOT e.entity_id = ANY (coalesce(gone, '{}'))
    ON CONFLICT DO NOTHING;
    UPDATE entity_states s SET to_rev = p_revision FROM entities e
    WHERE e.organization_id = org AND e.entity_id = ANY (p_entities) AND e.named AND s.organization_id = org
      AND s.entity_id = e.entity_id AND s.to_rev = forever AND s.from_rev < p_revision;
    FOR renamed IN
        SELECT e.entity_id, e.group_id, e.name, other.name AS other, other.normal FROM entities e
        CROSS JOIN LATERAL (
            (SELECT n.name, n.normal, 0 AS rank FROM names n WHERE n.organization_id = org AND n.entity_id = e.entity_id
             ORDER BY n.to_rev DESC, n.assertion_id IS NOT NULL, n.from_rev LIMIT 1)
            UNION ALL
            (SELECT m.surface, m.normal, 1 FROM resolutions x JOIN mentions m ON m.organization_id = org AND m.mention_id = x.mention_id
             WHERE x.organization_id = org AND x.entity_id = e.entity_id ORDER BY x.mention_id LIMIT 1)
            ORDER BY rank LIMIT 1) other
        WHERE e.organization_id = org AND e.entity_id = ANY (p_entities) AND NOT e.entity_id = ANY (coalesce(gone, '{}'))
          AND e.standing <> 'curated' AND e.name <> other.name
          AND NOT EXISTS (SELECT 1 FROM names n WHERE n.organization_id = org AND n.entity_id = e.entity_id AND n.name = e.name)
    LOOP
        PERFORM erasure_void_packs_naming(p_erasure, renamed.name);
        PERFORM rename_entity(renamed.entity_id, renamed.group_id, renamed.name, renamed.other, renamed.normal, p_revision);
    END LOOP;
END $$;

-- Gives an entity another name, and the sentences of its facts too: their standings are opened anew, so that search and
-- graphs follow, and their vectors are made again.
CREATE OR REPLACE FUNCTION rename_entity(p_entity uuid, p_group text, p_name text, p_other text, p_normal text, p_revision bigint)
RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    forever CONSTANT bigint := 9223372036854775807;
    changed uuid[];
BEGIN
    UPDATE entities SET name = p_other WHERE organization_id = org AND entity_id = p_entity;
    UPDATE entity_states SET to_rev = p_revision WHERE organization_id = org AND entity_id = p_entity AND to_rev = forever;
    INSERT INTO entity_states (organization_id, group_id, entity_id, from_rev) VALUES (org, p_group, p_entity, p_revision) ON CONFLICT DO NOTHING;
    INSERT INTO names (organization_id, group_id, entity_id, name, normal, from_rev)
    SELECT org, p_group, p_entity, p_other, p_normal, p_revision WHERE NOT EXISTS (
        SELECT 1 FROM names n WHERE n.organization_id = org AND n.entity_id = p_entity AND n.to_rev = forever);
    DELETE FROM entity_vectors v USING vector_indexes i WHERE v.index_id = i.index_id AND v.organization_id = org AND v.entity_id = p_entity;
    WITH named AS (
        SELECT s.fact_id FROM standings s WHERE s.organization_id = org AND s.subject_id = p_entity
        UNION SELECT s.fact_id FROM standings s WHERE s.organization_id = org AND s.object_key = p_entity),
    rewritten AS (
        UPDATE facts f SET sentence = replace(f.sentence, p_name, p_other) FROM named
        WHERE f.organization_id = org AND f.fact_id = named.fact_id AND position(p_name IN f.sentence) > 0 RETURNING f.fact_id)
    SELECT array_agg(fact_id) INTO changed FROM rewritten;
    PERFORM erasure_reword_facts(changed, p_revision);
    UPDATE active_vector_indexes SET watermark = least(watermark, (
        SELECT coalesce(min(e.revision), p_revision) - 1 FROM entities e WHERE e.organization_id = org AND e.entity_id = p_entity))
    WHERE organization_id = org;
END $$;

-- Facts whose sentences were rewritten: search follows, vectors are made again, and standings are opened anew, so that
-- graphs follow, too.
CREATE OR REPLACE FUNCTION erasure_reword_facts(p_facts uuid[], p_revision bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = assay, public SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    forever CONSTANT bigint := 9223372036854775807;
    changed uuid[] := p_facts;
BEGIN
    DELETE FROM fact_vectors v USING vector_indexes i WHERE v.index_id = i.index_id AND v.organization_id = org AND v.fact_id = ANY (changed);
    UPDATE facts_search s SET terms = search_terms_of(f.sentence), words = array_length(string_to_array(f.sentence, ' '), 1) FROM facts f
    WHERE s.organization_id = org AND s.fact_id = ANY (changed) AND f.organization_id = org AND f.fact_id = s.fact_id;
    WITH closed AS (
        UPDATE standings SET to_rev = p_revision
        WHERE organization_id = org AND fact_id = ANY (changed) AND to_rev = forever AND from_rev < p_revision RETURNING *)
    INSERT INTO standings (organization_id, group_id, standing_id, fact_id, slot_id, subject_id, predicate, object_id, object_key,
        valid_from, valid_to, lifecycle, support, refute, confidence, support_mass, refute_mass, score, reason, tier, verification,
        kind, corrected, observed_at, standing_hash, from_rev)
    SELECT organization_id, group_id, uuidv7(), fact_id, slot_id, subject_id, predicate, object_id, object_key,
        valid_from, valid_to, lifecycle, support, refute, confidence, support_mass, refute_mass, score, reason, tier, verification,
        kind, corrected, observed_at, standing_hash, p_revision
    FROM closed;
    UPDATE active_vector_indexes SET watermark = least(watermark, (
        SELECT coalesce(min(f.revision), p_revision) - 1 FROM facts f WHERE f.organization_id = org AND f.fact_id = ANY (changed)))
    WHERE organization_id = org;
END $$;

-- Facts that nobody says any more go with their history; who held the slot alone leaves none behind. A suggestion to merge
-- predicates goes with the last fact of one that it names: its id is a digest of the names, and nothing is left to decide. An
-- approved one stays: its names are in the vocabulary.
CREATE OR REPLACE FUNCTION erasure_forget_facts(p_erasure uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = assay, public SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    gone uuid[];
    slots_left uuid[];
    predicates_left text[];
BEGIN
    SELECT array_agg(i.item_id) INTO gone FROM erased_items i
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'fact';
    SELECT array_agg(DISTINCT f.slot_id), array_agg(DISTINCT f.predicate) INTO slots_left, predicates_left
    FROM facts f WHERE f.organization_id = org AND f.fact_id = ANY (gone);
    DELETE FROM facts_search WHERE organization_id = org AND fact_id = ANY (gone);
    DELETE FROM fact_vectors v USING vector_indexes x WHERE v.index_id = x.index_id AND v.organization_id = org AND v.fact_id = ANY (gone);
    DELETE FROM feedback WHERE organization_id = org AND fact_id = ANY (gone);
    DELETE FROM fact_redirects WHERE organization_id = org AND (fact_id = ANY (gone) OR into_fact_id = ANY (gone));
    DELETE FROM standings WHERE organization_id = org AND fact_id = ANY (gone);
    DELETE FROM facts WHERE organization_id = org AND fact_id = ANY (gone);
    DELETE FROM slots s WHERE s.organization_id = org AND s.slot_id = ANY (slots_left)
        AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.organization_id = org AND f.slot_id = s.slot_id);
    DELETE FROM proposals p WHERE p.organization_id = org AND p.kind = 'vocabulary' AND p.state <> 'approved'
        AND p.payload ? 'suggestion' AND EXISTS (
            SELECT 1 FROM unnest(predicates_left) x (name) WHERE position(to_json(x.name)::text IN p.payload::text) > 0
              AND NOT EXISTS (SELECT 1 FROM standings s WHERE s.organization_id = org AND s.predicate = x.name));
END $$;

-- The artifacts of some versions: the content's hash is a digest that can be guessed, and so goes too. One that another
-- version of the source holds stays. What is to be deleted from the object store is noted.
CREATE OR REPLACE FUNCTION erasure_forget_bytes(p_erasure uuid, p_revision bigint, p_versions uuid[]) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = assay, public SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    kept text[];
BEGIN
    INSERT INTO artifacts (organization_id, group_id, source_id, content_hash, object_key, key_id, size, revision)
    SELECT org, v.group_id, v.source_id, 'erased:' || v.version_id, '', '', 0, p_revision FROM document_versions v
    WHERE v.organization_id = org AND v.version_id = ANY (p_versions) ON CONFLICT DO NOTHING;
    SELECT array_agg(DISTINCT v.content_hash) INTO kept FROM document_versions v WHERE v.organization_id = org AND v.version_id = ANY (p_versions);
    UPDATE document_versions SET content_hash = 'erased:' || version_id WHERE organization_id = org AND version_id = ANY (p_versions);
    WITH unused AS (
        DELETE FROM artifacts a USING unnest(kept) k (hash),
            (SELECT DISTINCT v.group_id, v.source_id FROM document_versions v WHERE v.organization_id = org AND v.version_id = ANY (p_versions)) s
        WHERE a.organization_id = org AND a.group_id = s.group_id AND a.source_id = s.source_id AND a.content_hash = k.hash
          AND a.object_key <> ''
          AND NOT EXISTS (SELECT 1 FROM document_versions v WHERE v.organization_id = org AND v.content_hash = a.content_hash
                          AND v.group_id = a.group_id AND v.source_id = a.source_id)
        RETURNING a.group_id, a.object_key, a.key_id)
    INSERT INTO erasure_objects SELECT org, group_id, p_erasure, object_key, key_id FROM unused ON CONFLICT DO NOTHING;
END $$;

CREATE OR REPLACE FUNCTION erasure_forget_documents(p_erasure uuid, p_revision bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = assay, public SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    forever CONSTANT bigint := 9223372036854775807;
    versions uuid[];
    chunk_ids uuid[];
BEGIN
    SELECT array_agg(i.item_id) INTO versions FROM erased_items i
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'version';
    PERFORM take_sketches_turn();
    DELETE FROM sketch_bands b USING sketches s WHERE s.organization_id = org AND s.version_id = ANY (versions)
        AND b.organization_id = org AND b.sketch_id = s.sketch_id;
    DELETE FROM sketches WHERE organization_id = org AND version_id = ANY (versions);
    INSERT INTO erased_items SELECT org, c.group_id, c.chunk_id, 'chunk', p_erasure FROM chunks c
    WHERE c.organization_id = org AND c.version_id = ANY (versions) ON CONFLICT DO NOTHING;
    SELECT array_agg(c.chunk_id) INTO chunk_ids FROM chunks c WHERE c.organization_id = org AND c.version_id = ANY (versions);
    DELETE FROM chunks_search WHERE organization_id = org AND chunk_id = ANY (chunk_ids);
    DELETE FROM chunk_vectors v USING vector_indexes x WHERE v.index_id = x.index_id AND v.organization_id = org AND v.chunk_id = ANY (chunk_ids);
    DELETE FROM chunks WHERE organization_id = org AND chunk_id = ANY (chunk_ids);
    UPDATE runs SET settings = '{}' WHERE organization_id = org AND version_id = ANY (versions);
    UPDATE document_versions SET title = NULL, source_uri = NULL, origin_uri = NULL, mapping = NULL, text = NULL, route_reason = NULL
    WHERE organization_id = org AND version_id = ANY (versions);
    PERFORM erasure_forget_bytes(p_erasure, p_revision, versions);
    UPDATE documents d SET record_key = 'erased:' || d.document_id FROM erased_items i
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'document'
      AND d.organization_id = org AND d.document_id = i.item_id;
    UPDATE document_states SET detail = NULL, to_rev = least(to_rev, p_revision)
    WHERE organization_id = org AND version_id = ANY (versions);
    INSERT INTO document_states (organization_id, group_id, version_id, status, from_rev)
    SELECT org, v.group_id, v.version_id, 'erased', p_revision FROM document_versions v
    WHERE v.organization_id = org AND v.version_id = ANY (versions);
    DELETE FROM receipt_rejections x USING receipts r
    WHERE r.organization_id = org AND x.organization_id = org AND x.receipt_id = r.receipt_id AND r.version_id = ANY (versions);
    DELETE FROM receipt_rejections x USING receipts r, erased_items i
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'document'
      AND r.organization_id = org AND r.document_id = i.item_id AND x.organization_id = org AND x.receipt_id = r.receipt_id;
    UPDATE receipts r SET notes = '{}', status = CASE WHEN r.finished_at IS NULL THEN 'refused' ELSE r.status END,
        items = CASE WHEN r.finished_at IS NULL THEN r.stored + r.merged + r.queued + r.rejected ELSE r.items END,
        finished_at = coalesce(r.finished_at, now()) FROM erased_items i
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'document'
      AND r.organization_id = org AND r.document_id = i.item_id;
END $$;

-- Everything else, in the erasure's transaction. Fingerprints are those of the records and contents that may not come back.
CREATE OR REPLACE FUNCTION erasure_remove_rest(p_erasure uuid, p_revision bigint, p_fingerprints bytea[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    e erasures;
    mention_ids uuid[];
    entity_ids uuid[];
    person_names text[];
    texts text[];
BEGIN
    SELECT * INTO STRICT e FROM erasures x WHERE x.organization_id = org AND x.erasure_id = p_erasure;
    SELECT array_agg(m.mention_id) INTO mention_ids FROM (
        SELECT m.mention_id FROM erased_items i JOIN mentions m ON m.organization_id = org AND m.version_id = i.item_id
        WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'version'
        UNION SELECT r.mention_id FROM erased_items i JOIN resolutions r ON r.organization_id = org AND r.entity_id = i.item_id
        WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'entity') m;
    SELECT array_agg(DISTINCT r.entity_id) INTO entity_ids FROM (
        SELECT r.entity_id FROM resolutions r WHERE r.organization_id = org AND r.mention_id = ANY (mention_ids)
        UNION SELECT i.item_id FROM erased_items i WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'entity'
        UNION SELECT f.subject_id FROM erased_items i JOIN facts f ON f.organization_id = org AND f.fact_id = i.item_id
        WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'fact'
        UNION SELECT f.object_id FROM erased_items i JOIN facts f ON f.organization_id = org AND f.fact_id = i.item_id
        WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'fact' AND f.object_id IS NOT NULL) r;
    SELECT array_agg(n.name) INTO person_names FROM erased_items i JOIN names n ON n.organization_id = org AND n.entity_id = i.item_id
    WHERE e.kind = 'entity' AND i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'entity';
    SELECT array_agg(t) INTO texts FROM (
        SELECT f.sentence AS t FROM erased_items i JOIN facts f ON f.organization_id = org AND f.fact_id = i.item_id
        WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'fact'
        UNION SELECT c.text FROM erased_items i JOIN chunks c ON c.organization_id = org AND c.version_id = i.item_id
        WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'version'
        UNION SELECT n.name FROM entities n WHERE n.organization_id = org AND n.entity_id = ANY (entity_ids)) x WHERE t IS NOT NULL;
    IF e.kind = 'entity' THEN
        PERFORM erasure_black_out(p_erasure, p_revision);
    END IF;
    PERFORM erasure_forget_facts(p_erasure);
    PERFORM erasure_forget_documents(p_erasure, p_revision);
    PERFORM erasure_forget_names(p_erasure, p_revision, mention_ids, entity_ids);
    DELETE FROM entity_vectors v USING vector_indexes x, erased_items i
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'entity'
      AND v.index_id = x.index_id AND v.organization_id = org AND v.entity_id = i.item_id;
    DELETE FROM concept_vectors v USING vector_indexes x, erased_items i
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'entity'
      AND v.index_id = x.index_id AND v.organization_id = org AND v.concept_id = i.item_id;
    UPDATE proposals p SET payload = '{}', reason = NULL FROM erased_items i
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND p.organization_id = org AND p.target_id = i.item_id;
    UPDATE collections c SET entities = c.entities - person_names WHERE c.organization_id = org AND c.entities ?| person_names;
    IF e.kind = 'source' THEN
        UPDATE sources SET cursor = NULL WHERE organization_id = org AND source_id = e.target_id;
    END IF;
    -- Salts go with payloads: what is left commits to nothing that can be guessed. Settings of the organization stay.
    DELETE FROM mutation_payloads p USING mutations m
    WHERE p.organization_id = org AND p.revision = ANY (e.touched) AND m.organization_id = org AND m.revision = p.revision
      AND m.kind NOT IN ('change_vocabulary', 'regrade_source', 'rebuild_standings');
    -- Kept answers that name something of this.
    DELETE FROM idempotency_keys k WHERE k.organization_id = org AND k.response IS NOT NULL AND EXISTS (
        SELECT 1 FROM regexp_matches(encode(k.response, 'escape'), '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') x (id)
        JOIN erased_items i ON i.organization_id = org AND i.item_id = x.id[1]::uuid AND i.erasure_id = p_erasure);
    -- Jobs that failed on it, with what the log says of them.
    WITH failed AS (
        DELETE FROM pgqueuer q USING erased_items i WHERE q.status = 'failed' AND q.headers ->> 'organization_id' = org::text
          AND i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'version'
          AND q.payload = convert_to(i.item_id::text, 'UTF8') RETURNING q.id)
    DELETE FROM pgqueuer_log l USING failed WHERE l.job_id = failed.id;
    INSERT INTO suppressions SELECT org, e.group_id, f, p_erasure FROM unnest(p_fingerprints) f ON CONFLICT DO NOTHING;
    UPDATE erasures SET revision = p_revision,
        digests = digests || coalesce((SELECT array_agg(encode(sha256(convert_to(t, 'UTF8')), 'hex')) FROM unnest(texts) t), '{}'),
        canaries = CASE WHEN kind = 'entity' THEN canaries ELSE coalesce((SELECT array_agg(w) FROM (
            SELECT w FROM unnest(canaries) WITH ORDINALITY AS c (w, n)
            WHERE NOT EXISTS (SELECT 1 FROM chunks_search s WHERE s.organization_id = org AND s.terms @@ quote_literal(w)::tsquery)
              AND NOT EXISTS (SELECT 1 FROM facts_search s WHERE s.organization_id = org AND s.terms @@ quote_literal(w)::tsquery)
              AND position(w IN (SELECT own_words())) = 0
            ORDER BY n LIMIT 16) u), '{}') END,
        counts = (SELECT jsonb_object_agg(kind, n) FROM (
            SELECT i.kind, count(*) AS n FROM erased_items i WHERE i.organization_id = org AND i.erasure_id = p_erasure GROUP BY i.kind
            UNION ALL SELECT 'mention', coalesce(cardinality(mention_ids), 0)
            UNION ALL SELECT 'blacked_out_document', count(DISTINCT r.document_id) FROM erasure_redactions r
                WHERE r.organization_id = org AND r.erasure_id = p_erasure
            UNION ALL SELECT 'object', count(*) FROM erasure_objects o WHERE o.organization_id = org AND o.erasure_id = p_erasure
            UNION ALL SELECT 'suppression', count(*) FROM suppressions s WHERE s.organization_id = org AND s.erasure_id = p_erasure) c)
    WHERE organization_id = org AND erasure_id = p_erasure;
END $$;

-- Whether one of the fingerprints may not come back, wherever in the organization it was erased.
CREATE OR REPLACE FUNCTION suppressed_by(p_fingerprints bytea[]) RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = assay, public AS $$
    SELECT erasure_id FROM suppressions WHERE organization_id = tenant_organization() AND fingerprint = ANY (p_fingerprints) LIMIT 1
$$;

-- Vectors that a worker was still writing when their texts went.
CREATE OR REPLACE FUNCTION erasure_sweep_vectors(p_erasure uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = assay, public SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
BEGIN
    DELETE FROM fact_vectors v USING vector_indexes x, erased_items i WHERE i.organization_id = org AND i.erasure_id = p_erasure
        AND i.kind = 'fact' AND v.index_id = x.index_id AND v.organization_id = org AND v.fact_id = i.item_id;
    DELETE FROM chunk_vectors v USING vector_indexes x, erased_items i WHERE i.organization_id = org AND i.erasure_id = p_erasure
        AND i.kind = 'chunk' AND v.index_id = x.index_id AND v.organization_id = org AND v.chunk_id = i.item_id;
    DELETE FROM entity_vectors v USING vector_indexes x, erased_items i WHERE i.organization_id = org AND i.erasure_id = p_erasure
        AND i.kind = 'entity' AND v.index_id = x.index_id AND v.organization_id = org AND v.entity_id = i.item_id;
    DELETE FROM concept_vectors v USING vector_indexes x, erased_items i WHERE i.organization_id = org AND i.erasure_id = p_erasure
        AND i.kind = 'entity' AND v.index_id = x.index_id AND v.organization_id = org AND v.concept_id = i.item_id;
END $$;
