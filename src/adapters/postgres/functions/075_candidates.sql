-- All lists of a search in one round trip, in the caller's scopes: facts by text, by vector and about what the query names;
-- chunks by text and by vector. A list that is not asked for has limit 0; without a vector the vector lists are empty. Each
-- list is one row with its ids, best first. After them come rows named "fact": what ranking looks at of the first p_pool that
-- the fused lists hold, by the weights of text, vector, about and asked.

-- Replacing a function cannot add a parameter or change what it returns.
DROP FUNCTION IF EXISTS search_candidates(uuid, text, text, text[], text, halfvec, integer, integer, text[], timestamptz, bigint,
    text[], text[], text, smallint[], text[], uuid[], uuid[]);
DROP FUNCTION IF EXISTS search_candidates(uuid, text, text, text[], text, halfvec, integer, integer, text[], timestamptz, bigint,
    text[], text[], text, smallint[], text[], uuid[], uuid[], text[]);
DROP FUNCTION IF EXISTS search_candidates(uuid, text, text, text[], text, halfvec, integer, integer, text[], timestamptz, bigint,
    text[], text[], text, smallint[], text[], uuid[], uuid[], text[], text[]);

CREATE OR REPLACE FUNCTION search_candidates(
    p_organization uuid, p_read_scopes text, p_query text, p_grams text[], p_model text, p_vector halfvec,
    p_facts integer, p_chunks integer, p_predicates text[], p_as_of timestamptz, p_known_at bigint, p_lifecycles text[],
    p_kinds text[], p_asserter text, p_tiers smallint[], p_collections text[], p_documents uuid[], p_sources uuid[],
    p_asked text[], p_answering text[], p_weights double precision[], p_constant double precision, p_pool integer)
RETURNS TABLE (
    list text, ids uuid[], documents uuid[], places integer[], strength double precision,
    standing_id uuid, fact_id uuid, predicate text, subject_id uuid, subject_kind text, object_id uuid, object_kind text,
    object_literal text, valid_from timestamptz, valid_to timestamptz, tier smallint, verification text, corrected boolean,
    confidence double precision, observed_at timestamptz, helpful integer, unhelpful integer)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    weighed record;
    named uuid[];
    named_at integer[];
    index integer;
    found_ids uuid[];
    found_in uuid[];
    about_ids uuid[];
    about_in uuid[];
    asked_ids uuid[];
    asked_in uuid[];
    near_ids uuid[];
    near_in uuid[];
    nearest double precision;
