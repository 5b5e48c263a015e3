-- Reads about one entity or one fact, each in one round trip and one JSON value; they take the tenant first.

CREATE OR REPLACE FUNCTION entity_summary(
    p_organization uuid, p_read_scopes text, p_ids uuid[], p_names text[], p_as_of timestamptz, p_known_at bigint,
    p_lifecycles text[], p_documents integer) RETURNS text
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    same uuid[];
BEGIN
    PERFORM set_config('app.organization', p_organization::text, true), set_config('app.read_scopes', split_part(p_read_scopes, '|', 1), true),
            set_config('app.known_scopes', translate(p_read_scopes, '|', ','), true),
            set_config('app.write_scopes', '', true);
    same := same_entities(p_organization, p_ids, p_names, p_known_at);
    RETURN json_build_object(
        -- Ids of one revision are in the order of secret keys, which tells nothing: names go before them.
        'entities', coalesce((
            SELECT json_agg(json_build_object('entity_id', e.entity_id, 'group_id', e.group_id, 'name', shown_name(e, p_known_at), 'kind', shown_kind(e, p_known_at),
                                              'standing', e.standing) ORDER BY e.revision, e.name COLLATE "C", e.entity_id)
            FROM entities e WHERE e.organization_id = p_organization AND e.entity_id = ANY (same) AND e.revision <= p_known_at), '[]'),
        'aliases', coalesce((
            SELECT json_agg(n.name ORDER BY n.first, n.normal) FROM (
                SELECT DISTINCT ON (x.normal) x.normal, x.name, x.from_rev AS first FROM names x
                WHERE x.organization_id = p_organization AND x.entity_id = ANY (same)
                  AND x.from_rev <= p_known_at AND x.to_rev > p_known_at
                ORDER BY x.normal, x.from_rev) n), '[]'),
        'totals', coalesce((
            SELECT json_agg(json_build_object('predicate', t.predicate, 'as_subject', t.as_subject, 'as_object', t.as_object)
                            ORDER BY t.as_subject + t.as_object DESC, t.predicate) FROM (
                SELECT s.predicate, count(DISTINCT s.fact_id) FILTER (WHERE s.side = 0) AS as_subject,
                       count(DISTINCT s.fact_id) FILTER (WHERE s.side = 1) AS as_object
                FROM (SELECT x.*, 0 AS side FROM standings x WHERE x.organization_id = p_organization AND x.subject_id = ANY (same)
                      UNION ALL
                      SELECT x.*, 1 FROM standings x WHERE x.organization_id = p_organization AND x.object_key = ANY (same)) s
                WHERE s.from_rev <= p_known_at AND s.to_rev > p_known_at AND s.lifecycle = ANY (p_lifecycles)
                  AND (p_as_of IS NULL OR (s.valid_from IS NULL OR s.valid_from <= p_as_of) AND (s.valid_to IS NULL OR s.valid_to > p_as_of))
                GROUP BY s.predicate) t), '[]'),
        'neighbours', coalesce((
            SELECT json_agg(json_build_object('predicate', n.predicate, 'as_subject', n.side = 0, 'kind', n.kind, 'facts', n.facts)) FROM (
                SELECT s.predicate, s.side, CASE WHEN s.other IS NULL THEN 'value' ELSE o.kind END AS kind, count(DISTINCT s.fact_id) AS facts
                FROM (SELECT x.fact_id, x.predicate, x.object_id AS other, x.lifecycle, x.valid_from, x.valid_to, x.from_rev, x.to_rev, 0 AS side
                      FROM standings x WHERE x.organization_id = p_organization AND x.subject_id = ANY (same)
                      UNION ALL
                      SELECT x.fact_id, x.predicate, x.subject_id, x.lifecycle, x.valid_from, x.valid_to, x.from_rev, x.to_rev, 1
                      FROM standings x WHERE x.organization_id = p_organization AND x.object_key = ANY (same)) s
                LEFT JOIN LATERAL (SELECT x.kind FROM entities x WHERE x.organization_id = p_organization AND x.entity_id = s.other LIMIT 1) o ON true
                WHERE s.from_rev <= p_known_at AND s.to_rev > p_known_at AND s.lifecycle = ANY (p_lifecycles)
                  AND (p_as_of IS NULL OR (s.valid_from IS NULL OR s.valid_from <= p_as_of) AND (s.valid_to IS NULL OR s.valid_to > p_as_of))
                GROUP BY 1, 2, 3) n), '[]'),
        'documents', coalesce((
            SELECT json_agg(json_build_object('document_id', d.document_id, 'title', d.title, 'uri', d.source_uri,
                                              'published_at', d.published_at)
                            ORDER BY d.published_at DESC NULLS LAST, d.document_id) FROM (
                SELECT DISTINCT ON (v.document_id) v.document_id, v.title, v.source_uri, v.published_at
                FROM resolutions r
                CROSS JOIN LATERAL (SELECT x.version_id FROM mentions x WHERE x.organization_id = p_organization AND x.mention_id = r.mention_id LIMIT 1) m
                CROSS JOIN LATERAL (SELECT x.* FROM document_versions x WHERE x.organization_id = p_organization AND x.version_id = m.version_id LIMIT 1) v
                WHERE r.organization_id = p_organization AND r.entity_id = ANY (same) AND r.from_rev <= p_known_at AND r.to_rev > p_known_at
                  AND NOT EXISTS (SELECT 1 FROM document_states s WHERE s.organization_id = p_organization AND s.version_id = v.version_id
                                  AND s.from_rev <= p_known_at AND s.to_rev > p_known_at
                                  AND s.status IN ('retracted', 'erased', 'replaced', 'refused', 'proposed'))
                ORDER BY v.document_id, v.revision DESC LIMIT p_documents) d), '[]'))::text;
