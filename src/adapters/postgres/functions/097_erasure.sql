-- Erasing. The functions run as the owner, since nobody else may delete from the record; the policies hold all the same,
-- so that they reach what the transaction's tenant may write and nothing more.

-- Nothing is added to a version after it was erased: a worker or a client that was still at it is refused.
CREATE OR REPLACE FUNCTION refuse_mentions_of_erased() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM (SELECT DISTINCT organization_id, version_id FROM new_rows) n
               JOIN document_states s ON s.organization_id = n.organization_id AND s.version_id = n.version_id
               WHERE s.status = 'erased') THEN
        RAISE EXCEPTION 'erased' USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'document_was_erased';
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER mentions_of_erased AFTER INSERT ON mentions
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION refuse_mentions_of_erased();

CREATE OR REPLACE FUNCTION refuse_states_of_erased() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM new_rows n
               JOIN document_states s ON s.organization_id = n.organization_id AND s.version_id = n.version_id
               WHERE s.status = 'erased' AND s.from_rev <> n.from_rev) THEN
        RAISE EXCEPTION 'erased' USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'document_was_erased';
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER states_of_erased AFTER INSERT ON document_states
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION refuse_states_of_erased();

-- An entity with all that was merged into it, and all that alias facts in force say is the same.
CREATE OR REPLACE FUNCTION entity_with_merged(p_entity uuid) RETURNS uuid[] LANGUAGE sql STABLE SET enable_seqscan = off AS $$
    WITH RECURSIVE same AS (
        SELECT p_entity AS entity_id
        UNION SELECT other.entity_id FROM same CROSS JOIN LATERAL (
            SELECT s.entity_id FROM entity_states s
            WHERE s.organization_id = tenant_organization() AND s.merged_into = same.entity_id AND s.to_rev = 9223372036854775807
            UNION ALL SELECT s.object_key FROM standings s
            WHERE s.organization_id = tenant_organization() AND s.subject_id = same.entity_id AND s.predicate = 'ALIAS_OF'
              AND s.object_id IS NOT NULL AND s.lifecycle IN ('active', 'disputed') AND s.to_rev = 9223372036854775807
            UNION ALL SELECT s.subject_id FROM standings s
            WHERE s.organization_id = tenant_organization() AND s.object_key = same.entity_id AND s.predicate = 'ALIAS_OF'
              AND s.lifecycle IN ('active', 'disputed') AND s.to_rev = 9223372036854775807) other)
    SELECT array_agg(entity_id) FROM same
$$;

-- Notes which documents, versions and assertions an erasure takes, and returns the slots that they bear on.
CREATE OR REPLACE FUNCTION erasure_collect(p_erasure uuid) RETURNS SETOF uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    e erasures;
    same uuid[];
BEGIN
    SELECT * INTO STRICT e FROM erasures x WHERE x.organization_id = org AND x.erasure_id = p_erasure;
    IF e.kind = 'document' THEN
        INSERT INTO erased_items SELECT org, d.group_id, d.document_id, 'document', p_erasure FROM documents d
        WHERE d.organization_id = org AND d.document_id = e.target_id ON CONFLICT DO NOTHING;
    ELSIF e.kind = 'source' THEN
        INSERT INTO erased_items SELECT org, d.group_id, d.document_id, 'document', p_erasure FROM documents d
        WHERE d.organization_id = org AND d.source_id = e.target_id ON CONFLICT DO NOTHING;
    ELSE
        same := entity_with_merged(e.target_id);
        INSERT INTO erased_items SELECT org, x.group_id, x.entity_id, 'entity', p_erasure FROM entities x
        WHERE x.organization_id = org AND x.entity_id = ANY (same) ON CONFLICT DO NOTHING;
        INSERT INTO erased_items SELECT DISTINCT org, p.group_id, p.assertion_id, 'assertion', p_erasure
        FROM (SELECT s.fact_id FROM standings s WHERE s.organization_id = org AND s.subject_id = ANY (same)
              UNION SELECT s.fact_id FROM standings s WHERE s.organization_id = org AND s.object_key = ANY (same)) f
        JOIN placements p ON p.organization_id = org AND p.fact_id = f.fact_id ON CONFLICT DO NOTHING;
        INSERT INTO erased_items SELECT org, a.group_id, a.assertion_id, 'assertion', p_erasure
        FROM erasure_said_with(e.sought, ARRAY(SELECT scopes_below(org, e.group_id))) s JOIN assertions a ON a.organization_id = org AND a.assertion_id = s
        ON CONFLICT DO NOTHING;
    END IF;
    INSERT INTO erased_items SELECT org, v.group_id, v.version_id, 'version', p_erasure
    FROM erased_items i JOIN document_versions v ON v.organization_id = org AND v.document_id = i.item_id
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'document' ON CONFLICT DO NOTHING;
    INSERT INTO erased_items SELECT org, a.group_id, a.assertion_id, 'assertion', p_erasure
    FROM erased_items i JOIN assertions a ON a.organization_id = org AND a.version_id = i.item_id
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'version' ON CONFLICT DO NOTHING;
    RETURN QUERY SELECT DISTINCT f.slot_id
    FROM erased_items i
    JOIN placements p ON p.organization_id = org AND p.assertion_id = i.item_id
    JOIN facts f ON f.organization_id = org AND f.fact_id = p.fact_id
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'assertion';
END $$;

