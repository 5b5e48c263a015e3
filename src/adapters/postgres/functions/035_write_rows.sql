-- The rows of one write. Each set comes as one JSON array of objects, NULL where there is none; columns are named there.
-- Plans are generic: a set is joined with nothing. That holds for the checks of foreign keys too, which would else be
-- planned anew for each row, and the look-ups go by index however small a young table was when they were planned.

CREATE OR REPLACE FUNCTION write_rows(
    p_revision bigint, p_group text, p_principal uuid, p_principal_kind text, p_entities json, p_aliases json,
    p_mentions json, p_assertions json, p_facts json, p_closed_placements uuid[], p_placements json,
    p_closed_aliases uuid[], p_closed_standings uuid[], p_standings json) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    forever CONSTANT bigint := 9223372036854775807;
BEGIN
    IF p_entities IS NOT NULL THEN
        WITH u AS MATERIALIZED (
            SELECT * FROM json_to_recordset(p_entities) AS u (id uuid, kind text, name text, normal text)),
        made AS (
            INSERT INTO entities (organization_id, group_id, entity_id, kind, name, revision)
            SELECT org, p_group, id, kind, name, p_revision FROM u)
        INSERT INTO names (organization_id, group_id, entity_id, name, normal, kind, from_rev)
        SELECT org, p_group, id, name, normal, kind, p_revision FROM u ON CONFLICT DO NOTHING;
    END IF;
    IF p_aliases IS NOT NULL THEN
        INSERT INTO names (organization_id, group_id, entity_id, name, normal, assertion_id, canonical, from_rev)
        SELECT org, p_group, id, name, normal, assertion, coalesce(canonical, false), p_revision
        FROM json_to_recordset(p_aliases) AS u (id uuid, name text, normal text, assertion uuid, canonical boolean)
        WHERE NOT EXISTS (
            SELECT 1 FROM names n WHERE n.organization_id = org AND n.entity_id = u.id AND n.normal = u.normal
              AND n.assertion_id = u.assertion AND n.to_rev = forever)
        ON CONFLICT DO NOTHING;
    END IF;
    IF p_mentions IS NOT NULL THEN
        WITH u AS MATERIALIZED (
            SELECT * FROM json_to_recordset(p_mentions) AS u (id uuid, version uuid, document uuid, surface text, normal text,
                kind text, starts int, ends int, entity uuid, rule text)),
        made AS (
            INSERT INTO mentions (organization_id, group_id, mention_id, version_id, document_id, surface, normal, kind,
                                  start_offset, end_offset, revision)
            SELECT org, p_group, id, version, document, surface, normal, kind, starts, ends, p_revision FROM u)
        INSERT INTO resolutions (organization_id, group_id, mention_id, entity_id, rule, score, from_rev)
        SELECT org, p_group, id, entity, rule, 1.0, p_revision FROM u;
    END IF;
    IF p_assertions IS NOT NULL THEN
        WITH u AS MATERIALIZED (
            SELECT * FROM json_to_recordset(p_assertions) AS u (id uuid, key text, document uuid, version uuid, run uuid,
                source uuid, predicate text, subject uuid, object uuid, literal jsonb, qualifiers jsonb, polarity text, kind text,
                asserter text, confidence float8, valid_from timestamptz, valid_from_precision text, valid_from_state text,
                valid_to timestamptz, valid_to_precision text, valid_to_state text, observed timestamptz,
                published timestamptz, independence text, corrects uuid, saw bigint, evidence text, read_version uuid,
                chunk uuid, starts int, ends int, pointer text, excerpt text)),
        made AS (
            INSERT INTO assertions (organization_id, group_id, assertion_id, key, document_id, version_id, run_id, source_id,
                principal_id, principal_kind, predicate, subject_mention, object_mention, object_literal, qualifiers,
                polarity, kind, asserter, confidence, valid_from, valid_from_precision, valid_from_state, valid_to,
                valid_to_precision, valid_to_state, observed_at, published_at, independence_key, corrects_fact,
                corrects_revision, revision)
            SELECT org, p_group, id, decode(key, 'base64'), document, version, run, source, p_principal, p_principal_kind,
                predicate, subject, object, literal, qualifiers, polarity, kind, asserter, confidence, valid_from,
                valid_from_precision, valid_from_state, valid_to, valid_to_precision, valid_to_state, observed, published,
                independence, corrects, saw, p_revision FROM u)
        INSERT INTO evidence (organization_id, group_id, assertion_id, kind, version_id, chunk_id, start_offset, end_offset,
                              pointer, excerpt, revision)
        SELECT org, p_group, id, evidence, read_version, chunk, starts, ends, pointer, excerpt, p_revision FROM u;
    END IF;
    IF p_facts IS NOT NULL THEN
        INSERT INTO facts (organization_id, group_id, fact_id, key, slot_id, subject_id, predicate, object_id,
                           object_literal, object_key, qualifiers, sentence, revision)
        SELECT org, p_group, id, decode(key, 'base64'), slot, subject, predicate, object, literal, object_key, qualifiers,
               sentence, p_revision
        FROM json_to_recordset(p_facts) AS u (id uuid, key text, slot uuid, subject uuid, predicate text, object uuid,
                                              literal jsonb, object_key uuid, qualifiers jsonb, sentence text);
    END IF;
    IF p_closed_placements IS NOT NULL THEN
        UPDATE placements SET to_rev = p_revision
        WHERE organization_id = org AND assertion_id = ANY (p_closed_placements) AND to_rev = forever;
    END IF;
    IF p_placements IS NOT NULL THEN
        INSERT INTO placements (organization_id, group_id, assertion_id, fact_id, state, approved, from_rev)
        SELECT org, grp, assertion, fact, state, approved, p_revision
        FROM json_to_recordset(p_placements) AS u (grp text, assertion uuid, fact uuid, state text, approved boolean);
    END IF;
    IF p_closed_aliases IS NOT NULL THEN
        UPDATE names SET to_rev = p_revision
        WHERE organization_id = org AND assertion_id = ANY (p_closed_aliases) AND to_rev = forever;
    END IF;
    IF p_closed_standings IS NOT NULL THEN
        UPDATE standings SET to_rev = p_revision
        WHERE organization_id = org AND standing_id = ANY (p_closed_standings) AND to_rev = forever;
    END IF;
    IF p_standings IS NOT NULL THEN
        INSERT INTO standings (organization_id, group_id, standing_id, fact_id, slot_id, subject_id, predicate, object_id,
            object_key, valid_from, valid_to, lifecycle, support, refute, confidence, support_mass, refute_mass, score,
            reason, tier, verification, kind, corrected, observed_at, standing_hash, from_rev)
        SELECT org, grp, id, fact, slot, subject, predicate, object, object_key, valid_from, valid_to, lifecycle, support,
            refute, confidence, support_mass, refute_mass, score, reason, tier, verification, kind, corrected, observed,
            decode(hash, 'base64'), p_revision
        FROM json_to_recordset(p_standings) AS u (grp text, id uuid, fact uuid, slot uuid, subject uuid, predicate text,
            object uuid, object_key uuid, valid_from timestamptz, valid_to timestamptz, lifecycle text, support boolean,
            refute boolean, confidence float8, support_mass float8, refute_mass float8, score float8, reason text,
            tier smallint, verification text, kind text, corrected boolean, observed timestamptz, hash text);
    END IF;