END $$;

-- How many facts in force each predicate has.
DROP FUNCTION IF EXISTS predicates_in_use(uuid, text, timestamptz, bigint, text[]);
CREATE OR REPLACE FUNCTION predicates_in_use(
    p_organization uuid, p_read_scopes text, p_as_of timestamptz, p_known_at bigint, p_lifecycles text[])
RETURNS TABLE (predicate text, facts bigint, examples text[]) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('app.organization', p_organization::text, true), set_config('app.read_scopes', split_part(p_read_scopes, '|', 1), true),
            set_config('app.known_scopes', translate(p_read_scopes, '|', ','), true),
            set_config('app.write_scopes', '', true);
    RETURN QUERY
    SELECT used.predicate, used.facts, shown.sentences
    FROM (
        SELECT s.predicate, count(DISTINCT s.fact_id) AS facts FROM standings s
        WHERE s.organization_id = p_organization AND s.from_rev <= p_known_at AND s.to_rev > p_known_at AND s.lifecycle = ANY (p_lifecycles)
          AND (p_as_of IS NULL OR (s.valid_from IS NULL OR s.valid_from <= p_as_of) AND (s.valid_to IS NULL OR s.valid_to > p_as_of))
        GROUP BY s.predicate) used
    CROSS JOIN LATERAL (
        -- The first of them by their index, a few of each.
        SELECT array_agg(x.sentence ORDER BY x.fact_id) AS sentences FROM (
            SELECT t.fact_id, f.sentence FROM standings t
            CROSS JOIN LATERAL (SELECT y.sentence FROM facts y WHERE y.organization_id = p_organization AND y.fact_id = t.fact_id LIMIT 1) f
            WHERE t.organization_id = p_organization AND t.predicate = used.predicate
              AND t.from_rev <= p_known_at AND t.to_rev > p_known_at AND t.lifecycle = ANY (p_lifecycles)
              AND (p_as_of IS NULL OR (t.valid_from IS NULL OR t.valid_from <= p_as_of) AND (t.valid_to IS NULL OR t.valid_to > p_as_of))
              AND f.sentence IS NOT NULL
            ORDER BY t.fact_id LIMIT 3) x) shown
    ORDER BY 2 DESC, 1;
END $$;

-- What a fact became, by redirects in force; the fact itself where there is none.
CREATE OR REPLACE FUNCTION present_fact(p_organization uuid, p_fact uuid, p_known_at bigint) RETURNS uuid
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    present uuid := p_fact;
    further uuid;
BEGIN
    FOR step IN 1..20 LOOP
        SELECT r.into_fact_id INTO further FROM fact_redirects r
        WHERE r.organization_id = p_organization AND r.fact_id = present AND r.from_rev <= p_known_at AND r.to_rev > p_known_at;
        EXIT WHEN further IS NULL;
        present := further;
    END LOOP;
    RETURN present;
END $$;

-- Every segment of a fact that is current at the revision, as ids in order of valid time.
CREATE OR REPLACE FUNCTION fact_standings(p_organization uuid, p_read_scopes text, p_fact uuid, p_known_at bigint) RETURNS uuid[]
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    PERFORM set_config('app.organization', p_organization::text, true), set_config('app.read_scopes', split_part(p_read_scopes, '|', 1), true),
            set_config('app.known_scopes', translate(p_read_scopes, '|', ','), true),
            set_config('app.write_scopes', '', true);
    RETURN (SELECT array_agg(s.standing_id ORDER BY s.valid_from NULLS FIRST, s.standing_id) FROM standings s
            WHERE s.organization_id = p_organization AND s.fact_id = present_fact(p_organization, p_fact, p_known_at)
              AND s.from_rev <= p_known_at AND s.to_rev > p_known_at);