-- Takes the assertions away, under the locks of their slots. What only denies a statement that goes, goes with it.
CREATE OR REPLACE FUNCTION erasure_remove_said(p_erasure uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    facts_touched uuid[];
    gone uuid[];
    written bigint[];
    words text[];
BEGIN
    SELECT array_agg(DISTINCT p.fact_id) INTO facts_touched
    FROM erased_items i JOIN placements p ON p.organization_id = org AND p.assertion_id = i.item_id
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'assertion';
    SELECT array_agg(f) INTO gone FROM unnest(facts_touched) f WHERE NOT EXISTS (
        SELECT 1 FROM placements p JOIN assertions a ON a.organization_id = org AND a.assertion_id = p.assertion_id
        WHERE p.organization_id = org AND p.fact_id = f AND a.polarity = 'support' AND NOT EXISTS (
            SELECT 1 FROM erased_items i WHERE i.organization_id = org AND i.item_id = p.assertion_id));
    INSERT INTO erased_items SELECT DISTINCT org, p.group_id, p.assertion_id, 'assertion', p_erasure
    FROM placements p WHERE p.organization_id = org AND p.fact_id = ANY (gone) ON CONFLICT DO NOTHING;
    INSERT INTO erased_items SELECT org, f.group_id, f.fact_id, 'fact', p_erasure FROM facts f
    WHERE f.organization_id = org AND f.fact_id = ANY (gone) AND NOT EXISTS (
        SELECT 1 FROM placements p WHERE p.organization_id = org AND p.fact_id = f.fact_id AND NOT EXISTS (
            SELECT 1 FROM erased_items i WHERE i.organization_id = org AND i.item_id = p.assertion_id)) ON CONFLICT DO NOTHING;
    SELECT array_agg(DISTINCT r) INTO written FROM (
        SELECT v.revision FROM erased_items i JOIN document_versions v ON v.organization_id = org AND v.version_id = i.item_id
        WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'version'
        UNION ALL SELECT s.from_rev FROM erased_items i JOIN document_states s ON s.organization_id = org AND s.version_id = i.item_id
        WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'version'
        UNION ALL SELECT p.from_rev FROM erased_items i JOIN placements p ON p.organization_id = org AND p.assertion_id = i.item_id
        WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'assertion') w (r);
    -- Words of the content, the longest first: those that nothing else has are what the scan looks for. The line of a typed
    -- triple, or a record, has words of its format, and what it says is in the sentence.
    SELECT array_agg(w ORDER BY length(w) DESC, w) INTO words FROM (
        SELECT w FROM (
            SELECT unnest(tsvector_to_array(search_terms_of(left(t, 20000)))) FROM (
                (SELECT c.text FROM erased_items i JOIN chunks c ON c.organization_id = org AND c.version_id = i.item_id
                 WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'version' LIMIT 500)
                UNION ALL
                (SELECT x.excerpt FROM erased_items i JOIN evidence x ON x.organization_id = org AND x.assertion_id = i.item_id
                 WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'assertion' AND x.kind = 'span' AND x.excerpt IS NOT NULL LIMIT 500)
                UNION ALL
                (SELECT f.sentence FROM erased_items i JOIN facts f ON f.organization_id = org AND f.fact_id = i.item_id
                 WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'fact' AND f.sentence IS NOT NULL LIMIT 500)
            ) texts (t)) u (w)
        WHERE length(w) BETWEEN 5 AND 60 AND w ~ '^[[:alnum:]]+$' GROUP BY w ORDER BY length(w) DESC, w LIMIT 300) v;
    UPDATE erasures SET touched = coalesce(written, '{}'), canaries = CASE WHEN kind = 'entity' THEN canaries ELSE coalesce(words, '{}') END
    WHERE organization_id = org AND erasure_id = p_erasure;
    DELETE FROM evidence x USING erased_items i WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'assertion'
        AND x.organization_id = org AND x.assertion_id = i.item_id;
    DELETE FROM placements x USING erased_items i WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'assertion'
        AND x.organization_id = org AND x.assertion_id = i.item_id;
    DELETE FROM assertions x USING erased_items i WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'assertion'
        AND x.organization_id = org AND x.assertion_id = i.item_id;
END $$;

-- Whether something was added since it was collected: then the erasure has to begin again. After the head is locked.
DROP FUNCTION IF EXISTS erasure_overtaken(uuid);
CREATE OR REPLACE FUNCTION erasure_overtaken(p_erasure uuid, p_seen bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    e erasures;
BEGIN
    SELECT * INTO STRICT e FROM erasures x WHERE x.organization_id = org AND x.erasure_id = p_erasure;
    RETURN CASE e.kind
        WHEN 'entity' THEN EXISTS (
            SELECT 1 FROM standings s JOIN placements p ON p.organization_id = org AND p.fact_id = s.fact_id
            WHERE s.organization_id = org AND s.subject_id = ANY (entity_with_merged(e.target_id))) OR EXISTS (
            SELECT 1 FROM standings s JOIN placements p ON p.organization_id = org AND p.fact_id = s.fact_id
            WHERE s.organization_id = org AND s.object_key = ANY (entity_with_merged(e.target_id))) OR EXISTS (
            SELECT 1 FROM document_states s JOIN document_versions v ON v.organization_id = org AND v.version_id = s.version_id
            WHERE s.organization_id = org AND s.from_rev > p_seen AND s.group_id IN (SELECT scopes_below(org, e.group_id))
              AND concat_ws(' ', v.text, v.title, v.source_uri) ~* coalesce(e.sought, e.sought_there)) OR EXISTS (
            SELECT 1 FROM facts f WHERE f.organization_id = org AND f.revision > p_seen
              AND f.group_id IN (SELECT scopes_below(org, e.group_id)) AND f.sentence ~* coalesce(e.sought, e.sought_there))
        ELSE EXISTS (
            SELECT 1 FROM documents d JOIN document_versions v ON v.organization_id = org AND v.document_id = d.document_id
            WHERE d.organization_id = org AND CASE e.kind WHEN 'source' THEN d.source_id = e.target_id ELSE d.document_id = e.target_id END
              AND (NOT EXISTS (SELECT 1 FROM erased_items i WHERE i.organization_id = org AND i.item_id = v.version_id)
                   OR EXISTS (SELECT 1 FROM assertions a WHERE a.organization_id = org AND a.version_id = v.version_id)))
    END;
END $$;

-- Why the erasure must not be: holds on its target, on its documents and their sources, and on whom they mention.
CREATE OR REPLACE FUNCTION erasure_holds(p_erasure uuid) RETURNS TABLE (kind text, target_id uuid, reason text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public SET enable_seqscan = off AS $$
    SELECT h.kind, h.target_id, h.reason FROM legal_holds h
    WHERE h.organization_id = tenant_organization() AND h.lifted_at IS NULL AND h.target_id IN (
        SELECT e.target_id FROM erasures e WHERE e.organization_id = h.organization_id AND e.erasure_id = p_erasure
        UNION SELECT i.item_id FROM erased_items i WHERE i.organization_id = h.organization_id AND i.erasure_id = p_erasure
        UNION SELECT d.source_id FROM erased_items i JOIN documents d ON d.organization_id = h.organization_id AND d.document_id = i.item_id
        WHERE i.organization_id = h.organization_id AND i.erasure_id = p_erasure AND i.kind = 'document'
        UNION SELECT v FROM erased_items i JOIN assertions a ON a.organization_id = h.organization_id AND a.assertion_id = i.item_id
        CROSS JOIN LATERAL (VALUES (a.document_id), (a.source_id)) x (v)
        WHERE i.organization_id = h.organization_id AND i.erasure_id = p_erasure AND i.kind = 'assertion'
        UNION SELECT v FROM erasure_redactions x JOIN documents d ON d.organization_id = h.organization_id AND d.document_id = x.document_id
        CROSS JOIN LATERAL (VALUES (d.document_id), (d.source_id)) y (v)
        WHERE x.organization_id = h.organization_id AND x.erasure_id = p_erasure
        UNION SELECT r.entity_id FROM erasure_redactions x
        JOIN mentions m ON m.organization_id = h.organization_id AND m.version_id = x.version_id
        JOIN resolutions r ON r.organization_id = h.organization_id AND r.mention_id = m.mention_id
        WHERE x.organization_id = h.organization_id AND x.erasure_id = p_erasure
        UNION SELECT r.entity_id FROM erased_items i
        JOIN mentions m ON m.organization_id = h.organization_id AND m.version_id = i.item_id
        JOIN resolutions r ON r.organization_id = h.organization_id AND r.mention_id = m.mention_id
        WHERE i.organization_id = h.organization_id AND i.erasure_id = p_erasure AND i.kind = 'version')
    ORDER BY h.placed_at
$$;

-- The erasure that took an item, for a read that does not find it; the function takes the tenant first.
CREATE OR REPLACE FUNCTION erasure_of_item(p_organization uuid, p_read_scopes text, p_item uuid)
RETURNS TABLE (erasure_id uuid, requested_at timestamptz) LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('app.organization', p_organization::text, true), set_config('app.read_scopes', split_part(p_read_scopes, '|', 1), true),
            set_config('app.known_scopes', translate(p_read_scopes, '|', ','), true),
            set_config('app.write_scopes', '', true);
    RETURN QUERY SELECT e.erasure_id, e.requested_at FROM erased_items i
    JOIN erasures e ON e.organization_id = i.organization_id AND e.erasure_id = i.erasure_id
    WHERE i.organization_id = p_organization AND i.item_id = p_item;
END $$;