END $$;

-- Jobs as PgQueuer 1.6 enqueues them, with their line in its log; its own statement is planned anew each time. Each job is
-- {entrypoint, payload (text or null), priority, delay (seconds), group_id, headers (what the tracer adds, or null)}.
CREATE OR REPLACE FUNCTION enqueue_jobs(p_jobs json) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    WITH made AS (
        INSERT INTO pgqueuer (priority, entrypoint, payload, execute_after, headers, status)
        SELECT priority, entrypoint, convert_to(payload, 'UTF8'), now() + delay * interval '1 second',
               coalesce(headers, '{}') || jsonb_build_object('organization_id', tenant_organization(), 'group_id', group_id),
               'queued'
        FROM json_to_recordset(p_jobs) AS u (entrypoint text, payload text, priority int, delay float8, group_id text,
                                             headers jsonb)
        RETURNING id, entrypoint, priority)
    INSERT INTO pgqueuer_log (job_id, status, entrypoint, priority) SELECT id, 'queued', entrypoint, priority FROM made;
END $$;

-- take_revision, write_rows and enqueue_jobs in one round trip: nothing of the caller's runs while the head is locked.
CREATE OR REPLACE FUNCTION append_rows(
    p_group text, p_principal uuid, p_principal_kind text, p_connection text, p_kind text, p_reason text,
    p_commitment bytea, p_salt bytea, p_payload bytea, p_vocabulary_seen bigint, p_identity_seen bigint,
    p_changes_vocabulary boolean, p_changes_identity boolean, p_entities json, p_aliases json, p_mentions json,
    p_assertions json, p_facts json, p_closed_placements uuid[], p_placements json, p_closed_aliases uuid[],
    p_closed_standings uuid[], p_standings json, p_jobs json) RETURNS bigint
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    taken bigint := take_revision(p_group, p_principal, p_principal_kind, p_connection, p_kind, p_reason, p_commitment,
                                  p_salt, p_payload, p_vocabulary_seen, p_identity_seen, p_changes_vocabulary,
                                  p_changes_identity);
BEGIN
    IF taken IS NOT NULL THEN
        PERFORM write_rows(taken, p_group, p_principal, p_principal_kind, p_entities, p_aliases, p_mentions, p_assertions,
                           p_facts, p_closed_placements, p_placements, p_closed_aliases, p_closed_standings, p_standings);
        IF p_jobs IS NOT NULL THEN
            PERFORM enqueue_jobs(p_jobs);
        END IF;
    END IF;
    RETURN taken;
END $$;
