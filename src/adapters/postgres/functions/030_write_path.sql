-- The locks of a write, in one order: names, slots, head. Plans are generic and look-ups go by index, whatever the
-- statistics of a young table say.

-- What a write wants to know before it locks, as one JSON object: the head, which of its items are stored already, which
-- of its names their versions have already, and the entities that could be meant by the others. A look-up a row, planned
-- for the tables as they are: a plan from when they were empty would go by any index that begins with the organization.
CREATE OR REPLACE FUNCTION recall(p_documents uuid[], p_keys bytea[], p_versions uuid[], p_normals text[], p_kinds text[])
RETURNS json LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET enable_seqscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    org uuid := tenant_organization();
    forever CONSTANT bigint := 9223372036854775807;
    head json;
    items json;
    mentions json;
    unknown text[];
    candidates json;
BEGIN
    SELECT json_build_array(h.revision, h.vocabulary_rev, h.identity_rev) INTO head FROM heads h WHERE h.organization_id = org;
    SELECT json_agg(json_build_array(a.document_id, encode(a.key, 'base64'), a.assertion_id, a.run_id)) INTO items
    FROM unnest(p_documents, p_keys) w (document, key)
    CROSS JOIN LATERAL (SELECT * FROM assertions a
        WHERE a.organization_id = org AND a.document_id = w.document AND a.key = w.key OFFSET 0) a;
    SELECT json_agg(json_build_array(m.mention_id, m.version_id, m.document_id, m.surface, m.normal, m.kind, m.start_offset,
                                     m.end_offset, r.entity_id, r.rule)) FILTER (WHERE r.entity_id IS NOT NULL),
           array_agg(DISTINCT w.normal) FILTER (WHERE r.entity_id IS NULL)
    INTO mentions, unknown
    FROM unnest(p_versions, p_normals, p_kinds) w (version, normal, kind)
    LEFT JOIN LATERAL (SELECT * FROM mentions m
        WHERE m.organization_id = org AND m.version_id = w.version AND m.normal = w.normal
          AND m.kind IS NOT DISTINCT FROM w.kind OFFSET 0) m ON true
    LEFT JOIN LATERAL (SELECT * FROM resolutions r
        WHERE r.organization_id = org AND r.mention_id = m.mention_id AND r.to_rev = forever OFFSET 0) r ON true;
    IF unknown IS NOT NULL THEN
        SELECT json_agg(json_build_array(n.normal, coalesce(s.merged_into, n.entity_id), coalesce(CASE WHEN e.named THEN shown_kind(e, forever - 1) ELSE e.kind END, n.kind), n.group_id,
                                         n.assertion_id IS NOT NULL AND NOT n.canonical)) INTO candidates
        FROM unnest(unknown) w (normal)
        CROSS JOIN LATERAL (SELECT * FROM names n
            WHERE n.organization_id = org AND n.normal = w.normal AND n.to_rev = forever OFFSET 0) n
        JOIN entities e ON e.organization_id = org AND e.entity_id = n.entity_id
        LEFT JOIN entity_states s ON s.organization_id = org AND s.entity_id = n.entity_id AND s.to_rev = forever;
    END IF;
    RETURN json_build_object('head', head, 'items', items, 'mentions', mentions, 'candidates', candidates);
END $$;

-- Who makes the entity of a name: the first writer. Keys come sorted.
CREATE OR REPLACE FUNCTION claim_entities(p_group text, p_keys bytea[]) RETURNS TABLE (key bytea, entity_id uuid, made boolean)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH wanted AS (SELECT DISTINCT k FROM unnest(p_keys) k),
    made AS (
        INSERT INTO entity_keys (organization_id, group_id, key, entity_id)
        SELECT tenant_organization(), p_group, k, uuidv7() FROM wanted ORDER BY k
        ON CONFLICT DO NOTHING RETURNING key, entity_id)
    SELECT key, entity_id, true FROM made;
    RETURN QUERY
    SELECT e.key, e.entity_id, false FROM entity_keys e
    WHERE e.organization_id = tenant_organization() AND e.group_id = p_group AND e.key = ANY (p_keys);
END $$;

