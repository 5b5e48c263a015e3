-- Concepts: entities of one kind, about which everything is assertions. Stored predicates come in as parameters, since an
-- organization may have merged one with another.

-- They asked of each row by a function, and walked the vectors of all facts for those of terms.
DROP FUNCTION IF EXISTS concept_in_force(uuid, uuid, timestamptz, bigint, text[]);
DROP FUNCTION IF EXISTS search_concept_vectors(integer, halfvec, integer, text, uuid[], timestamptz, bigint, text[]);

-- The concepts that are put forward as one of some kinds and by an assertion that meets the filters, once for all lists of a
-- search; NULL where neither kinds nor filters are asked for. p_concept_kinds are the keys of the literals. It goes from the
-- facts that put concepts forward, by index probes: their assertions are few, those of the organization are not.
CREATE OR REPLACE FUNCTION eligible_concepts(
    p_organization uuid, p_predicate text, p_concept_kinds uuid[], p_as_of timestamptz, p_known_at bigint, p_lifecycles text[],
    p_kinds text[], p_asserter text, p_tiers smallint[], p_collections text[], p_documents uuid[], p_sources uuid[]) RETURNS uuid[]
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_material = off AS $$
DECLARE
    free constant boolean := p_kinds IS NULL AND p_asserter IS NULL AND p_tiers IS NULL AND p_collections IS NULL AND p_documents IS NULL
        AND p_sources IS NULL;
BEGIN
    IF free AND p_concept_kinds IS NULL THEN
        RETURN NULL;
    END IF;
    RETURN coalesce((
        SELECT array_agg(DISTINCT s.subject_id)
        FROM (SELECT * FROM standings x WHERE x.organization_id = p_organization AND x.predicate = p_predicate
              AND (p_concept_kinds IS NULL OR x.object_key = ANY (p_concept_kinds))
              AND x.from_rev <= p_known_at AND x.to_rev > p_known_at AND x.lifecycle = ANY (p_lifecycles)
              AND (p_as_of IS NULL OR (x.valid_from IS NULL OR x.valid_from <= p_as_of) AND (x.valid_to IS NULL OR x.valid_to > p_as_of))
              OFFSET 0) s
        WHERE free OR EXISTS (
            SELECT 1 FROM (SELECT * FROM placements x WHERE x.organization_id = p_organization AND x.fact_id = s.fact_id AND x.state = 'live'
                AND x.from_rev <= p_known_at AND x.to_rev > p_known_at OFFSET 0) p
            CROSS JOIN LATERAL (SELECT * FROM assertions x WHERE x.organization_id = p_organization AND x.assertion_id = p.assertion_id
                AND (p_kinds IS NULL OR x.kind = ANY (p_kinds)) AND (p_asserter IS NULL OR lower(x.asserter) = lower(p_asserter))
                AND (p_documents IS NULL OR x.document_id = ANY (p_documents)) AND (p_sources IS NULL OR x.source_id = ANY (p_sources))
                OFFSET 0) a
            WHERE EXISTS (SELECT 1 FROM source_grades x WHERE x.organization_id = p_organization AND x.source_id = a.source_id
                  AND x.from_rev <= p_known_at AND x.to_rev > p_known_at AND (p_tiers IS NULL OR x.tier = ANY (p_tiers)) OFFSET 0)
              AND (p_collections IS NULL OR EXISTS (
                  SELECT 1 FROM (SELECT x.collection_id FROM documents x WHERE x.organization_id = p_organization
                      AND x.document_id = a.document_id OFFSET 0) d
                  JOIN collections c ON c.organization_id = p_organization AND c.collection_id = d.collection_id
                  WHERE c.name = ANY (p_collections))) OFFSET 0)), '{}');
END $$;

-- Which rows v (concept_id) of a search are meant, as SQL text: those in $3, or with NULL there those of which something is
-- said, on either side, that is in force at $4 and $5 in the lifecycles of $6. As text it is part of the search's own plan.
CREATE OR REPLACE FUNCTION concepts_meant(p_eligible uuid[]) RETURNS text LANGUAGE sql STABLE SET search_path = assay, public AS $$
    SELECT CASE WHEN p_eligible IS NOT NULL THEN 'SELECT v.concept_id WHERE v.concept_id = ANY ($3)' ELSE format(
        'SELECT v.concept_id FROM (SELECT 1 FROM standings s WHERE s.organization_id = %1$L AND s.subject_id = v.concept_id AND %2$s
            UNION ALL SELECT 1 FROM standings s WHERE s.organization_id = %1$L AND s.object_key = v.concept_id AND %2$s) said LIMIT 1',
        tenant_organization(), 's.from_rev <= $5 AND s.to_rev > $5 AND s.lifecycle = ANY ($6)
            AND ($4 IS NULL OR (s.valid_from IS NULL OR s.valid_from <= $4) AND (s.valid_to IS NULL OR s.valid_to > $4))') END
