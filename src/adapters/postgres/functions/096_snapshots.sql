-- Snapshots: the digest of what was current at a revision, and what erasures take of snapshots and stored packs.

-- What a digest has for one standing: SHA-256 under a key that is not in the database, over everything that the row says.
-- to_rev is not in it: a row is closed later, and says the same. Each call costs: most columns go in as one text.
CREATE OR REPLACE FUNCTION standing_leaf(s standings, p_key bytea) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT sha256(p_key || s.standing_hash || float8send(s.confidence) || float8send(s.support_mass) || float8send(s.refute_mass)
        || float8send(s.score) || timestamptz_send(s.observed_at) || int8send(s.from_rev)
        || coalesce(timestamptz_send(s.valid_from), '\x00') || coalesce(timestamptz_send(s.valid_to), '\x00')
        || textsend(concat_ws(E'\x1f', s.standing_id, s.fact_id, s.slot_id, s.subject_id, coalesce(s.object_id::text, ''),
            coalesce(s.object_key::text, ''), s.tier, s.support, s.refute, s.corrected, s.group_id, s.predicate, s.lifecycle,
            s.verification, s.kind, s.reason)))
$$;

-- 256 digests, one after the other, each over the standings of the session's scopes whose ids end in its byte, and how many
-- there are in all. What erasures took after the snapshot was made comes in with what it had then.
CREATE OR REPLACE FUNCTION standings_digest(p_known_at bigint, p_made_revision bigint, p_key bytea, OUT buckets bytea, OUT standings bigint)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET work_mem = '32MB' AS $$
DECLARE
    organization uuid := tenant_organization();
    scopes text[] := tenant_read_scopes();
BEGIN
    WITH leaves AS (
        SELECT s.standing_id, standing_leaf(s, p_key) AS leaf FROM standings s
        WHERE s.organization_id = organization AND s.group_id = ANY (scopes) AND s.from_rev <= p_known_at AND s.to_rev > p_known_at
        UNION ALL
        SELECT e.standing_id, e.leaf FROM erased_standings e
        WHERE e.organization_id = organization AND e.group_id = ANY (scopes) AND e.from_rev <= p_known_at AND e.to_rev > p_known_at
          AND e.erased_rev > p_made_revision),
    filled AS (
        SELECT get_byte(uuid_send(l.standing_id), 15) AS bucket, count(*) AS rows,
               sha256(string_agg(l.leaf, ''::bytea ORDER BY l.standing_id)) AS digest
        FROM leaves l GROUP BY 1)
    SELECT string_agg(coalesce(f.digest, decode(repeat('00', 32), 'hex')), ''::bytea ORDER BY b.bucket), coalesce(sum(f.rows), 0)
    INTO buckets, standings
    FROM generate_series(0, 255) AS b (bucket) LEFT JOIN filled f ON f.bucket = b.bucket;
END $$;

-- Before the assertions of an erasure go: at which revisions they were in the record.
CREATE OR REPLACE FUNCTION erasure_trace_said(p_erasure uuid) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = assay, public SET enable_seqscan = off AS $$
    INSERT INTO erasure_traces AS t (organization_id, group_id, erasure_id, held)
    SELECT p.organization_id, p.group_id, p_erasure, range_agg(int8range(p.from_rev, p.to_rev))
    FROM erased_items i JOIN placements p ON p.organization_id = i.organization_id AND p.assertion_id = i.item_id
    WHERE i.organization_id = tenant_organization() AND i.erasure_id = p_erasure AND i.kind = 'assertion'
      AND p.state IN ('live', 'pending') AND p.from_rev < p.to_rev
    GROUP BY p.organization_id, p.group_id
    ON CONFLICT (organization_id, erasure_id, group_id) DO UPDATE SET held = t.held + EXCLUDED.held
$$;