END $$;

-- NULL when there is no such fact in the scopes. An assertion's weight is confidence times kind times trust, as assess scores it.
CREATE OR REPLACE FUNCTION explain_fact(p_organization uuid, p_read_scopes text, p_fact uuid, p_known_at bigint) RETURNS text
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    f facts;
    still constant bigint := 9223372036854775807;
    segments json;
    assertions json;
    touched bigint[];
BEGIN
    PERFORM set_config('app.organization', p_organization::text, true), set_config('app.read_scopes', split_part(p_read_scopes, '|', 1), true),
            set_config('app.known_scopes', translate(p_read_scopes, '|', ','), true),
            set_config('app.write_scopes', '', true);
    SELECT * INTO f FROM facts x WHERE x.organization_id = p_organization
        AND x.fact_id = present_fact(p_organization, p_fact, p_known_at) AND x.revision <= p_known_at;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT coalesce(json_agg(json_build_object(
               'standing_id', s.standing_id, 'valid_from', s.valid_from, 'valid_to', s.valid_to, 'lifecycle', s.lifecycle,
               'support', s.support, 'refute', s.refute, 'confidence', s.confidence, 'support_mass', s.support_mass,
               'refute_mass', s.refute_mass, 'score', s.score, 'reason', s.reason, 'tier', s.tier, 'verification', s.verification,
               'corrected', s.corrected, 'from_revision', s.from_rev,
               'to_revision', CASE WHEN s.to_rev <= p_known_at THEN s.to_rev END)
           ORDER BY s.from_rev, s.valid_from NULLS FIRST, s.standing_id), '[]'),
           array_agg(s.from_rev) || array_agg(s.to_rev) FILTER (WHERE s.to_rev <= p_known_at)
    INTO segments, touched
    FROM standings s WHERE s.organization_id = p_organization AND s.fact_id = f.fact_id AND s.from_rev <= p_known_at;
    SELECT coalesce(json_agg(json_build_object(
               'assertion_id', a.assertion_id, 'state', p.state, 'from_revision', p.from_rev,
               'to_revision', CASE WHEN p.to_rev <= p_known_at THEN p.to_rev END, 'polarity', a.polarity, 'kind', a.kind,
               'confidence', a.confidence, 'tier', g.tier, 'trust', g.trust, 'authority', w.authority,
               'weight', a.confidence * w.authority * CASE a.kind WHEN 'fact' THEN 1.0 WHEN 'claim' THEN 0.6 ELSE 0.3 END,
               'independence_key', a.independence_key, 'asserter', a.asserter, 'predicate', a.predicate,
               'subject', subject.surface, 'object', object.surface, 'object_literal', a.object_literal, 'qualifiers', a.qualifiers,
               'valid_from', json_build_object('value', a.valid_from, 'precision', a.valid_from_precision, 'state', a.valid_from_state),
               'valid_to', json_build_object('value', a.valid_to, 'precision', a.valid_to_precision, 'state', a.valid_to_state),
               'observed_at', a.observed_at, 'published_at', a.published_at, 'corrects_revision', a.corrects_revision,
               'evidence_kind', e.kind, 'excerpt', e.excerpt, 'start', e.start_offset, 'end', e.end_offset, 'pointer', e.pointer,
               'version_id', a.version_id, 'document_id', a.document_id, 'title', v.title, 'uri', v.source_uri,
               'source_id', a.source_id, 'source_name', source.name, 'principal_id', a.principal_id, 'principal_kind', a.principal_kind,
               'run_id', a.run_id, 'extractor', run.extractor, 'extractor_version', run.extractor_version, 'model', run.model,
               'copy_of', copied.copy)
           ORDER BY p.from_rev, a.assertion_id), '[]'),
           touched || array_agg(p.from_rev) || array_agg(p.to_rev) FILTER (WHERE p.to_rev <= p_known_at)
    INTO assertions, touched
    FROM placements p
    JOIN assertions a ON a.organization_id = p.organization_id AND a.assertion_id = p.assertion_id
    LEFT JOIN evidence e ON e.organization_id = a.organization_id AND e.assertion_id = a.assertion_id
    LEFT JOIN mentions subject ON subject.organization_id = a.organization_id AND subject.mention_id = a.subject_mention
    LEFT JOIN mentions object ON object.organization_id = a.organization_id AND object.mention_id = a.object_mention
    LEFT JOIN source_grades g ON g.organization_id = a.organization_id AND g.source_id = a.source_id AND g.from_rev <= p_known_at AND g.to_rev > p_known_at
    LEFT JOIN document_versions v ON v.organization_id = a.organization_id AND v.version_id = a.version_id
    LEFT JOIN sources source ON source.organization_id = a.organization_id AND source.source_id = a.source_id
    LEFT JOIN runs run ON run.organization_id = a.organization_id AND run.run_id = a.run_id
    LEFT JOIN LATERAL (
        -- By what its passage counts together with others: what its document declares, else what it was found to be like.
        SELECT json_build_object('document_id', k.copy_of, 'likeness', k.likeness, 'uri', v.origin_uri, 'title', (
                   SELECT x.title FROM document_versions x WHERE x.organization_id = p_organization AND x.document_id = k.copy_of
                   ORDER BY x.revision DESC LIMIT 1)) AS copy
        FROM (SELECT) one LEFT JOIN LATERAL (
            SELECT x.copy_of, x.likeness FROM sketches x
            WHERE x.organization_id = p_organization AND x.version_id = a.version_id AND x.start_offset <= e.start_offset
              AND x.end_offset > e.start_offset AND x.independence_key = a.independence_key
            ORDER BY x.start_offset DESC, x.end_offset LIMIT 1) k ON true
        WHERE (k.copy_of IS NOT NULL OR v.origin_uri IS NOT NULL) AND a.independence_key NOT LIKE 'principal:%'
        LIMIT 1) copied ON true
    CROSS JOIN LATERAL (SELECT coalesce(g.trust, CASE g.tier WHEN 1 THEN 1.0 WHEN 2 THEN 0.85 WHEN 3 THEN 0.7 ELSE 0.4 END) AS authority) w
    WHERE p.organization_id = p_organization AND p.fact_id = f.fact_id AND p.from_rev <= p_known_at;
    RETURN json_build_object(
        'asked_id', p_fact, 'fact_id', f.fact_id, 'group_id', f.group_id, 'sentence', shown_sentence(p_organization, f.sentence, f.subject_id, f.predicate, f.object_id, p_known_at),
        'subject_id', f.subject_id,
        'predicate', f.predicate, 'object_id', f.object_id, 'object_literal', f.object_literal,
        'tainted', fact_tainted(p_organization, f.fact_id, p_known_at), 'segments', segments, 'assertions', assertions,
        'mutations', coalesce((
            SELECT json_agg(json_build_object('revision', m.revision, 'kind', m.kind, 'principal_id', m.principal_id,
                                              'principal_kind', m.principal_kind, 'principal_name', w.name, 'reason', m.reason,
                                              'committed_at', m.committed_at) ORDER BY m.revision)
            FROM mutations m LEFT JOIN principals w ON w.organization_id = m.organization_id AND w.principal_id = m.principal_id
            WHERE m.organization_id = p_organization AND m.revision = ANY (touched)), '[]'))::text;
