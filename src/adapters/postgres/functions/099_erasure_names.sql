-- Everything about somebody, in texts that say other things, too: their names are blacked out, character for character, so
-- that offsets into the text stay true. An expression comes from ``domain/erasure/canaries.py`` and captures nothing.

CREATE OR REPLACE FUNCTION blacked_out(p_text text, p_pattern text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN p_text ~* p_pattern THEN (
        SELECT string_agg(kept || repeat('█', coalesce(length(hit), 0)), '' ORDER BY n) FROM ROWS FROM (
            regexp_split_to_table(p_text, p_pattern, 'i'),
            regexp_matches(p_text, '(' || p_pattern || ')', 'gi')) WITH ORDINALITY AS x (kept, hits, n)
        CROSS JOIN LATERAL (SELECT hits[1]) h (hit)) ELSE p_text END
$$;

-- The names of somebody, and of all that is the same: "shared" when another of the scopes has it, too.
CREATE OR REPLACE FUNCTION erasure_names(p_entity uuid, p_also text[], p_normals text[]) RETURNS TABLE (name text, shared boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    same uuid[] := entity_with_merged(p_entity);
    inside text[];
BEGIN
    SELECT array_agg(s) INTO inside FROM entities e, scopes_below(org, e.group_id) s WHERE e.organization_id = org AND e.entity_id = p_entity;
    RETURN QUERY SELECT h.name, bool_or(h.other) FROM (
        SELECT k.name, EXISTS (SELECT 1 FROM names o WHERE o.organization_id = org AND o.normal = k.normal
                               AND o.group_id = ANY (inside) AND NOT o.entity_id = ANY (same)) AS other
        FROM (SELECT n.name, n.normal FROM names n WHERE n.organization_id = org AND n.entity_id = ANY (same)
              UNION SELECT m.surface, m.normal FROM resolutions r JOIN mentions m ON m.organization_id = org AND m.mention_id = r.mention_id
              WHERE r.organization_id = org AND r.entity_id = ANY (same)
              UNION SELECT e.name, lower(e.name) FROM entities e WHERE e.organization_id = org AND e.entity_id = ANY (same)
              UNION SELECT * FROM unnest(p_also, p_normals)) k
        WHERE k.name <> '') h
    GROUP BY h.name ORDER BY h.name;
END $$;

-- Assertions that say a name outside of their mentions: in a literal, a qualifier, a predicate, or as who said it.
CREATE OR REPLACE FUNCTION erasure_said_with(p_pattern text, p_inside text[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT a.assertion_id FROM assertions a WHERE a.organization_id = tenant_organization() AND a.group_id = ANY (p_inside)
    AND concat_ws(' ', a.object_literal::text, a.qualifiers::text, a.predicate, a.asserter) ~* p_pattern
$$;

-- Documents that name somebody, or that something about them was drawn from: "alone" says that all that was drawn from it
-- is about them. p_pattern is of the names that mean them anywhere, p_there of all, where a mention is known to mean them.
CREATE OR REPLACE FUNCTION erasure_naming(p_entity uuid, p_pattern text, p_there text)
RETURNS TABLE (document_id uuid, group_id text, title text, alone boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
#variable_conflict use_column
DECLARE
    org uuid := tenant_organization();
    same uuid[] := entity_with_merged(p_entity);
    inside text[];
    said uuid[];
    meant uuid[];
BEGIN
    SELECT array_agg(s) INTO inside FROM entities e, scopes_below(org, e.group_id) s WHERE e.organization_id = org AND e.entity_id = p_entity;
    SELECT array_agg(DISTINCT x) INTO said FROM (
        SELECT p.assertion_id FROM facts f JOIN placements p ON p.organization_id = org AND p.fact_id = f.fact_id
        WHERE f.organization_id = org AND (f.subject_id = ANY (same) OR f.object_id = ANY (same))
        UNION ALL SELECT erasure_said_with(p_pattern, inside)) y (x);
    SELECT array_agg(DISTINCT m.version_id) INTO meant FROM resolutions r JOIN mentions m ON m.organization_id = org AND m.mention_id = r.mention_id
    WHERE r.organization_id = org AND r.entity_id = ANY (same);
    RETURN QUERY
    WITH naming AS (
        SELECT v.document_id FROM document_versions v JOIN documents d ON d.organization_id = org AND d.document_id = v.document_id
        WHERE v.organization_id = org AND v.group_id = ANY (inside) AND v.content_type <> 'application/vnd.assay.stream+json'
          AND v.content_hash NOT LIKE 'erased:%'
          AND (v.version_id = ANY (meant)
               OR concat_ws(' ', v.title, v.source_uri, v.mapping::text, d.record_key) ~* p_pattern OR v.text ~* p_pattern)
        UNION SELECT a.document_id FROM assertions a JOIN document_versions v ON v.organization_id = org AND v.version_id = a.version_id
        WHERE a.organization_id = org AND a.assertion_id = ANY (said) AND v.content_type <> 'application/vnd.assay.stream+json'
        UNION SELECT v.document_id FROM evidence x JOIN document_versions v ON v.organization_id = org AND v.version_id = x.version_id
        WHERE x.organization_id = org AND x.group_id = ANY (inside) AND v.content_type <> 'application/vnd.assay.stream+json'
          AND concat_ws(' ', x.excerpt, x.pointer) ~* p_pattern
    ), drawn AS (
        SELECT a.document_id, bool_and(a.assertion_id = ANY (said)) AS alone FROM naming n
        JOIN assertions a ON a.organization_id = org AND a.document_id = n.document_id GROUP BY a.document_id)
    SELECT d.document_id, d.group_id, coalesce((
               SELECT v.title FROM document_versions v WHERE v.organization_id = org AND v.document_id = d.document_id
               ORDER BY v.revision DESC LIMIT 1), d.record_key), coalesce(w.alone, false)
    FROM naming n JOIN documents d ON d.organization_id = org AND d.document_id = n.document_id
    LEFT JOIN drawn w ON w.document_id = n.document_id ORDER BY d.document_id;
END $$;

-- What was decided of the documents that name somebody, before anything is collected.
CREATE OR REPLACE FUNCTION erasure_decide(p_erasure uuid, p_erase uuid[], p_redact uuid[], p_pattern text, p_there text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = assay, public AS $$
    INSERT INTO erased_items SELECT d.organization_id, d.group_id, d.document_id, 'document', p_erasure FROM documents d
    WHERE d.organization_id = tenant_organization() AND d.document_id = ANY (p_erase) ON CONFLICT DO NOTHING;
    INSERT INTO erasure_redactions SELECT v.organization_id, v.group_id, v.version_id, v.document_id, p_erasure FROM document_versions v
    WHERE v.organization_id = tenant_organization() AND v.document_id = ANY (p_redact) ON CONFLICT DO NOTHING;
    UPDATE erasures SET sought = p_pattern, sought_there = p_there WHERE organization_id = tenant_organization() AND erasure_id = p_erasure;
$$;

-- Texts of the versions: the parsed text first, then what was cut out of it.
CREATE OR REPLACE FUNCTION erasure_black_out_versions(p_erasure uuid, p_revision bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = assay, public SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    forever CONSTANT bigint := 9223372036854775807;
    e erasures;
    same uuid[];
    versions uuid[];
    changed uuid[];
    v record;
    sought text;
BEGIN
    SELECT * INTO STRICT e FROM erasures x WHERE x.organization_id = org AND x.erasure_id = p_erasure;
    same := entity_with_merged(e.target_id);
    SELECT array_agg(r.version_id) INTO versions FROM erasure_redactions r WHERE r.organization_id = org AND r.erasure_id = p_erasure;
    FOR v IN SELECT d.version_id, d.document_id FROM document_versions d WHERE d.organization_id = org AND d.version_id = ANY (versions) LOOP
        sought := CASE WHEN e.sought IS NULL OR EXISTS (
            SELECT 1 FROM mentions m JOIN resolutions r ON r.organization_id = org AND r.mention_id = m.mention_id
            WHERE m.organization_id = org AND m.version_id = v.version_id AND r.entity_id = ANY (same)) THEN e.sought_there ELSE e.sought END;
        UPDATE document_versions d SET text = blacked_out(d.text, sought), title = blacked_out(d.title, sought), route_reason = NULL,
            source_uri = blacked_out(d.source_uri, sought), mapping = blacked_out(d.mapping::text, sought)::jsonb
        WHERE d.organization_id = org AND d.version_id = v.version_id;
        UPDATE documents d SET record_key = 'erased:' || d.document_id
        WHERE d.organization_id = org AND d.document_id = v.document_id AND d.record_key ~* sought;
        WITH cut AS (
            SELECT c.chunk_id, c.text AS said, coalesce(substring(d.text FROM c.start_offset + 1 FOR c.end_offset - c.start_offset), '') AS kept
            FROM chunks c JOIN document_versions d ON d.organization_id = org AND d.version_id = c.version_id
            WHERE c.organization_id = org AND c.version_id = v.version_id
        ), told AS (
            UPDATE chunks c SET text = CASE WHEN length(cut.kept) = length(c.text) THEN cut.kept ELSE blacked_out(c.text, sought) END
            FROM cut WHERE c.organization_id = org AND c.chunk_id = cut.chunk_id
              AND (c.text ~* sought OR cut.kept LIKE '%█%')
            RETURNING c.chunk_id, cut.said)
        SELECT coalesce(changed, '{}') || coalesce(array_agg(chunk_id), '{}') INTO changed FROM told;
        UPDATE evidence x SET excerpt = CASE
                WHEN length(substring(d.text FROM x.start_offset + 1 FOR x.end_offset - x.start_offset)) = length(x.excerpt)
                THEN substring(d.text FROM x.start_offset + 1 FOR x.end_offset - x.start_offset) ELSE blacked_out(x.excerpt, sought) END,
            pointer = blacked_out(x.pointer, sought)
        FROM assertions a, document_versions d
        WHERE a.organization_id = org AND a.version_id = v.version_id AND x.organization_id = org AND x.assertion_id = a.assertion_id
          AND x.kind <> 'statement' AND d.organization_id = org AND d.version_id = v.version_id
          AND (concat_ws(' ', x.excerpt, x.pointer) ~* sought
               OR substring(d.text FROM x.start_offset + 1 FOR x.end_offset - x.start_offset) LIKE '%█%');
        -- The same state anew: graphs that follow documents learn the title.
        WITH closed AS (
            UPDATE document_states s SET to_rev = p_revision, detail = blacked_out(s.detail, sought)
            WHERE s.organization_id = org AND s.version_id = v.version_id AND s.to_rev = forever RETURNING s.*)
        INSERT INTO document_states (organization_id, group_id, version_id, status, detail, from_rev)
        SELECT organization_id, group_id, version_id, status, detail, p_revision FROM closed;
    END LOOP;
    -- Snapshots at which the passages said something else are voided by this.
    INSERT INTO erasure_traces AS t (organization_id, group_id, erasure_id, held)
    SELECT org, c.group_id, p_erasure, range_agg(int8range(c.from_rev, c.to_rev)) FROM chunks c
    WHERE c.organization_id = org AND c.chunk_id = ANY (changed) AND c.from_rev < c.to_rev GROUP BY c.group_id
    ON CONFLICT (organization_id, erasure_id, group_id) DO UPDATE SET held = t.held + EXCLUDED.held;
    PERFORM take_sketches_turn();
    DELETE FROM sketch_bands b USING sketches s WHERE s.organization_id = org AND s.version_id = ANY (versions)
        AND b.organization_id = org AND b.sketch_id = s.sketch_id;
    DELETE FROM sketches WHERE organization_id = org AND version_id = ANY (versions);
    UPDATE chunks_search s SET terms = search_terms_of(c.text) FROM chunks c
    WHERE s.organization_id = org AND s.chunk_id = ANY (changed) AND c.organization_id = org AND c.chunk_id = s.chunk_id;
    DELETE FROM chunk_vectors x USING vector_indexes i WHERE x.index_id = i.index_id AND x.organization_id = org AND x.chunk_id = ANY (changed);
    UPDATE active_vector_indexes SET watermark = least(watermark, (
        SELECT coalesce(min(c.from_rev), p_revision) - 1 FROM chunks c WHERE c.organization_id = org AND c.chunk_id = ANY (changed)))
    WHERE organization_id = org;
    UPDATE runs SET settings = '{}' WHERE organization_id = org AND version_id = ANY (versions);
    DELETE FROM receipt_rejections x USING receipts r
    WHERE r.organization_id = org AND r.version_id = ANY (versions) AND x.organization_id = org AND x.receipt_id = r.receipt_id;
    UPDATE receipts SET notes = '{}' WHERE organization_id = org AND version_id = ANY (versions);
    PERFORM erasure_forget_bytes(p_erasure, p_revision, versions);
END $$;

-- Names in what is no document: of others, in sentences, in questions and answers, in what waits, in the journal's payloads.
CREATE OR REPLACE FUNCTION erasure_black_out(p_erasure uuid, p_revision bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = assay, public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    org uuid := tenant_organization();
    forever CONSTANT bigint := 9223372036854775807;
    e erasures;
    inside text[];
    others uuid[];
    worded uuid[];
BEGIN
    SELECT * INTO STRICT e FROM erasures x WHERE x.organization_id = org AND x.erasure_id = p_erasure;
    SELECT array_agg(s) INTO inside FROM scopes_below(org, e.group_id) s;
    -- Caches know vectors by these texts, as they were.
    UPDATE erasures SET digests = digests || coalesce((SELECT array_agg(encode(sha256(convert_to(t, 'UTF8')), 'hex')) FROM (
        SELECT c.text FROM erasure_redactions r JOIN chunks c ON c.organization_id = org AND c.version_id = r.version_id
        WHERE r.organization_id = org AND r.erasure_id = p_erasure
        UNION SELECT f.sentence FROM facts f WHERE f.organization_id = org AND f.group_id = ANY (inside) AND f.sentence ~* e.sought
        UNION SELECT n.name FROM names n WHERE n.organization_id = org AND n.group_id = ANY (inside) AND n.name ~* e.sought) x (t)), '{}')
    WHERE organization_id = org AND erasure_id = p_erasure;
    PERFORM erasure_black_out_versions(p_erasure, p_revision);
    IF e.sought IS NULL THEN
        RETURN;
    END IF;
    UPDATE collections c SET entities = c.entities - own FROM (
        SELECT array_agg(n.name) AS own FROM names n WHERE n.organization_id = org AND n.entity_id = ANY (entity_with_merged(e.target_id))) n
    WHERE c.organization_id = org AND c.group_id = ANY (inside) AND c.entities ?| own;
    UPDATE evidence x SET excerpt = blacked_out(x.excerpt, e.sought), pointer = blacked_out(x.pointer, e.sought)
    WHERE x.organization_id = org AND x.group_id = ANY (inside) AND concat_ws(' ', x.excerpt, x.pointer) ~* e.sought;
    UPDATE mentions m SET surface = blacked_out(m.surface, e.sought), normal = CASE
        WHEN u.nth = 1 AND NOT EXISTS (SELECT 1 FROM mentions o WHERE o.organization_id = org AND o.version_id = m.version_id AND o.normal = u.normal)
        THEN u.normal ELSE m.mention_id::text END
    FROM (SELECT x.mention_id, blacked_out(x.normal, e.sought) AS normal,
                 row_number() OVER (PARTITION BY x.version_id, blacked_out(x.normal, e.sought) ORDER BY x.mention_id) AS nth
          FROM mentions x WHERE x.organization_id = org AND x.group_id = ANY (inside) AND concat_ws(' ', x.surface, x.normal) ~* e.sought) u
    WHERE m.organization_id = org AND m.mention_id = u.mention_id;
    SELECT array_agg(x.entity_id) INTO others FROM entities x WHERE x.organization_id = org AND x.group_id = ANY (inside) AND (
        concat_ws(' ', x.name, x.label, array_to_string(x.search_terms, ' ')) ~* e.sought OR EXISTS (
            SELECT 1 FROM names n WHERE n.organization_id = org AND n.entity_id = x.entity_id AND concat_ws(' ', n.name, n.normal) ~* e.sought));
    UPDATE entities x SET name = blacked_out(x.name, e.sought), label = blacked_out(x.label, e.sought),
        search_terms = (SELECT array_agg(blacked_out(t, e.sought)) FROM unnest(x.search_terms) t)
    WHERE x.organization_id = org AND x.entity_id = ANY (others);
    DELETE FROM names n USING (
        SELECT x.entity_id, x.normal, x.from_rev, row_number() OVER (PARTITION BY x.entity_id, x.from_rev, blacked_out(x.normal, e.sought) ORDER BY x.normal) AS nth
        FROM names x WHERE x.organization_id = org AND x.entity_id = ANY (others)) d
    WHERE d.nth > 1 AND n.organization_id = org AND n.entity_id = d.entity_id AND n.normal = d.normal AND n.from_rev = d.from_rev;
    UPDATE names n SET name = blacked_out(n.name, e.sought), normal = blacked_out(n.normal, e.sought)
    WHERE n.organization_id = org AND n.entity_id = ANY (others);
    DELETE FROM names_search s WHERE s.organization_id = org AND s.entity_id = ANY (others) AND NOT EXISTS (
        SELECT 1 FROM names n WHERE n.organization_id = org AND n.entity_id = s.entity_id AND n.normal = s.normal AND n.from_rev = s.from_rev);
    -- Who is named so in full next time is somebody new.
    DELETE FROM entity_keys WHERE organization_id = org AND entity_id = ANY (others);
    UPDATE entity_states SET to_rev = p_revision WHERE organization_id = org AND entity_id = ANY (others) AND to_rev = forever;
    INSERT INTO entity_states (organization_id, group_id, entity_id, from_rev) SELECT org, x.group_id, x.entity_id, p_revision
    FROM entities x WHERE x.organization_id = org AND x.entity_id = ANY (others) ON CONFLICT DO NOTHING;
    DELETE FROM entity_vectors x USING vector_indexes i WHERE x.index_id = i.index_id AND x.organization_id = org AND x.entity_id = ANY (others);
    DELETE FROM concept_vectors x USING vector_indexes i WHERE x.index_id = i.index_id AND x.organization_id = org AND x.concept_id = ANY (others);
    WITH rewritten AS (
        UPDATE facts f SET sentence = blacked_out(f.sentence, e.sought)
        WHERE f.organization_id = org AND f.group_id = ANY (inside) AND f.sentence ~* e.sought AND NOT EXISTS (
            SELECT 1 FROM erased_items i WHERE i.organization_id = org AND i.item_id = f.fact_id) RETURNING f.fact_id)
    SELECT array_agg(fact_id) INTO worded FROM rewritten;
    INSERT INTO erasure_traces AS t (organization_id, group_id, erasure_id, held)
    SELECT org, s.group_id, p_erasure, range_agg(int8range(s.from_rev, s.to_rev)) FROM standings s
    WHERE s.organization_id = org AND s.fact_id = ANY (worded) AND s.from_rev < s.to_rev GROUP BY s.group_id
    ON CONFLICT (organization_id, erasure_id, group_id) DO UPDATE SET held = t.held + EXCLUDED.held;
    PERFORM erasure_reword_facts(worded, p_revision);
    UPDATE active_vector_indexes SET watermark = least(watermark, (SELECT coalesce(min(x.revision), p_revision) - 1 FROM entities x
        WHERE x.organization_id = org AND x.entity_id = ANY (others))) WHERE organization_id = org;
    UPDATE feedback SET query = blacked_out(query, e.sought), signals = blacked_out(signals::text, e.sought)::jsonb
    WHERE organization_id = org AND group_id = ANY (inside) AND concat_ws(' ', query, signals::text) ~* e.sought;
    UPDATE proposals SET payload = blacked_out(payload::text, e.sought)::jsonb, reason = blacked_out(reason, e.sought)
    WHERE organization_id = org AND group_id = ANY (inside) AND concat_ws(' ', payload::text, reason) ~* e.sought;
    UPDATE collections SET entities = blacked_out(entities::text, e.sought)::jsonb, settings = blacked_out(settings::text, e.sought)::jsonb
    WHERE organization_id = org AND group_id = ANY (inside) AND concat_ws(' ', entities::text, settings::text) ~* e.sought;
    UPDATE sources SET cursor = NULL WHERE organization_id = org AND group_id = ANY (inside) AND cursor ~* e.sought;
    DELETE FROM receipt_rejections WHERE organization_id = org AND group_id = ANY (inside) AND concat_ws(' ', place, code, detail) ~* e.sought;
    UPDATE receipts SET notes = blacked_out(notes::text, e.sought)::jsonb
    WHERE organization_id = org AND group_id = ANY (inside) AND notes::text ~* e.sought;
    UPDATE document_states SET detail = blacked_out(detail, e.sought)
    WHERE organization_id = org AND group_id = ANY (inside) AND detail ~* e.sought;
    DELETE FROM idempotency_keys WHERE organization_id = org AND group_id = ANY (inside) AND concat_ws(' ', key, readable(response)) ~* e.sought;
    DELETE FROM mutation_payloads WHERE organization_id = org AND group_id = ANY (inside) AND readable(payload) ~* e.sought;
END $$;

-- The names in every other column that can hold content, by its rule: in columns that came later, too. Keys stay as they are.
CREATE OR REPLACE FUNCTION erasure_black_out_rest(p_erasure uuid, p_columns text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = assay, public AS $$
DECLARE
    org uuid := tenant_organization();
    e erasures;
    c record;
BEGIN
    SELECT * INTO STRICT e FROM erasures x WHERE x.organization_id = org AND x.erasure_id = p_erasure;
    IF e.sought IS NULL THEN
        RETURN;
    END IF;
    FOR c IN
        SELECT t.relname, a.attname, format_type(a.atttypid, NULL) AS kind FROM unnest(p_columns) u (place)
        JOIN pg_class t ON t.relnamespace = 'assay'::regnamespace AND t.relname = split_part(u.place, '.', 1)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = split_part(u.place, '.', 2)
        WHERE a.atttypid = ANY ('{text,jsonb,text[]}'::regtype[]) AND t.relname <> 'erasures' AND EXISTS (
                SELECT 1 FROM pg_attribute g WHERE g.attrelid = t.oid AND g.attname = 'group_id')
          AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = t.oid AND i.indisunique AND a.attnum = ANY (i.indkey))
        ORDER BY 1, 2
    LOOP
        EXECUTE format('UPDATE %I SET %I = blacked_out(%I::text, $1)::%s WHERE organization_id = $2 AND group_id IN (SELECT scopes_below($2, $3)) AND %I::text ~* $1',
                       c.relname, c.attname, c.attname, c.kind, c.attname) USING e.sought, org, e.group_id;
    END LOOP;
END $$;