-- Before its rows go: the same of facts and passages, and what digests have for the standings.
CREATE OR REPLACE FUNCTION erasure_trace_rows(p_erasure uuid, p_revision bigint, p_key bytea) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = assay, public SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
BEGIN
    INSERT INTO erasure_traces AS t (organization_id, group_id, erasure_id, held)
    SELECT org, x.group_id, p_erasure, range_agg(int8range(x.from_rev, x.to_rev)) FROM (
        SELECT s.group_id, s.from_rev, s.to_rev FROM erased_items i JOIN standings s ON s.organization_id = org AND s.fact_id = i.item_id
        WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'fact'
        UNION ALL
        SELECT c.group_id, c.from_rev, c.to_rev FROM erased_items i JOIN chunks c ON c.organization_id = org AND c.version_id = i.item_id
        WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'version'
        UNION ALL
        SELECT c.group_id, c.from_rev, c.to_rev FROM erasure_redactions r JOIN chunks c ON c.organization_id = org AND c.version_id = r.version_id
        WHERE r.organization_id = org AND r.erasure_id = p_erasure) x
    WHERE x.from_rev < x.to_rev GROUP BY x.group_id
    ON CONFLICT (organization_id, erasure_id, group_id) DO UPDATE SET held = t.held + EXCLUDED.held;
    INSERT INTO erased_standings (organization_id, group_id, standing_id, from_rev, to_rev, erased_rev, leaf)
    SELECT org, s.group_id, s.standing_id, s.from_rev, s.to_rev, p_revision, standing_leaf(s, p_key)
    FROM erased_items i JOIN standings s ON s.organization_id = org AND s.fact_id = i.item_id
    WHERE i.organization_id = org AND i.erasure_id = p_erasure AND i.kind = 'fact' AND s.from_rev < s.to_rev
      AND EXISTS (SELECT 1 FROM snapshots n WHERE n.organization_id = org AND n.revision >= s.from_rev AND n.revision < s.to_rev)
    ON CONFLICT DO NOTHING;
END $$;

-- After its rows went: stored packs that show something of it, by id or by a word that only it had, lose their content.
CREATE OR REPLACE FUNCTION erasure_void_packs(p_erasure uuid) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = assay, public SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    e erasures;
    pattern text;
    voided integer;
BEGIN
    SELECT * INTO STRICT e FROM erasures x WHERE x.organization_id = org AND x.erasure_id = p_erasure;
    -- Words, or the names that are blacked out.
    pattern := coalesce(e.sought, (SELECT string_agg(w, '|') FROM unnest(e.canaries) w));
    UPDATE packs p SET payload = NULL, voided_by = p_erasure
    WHERE p.organization_id = org AND p.payload IS NOT NULL AND (
        EXISTS (SELECT 1 FROM pack_items x JOIN erased_items i ON i.organization_id = org AND i.item_id = x.item_id
                WHERE x.organization_id = org AND x.pack_id = p.pack_id AND i.erasure_id = p_erasure)
        OR coalesce(convert_from(p.payload, 'UTF8') ~* pattern, false));
    GET DIAGNOSTICS voided = ROW_COUNT;
    RETURN voided;
END $$;

-- A fact that goes on under another name: packs that show the old one.
CREATE OR REPLACE FUNCTION erasure_void_packs_naming(p_erasure uuid, p_name text) RETURNS void LANGUAGE sql
SECURITY DEFINER SET search_path = assay, public AS $$
    UPDATE packs p SET payload = NULL, voided_by = p_erasure
    WHERE p.organization_id = tenant_organization() AND p.payload IS NOT NULL
      AND position(trim(BOTH '"' FROM to_json(p_name)::text) IN convert_from(p.payload, 'UTF8')) > 0
$$;

-- Packs whose time is over, and snapshots that were made for nothing else.
CREATE OR REPLACE FUNCTION forget_packs(p_most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE
    over uuid[];
    organizations uuid[];
    forgotten bigint;
BEGIN
    SELECT array_agg(x.organization_id), array_agg(x.pack_id) INTO organizations, over FROM (
        SELECT p.organization_id, p.pack_id FROM packs p WHERE p.expires_at < clock_timestamp() ORDER BY p.expires_at LIMIT p_most) x;
    DELETE FROM pack_items i USING unnest(organizations, over) o (organization_id, pack_id)
    WHERE i.organization_id = o.organization_id AND i.pack_id = o.pack_id;
    DELETE FROM packs p USING unnest(organizations, over) o (organization_id, pack_id)
    WHERE p.organization_id = o.organization_id AND p.pack_id = o.pack_id;
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    -- One that was made just now may be waiting for its pack.
    DELETE FROM snapshots s WHERE NOT s.kept AND s.made_at < clock_timestamp() - interval '1 hour' AND NOT EXISTS (
        SELECT 1 FROM packs p WHERE p.organization_id = s.organization_id AND p.snapshot_id = s.snapshot_id);
    RETURN forgotten;
END $$;
