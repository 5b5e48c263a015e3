-- All lists of a search in one round trip, in the caller's scopes: facts by text, by vector and about what the query names;
-- chunks by text and by vector. A list that is not asked for has limit 0; without a vector the vector lists are empty.

-- It had no p_asked before; replacing a function cannot add a parameter.
DROP FUNCTION IF EXISTS search_candidates(uuid, text, text, text[], text, halfvec, integer, integer, text[], timestamptz, bigint,
    text[], text[], text, smallint[], text[], uuid[], uuid[]);

CREATE OR REPLACE FUNCTION search_candidates(
    p_organization uuid, p_read_scopes text, p_query text, p_grams text[], p_model text, p_vector halfvec,
    p_facts integer, p_chunks integer, p_predicates text[], p_as_of timestamptz, p_known_at bigint, p_lifecycles text[],
    p_kinds text[], p_asserter text, p_tiers smallint[], p_collections text[], p_documents uuid[], p_sources uuid[],
    p_asked text[])
RETURNS TABLE (list text, id uuid, document_id uuid, fact_id uuid, strength double precision)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    named uuid[];
    places integer[];
    index integer;
BEGIN
    PERFORM set_config('app.organization', p_organization::text, true), set_config('app.read_scopes', p_read_scopes, true),
            set_config('app.write_scopes', '', true);
    IF p_vector IS NOT NULL THEN
        index := active_index(p_model, vector_dims(p_vector));
        RETURN QUERY SELECT 'index', NULL::uuid, NULL::uuid, NULL::uuid, index::double precision WHERE index IS NOT NULL;
    END IF;
    IF p_facts > 0 THEN
        SELECT array_agg(f.entity_id), array_agg(f.place) INTO named, places FROM (
            SELECT n.entity_id, min(array_position(p_grams, n.gram)) AS place FROM entities_in_text(p_grams, p_known_at) n
            GROUP BY n.entity_id ORDER BY place, n.entity_id LIMIT 20) f;
        IF named IS NOT NULL THEN
            -- Which gram named it: longer ones stand first.
            RETURN QUERY SELECT 'named', n.entity_id, NULL::uuid, NULL::uuid, n.place::double precision
            FROM unnest(named, places) AS n (entity_id, place);
            named := same_entities(p_organization, named, NULL, p_known_at);
            RETURN QUERY SELECT 'entity', e, NULL::uuid, NULL::uuid, NULL::double precision FROM unnest(named) e;
            RETURN QUERY SELECT 'about', s.standing_id, NULL::uuid, s.fact_id, s.rank
            FROM search_facts_about(named, p_query, p_facts, p_predicates, p_as_of, p_known_at, p_lifecycles, p_kinds, p_asserter,
                                    p_tiers, p_collections, p_documents, p_sources) s;
            IF p_asked IS NOT NULL THEN
                RETURN QUERY SELECT 'asked', s.standing_id, NULL::uuid, s.fact_id, s.rank
                FROM search_facts_about(named, p_query, p_facts, p_asked, p_as_of, p_known_at, p_lifecycles, p_kinds, p_asserter,
                                        p_tiers, p_collections, p_documents, p_sources) s;
            END IF;
        END IF;
        RETURN QUERY SELECT 'text', s.standing_id, NULL::uuid, s.fact_id, s.rank
        FROM search_facts_text(p_query, p_facts, p_predicates, p_as_of, p_known_at, p_lifecycles, p_kinds, p_asserter,
                               p_tiers, p_collections, p_documents, p_sources) s;
        IF index IS NOT NULL THEN
            RETURN QUERY SELECT 'vector', s.standing_id, NULL::uuid, s.fact_id, 1 - s.distance
            FROM search_fact_vectors(index, p_vector, p_facts, p_predicates, p_as_of, p_known_at, p_lifecycles, p_kinds, p_asserter,
                                     p_tiers, p_collections, p_documents, p_sources) s;
        END IF;
    END IF;
    IF p_chunks > 0 THEN
        RETURN QUERY SELECT 'chunk text', s.chunk_id, s.document_id, NULL::uuid, s.rank
        FROM search_chunks_text(p_query, p_chunks, p_known_at, p_collections, p_documents, p_sources) s;
        IF index IS NOT NULL THEN
            RETURN QUERY SELECT 'chunk vector', s.chunk_id, s.document_id, NULL::uuid, 1 - s.distance
            FROM search_chunk_vectors(index, p_vector, p_chunks, p_known_at, p_collections, p_documents, p_sources) s;
        END IF;
    END IF;
