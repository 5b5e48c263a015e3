-- Reads by pattern, in one round trip: the outer function takes the tenant for its transaction, then looks up. Nothing
-- here is a definer function: equality on uuid and text is leakproof, so an index serves it under a policy.

-- One live assertion of the fact that meets every filter at once. A filter that is NULL asks nothing. A tier 0 among the
-- tiers asks for a fact that is not tainted.
CREATE OR REPLACE FUNCTION fact_meets(
    p_organization uuid, p_fact uuid, p_known_at bigint, p_kinds text[], p_asserter text, p_tiers smallint[],
    p_collections text[], p_documents uuid[], p_sources uuid[]) RETURNS boolean
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF 0 = ANY (p_tiers) AND fact_tainted(p_organization, p_fact, p_known_at) THEN
        RETURN false;
    END IF;
    RETURN EXISTS (
        SELECT 1 FROM placements p
        JOIN assertions a ON a.organization_id = p.organization_id AND a.assertion_id = p.assertion_id
        JOIN source_grades g ON g.organization_id = a.organization_id AND g.source_id = a.source_id
            AND g.from_rev <= p_known_at AND g.to_rev > p_known_at
        JOIN documents d ON d.organization_id = a.organization_id AND d.document_id = a.document_id
        LEFT JOIN collections c ON c.organization_id = d.organization_id AND c.collection_id = d.collection_id
        WHERE p.organization_id = p_organization AND p.fact_id = p_fact AND p.state = 'live'
          AND p.from_rev <= p_known_at AND p.to_rev > p_known_at
          AND (p_kinds IS NULL OR a.kind = ANY (p_kinds))
          AND (p_asserter IS NULL OR lower(a.asserter) = lower(p_asserter))
          AND (p_tiers IS NULL OR p_tiers = '{0}' OR g.tier = ANY (p_tiers))
          AND (p_collections IS NULL OR c.name = ANY (p_collections))
          AND (p_documents IS NULL OR d.document_id = ANY (p_documents))
          AND (p_sources IS NULL OR a.source_id = ANY (p_sources)));
END $$;

-- The entities of some ids and names, with everything that an active ALIAS_OF fact or a merge says is the same thing.
-- NULL when neither ids nor names are given; empty when they are unknown, or another tenant's.
CREATE OR REPLACE FUNCTION same_entities(p_organization uuid, p_ids uuid[], p_names text[], p_known_at bigint) RETURNS uuid[]
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
BEGIN
    IF p_ids IS NULL AND p_names IS NULL THEN
        RETURN NULL;
    END IF;
    RETURN coalesce((
        WITH RECURSIVE same (entity_id) AS (
            SELECT unnest(p_ids)
            UNION SELECT e.entity_id FROM entities_named(p_names, p_known_at) e
            UNION SELECT x.entity_id FROM same CROSS JOIN LATERAL (
                SELECT s.object_id AS entity_id FROM standings s
                WHERE s.organization_id = p_organization AND s.subject_id = same.entity_id AND s.predicate = 'ALIAS_OF'
                  AND s.lifecycle = 'active' AND s.from_rev <= p_known_at AND s.to_rev > p_known_at
                UNION ALL
                SELECT s.subject_id FROM standings s
                WHERE s.organization_id = p_organization AND s.object_key = same.entity_id AND s.predicate = 'ALIAS_OF'
                  AND s.lifecycle = 'active' AND s.from_rev <= p_known_at AND s.to_rev > p_known_at
                UNION ALL
                SELECT m.merged_into FROM entity_states m
                WHERE m.organization_id = p_organization AND m.entity_id = same.entity_id
                  AND m.from_rev <= p_known_at AND m.to_rev > p_known_at) x
            WHERE x.entity_id IS NOT NULL)
        SELECT array_agg(entity_id) FROM same), '{}');
END $$;

-- Whether a narrower readable scope has a current segment of the same fact: then that one speaks for both.
CREATE OR REPLACE FUNCTION said_in_narrower_scope(
    p_organization uuid, p_scopes text[], p_group text, p_fact uuid, p_as_of timestamptz, p_known_at bigint, p_lifecycles text[])
RETURNS boolean LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
    RETURN EXISTS (
        SELECT 1 FROM facts f
        JOIN facts n ON n.organization_id = f.organization_id AND n.key = f.key
            AND n.group_id = ANY (p_scopes[:array_position(p_scopes, p_group) - 1])
        JOIN standings s ON s.organization_id = n.organization_id AND s.fact_id = n.fact_id
        WHERE f.organization_id = p_organization AND f.fact_id = p_fact
          AND s.lifecycle = ANY (p_lifecycles) AND s.from_rev <= p_known_at AND s.to_rev > p_known_at
          AND (p_as_of IS NULL OR (s.valid_from IS NULL OR s.valid_from <= p_as_of) AND (s.valid_to IS NULL OR s.valid_to > p_as_of)));
END $$;

-- One lookup a pattern, each planned once a session for its own index: corrections first, then by fact and start, after
-- a cursor, up to a limit. All come from one text and differ in the condition and in the order that the index gives.
DO $make$
DECLARE
    shape record;