-- Makes the missing slots and locks all of them, each in key order; facts of a locked slot change only through the holder.
CREATE OR REPLACE FUNCTION lock_slots(p_group text, p_keys bytea[]) RETURNS TABLE (key bytea, slot_id uuid, fresh boolean)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE newest uuid := uuidv7();
BEGIN
    -- A slot of this call has a later id than any that was there: ids grow within a server process.
    INSERT INTO slots (organization_id, group_id, slot_id, key)
    SELECT tenant_organization(), p_group, uuidv7(), k FROM (SELECT DISTINCT k FROM unnest(p_keys) k) d ORDER BY k
    ON CONFLICT DO NOTHING;
    RETURN QUERY
    SELECT s.key, s.slot_id, s.slot_id > newest AND s.xmin = pg_current_xact_id()::xid FROM slots s
    WHERE s.organization_id = tenant_organization() AND s.group_id = p_group AND s.key = ANY (p_keys)
    ORDER BY s.key FOR NO KEY UPDATE;
END $$;

CREATE OR REPLACE FUNCTION lock_slot_ids(p_slots uuid[]) RETURNS SETOF uuid
LANGUAGE sql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
    SELECT slot_id FROM slots WHERE organization_id = tenant_organization() AND slot_id = ANY (p_slots)
    ORDER BY group_id, key FOR NO KEY UPDATE
$$;

-- The next revision, its journal entry and its link in the chain. NULL when the vocabulary or an identity has moved since
-- the caller placed under it: the caller starts again. Nothing slow may follow: every writer of the organization waits.
CREATE OR REPLACE FUNCTION take_revision(
    p_group text, p_principal uuid, p_principal_kind text, p_connection text, p_kind text, p_reason text,
    p_commitment bytea, p_salt bytea, p_payload bytea, p_vocabulary_seen bigint, p_identity_seen bigint,
    p_changes_vocabulary boolean, p_changes_identity boolean) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    h heads;
    at timestamptz;
    next_hash bytea;
BEGIN
    SELECT * INTO h FROM heads WHERE organization_id = tenant_organization() FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no head' USING ERRCODE = 'AS404';
    END IF;
    IF p_vocabulary_seen < h.vocabulary_rev OR p_identity_seen < h.identity_rev THEN
        RETURN NULL;
    END IF;
    at := greatest(clock_timestamp(), (SELECT m.committed_at FROM mutations m
        WHERE m.organization_id = h.organization_id AND m.revision = h.revision));
    next_hash := mutation_hash(h.hash, h.organization_id, h.revision + 1, p_group, p_principal, p_principal_kind,
                               p_connection, p_kind, p_reason, at, p_commitment);
    UPDATE heads SET revision = h.revision + 1, hash = next_hash,
        vocabulary_rev = CASE WHEN p_changes_vocabulary THEN h.revision + 1 ELSE vocabulary_rev END,
        identity_rev = CASE WHEN p_changes_identity THEN h.revision + 1 ELSE identity_rev END
    WHERE organization_id = h.organization_id;
    INSERT INTO mutations VALUES (h.organization_id, h.revision + 1, p_group, p_principal, p_principal_kind, p_connection,
        p_kind, p_reason, p_commitment, h.hash, next_hash, at);
    INSERT INTO mutation_payloads VALUES (h.organization_id, h.revision + 1, p_group, p_salt, p_payload);
    RETURN h.revision + 1;
END $$;

-- SHA-256 over the previous hash and the length-prefixed fields of an entry.
CREATE OR REPLACE FUNCTION mutation_hash(
    p_previous bytea, p_organization uuid, p_revision bigint, p_group text, p_principal uuid, p_principal_kind text,
    p_connection text, p_kind text, p_reason text, p_at timestamptz, p_commitment bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT sha256(p_previous || p_commitment || convert_to(string_agg(coalesce(length(f)::text, '-') || ':' || coalesce(f, ''), ',' ORDER BY n), 'UTF8'))
    FROM unnest(ARRAY[p_organization::text, p_revision::text, p_group, p_principal::text, p_principal_kind, p_connection,
                      p_kind, p_reason, (extract(epoch FROM p_at) * 1000000)::bigint::text]) WITH ORDINALITY AS u (f, n)
$$;