END $$;

-- The organization's active index, when it is of the model and dimension that the query was embedded with.
CREATE OR REPLACE FUNCTION active_index(p_model text, p_dimension integer) RETURNS integer LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN (SELECT a.index_id FROM active_vector_indexes a JOIN vector_indexes i ON i.index_id = a.index_id
            WHERE a.organization_id = tenant_organization() AND i.model = p_model AND i.dimension = p_dimension);
END $$;

-- Entities by name and, where there is a vector, by meaning: those alike in name first, each once.
CREATE OR REPLACE FUNCTION find_entities(p_name text, p_limit integer, p_known_at bigint, p_model text, p_vector halfvec)
RETURNS TABLE (entity_id uuid, name text, kind text, likeness double precision, matched text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    index integer := CASE WHEN p_vector IS NOT NULL THEN active_index(p_model, vector_dims(p_vector)) END;
BEGIN
    RETURN QUERY
    WITH found AS (
        SELECT n.entity_id, n.likeness, n.name AS matched, 0 AS list FROM search_names(p_name, p_limit, p_known_at) n
        UNION ALL
        SELECT v.entity_id, greatest(0, 1 - v.distance), NULL, 1
        FROM search_entity_vectors(index, p_vector, p_limit, p_known_at, false) v WHERE index IS NOT NULL),
    once AS (SELECT DISTINCT ON (f.entity_id) f.* FROM found f ORDER BY f.entity_id, f.list)
    SELECT o.entity_id, e.name, e.kind, o.likeness, coalesce(o.matched, e.name)
    FROM once o JOIN entities e ON e.organization_id = tenant_organization() AND e.entity_id = o.entity_id
    ORDER BY o.list, o.likeness DESC, o.entity_id LIMIT p_limit;
END $$;

-- Chunks by id under the policy, with their documents.
CREATE OR REPLACE FUNCTION load_chunks(p_chunks uuid[]) RETURNS TABLE (
    chunk_id uuid, group_id text, version_id uuid, document_id uuid, start_offset integer, end_offset integer, text text,
    title text, source_uri text, published_at timestamptz, source_id uuid, source_name text, tier smallint)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    organization uuid := tenant_organization();
BEGIN
    RETURN QUERY
    SELECT c.chunk_id, c.group_id, c.version_id, c.document_id, c.start_offset, c.end_offset, c.text, v.title, v.source_uri,
           v.published_at, v.source_id, s.name, g.tier
    FROM unnest(p_chunks) WITH ORDINALITY AS wanted (chunk_id, place)
    CROSS JOIN LATERAL (SELECT * FROM chunks x WHERE x.organization_id = organization AND x.chunk_id = wanted.chunk_id LIMIT 1) c
    CROSS JOIN LATERAL (SELECT * FROM document_versions x WHERE x.organization_id = organization AND x.version_id = c.version_id LIMIT 1) v
    LEFT JOIN LATERAL (SELECT x.name FROM sources x WHERE x.organization_id = organization AND x.source_id = v.source_id LIMIT 1) s ON true
    LEFT JOIN LATERAL (SELECT x.tier FROM source_grades x WHERE x.organization_id = organization AND x.source_id = v.source_id
                       AND x.to_rev = 9223372036854775807 LIMIT 1) g ON true
    ORDER BY wanted.place;
END $$;