$$;

-- Concepts with a label like the query, the most alike first. What else has such a name takes no place among them. Planned once
-- a session: there are few rows, and to plan for them takes longer than to read them.
CREATE OR REPLACE FUNCTION search_concept_names(
    p_organization uuid, p_query text, p_limit integer, p_eligible uuid[], p_as_of timestamptz, p_known_at bigint, p_lifecycles text[])
RETURNS TABLE (entity_id uuid, likeness double precision)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT v.entity_id, v.likeness
    FROM (SELECT * FROM search_names(p_query, NULL, p_known_at) n ORDER BY n.likeness DESC, n.entity_id OFFSET 0) v
    CROSS JOIN LATERAL (SELECT shown_kind(x, p_known_at) AS kind FROM entities x
        WHERE x.organization_id = p_organization AND x.entity_id = v.entity_id LIMIT 1) e
    WHERE e.kind = 'concept' AND (p_eligible IS NULL OR v.entity_id = ANY (p_eligible)) AND (p_eligible IS NOT NULL OR EXISTS (
        SELECT 1 FROM (SELECT * FROM standings x WHERE x.organization_id = p_organization AND x.subject_id = v.entity_id
            UNION ALL SELECT * FROM standings x WHERE x.organization_id = p_organization AND x.object_key = v.entity_id) s
        WHERE s.from_rev <= p_known_at AND s.to_rev > p_known_at AND s.lifecycle = ANY (p_lifecycles)
          AND (p_as_of IS NULL OR (s.valid_from IS NULL OR s.valid_from <= p_as_of) AND (s.valid_to IS NULL OR s.valid_to > p_as_of)) OFFSET 0))
    LIMIT p_limit;
END $$;

-- The nearest concepts by label.
CREATE OR REPLACE FUNCTION search_concept_labels(
    p_index integer, p_vector halfvec, p_limit integer, p_eligible uuid[], p_as_of timestamptz, p_known_at bigint, p_lifecycles text[])
