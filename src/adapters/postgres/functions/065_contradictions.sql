-- What speaks against what. The severity and its rules are those of domain/standing/contradiction.py.

-- Every live assertion on the facts of a slot as JSON, with what its weight is made of; or of some assertions only.
CREATE OR REPLACE FUNCTION slot_sayings(
    p_organization uuid, p_slot uuid, p_subject uuid, p_predicate text, p_known_at bigint, p_only uuid[]) RETURNS text
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
BEGIN
    RETURN (
        SELECT coalesce(json_agg(json_build_object(
            'assertion_id', a.assertion_id, 'fact_id', f.fact_id, 'object_id', f.object_id, 'object_literal', f.object_literal,
            'polarity', a.polarity, 'kind', a.kind, 'confidence', a.confidence, 'tier', g.tier, 'trust', g.trust,
            'independence_key', a.independence_key, 'corrects_revision', a.corrects_revision, 'approved', p.approved,
            'asserter', a.asserter, 'observed_at', a.observed_at, 'published_at', a.published_at,
            'valid_from', json_build_object('value', a.valid_from, 'precision', a.valid_from_precision, 'state', a.valid_from_state),
            'valid_to', json_build_object('value', a.valid_to, 'precision', a.valid_to_precision, 'state', a.valid_to_state),
            'excerpt', e.excerpt, 'start', e.start_offset, 'end', e.end_offset, 'pointer', e.pointer, 'version_id', a.version_id,
            'document_id', a.document_id, 'title', v.title, 'uri', v.source_uri, 'source_id', a.source_id,
            'source_name', source.name, 'principal_kind', a.principal_kind) ORDER BY a.assertion_id), '[]')::text
        FROM (SELECT DISTINCT t.fact_id FROM standings t
              WHERE t.organization_id = p_organization AND t.subject_id = p_subject AND t.predicate = p_predicate AND t.slot_id = p_slot
                AND t.from_rev <= p_known_at AND t.to_rev > p_known_at) held
        JOIN facts f ON f.organization_id = p_organization AND f.fact_id = held.fact_id
        JOIN placements p ON p.organization_id = p_organization AND p.fact_id = f.fact_id AND p.state = 'live'
            AND p.from_rev <= p_known_at AND p.to_rev > p_known_at AND (p_only IS NULL OR p.assertion_id = ANY (p_only))
        JOIN assertions a ON a.organization_id = p_organization AND a.assertion_id = p.assertion_id
        JOIN source_grades g ON g.organization_id = p_organization AND g.source_id = a.source_id
            AND g.from_rev <= p_known_at AND g.to_rev > p_known_at
        LEFT JOIN evidence e ON e.organization_id = p_organization AND e.assertion_id = a.assertion_id
        LEFT JOIN document_versions v ON v.organization_id = p_organization AND v.version_id = a.version_id
        LEFT JOIN sources source ON source.organization_id = p_organization AND source.source_id = a.source_id);
END $$;

-- The segments of a slot that hold or held, as ids.
CREATE OR REPLACE FUNCTION slot_segments(
    p_organization uuid, p_slot uuid, p_subject uuid, p_predicate text, p_as_of timestamptz, p_known_at bigint) RETURNS uuid[]
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
    RETURN (
        SELECT array_agg(t.standing_id ORDER BY t.standing_id) FROM standings t
        WHERE t.organization_id = p_organization AND t.subject_id = p_subject AND t.predicate = p_predicate AND t.slot_id = p_slot
          AND t.from_rev <= p_known_at AND t.to_rev > p_known_at AND t.lifecycle NOT IN ('proposed', 'retracted')
          AND (p_as_of IS NULL OR (t.valid_from IS NULL OR t.valid_from <= p_as_of) AND (t.valid_to IS NULL OR t.valid_to > p_as_of)));
END $$;

-- One page of what is contested, the most severe first, after a place. A row is a slot with rivals, or a fact that is
-- said and denied. p_as_of NULL is all of time; p_lifecycles is 'disputed', or every one of what was settled too.
CREATE OR REPLACE FUNCTION contested(
    p_organization uuid, p_read_scopes text, p_as_of timestamptz, p_known_at bigint, p_lifecycles text[], p_predicates text[],
    p_ids uuid[], p_names text[], p_about uuid, p_kinds text[], p_asserter text, p_tiers smallint[], p_collections text[],
    p_documents uuid[], p_sources uuid[], p_limit integer, p_after_severity double precision, p_after_key uuid)