BEGIN
    PERFORM set_config('app.organization', p_organization::text, true), set_config('app.read_scopes', split_part(p_read_scopes, '|', 1), true),
            set_config('app.known_scopes', translate(p_read_scopes, '|', ','), true),
            set_config('app.write_scopes', '', true);
    IF p_vector IS NOT NULL THEN
        index := active_index(p_model, vector_dims(p_vector));
        IF index IS NOT NULL THEN
            list := 'index'; RETURN NEXT;
        END IF;
    END IF;
    IF p_facts > 0 THEN
        SELECT array_agg(t.term) AS terms, array_agg(t.weight) AS weights, min(t.mean_words) AS mean,
               string_agg(term_query(t.term)::text, ' | ') FILTER (WHERE t.matches) AS query
        INTO weighed FROM weigh_terms(p_query, 'facts') t;
        SELECT array_agg(f.entity_id), array_agg(f.place) INTO named, named_at FROM (
            SELECT n.entity_id, min(array_position(p_grams, n.gram)) AS place FROM entities_in_text(p_grams, p_known_at) n
            GROUP BY n.entity_id ORDER BY place, n.entity_id LIMIT 20) f;
        IF named IS NOT NULL THEN
            -- Which gram named it: longer ones stand first.
            list := 'named'; ids := named; places := named_at; RETURN NEXT;
            named := same_entities(p_organization, named, NULL, p_known_at);
            list := 'entity'; ids := named; places := NULL; RETURN NEXT;
            SELECT array_agg(s.standing_id), array_agg(s.fact_id) INTO about_ids, about_in
            FROM search_facts_about(named, weighed.terms, weighed.weights, weighed.mean, p_facts, p_predicates, p_as_of, p_known_at,
                                    p_lifecycles, p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources) s;
            list := 'about'; ids := about_ids; RETURN NEXT;
            IF p_asked IS NOT NULL THEN
                SELECT array_agg(s.standing_id), array_agg(s.fact_id) INTO asked_ids, asked_in
                FROM search_facts_about(named, weighed.terms, weighed.weights, weighed.mean, p_facts, p_asked, p_as_of, p_known_at,
                                        p_lifecycles, p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources) s;
                list := 'asked'; ids := asked_ids; RETURN NEXT;
            END IF;
        END IF;
        SELECT array_agg(s.standing_id), array_agg(s.fact_id) INTO found_ids, found_in
        FROM search_facts_text(weighed.terms, weighed.weights, weighed.mean, weighed.query, p_facts, p_predicates, p_as_of, p_known_at,
                               p_lifecycles, p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources) s;
        list := 'text'; ids := found_ids; RETURN NEXT;
        IF index IS NOT NULL THEN
            SELECT array_agg(s.standing_id), array_agg(s.fact_id), max(1 - s.distance) INTO near_ids, near_in, nearest
            FROM search_fact_vectors(index, p_vector, p_facts, p_predicates, p_as_of, p_known_at, p_lifecycles, p_kinds, p_asserter,
                                     p_tiers, p_collections, p_documents, p_sources) s;
            list := 'vector'; ids := near_ids; strength := nearest; RETURN NEXT;
        END IF;
        IF p_pool > 0 THEN
            -- The same sums in the same order as the caller's own, so that both cut at the same candidate.
            SELECT array_agg(f.id), array_agg(f.fact_id) INTO found_ids, found_in FROM (
                SELECT u.id, any_value(u.fact_id) AS fact_id FROM (
                    SELECT l.id, l.fact_id, 1 AS list, p_weights[1] / (p_constant + l.place) AS share
                    FROM unnest(found_ids, found_in) WITH ORDINALITY AS l (id, fact_id, place)
                    UNION ALL SELECT l.id, l.fact_id, 2, p_weights[2] / (p_constant + l.place)
                    FROM unnest(near_ids, near_in) WITH ORDINALITY AS l (id, fact_id, place)
                    UNION ALL SELECT l.id, l.fact_id, 3, p_weights[3] / (p_constant + l.place)
                    FROM unnest(about_ids, about_in) WITH ORDINALITY AS l (id, fact_id, place)
                    UNION ALL SELECT l.id, l.fact_id, 4, p_weights[4] / (p_constant + l.place)
                    FROM unnest(asked_ids, asked_in) WITH ORDINALITY AS l (id, fact_id, place)) u
                GROUP BY u.id ORDER BY sum(u.share ORDER BY u.list) DESC, u.id LIMIT p_pool) f;
            RETURN QUERY SELECT 'fact', NULL::uuid[], NULL::uuid[], NULL::integer[], NULL::double precision, o.*
            FROM outline_candidates(found_ids, found_in, p_answering, p_as_of, p_known_at, p_lifecycles) o;
        END IF;
    END IF;
    IF p_chunks > 0 THEN
        SELECT array_agg(s.chunk_id), array_agg(s.document_id) INTO found_ids, found_in
        FROM search_chunks_text(p_query, p_chunks, p_known_at, p_collections, p_documents, p_sources) s;
        list := 'chunk text'; ids := found_ids; documents := found_in; strength := NULL; RETURN NEXT;
        IF index IS NOT NULL THEN
            SELECT array_agg(s.chunk_id), array_agg(s.document_id), max(1 - s.distance) INTO found_ids, found_in, nearest
            FROM search_chunk_vectors(index, p_vector, p_chunks, p_known_at, p_collections, p_documents, p_sources) s;
            list := 'chunk vector'; ids := found_ids; documents := found_in; strength := nearest; RETURN NEXT;
        END IF;
    END IF;
END $$;

-- What ranking looks at of each candidate, under the policies; without those that a narrower readable scope speaks for. Kinds
-- and literals are read only of facts under the predicates that the question may be answered by: nothing else is asked of them.
CREATE OR REPLACE FUNCTION outline_candidates(
    p_standings uuid[], p_facts uuid[], p_answering text[], p_as_of timestamptz, p_known_at bigint, p_lifecycles text[])
RETURNS TABLE (
    standing_id uuid, fact_id uuid, predicate text, subject_id uuid, subject_kind text, object_id uuid, object_kind text,
    object_literal text, valid_from timestamptz, valid_to timestamptz, tier smallint, verification text, corrected boolean,
    confidence double precision, observed_at timestamptz, helpful integer, unhelpful integer)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    organization uuid := tenant_organization();
    scopes text[] := tenant_read_scopes();
    voted uuid[];
    for_it integer[];
    against_it integer[];