BEGIN
    FOR shape IN SELECT * FROM (VALUES
        ('sp', 's.subject_id = ANY (p_subjects) AND s.predicate = ANY (p_predicates)'),
        ('s', 's.subject_id = ANY (p_subjects)'),
        ('po', 's.object_key = ANY (p_objects) AND s.predicate = ANY (p_predicates)'),
        ('o', 's.object_key = ANY (p_objects)'),
        ('so', 's.subject_id = ANY (p_subjects) AND s.object_key = ANY (p_objects) AND (p_predicates IS NULL OR s.predicate = ANY (p_predicates))'),
        ('p', 's.predicate = ANY (p_predicates)'),
        -- One predicate: two walks along an index in the order asked for, which stop at the limit.
        ('corrected', 's.predicate = p_predicates[1] AND s.corrected'),
        ('uncorrected', 's.predicate = p_predicates[1] AND NOT s.corrected AND (p_after_fact IS NULL OR p_after_corrected OR s.fact_id >= p_after_fact)')
    ) AS shapes (name, condition)
    LOOP
        EXECUTE format($function$
CREATE OR REPLACE FUNCTION look_up_%1$s(
    p_organization uuid, p_scopes text[], p_subjects uuid[], p_predicates text[], p_objects uuid[], p_as_of timestamptz,
    p_known_at bigint, p_lifecycles text[], p_filtered boolean, p_kinds text[], p_asserter text, p_tiers smallint[],
    p_collections text[], p_documents uuid[], p_sources uuid[], p_limit integer, p_after_corrected boolean,
    p_after_fact uuid, p_after_from timestamptz)
RETURNS TABLE (standing_id uuid, corrected boolean, fact_id uuid, valid_from timestamptz)
LANGUAGE plpgsql STABLE ROWS 20 SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT s.standing_id, s.corrected, s.fact_id, s.valid_from FROM standings s
    WHERE s.organization_id = p_organization AND %2$s
      AND s.from_rev <= p_known_at AND s.to_rev > p_known_at AND s.lifecycle = ANY (p_lifecycles)
      AND (p_as_of IS NULL OR (s.valid_from IS NULL OR s.valid_from <= p_as_of) AND (s.valid_to IS NULL OR s.valid_to > p_as_of))
      AND (p_after_fact IS NULL OR (NOT s.corrected, s.fact_id, coalesce(s.valid_from, '-infinity'))
                                   > (NOT p_after_corrected, p_after_fact, coalesce(p_after_from, '-infinity')))
      AND (NOT p_filtered OR fact_meets(p_organization, s.fact_id, p_known_at, p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources))
      AND (cardinality(p_scopes) = 1 OR s.group_id = p_scopes[1]
           OR NOT said_in_narrower_scope(p_organization, p_scopes, s.group_id, s.fact_id, p_as_of, p_known_at, p_lifecycles))
    ORDER BY %3$s s.fact_id, s.valid_from NULLS FIRST LIMIT p_limit;
END $$ $function$, shape.name, shape.condition, CASE WHEN shape.name LIKE '%%corrected' THEN '' ELSE 's.corrected DESC,' END);
    END LOOP;
END $make$;

-- The standings that a triple pattern finds, as ids in order. p_forward are predicates in the direction that is stored,
-- p_backward those that are stored the other way round; both NULL is any as stored, p_backward empty any either way. Ids and names (in normal form) may be mixed.
-- p_as_of NULL is all of time. p_read_scopes are narrowest first, joined by commas.
CREATE OR REPLACE FUNCTION pattern_standings(
    p_organization uuid, p_read_scopes text, p_subjects uuid[], p_subject_names text[], p_forward text[], p_backward text[],
    p_objects uuid[], p_object_names text[], p_as_of timestamptz, p_known_at bigint, p_lifecycles text[],
    p_kinds text[], p_asserter text, p_tiers smallint[], p_collections text[], p_documents uuid[], p_sources uuid[],
    p_limit integer, p_after_corrected boolean, p_after_fact uuid, p_after_from timestamptz) RETURNS uuid[]
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    scopes text[] := string_to_array(p_read_scopes, ',');
    filtered boolean := coalesce(p_kinds, p_collections) IS NOT NULL OR coalesce(p_documents, p_sources) IS NOT NULL
        OR p_asserter IS NOT NULL OR p_tiers IS NOT NULL;
    subjects uuid[];
    objects uuid[];
    found uuid[];