RETURNS TABLE (
    key uuid, slot_id uuid, group_id text, kind text, predicate text, severity double precision, corrected boolean,
    closeness double precision, sources integer, total bigint, policy text, standings uuid[], said text)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    filtered boolean := coalesce(p_kinds, p_collections) IS NOT NULL OR coalesce(p_documents, p_sources) IS NOT NULL
        OR p_asserter IS NOT NULL OR p_tiers IS NOT NULL;
    named boolean := p_ids IS NOT NULL OR p_names IS NOT NULL;
    entities uuid[];
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    IF named THEN
        entities := same_entities(p_organization, p_ids, p_names, p_known_at);
    END IF;
    RETURN QUERY
    WITH met AS MATERIALIZED (
        SELECT s.slot_id, s.fact_id, s.group_id, s.subject_id, s.predicate, s.object_key, s.lifecycle, s.score,
               s.support_mass, s.refute_mass, s.corrected,
               CASE WHEN s.lifecycle IN ('active', 'refuted') OR s.reason LIKE 'support\_%' OR s.reason LIKE 'denial\_%'
                    THEN s.fact_id ELSE s.slot_id END AS key
        FROM standings s
        WHERE s.organization_id = p_organization AND (s.lifecycle IN ('disputed', 'superseded') OR s.support AND s.refute)
          AND s.lifecycle = ANY (p_lifecycles) AND s.from_rev <= p_known_at AND s.to_rev > p_known_at
          AND (p_as_of IS NULL OR (s.valid_from IS NULL OR s.valid_from <= p_as_of) AND (s.valid_to IS NULL OR s.valid_to > p_as_of))
          AND (p_predicates IS NULL OR s.predicate = ANY (p_predicates))),
    sides AS (
        SELECT key, slot_id, fact_id, group_id, subject_id, predicate, object_key, score, support_mass, refute_mass, corrected FROM met
        UNION ALL
        -- Who won against what was superseded.
        SELECT m.slot_id, m.slot_id, t.fact_id, t.group_id, t.subject_id, t.predicate, t.object_key, t.score, t.support_mass,
               t.refute_mass, t.corrected
        FROM (SELECT DISTINCT slot_id, subject_id, predicate FROM met WHERE lifecycle = 'superseded') m
        JOIN standings t ON t.organization_id = p_organization AND t.subject_id = m.subject_id AND t.predicate = m.predicate
            AND t.slot_id = m.slot_id AND t.lifecycle = 'active' AND t.from_rev <= p_known_at AND t.to_rev > p_known_at
            AND (p_as_of IS NULL OR (t.valid_from IS NULL OR t.valid_from <= p_as_of) AND (t.valid_to IS NULL OR t.valid_to > p_as_of))),
    per_fact AS (
        SELECT key, slot_id, fact_id, group_id, subject_id, predicate, object_key, max(score) AS score,
               max(support_mass) AS support_mass, max(refute_mass) AS refute_mass, bool_or(corrected) AS corrected
        FROM sides
        GROUP BY key, slot_id, fact_id, group_id, subject_id, predicate, object_key),
    per_key AS (
        SELECT key, slot_id, group_id, subject_id, predicate, bool_or(corrected) AS corrected,
               max(score) AS best, (array_agg(score ORDER BY score DESC))[2] AS second,
               max(support_mass) AS support_mass, max(refute_mass) AS refute_mass
        FROM per_fact
        GROUP BY key, slot_id, group_id, subject_id, predicate
        HAVING (key <> slot_id OR count(*) > 1)
           AND (p_about IS NULL OR p_about = slot_id OR p_about = ANY (array_agg(fact_id)))
           AND bool_or(CASE WHEN named THEN subject_id = ANY (entities) OR object_key = ANY (entities) ELSE true END)
           -- CASE, since the arguments of an aggregate are worked out whether its result is asked for or not.
           AND bool_or(CASE WHEN filtered THEN fact_meets(p_organization, fact_id, p_known_at, p_kinds, p_asserter, p_tiers,
                                                          p_collections, p_documents, p_sources) ELSE true END)),
    counted AS (
        SELECT f.key, count(DISTINCT a.independence_key)::integer AS sources
        FROM per_fact f
        JOIN placements p ON p.organization_id = p_organization AND p.fact_id = f.fact_id AND p.state = 'live'
            AND p.from_rev <= p_known_at AND p.to_rev > p_known_at
        JOIN assertions a ON a.organization_id = p_organization AND a.assertion_id = p.assertion_id
        GROUP BY f.key),
    ranked AS MATERIALIZED (
        SELECT k.*, n.sources, c.closeness,
               round((CASE WHEN k.corrected THEN 0.6 ELSE 0 END + 0.25 * c.closeness
                      + 0.15 * (least(greatest(n.sources, 1), 10) - 1) / 9)::numeric, 6)::double precision AS severity
        FROM per_key k JOIN counted n ON n.key = k.key
        CROSS JOIN LATERAL (
            SELECT CASE WHEN k.key = k.slot_id THEN coalesce(k.second / nullif(k.best, 0), 0)
                        ELSE coalesce(least(k.support_mass, k.refute_mass) / nullif(greatest(k.support_mass, k.refute_mass), 0), 0)
                   END AS closeness) c)
    SELECT page.key, page.slot_id, page.group_id, CASE WHEN page.key = page.slot_id THEN 'rivals' ELSE 'denial' END,
           page.predicate, page.severity, page.corrected, round(page.closeness::numeric, 6)::double precision, page.sources,
           (SELECT count(*) FROM ranked),
           (SELECT q.policy::text FROM predicates q WHERE q.organization_id = p_organization AND q.name = page.predicate
              AND q.from_rev <= p_known_at AND q.to_rev > p_known_at LIMIT 1),
           slot_segments(p_organization, page.slot_id, page.subject_id, page.predicate, p_as_of, p_known_at),
           slot_sayings(p_organization, page.slot_id, page.subject_id, page.predicate, p_known_at, NULL)
    FROM (SELECT * FROM ranked r
          WHERE p_after_key IS NULL OR r.severity < p_after_severity OR r.severity = p_after_severity AND r.key > p_after_key
          ORDER BY r.severity DESC, r.key LIMIT p_limit) page
    ORDER BY page.severity DESC, page.key;