END $$;

-- When the last revision up to the given one was committed, among those that the scopes show.
CREATE OR REPLACE FUNCTION journal_time(p_organization uuid, p_read_scopes text, p_known_at bigint) RETURNS timestamptz
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    PERFORM set_config('app.organization', p_organization::text, true), set_config('app.read_scopes', split_part(p_read_scopes, '|', 1), true),
            set_config('app.known_scopes', translate(p_read_scopes, '|', ','), true),
            set_config('app.write_scopes', '', true);
    RETURN (SELECT m.committed_at FROM mutations m WHERE m.organization_id = p_organization AND m.revision <= p_known_at
            ORDER BY m.revision DESC LIMIT 1);
END $$;

-- An organization's own predicates, as they were at a revision.
DROP FUNCTION IF EXISTS own_policies(uuid, text);
CREATE OR REPLACE FUNCTION own_policies(p_organization uuid, p_read_scopes text, p_known_at bigint) RETURNS SETOF text
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    PERFORM set_config('app.organization', p_organization::text, true), set_config('app.read_scopes', split_part(p_read_scopes, '|', 1), true),
            set_config('app.known_scopes', translate(p_read_scopes, '|', ','), true),
            set_config('app.write_scopes', '', true);
    RETURN QUERY SELECT p.policy::text FROM predicates p
        WHERE p.organization_id = p_organization AND p.from_rev <= p_known_at AND p.to_rev > p_known_at ORDER BY p.name;
END $$;