BEGIN
    PERFORM set_config('app.organization', p_organization::text, true), set_config('app.read_scopes', split_part(p_read_scopes, '|', 1), true),
            set_config('app.known_scopes', translate(p_read_scopes, '|', ','), true),
            set_config('app.write_scopes', '', true);
    IF p_subjects IS NOT NULL OR p_subject_names IS NOT NULL THEN
        subjects := same_entities(p_organization, p_subjects, p_subject_names, p_known_at);
    END IF;
    IF p_objects IS NOT NULL OR p_object_names IS NOT NULL THEN
        objects := same_entities(p_organization, p_objects, p_object_names, p_known_at);
    END IF;
    IF p_backward IS NULL THEN
        RETURN look_up(p_organization, scopes, subjects, p_forward, objects, p_as_of, p_known_at, p_lifecycles, filtered, p_kinds,
                       p_asserter, p_tiers, p_collections, p_documents, p_sources, p_limit, p_after_corrected, p_after_fact, p_after_from);
    END IF;
    found := look_up(p_organization, scopes, objects, nullif(p_backward, '{}'), subjects, p_as_of, p_known_at, p_lifecycles, filtered, p_kinds,
                     p_asserter, p_tiers, p_collections, p_documents, p_sources, p_limit, p_after_corrected, p_after_fact, p_after_from);
    -- An empty list of forward predicates is one that nothing matches, not any.
    found := found || look_up(p_organization, scopes, subjects, p_forward, objects, p_as_of, p_known_at, p_lifecycles, filtered, p_kinds,
                              p_asserter, p_tiers, p_collections, p_documents, p_sources, p_limit, p_after_corrected, p_after_fact, p_after_from);
    RETURN (SELECT array_agg(x.standing_id) FROM (
        SELECT s.standing_id FROM standings s WHERE s.organization_id = p_organization AND s.standing_id = ANY (found)
        ORDER BY s.corrected DESC, s.fact_id, s.valid_from NULLS FIRST LIMIT p_limit) x);
END $$;

-- One direction of a pattern, by the lookup that its index serves.
CREATE OR REPLACE FUNCTION look_up(
    p_organization uuid, p_scopes text[], p_subjects uuid[], p_predicates text[], p_objects uuid[], p_as_of timestamptz,
    p_known_at bigint, p_lifecycles text[], p_filtered boolean, p_kinds text[], p_asserter text, p_tiers smallint[],
    p_collections text[], p_documents uuid[], p_sources uuid[], p_limit integer, p_after_corrected boolean,
    p_after_fact uuid, p_after_from timestamptz) RETURNS uuid[]
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    found uuid[];
BEGIN
    IF p_subjects IS NOT NULL AND p_objects IS NOT NULL THEN
        RETURN (SELECT array_agg(standing_id) FROM look_up_so(p_organization, p_scopes, p_subjects, p_predicates, p_objects, p_as_of, p_known_at, p_lifecycles, p_filtered,
            p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources, p_limit, p_after_corrected, p_after_fact, p_after_from));
    ELSIF p_subjects IS NOT NULL AND p_predicates IS NOT NULL THEN
        RETURN (SELECT array_agg(standing_id) FROM look_up_sp(p_organization, p_scopes, p_subjects, p_predicates, p_objects, p_as_of, p_known_at, p_lifecycles, p_filtered,
            p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources, p_limit, p_after_corrected, p_after_fact, p_after_from));
    ELSIF p_subjects IS NOT NULL THEN
        RETURN (SELECT array_agg(standing_id) FROM look_up_s(p_organization, p_scopes, p_subjects, p_predicates, p_objects, p_as_of, p_known_at, p_lifecycles, p_filtered,
            p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources, p_limit, p_after_corrected, p_after_fact, p_after_from));
    ELSIF p_objects IS NOT NULL AND p_predicates IS NOT NULL THEN
        RETURN (SELECT array_agg(standing_id) FROM look_up_po(p_organization, p_scopes, p_subjects, p_predicates, p_objects, p_as_of, p_known_at, p_lifecycles, p_filtered,
            p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources, p_limit, p_after_corrected, p_after_fact, p_after_from));
    ELSIF p_objects IS NOT NULL THEN
        RETURN (SELECT array_agg(standing_id) FROM look_up_o(p_organization, p_scopes, p_subjects, p_predicates, p_objects, p_as_of, p_known_at, p_lifecycles, p_filtered,
            p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources, p_limit, p_after_corrected, p_after_fact, p_after_from));
    ELSIF cardinality(p_predicates) <> 1 THEN
        RETURN (SELECT array_agg(standing_id) FROM look_up_p(p_organization, p_scopes, p_subjects, p_predicates, p_objects, p_as_of, p_known_at, p_lifecycles, p_filtered,
            p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources, p_limit, p_after_corrected, p_after_fact, p_after_from));
    ELSIF p_predicates IS NOT NULL THEN
        found := (SELECT array_agg(standing_id) FROM look_up_corrected(p_organization, p_scopes, p_subjects, p_predicates, p_objects, p_as_of, p_known_at, p_lifecycles, p_filtered,
            p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources, p_limit, p_after_corrected, p_after_fact, p_after_from));
        IF cardinality(found) = p_limit THEN
            RETURN found;
        END IF;
        RETURN found || (SELECT array_agg(standing_id) FROM look_up_uncorrected(p_organization, p_scopes, p_subjects, p_predicates, p_objects, p_as_of, p_known_at, p_lifecycles, p_filtered,
            p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources, p_limit - coalesce(cardinality(found), 0), p_after_corrected, p_after_fact, p_after_from));
    END IF;
    RETURN NULL;
END $$;