END $$;

-- The slots in which two sets of documents may contradict each other, with what both say and which of it is whose.
CREATE OR REPLACE FUNCTION compared(
    p_organization uuid, p_read_scopes text, p_known_at bigint, p_predicates text[], p_documents uuid[], p_collections text[],
    p_against_documents uuid[], p_against_collections text[], p_limit integer)
RETURNS TABLE (
    slot_id uuid, group_id text, predicate text, policy text, standings uuid[], said text, first uuid[], second uuid[])
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    RETURN QUERY
    WITH chosen AS MATERIALIZED (
        SELECT d.document_id,
               coalesce(d.document_id = ANY (p_documents), false) OR coalesce(c.name = ANY (p_collections), false) AS in_first,
               coalesce(d.document_id = ANY (p_against_documents), false)
                   OR coalesce(c.name = ANY (p_against_collections), false) AS in_second
        FROM documents d LEFT JOIN collections c ON c.organization_id = d.organization_id AND c.collection_id = d.collection_id
        WHERE d.organization_id = p_organization
          AND (d.document_id = ANY (p_documents) OR d.document_id = ANY (p_against_documents)
               OR c.name = ANY (p_collections) OR c.name = ANY (p_against_collections))),
    told AS (
        SELECT a.assertion_id, a.polarity, chosen.in_first, chosen.in_second, s.slot_id, s.fact_id, s.group_id, s.subject_id, s.predicate
        FROM chosen
        JOIN assertions a ON a.organization_id = p_organization AND a.document_id = chosen.document_id AND a.revision <= p_known_at
        JOIN placements p ON p.organization_id = p_organization AND p.assertion_id = a.assertion_id AND p.state = 'live'
            AND p.from_rev <= p_known_at AND p.to_rev > p_known_at
        CROSS JOIN LATERAL (
            SELECT * FROM standings t WHERE t.organization_id = p_organization AND t.fact_id = p.fact_id
              AND t.from_rev <= p_known_at AND t.to_rev > p_known_at LIMIT 1) s
        WHERE p_predicates IS NULL OR s.predicate = ANY (p_predicates)),
    met AS (
        SELECT slot_id, group_id, subject_id, predicate, array_agg(assertion_id) AS both_sets,
               array_agg(assertion_id) FILTER (WHERE in_first) AS first, array_agg(assertion_id) FILTER (WHERE in_second) AS second
        FROM told GROUP BY slot_id, group_id, subject_id, predicate
        HAVING bool_or(in_first) AND bool_or(in_second) AND (count(DISTINCT fact_id) > 1 OR count(DISTINCT polarity) > 1)
        ORDER BY slot_id LIMIT p_limit)
    SELECT met.slot_id, met.group_id, met.predicate,
           (SELECT q.policy::text FROM predicates q WHERE q.organization_id = p_organization AND q.name = met.predicate
              AND q.from_rev <= p_known_at AND q.to_rev > p_known_at LIMIT 1),
           slot_segments(p_organization, met.slot_id, met.subject_id, met.predicate, NULL, p_known_at),
           slot_sayings(p_organization, met.slot_id, met.subject_id, met.predicate, p_known_at, met.both_sets), met.first, met.second
    FROM met ORDER BY met.slot_id;
END $$;