RETURNS TABLE (entity_id uuid, distance double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public SET enable_sort = on SET enable_seqscan = on
SET hnsw.iterative_scan = relaxed_order SET hnsw.ef_search = 100 AS $$
DECLARE
    leaf regclass := vector_leaf('concept', p_index, tenant_organization());
    graph boolean;
BEGIN
    IF leaf IS NULL THEN
        RETURN;
    END IF;
    graph := walks_graph('concept', leaf, vector_dims(p_vector), p_limit);
    PERFORM prefer_graph(graph);
    RETURN QUERY EXECUTE nearest_statement('concept', leaf, vector_dims(p_vector), graph, concepts_meant(p_eligible))
    USING p_vector, p_limit, p_eligible, p_as_of, p_known_at, p_lifecycles;
END $$;

-- The nearest concepts by search term, which is a fact with a vector of its own. Where the graph of all facts would be walked,
-- up to 5,000 terms are read by their predicate's index instead: a walk would go by very many facts that are no terms.
CREATE OR REPLACE FUNCTION search_concept_terms(
    p_index integer, p_vector halfvec, p_limit integer, p_term text, p_eligible uuid[], p_as_of timestamptz, p_known_at bigint,
    p_lifecycles text[])
RETURNS TABLE (entity_id uuid, distance double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public SET enable_sort = on SET enable_seqscan = on
SET hnsw.iterative_scan = relaxed_order SET hnsw.ef_search = 100 AS $$
DECLARE
    organization uuid := tenant_organization();
    leaf regclass := vector_leaf('fact', p_index, organization);
    graph boolean;
    meant constant text := 's.predicate = $7 AND s.from_rev <= $5 AND s.to_rev > $5 AND s.lifecycle = ANY ($6)
        AND ($4 IS NULL OR (s.valid_from IS NULL OR s.valid_from <= $4) AND (s.valid_to IS NULL OR s.valid_to > $4))
        AND ($3 IS NULL OR s.subject_id = ANY ($3))';
BEGIN
    IF leaf IS NULL THEN
        RETURN;
    END IF;
    graph := walks_graph('fact', leaf, vector_dims(p_vector), p_limit);
    IF graph THEN
        graph := (SELECT count(*) > 5000 FROM (
            SELECT 1 FROM standings s WHERE s.organization_id = organization AND s.predicate = p_term LIMIT 5001) x);
    END IF;
    PERFORM prefer_graph(graph);
    RETURN QUERY EXECUTE CASE WHEN graph THEN format('SELECT f.subject_id, min(f.distance) FROM (%s) f GROUP BY 1 ORDER BY 2, 1',
            nearest_statement('fact', leaf, vector_dims(p_vector), true, format('SELECT s.subject_id FROM facts_search s
                WHERE s.organization_id = %L AND s.fact_id = v.fact_id AND %s LIMIT 1', organization, meant)))
        ELSE format('SELECT s.subject_id, min(v.embedding <=> $1) FROM standings s
            JOIN %s v ON v.index_id = %s AND v.organization_id = %L AND v.fact_id = s.fact_id AND v.group_id = ANY (%L)
            WHERE s.organization_id = %3$L AND %5$s GROUP BY 1 ORDER BY 2, 1 LIMIT $2',
            leaf, p_index, organization, tenant_read_scopes(), meant) END
    USING p_vector, p_limit, p_eligible, p_as_of, p_known_at, p_lifecycles, p_term;
END $$;

-- Concepts by the words of their labels and search terms, best first: what is found is a fact in force about the concept.
CREATE OR REPLACE FUNCTION search_concepts_text(
    p_query text, p_limit integer, p_term text, p_predicate text, p_eligible uuid[], p_as_of timestamptz, p_known_at bigint,
    p_lifecycles text[])
RETURNS TABLE (entity_id uuid, rank double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE
    plan record;
BEGIN
    SELECT array_agg(t.term) AS terms, array_agg(t.weight) AS weights, min(t.mean_words) AS mean,
           string_agg(term_query(t.term)::text, ' | ') FILTER (WHERE t.matches) AS query
    INTO plan FROM weigh_terms(p_query, 'facts') t;
    IF plan.query IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY EXECUTE format('SELECT f.subject_id, max(t.rank) FROM (%s) AS t (standing_id, fact_id, rank)
            JOIN facts_search f ON f.organization_id = %L AND f.standing_id = t.standing_id
            GROUP BY f.subject_id ORDER BY 2 DESC, 1',
        facts_statement(plan.terms, plan.weights, plan.mean, format('s.terms @@ %L::tsquery', plan.query)
            || CASE WHEN p_eligible IS NULL THEN '' ELSE ' AND s.subject_id = ANY ($12)' END), tenant_organization())
        USING 2 * p_limit, ARRAY[p_predicate, p_term], p_as_of, p_known_at, p_lifecycles, NULL::text[], NULL::text, NULL::smallint[],
              NULL::text[], NULL::uuid[], NULL::uuid[], p_eligible;
END $$;

-- All lists of a search for concepts in one round trip: like in name, by words, by the label's vector and by those of terms.
CREATE OR REPLACE FUNCTION concept_candidates(
    p_organization uuid, p_read_scopes text, p_query text, p_model text, p_vector halfvec, p_limit integer, p_term text,
    p_predicate text, p_concept_kinds uuid[], p_as_of timestamptz, p_known_at bigint, p_lifecycles text[], p_kinds text[],
    p_asserter text, p_tiers smallint[], p_collections text[], p_documents uuid[], p_sources uuid[])
RETURNS TABLE (list text, ids uuid[], cosines double precision[])
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    index integer;
    eligible uuid[];
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    eligible := eligible_concepts(p_organization, p_predicate, p_concept_kinds, p_as_of, p_known_at, p_lifecycles, p_kinds, p_asserter,
                                  p_tiers, p_collections, p_documents, p_sources);
    IF cardinality(eligible) = 0 THEN
        RETURN;
    END IF;
    list := 'name';
    ids := (SELECT array_agg(n.entity_id ORDER BY n.likeness DESC, n.entity_id)
            FROM search_concept_names(p_organization, p_query, 20, eligible, p_as_of, p_known_at, p_lifecycles) n);
    RETURN NEXT;
    list := 'text';
    ids := (SELECT array_agg(t.entity_id ORDER BY t.rank DESC, t.entity_id)
            FROM search_concepts_text(p_query, p_limit, p_term, p_predicate, eligible, p_as_of, p_known_at, p_lifecycles) t);
    RETURN NEXT;
    index := CASE WHEN p_vector IS NOT NULL THEN active_index(p_model, vector_dims(p_vector)) END;
    IF index IS NULL THEN
        RETURN;
    END IF;
    list := 'label';
    SELECT array_agg(v.entity_id ORDER BY v.distance, v.entity_id), array_agg(1 - v.distance ORDER BY v.distance, v.entity_id)
    INTO ids, cosines
    FROM search_concept_labels(index, p_vector, p_limit, eligible, p_as_of, p_known_at, p_lifecycles) v;
    RETURN NEXT;
    list := 'term';
    SELECT array_agg(v.entity_id ORDER BY v.distance, v.entity_id), array_agg(1 - v.distance ORDER BY v.distance, v.entity_id)
    INTO ids, cosines
    FROM search_concept_terms(index, p_vector, p_limit, p_term, eligible, p_as_of, p_known_at, p_lifecycles) v;
    RETURN NEXT;
END $$;

-- Labels, other names and search terms of some concepts, in the order asked; what is no concept in the scopes is left out.
CREATE OR REPLACE FUNCTION concept_rows(
    p_organization uuid, p_read_scopes text, p_concepts uuid[], p_term text, p_as_of timestamptz, p_known_at bigint)
RETURNS TABLE (entity_id uuid, group_id text, label text, names text[], terms text[])
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    RETURN QUERY
    WITH wanted AS MATERIALIZED (
        SELECT c.id, c.place, same_entities(p_organization, ARRAY[c.id], NULL, p_known_at) AS same
        FROM unnest(p_concepts) WITH ORDINALITY AS c (id, place))
    SELECT e.entity_id, e.group_id, e.label,
           coalesce((SELECT array_agg(n.name ORDER BY n.first, n.name) FROM (
                SELECT DISTINCT ON (x.normal) x.name, x.from_rev AS first FROM names x
                WHERE x.organization_id = p_organization AND x.entity_id = ANY (w.same) AND x.from_rev <= p_known_at AND x.to_rev > p_known_at
                ORDER BY x.normal, x.from_rev) n), '{}'),
           coalesce((SELECT array_agg(t.said ORDER BY t.first, t.said) FROM (
                SELECT f.object_literal ->> 'value' AS said, min(f.revision) AS first FROM standings s
                CROSS JOIN LATERAL (SELECT * FROM facts x WHERE x.organization_id = p_organization AND x.fact_id = s.fact_id LIMIT 1) f
                WHERE s.organization_id = p_organization AND s.subject_id = ANY (w.same) AND s.predicate = p_term
                  AND s.from_rev <= p_known_at AND s.to_rev > p_known_at AND s.lifecycle IN ('active', 'disputed') AND f.object_literal IS NOT NULL
                  AND (p_as_of IS NULL OR (s.valid_from IS NULL OR s.valid_from <= p_as_of) AND (s.valid_to IS NULL OR s.valid_to > p_as_of))
                GROUP BY 1) t), '{}')
    FROM wanted w
    CROSS JOIN LATERAL (
        SELECT x.entity_id, x.group_id, shown_name(x, p_known_at) AS label, shown_kind(x, p_known_at) AS kind FROM entities x
        WHERE x.organization_id = p_organization AND x.entity_id = w.id AND x.revision <= p_known_at AND x.name <> '' LIMIT 1) e
    WHERE e.kind = 'concept'
    ORDER BY w.place;
END $$;

-- One hop around some concepts: who puts them forward, who says that something supports them, and who that something
-- contradicts them. Of copies the weightiest counts. A weight is confidence times kind times trust, as assess scores it.
CREATE OR REPLACE FUNCTION concept_sayings(
    p_organization uuid, p_read_scopes text, p_concepts uuid[], p_predicate text, p_supports text, p_contradicts text,
    p_as_of timestamptz, p_known_at bigint, p_horizon timestamptz)
RETURNS TABLE (
    concept_id uuid, role text, fact_id uuid, other_id uuid, other_name text, stated text, in_force boolean, weight double precision,
    independence_key text, assertion_id uuid, kind text, asserter text, excerpt text, start_offset integer, end_offset integer,
    pointer text, version_id uuid, document_id uuid, title text, source_uri text, published_at timestamptz, observed_at timestamptz,
    source_id uuid, source_name text, tier smallint)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    RETURN QUERY
    WITH wanted AS MATERIALIZED (
        SELECT c.id AS concept_id, same_entities(p_organization, ARRAY[c.id], NULL, p_known_at) AS same FROM unnest(p_concepts) AS c (id)),
    held AS MATERIALIZED (
        SELECT w.concept_id, w.same, 'stated' AS role, NULL::uuid AS other, s.*
        FROM wanted w CROSS JOIN LATERAL (SELECT * FROM standings x WHERE x.organization_id = p_organization
            AND x.subject_id = ANY (w.same) AND x.predicate = p_predicate OFFSET 0) s
        UNION ALL
        SELECT w.concept_id, w.same, CASE s.predicate WHEN p_supports THEN 'supports' ELSE 'contradicts' END, s.subject_id, s.*
        FROM wanted w CROSS JOIN LATERAL (SELECT * FROM standings x WHERE x.organization_id = p_organization
            AND x.object_key = ANY (w.same) AND x.predicate = ANY (ARRAY[p_supports, p_contradicts]) OFFSET 0) s
        UNION ALL
        SELECT w.concept_id, w.same, 'contradicts', s.object_id, s.*
        FROM wanted w CROSS JOIN LATERAL (SELECT * FROM standings x WHERE x.organization_id = p_organization
            AND x.subject_id = ANY (w.same) AND x.predicate = p_contradicts OFFSET 0) s),
    facts_held AS MATERIALIZED (
        SELECT DISTINCT ON (h.concept_id, h.role, h.fact_id) h.concept_id, h.role, h.fact_id, h.other,
               p_as_of IS NULL OR h.valid_to IS NULL OR h.valid_to > p_as_of AS in_force
        FROM held h
        WHERE h.from_rev <= p_known_at AND h.to_rev > p_known_at AND h.lifecycle IN ('active', 'disputed')
          AND (h.role = 'stated' OR h.other IS NOT NULL AND h.other <> ALL (h.same))
          AND (p_as_of IS NULL OR h.valid_from IS NULL OR h.valid_from <= p_as_of)
          AND (h.role = 'stated' OR p_as_of IS NULL OR h.valid_to IS NULL OR h.valid_to > p_as_of)
        ORDER BY h.concept_id, h.role, h.fact_id, 5 DESC)
    SELECT DISTINCT ON (h.concept_id, h.role, h.fact_id, a.independence_key)
           h.concept_id, h.role, h.fact_id, h.other, o.name, f.object_literal ->> 'value', h.in_force, a.confidence * w.trust
               * CASE a.kind WHEN 'fact' THEN 1.0::float8 WHEN 'claim' THEN 0.6 ELSE 0.3 END,
           a.independence_key, a.assertion_id, a.kind, a.asserter, e.excerpt, e.start_offset, e.end_offset, e.pointer, a.version_id,
           a.document_id, v.title, v.source_uri, v.published_at, a.observed_at, a.source_id, s.name, g.tier
    FROM facts_held h
    CROSS JOIN LATERAL (SELECT * FROM facts x WHERE x.organization_id = p_organization AND x.fact_id = h.fact_id LIMIT 1) f
    CROSS JOIN LATERAL (SELECT * FROM placements x WHERE x.organization_id = p_organization AND x.fact_id = h.fact_id AND x.state = 'live'
        AND x.from_rev <= p_known_at AND x.to_rev > p_known_at OFFSET 0) p
    CROSS JOIN LATERAL (SELECT * FROM assertions x WHERE x.organization_id = p_organization AND x.assertion_id = p.assertion_id LIMIT 1) a
    CROSS JOIN LATERAL (SELECT x.tier, x.trust FROM source_grades x WHERE x.organization_id = p_organization AND x.source_id = a.source_id
        AND x.from_rev <= p_known_at AND x.to_rev > p_known_at LIMIT 1) g
    LEFT JOIN LATERAL (SELECT * FROM evidence x WHERE x.organization_id = p_organization AND x.assertion_id = a.assertion_id LIMIT 1) e ON true
    LEFT JOIN LATERAL (SELECT * FROM document_versions x WHERE x.organization_id = p_organization AND x.version_id = a.version_id LIMIT 1) v ON true
    LEFT JOIN LATERAL (SELECT x.name FROM sources x WHERE x.organization_id = p_organization AND x.source_id = a.source_id LIMIT 1) s ON true
    LEFT JOIN LATERAL (SELECT shown_name(x, p_known_at) AS name FROM entities x
        WHERE x.organization_id = p_organization AND x.entity_id = h.other LIMIT 1) o ON true
    CROSS JOIN LATERAL (
        SELECT coalesce(g.trust, CASE g.tier WHEN 1 THEN 1.0 WHEN 2 THEN 0.85 WHEN 3 THEN 0.7 ELSE 0.4 END)::float8 AS trust) w
    WHERE a.polarity = 'support' AND (p_horizon IS NULL OR v.published_at IS NULL OR v.published_at <= p_horizon)
    ORDER BY h.concept_id, h.role, h.fact_id, a.independence_key, 8 DESC, a.assertion_id;
END $$;