BEGIN
    SELECT array_agg(v.fact_id), array_agg(v.helpful), array_agg(v.unhelpful) INTO voted, for_it, against_it FROM (
        SELECT x.fact_id, count(*) FILTER (WHERE x.helpful)::int AS helpful, count(*) FILTER (WHERE NOT x.helpful)::int AS unhelpful
        FROM feedback x WHERE x.organization_id = organization AND x.fact_id = ANY (p_facts) AND x.revision < p_known_at AND x.to_rev >= p_known_at
        GROUP BY x.fact_id) v;
    RETURN QUERY
    SELECT s.standing_id, s.fact_id, s.predicate, s.subject_id,
           CASE WHEN s.predicate = ANY (p_answering) THEN
               (SELECT CASE WHEN e.named THEN shown_kind(e, p_known_at) ELSE e.kind END FROM entities e WHERE e.organization_id = organization AND e.entity_id = s.subject_id) END,
           s.object_id,
           CASE WHEN s.predicate = ANY (p_answering) AND s.object_id IS NOT NULL THEN
               (SELECT CASE WHEN e.named THEN shown_kind(e, p_known_at) ELSE e.kind END FROM entities e WHERE e.organization_id = organization AND e.entity_id = s.object_id) END,
           CASE WHEN s.predicate = ANY (p_answering) AND s.object_id IS NULL THEN
               (SELECT f.object_literal::text FROM facts f WHERE f.organization_id = organization AND f.fact_id = s.fact_id) END,
           s.valid_from, s.valid_to, s.tier, s.verification, s.corrected, s.confidence, s.observed_at,
           coalesce(for_it[array_position(voted, s.fact_id)], 0), coalesce(against_it[array_position(voted, s.fact_id)], 0)
    FROM standings s
    WHERE s.organization_id = organization AND s.standing_id = ANY (p_standings)
      AND (s.group_id = scopes[1] OR NOT said_in_narrower_scope(
               organization, scopes, s.group_id, s.fact_id, p_as_of, p_known_at, p_lifecycles));
END $$;

-- The organization's active index, or the pinned one, when it is of the model and dimension that the query was embedded with.
CREATE OR REPLACE FUNCTION active_index(p_model text, p_dimension integer) RETURNS integer LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    IF pinned_index() IS NOT NULL THEN
        RETURN (SELECT i.index_id FROM vector_indexes i WHERE i.index_id = pinned_index() AND i.model = p_model AND i.dimension = p_dimension);
    END IF;
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
    SELECT o.entity_id, shown_name(e, p_known_at), shown_kind(e, p_known_at), o.likeness, coalesce(o.matched, shown_name(e, p_known_at))
    FROM once o JOIN entities e ON e.organization_id = tenant_organization() AND e.entity_id = o.entity_id
    ORDER BY o.list, o.likeness DESC, o.entity_id LIMIT p_limit;
END $$;

-- Chunks by id under the policy, with their documents, whose sources have the tier that they had at the revision.
DROP FUNCTION IF EXISTS load_chunks(uuid[]);
DROP FUNCTION IF EXISTS load_chunks(uuid[], bigint);
CREATE OR REPLACE FUNCTION load_chunks(p_chunks uuid[], p_known_at bigint) RETURNS TABLE (
    chunk_id uuid, group_id text, version_id uuid, document_id uuid, start_offset integer, end_offset integer, text text,
    title text, source_uri text, published_at timestamptz, source_id uuid, source_name text, tier smallint, tainted boolean)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    organization uuid := tenant_organization();
BEGIN
    RETURN QUERY
    SELECT c.chunk_id, c.group_id, c.version_id, c.document_id, c.start_offset, c.end_offset, c.text, v.title, v.source_uri,
           v.published_at, v.source_id, s.name, g.tier, v.principal_kind = 'agent' OR coalesce(g.tier, 4) = 4
    FROM unnest(p_chunks) WITH ORDINALITY AS wanted (chunk_id, place)
    CROSS JOIN LATERAL (SELECT * FROM chunks x WHERE x.organization_id = organization AND x.chunk_id = wanted.chunk_id LIMIT 1) c
    CROSS JOIN LATERAL (SELECT * FROM document_versions x WHERE x.organization_id = organization AND x.version_id = c.version_id LIMIT 1) v
    LEFT JOIN LATERAL (SELECT x.name FROM sources x WHERE x.organization_id = organization AND x.source_id = v.source_id LIMIT 1) s ON true
    LEFT JOIN LATERAL (SELECT x.tier FROM source_grades x WHERE x.organization_id = organization AND x.source_id = v.source_id
                       AND x.from_rev <= p_known_at AND x.to_rev > p_known_at LIMIT 1) g ON true
    ORDER BY wanted.place;
END $$;
