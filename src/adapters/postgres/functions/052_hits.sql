-- Everything that a hit shows, by standing ids in their order; the tenant is taken already. Each join is one index probe
-- a row: planned once a session, and LATERAL … LIMIT 1 keeps a planner without statistics from reading a whole tenant.

DROP FUNCTION IF EXISTS load_hits(uuid[], bigint, timestamptz);
CREATE OR REPLACE FUNCTION load_hits(p_standings uuid[], p_known_at bigint, p_as_of timestamptz) RETURNS TABLE (
    standing_id uuid, fact_id uuid, group_id text, sentence text, subject_id uuid, subject_name text, subject_kind text,
    predicate text, object_id uuid, object_name text, object_kind text, object_literal text, qualifiers text,
    valid_from timestamptz, valid_to timestamptz, lifecycle text, support boolean, refute boolean, confidence double precision,
    support_mass double precision, refute_mass double precision, score double precision, reason text, tier smallint,
    verification text, kind text, corrected boolean, observed_at timestamptz, from_rev bigint,
    assertion_id uuid, assertion_kind text, asserter text, evidence_kind text, excerpt text, start_offset integer,
    end_offset integer, pointer text, passage text, passage_start integer, version_id uuid, document_id uuid, title text,
    source_uri text, published_at timestamptz, asserted_at timestamptz, source_id uuid, source_name text, source_tier smallint,
    helpful integer, unhelpful integer, rivals text, stretch_starts timestamptz[], stretch_ends timestamptz[], denial text, tainted boolean)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off SET enable_memoize = off SET enable_material = off AS $$
#variable_conflict use_column
DECLARE
    organization uuid := tenant_organization();
    scopes text[] := tenant_read_scopes();
    many_scopes boolean := cardinality(tenant_read_scopes()) > 1;
    past boolean := p_known_at < 9223372036854775806;
BEGIN
    RETURN QUERY
    SELECT s.standing_id, s.fact_id, s.group_id,
           CASE WHEN subject.named OR object.named THEN
               shown_sentence(organization, f.sentence, s.subject_id, s.predicate, s.object_id, p_known_at)
           ELSE f.sentence END, s.subject_id, subject.name, subject.kind,
           s.predicate, s.object_id, object.name, object.kind, f.object_literal::text, f.qualifiers::text,
           s.valid_from, s.valid_to, s.lifecycle, s.support, s.refute, s.confidence,
           s.support_mass, s.refute_mass, s.score, s.reason, s.tier,
           s.verification, s.kind, s.corrected, s.observed_at, s.from_rev,
           best.assertion_id, best.kind, best.asserter, best.evidence_kind, best.excerpt, best.start_offset,
           best.end_offset, best.pointer, passage.text, passage.start_offset, best.version_id, best.document_id, v.title,
           v.source_uri, v.published_at, best.observed_at, best.source_id, source.name, best.tier,
           coalesce(votes.helpful, 0), coalesce(votes.unhelpful, 0), rivals.list, segments.starts, segments.ends, denial.told,
           fact_tainted(organization, s.fact_id, p_known_at)
    FROM unnest(p_standings) WITH ORDINALITY AS wanted (standing_id, place)
    CROSS JOIN LATERAL (SELECT * FROM standings x WHERE x.organization_id = organization AND x.standing_id = wanted.standing_id LIMIT 1) s
    CROSS JOIN LATERAL (SELECT * FROM facts x WHERE x.organization_id = organization AND x.fact_id = s.fact_id LIMIT 1) f
    LEFT JOIN LATERAL (SELECT CASE WHEN x.named THEN shown_name(x, p_known_at) ELSE x.name END AS name,
                              CASE WHEN x.named THEN shown_kind(x, p_known_at) ELSE x.kind END AS kind, x.named
                       FROM entities x WHERE x.organization_id = organization AND x.entity_id = s.subject_id LIMIT 1) subject ON true
    LEFT JOIN LATERAL (SELECT CASE WHEN x.named THEN shown_name(x, p_known_at) ELSE x.name END AS name,
                              CASE WHEN x.named THEN shown_kind(x, p_known_at) ELSE x.kind END AS kind, x.named
                       FROM entities x WHERE x.organization_id = organization AND x.entity_id = s.object_id LIMIT 1) object ON true
    LEFT JOIN LATERAL (
        SELECT a.assertion_id, a.kind, a.asserter, a.observed_at, a.source_id, a.document_id, g.tier,
               e.kind AS evidence_kind, e.excerpt, e.start_offset, e.end_offset, e.pointer, e.version_id, e.chunk_id
        FROM placements p
        CROSS JOIN LATERAL (SELECT * FROM assertions x WHERE x.organization_id = organization AND x.assertion_id = p.assertion_id LIMIT 1) a
        CROSS JOIN LATERAL (SELECT * FROM evidence x WHERE x.organization_id = organization AND x.assertion_id = p.assertion_id LIMIT 1) e
        LEFT JOIN LATERAL (SELECT x.tier FROM source_grades x WHERE x.organization_id = organization AND x.source_id = a.source_id
                           AND x.from_rev <= p_known_at AND x.to_rev > p_known_at LIMIT 1) g ON true
        WHERE p.organization_id = organization AND p.fact_id = s.fact_id AND p.from_rev <= p_known_at AND p.to_rev > p_known_at
          AND p.state IN ('live', 'pending')
        ORDER BY p.state, (a.polarity = 'support') = s.support DESC, a.corrects_fact IS NULL, g.tier, a.confidence DESC, a.assertion_id
        LIMIT 1) best ON true
    LEFT JOIN LATERAL (
        -- The best word against it, where it is said and denied: then both sides are shown.
        SELECT json_build_object(
                   'assertion_id', a.assertion_id, 'kind', a.kind, 'asserter', a.asserter, 'excerpt', e.excerpt,
                   'start', e.start_offset, 'end', e.end_offset, 'pointer', e.pointer, 'paragraph', e.excerpt,
                   'version_id', e.version_id, 'document_id', a.document_id, 'title', w.title, 'uri', w.source_uri,
                   'published_at', w.published_at, 'observed_at', a.observed_at, 'source_id', a.source_id,
                   'source_name', coalesce(o.name, ''), 'tier', coalesce(g.tier, s.tier))::text AS told
        FROM placements p
        CROSS JOIN LATERAL (SELECT * FROM assertions x WHERE x.organization_id = organization AND x.assertion_id = p.assertion_id LIMIT 1) a
        CROSS JOIN LATERAL (SELECT * FROM evidence x WHERE x.organization_id = organization AND x.assertion_id = p.assertion_id LIMIT 1) e
        LEFT JOIN LATERAL (SELECT x.tier FROM source_grades x WHERE x.organization_id = organization AND x.source_id = a.source_id
                           AND x.from_rev <= p_known_at AND x.to_rev > p_known_at LIMIT 1) g ON true
        LEFT JOIN LATERAL (SELECT x.title, x.source_uri, x.published_at FROM document_versions x
                           WHERE x.organization_id = organization AND x.version_id = e.version_id LIMIT 1) w ON true
        LEFT JOIN LATERAL (SELECT x.name FROM sources x WHERE x.organization_id = organization AND x.source_id = a.source_id LIMIT 1) o ON true
        WHERE s.support AND s.refute AND p.organization_id = organization AND p.fact_id = s.fact_id
          AND p.from_rev <= p_known_at AND p.to_rev > p_known_at AND p.state = 'live' AND a.polarity = 'refute'
        ORDER BY a.corrects_fact IS NULL, g.tier, a.confidence DESC, a.assertion_id
        LIMIT 1) denial ON true
    LEFT JOIN LATERAL (SELECT x.title, x.source_uri, x.published_at FROM document_versions x
                       WHERE x.organization_id = organization AND x.version_id = best.version_id LIMIT 1) v ON true
    LEFT JOIN LATERAL (SELECT x.name FROM sources x WHERE x.organization_id = organization AND x.source_id = best.source_id LIMIT 1) source ON true
    LEFT JOIN LATERAL (SELECT x.text, x.start_offset FROM chunks x
                       WHERE x.organization_id = organization AND x.chunk_id = best.chunk_id LIMIT 1) passage ON true
    LEFT JOIN LATERAL (SELECT count(*) FILTER (WHERE x.helpful)::int AS helpful, count(*) FILTER (WHERE NOT x.helpful)::int AS unhelpful
                       FROM feedback x WHERE x.organization_id = organization AND x.fact_id = s.fact_id
                         AND x.revision < p_known_at AND x.to_rev >= p_known_at) votes ON true
    LEFT JOIN LATERAL (
        -- Who else fills the slot: rivals of a disputed segment in its scope, and what the other scopes say of it.
        SELECT json_agg(json_build_object(
                   'fact_id', r.fact_id, 'standing_id', r.standing_id, 'group_id', r.group_id, 'sentence', r.sentence,
                   'lifecycle', r.lifecycle, 'confidence', r.confidence, 'support_mass', r.support_mass,
                   'refute_mass', r.refute_mass, 'valid_from', r.valid_from, 'valid_to', r.valid_to, 'tier', r.tier,
                   'differs_by_scope', r.group_id <> s.group_id, 'source_name', told.name, 'excerpt', told.excerpt)
               ORDER BY array_position(scopes, r.group_id), r.fact_id, r.valid_from NULLS FIRST)::text AS list
        FROM (
            SELECT t.*,
                   CASE WHEN subject.named OR (SELECT x.named FROM entities x WHERE x.organization_id = organization AND x.entity_id = t.object_id)
                   THEN shown_sentence(organization, g.sentence, t.subject_id, t.predicate, t.object_id, p_known_at)
                   ELSE g.sentence END AS sentence
            FROM slots own
            JOIN slots shared ON shared.organization_id = organization AND shared.group_id = ANY (scopes) AND shared.key = own.key
            CROSS JOIN LATERAL (
                SELECT x.* FROM facts y
                CROSS JOIN LATERAL (SELECT * FROM standings x WHERE x.organization_id = organization AND x.fact_id = y.fact_id
                    AND x.from_rev <= p_known_at AND x.to_rev > p_known_at OFFSET 0) x
                WHERE NOT past AND y.organization_id = organization AND y.slot_id = shared.slot_id
                UNION ALL
                -- A change of policy moves facts to other slots: what filled one then is read off the standings of then.
                SELECT x.* FROM standings x
                WHERE past AND x.organization_id = organization AND x.subject_id = s.subject_id AND x.predicate = s.predicate
                  AND x.slot_id = shared.slot_id AND x.from_rev <= p_known_at AND x.to_rev > p_known_at) t
            CROSS JOIN LATERAL (SELECT x.key, x.sentence FROM facts x
                WHERE x.organization_id = organization AND x.fact_id = t.fact_id LIMIT 1) g
            WHERE (s.lifecycle = 'disputed' OR many_scopes) AND own.organization_id = organization AND own.slot_id = s.slot_id
              AND (shared.group_id = s.group_id AND s.lifecycle = 'disputed' OR shared.group_id <> s.group_id AND many_scopes)
              AND t.fact_id <> s.fact_id
              AND NOT (t.group_id <> s.group_id AND g.key = f.key AND t.lifecycle = s.lifecycle)
              AND (t.lifecycle IN ('active', 'disputed') OR t.lifecycle = 'refuted' AND t.group_id <> s.group_id)
              AND (p_as_of IS NULL OR (t.valid_from IS NULL OR t.valid_from <= p_as_of) AND (t.valid_to IS NULL OR t.valid_to > p_as_of))
            ORDER BY t.score DESC, t.fact_id, t.standing_id LIMIT 20) r
        LEFT JOIN LATERAL (
            SELECT o.name, e.excerpt
            FROM placements p
            CROSS JOIN LATERAL (SELECT * FROM assertions x WHERE x.organization_id = organization AND x.assertion_id = p.assertion_id LIMIT 1) a
            LEFT JOIN LATERAL (SELECT x.excerpt FROM evidence x WHERE x.organization_id = organization AND x.assertion_id = p.assertion_id LIMIT 1) e ON true
            LEFT JOIN LATERAL (SELECT x.name FROM sources x WHERE x.organization_id = organization AND x.source_id = a.source_id LIMIT 1) o ON true
            WHERE p.organization_id = organization AND p.fact_id = r.fact_id AND p.from_rev <= p_known_at AND p.to_rev > p_known_at
              AND p.state = 'live'
            ORDER BY (a.polarity = 'support') = r.support DESC, a.corrects_fact IS NULL, a.confidence DESC, a.assertion_id
            LIMIT 1) told ON true) rivals ON true
    LEFT JOIN LATERAL (
        -- The other segments that stand alike, in no order: those that meet are one stretch to a reader.
        SELECT array_agg(x.valid_from) AS starts, array_agg(x.valid_to) AS ends
        FROM standings x
        WHERE (s.valid_from IS NOT NULL OR s.valid_to IS NOT NULL) AND x.organization_id = organization AND x.fact_id = s.fact_id
          AND x.lifecycle = s.lifecycle AND x.from_rev <= p_known_at AND x.to_rev > p_known_at
          AND x.standing_id <> s.standing_id) segments ON true
    ORDER BY wanted.place;
END $$;

-- Ranking reads less, by outline_candidates.
DROP FUNCTION IF EXISTS outline_hits(uuid[], bigint);
