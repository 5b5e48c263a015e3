-- Vectors. An index is one build of one model's vectors: a partition of each vectors table, hashed by organization below,
-- so that a small organization's search does not wade through a large one's rows. Reads and writes go through the parents,
-- whose policies bind the application role; the owner's definer functions filter by the session's settings themselves.

DO $policies$
DECLARE
    kind text;
BEGIN
    FOREACH kind IN ARRAY '{fact,chunk,entity,concept}'::text[] LOOP
        EXECUTE format('DROP POLICY IF EXISTS search_lookup ON %I', kind || '_vectors');
        EXECUTE format('CREATE POLICY search_lookup ON %I TO assay_owner USING (true)', kind || '_vectors');
    END LOOP;
END $policies$;

-- Makes the partitions of a new index and says its id; nothing is built on them until they are filled.
CREATE OR REPLACE FUNCTION create_vector_index(p_model text, p_dimension integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public SET client_min_messages = warning AS $$
DECLARE
    made integer;
    kind text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('assay.vector_indexes'));
    IF (SELECT count(*) FROM vector_indexes) >= 50 THEN
        RAISE EXCEPTION 'too many vector indexes' USING ERRCODE = '54000';
    END IF;
    INSERT INTO vector_indexes (model, dimension) VALUES (p_model, p_dimension) RETURNING index_id INTO made;
    FOREACH kind IN ARRAY '{fact,chunk,entity,concept}'::text[] LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF %I (CONSTRAINT dimension CHECK (vector_dims(embedding) = %s))
                        FOR VALUES IN (%s) PARTITION BY HASH (organization_id)', kind || '_vectors_' || made, kind || '_vectors', p_dimension, made);
        FOR part IN 0..15 LOOP
            EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
                           kind || '_vectors_' || made || '_' || part, kind || '_vectors_' || made, part);
        END LOOP;
    END LOOP;
    RETURN made;
END $$;

-- Builds the graph of every leaf that has none and holds enough rows to need one. Says how many were built.
CREATE OR REPLACE FUNCTION build_vector_graphs(p_index integer, p_least bigint DEFAULT 2000) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public SET maintenance_work_mem = '512MB' AS $$
DECLARE
    leaf record;
    dimension integer := (SELECT v.dimension FROM vector_indexes v WHERE v.index_id = p_index);
    rows bigint;
    built integer := 0;
BEGIN
    FOR leaf IN
        SELECT c.oid, c.relname FROM unnest('{fact,chunk,entity,concept}'::text[]) AS k (kind)
        CROSS JOIN LATERAL pg_partition_tree(to_regclass(format('%I', k.kind || '_vectors_' || p_index))) t
        JOIN pg_class c ON c.oid = t.relid
        WHERE t.isleaf AND NOT has_vector_graph(c.oid) ORDER BY c.relname
    LOOP
        EXECUTE format('SELECT count(*) FROM (SELECT 1 FROM %I LIMIT %s) x', leaf.relname, p_least) INTO rows;
        CONTINUE WHEN rows < p_least;
        EXECUTE format('CREATE INDEX %I ON %I USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops) WITH (m = 16, ef_construction = 64)',
                       leaf.relname || '_graph', leaf.relname, dimension);
        EXECUTE format('ANALYZE %I', leaf.relname);
        built := built + 1;
    END LOOP;
    RETURN built;
END $$;

-- Drops the graph of the caller's leaf when more texts have come after a revision than it holds: to fill it and build anew
-- is several times faster than to add them one by one. Until then its searches read every vector of their organization.
CREATE OR REPLACE FUNCTION drop_outgrown_graph(p_kind text, p_index integer, p_after bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE
    leaf regclass := vector_leaf(p_kind, p_index, tenant_organization());
    coming bigint;
    held bigint;
BEGIN
    IF leaf IS NULL OR NOT has_vector_graph(leaf) THEN
        RETURN false;
    END IF;
    CASE p_kind
        WHEN 'fact' THEN SELECT count(*) INTO coming FROM facts WHERE organization_id = tenant_organization() AND revision > p_after;
        WHEN 'chunk' THEN SELECT count(*) INTO coming FROM chunks WHERE organization_id = tenant_organization() AND from_rev > p_after AND embed;
        ELSE SELECT count(*) INTO coming FROM entities WHERE organization_id = tenant_organization() AND revision > p_after
             AND (p_kind = 'entity' OR kind = 'concept');
    END CASE;
    EXECUTE format('SELECT count(*) FROM (SELECT 1 FROM %s LIMIT %s) x', leaf, coming) INTO held;
    IF held >= coming THEN
        RETURN false;
    END IF;
    EXECUTE format('DROP INDEX IF EXISTS %I', (SELECT relname FROM pg_class WHERE oid = leaf) || '_graph');
    RETURN true;
END $$;

-- Every search asks this: by the catalog's own indexes, planned once a session.
CREATE OR REPLACE FUNCTION has_vector_graph(p_leaf oid) RETURNS boolean LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
                   WHERE i.indrelid = p_leaf AND i.indisvalid AND a.amname = 'hnsw');
END $$;

-- The one leaf that holds an organization's vectors of an index: naming it spares planning the whole tree of partitions.
CREATE OR REPLACE FUNCTION vector_leaf(p_kind text, p_index integer, p_organization uuid) RETURNS regclass
LANGUAGE plpgsql STABLE SET search_path = assay, public AS $$
DECLARE
    parent oid := to_regclass(p_kind || '_vectors_' || p_index);
BEGIN
    FOR part IN 0..15 LOOP
        IF satisfies_hash_partition(parent, 16, part, p_organization) THEN
            RETURN to_regclass(p_kind || '_vectors_' || p_index || '_' || part);
        END IF;
    END LOOP;
    RETURN NULL;
END $$;

-- Whether a search of p_limit rows should walk the leaf's graph: it has one, and reading every vector of the organization
-- would cost more. They cost the same at the square root of 6 * limit * rows of the leaf (measured); up to 5,000 rows all
-- are read, since only that finds every nearest one.
CREATE OR REPLACE FUNCTION walks_graph(p_kind text, p_leaf regclass, p_dimension integer, p_limit integer) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    leaf_rows bigint := pg_relation_size(p_leaf) / (2 * p_dimension + 96);
    few integer := greatest(5000, ceil(sqrt(6.0 * p_limit * leaf_rows)));
    known bigint;
    counted integer;
BEGIN
    -- A graph finds other neighbours as it grows: what is held to a snapshot reads every vector.
    IF leaf_rows < 4000 OR pinned_at() IS NOT NULL OR NOT has_vector_graph(p_leaf) THEN
        RETURN false;
    END IF;
    -- A tenant that is known to be far above needs no count, and neither does a small one whose leaf is too small for the
    -- known number, which may be old, to be far from the truth.
    known := (SELECT sum(t.documents) FROM search_totals t WHERE t.organization_id = tenant_organization() AND t.corpus = p_kind || 's');
    IF known > 2 * few THEN
        RETURN true;
    END IF;
    IF known <= few AND leaf_rows <= 3 * few THEN
        RETURN false;
    END IF;
    EXECUTE format('SELECT count(*) FROM (SELECT 1 FROM %s WHERE organization_id = %L LIMIT %s) x', p_leaf, tenant_organization(), few + 1)
    INTO counted;
    RETURN counted > few;
END $$;

-- The nearest rows of one kind that pass a condition, as the text of a statement; $1 is the vector, $2 the limit. The inner
-- select gives rows by distance, the lateral one keeps those in force, the outer sorts what a relaxed walk leaves unsorted.
-- The graph is on the vector cast to its dimension: without the cast nothing but reading every row can serve the order.
CREATE OR REPLACE FUNCTION nearest_statement(p_kind text, p_leaf regclass, p_dimension integer, p_graph boolean, p_lateral text) RETURNS text
LANGUAGE sql STABLE SET search_path = assay, public AS $$
    SELECT format('SELECT * FROM (SELECT l.*, v.distance FROM (
            SELECT x.%1$I, x.embedding%3$s <=> $1%3$s AS distance FROM %2$s x
            WHERE x.organization_id = %4$L AND x.group_id = ANY (%5$L)
            ORDER BY x.embedding%3$s <=> $1%3$s%7$s OFFSET 0) v
        CROSS JOIN LATERAL (%6$s) l LIMIT $2) f ORDER BY f.distance, 1',
        p_kind || '_id', p_leaf, CASE WHEN p_graph THEN format('::halfvec(%s)', p_dimension) ELSE '' END,
        tenant_organization(), CASE p_kind WHEN 'entity' THEN tenant_known_scopes() ELSE tenant_read_scopes() END, p_lateral, CASE WHEN p_graph THEN '' ELSE format(', x.%I', p_kind || '_id') END)
$$;

-- What a read by a snapshot adds to the condition: only what was embedded when it was made has a vector there.
CREATE OR REPLACE FUNCTION embedded_then(p_revision text) RETURNS text LANGUAGE sql STABLE SET search_path = assay, public AS $$
    SELECT CASE WHEN pinned_embedded() IS NULL THEN '' ELSE format('AND %s <= %s', p_revision, pinned_embedded()) END
$$;

CREATE OR REPLACE FUNCTION search_fact_vectors(
    p_index integer, p_vector halfvec, p_limit integer, p_predicates text[], p_as_of timestamptz, p_known_at bigint, p_lifecycles text[],
    p_kinds text[], p_asserter text, p_tiers smallint[], p_collections text[], p_documents uuid[], p_sources uuid[])
RETURNS TABLE (standing_id uuid, fact_id uuid, distance double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public SET enable_sort = on SET enable_seqscan = on
SET hnsw.iterative_scan = relaxed_order SET hnsw.ef_search = 100 AS $$
DECLARE
    leaf regclass;
    graph boolean;
BEGIN
    leaf := vector_leaf('fact', p_index, tenant_organization());
    IF leaf IS NULL THEN
        RETURN;
    END IF;
    graph := walks_graph('fact', leaf, vector_dims(p_vector), p_limit);
    PERFORM prefer_graph(graph);
    RETURN QUERY EXECUTE nearest_statement('fact', leaf, vector_dims(p_vector), graph, format('
        SELECT s.standing_id, s.fact_id FROM facts_search s
        WHERE s.organization_id = %L AND s.fact_id = v.fact_id AND s.from_rev <= $5 AND s.to_rev > $5 AND s.lifecycle = ANY ($6)
          AND ($4 IS NULL OR (s.valid_from IS NULL OR s.valid_from <= $4) AND (s.valid_to IS NULL OR s.valid_to > $4))
          AND ($3 IS NULL OR s.predicate = ANY ($3))
          AND ($7 IS NULL AND $8 IS NULL AND $9 IS NULL AND $10 IS NULL AND $11 IS NULL AND $12 IS NULL
               OR fact_meets(s.organization_id, s.fact_id, $5, $7, $8, $9, $10, $11, $12))
          %s
        ORDER BY s.valid_from NULLS FIRST OFFSET 0', tenant_organization(), embedded_then(
            '(SELECT f.revision FROM facts f WHERE f.organization_id = s.organization_id AND f.fact_id = s.fact_id)')))
    USING p_vector, p_limit, p_predicates, p_as_of, p_known_at, p_lifecycles, p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources;
END $$;

CREATE OR REPLACE FUNCTION search_chunk_vectors(
    p_index integer, p_vector halfvec, p_limit integer, p_known_at bigint, p_collections text[], p_documents uuid[], p_sources uuid[])
RETURNS TABLE (chunk_id uuid, document_id uuid, distance double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public SET enable_sort = on SET enable_seqscan = on
SET hnsw.iterative_scan = relaxed_order SET hnsw.ef_search = 100 AS $$
DECLARE
    leaf regclass;
    graph boolean;
BEGIN
    leaf := vector_leaf('chunk', p_index, tenant_organization());
    IF leaf IS NULL THEN
        RETURN;
    END IF;
    graph := walks_graph('chunk', leaf, vector_dims(p_vector), p_limit);
    PERFORM prefer_graph(graph);
    RETURN QUERY EXECUTE nearest_statement('chunk', leaf, vector_dims(p_vector), graph, format('
        SELECT s.chunk_id, s.document_id FROM chunks_search s
        WHERE s.organization_id = %L AND s.chunk_id = v.chunk_id AND s.from_rev <= $3 AND s.to_rev > $3
          AND ($5 IS NULL OR s.document_id = ANY ($5))
          AND ($4 IS NULL AND $6 IS NULL OR document_meets(s.organization_id, s.document_id, $4, $6)) %s OFFSET 0',
        tenant_organization(), embedded_then('s.from_rev')))
    USING p_vector, p_limit, p_known_at, p_collections, p_documents, p_sources;
END $$;

-- Entities by meaning. p_concepts asks for entities of kind concept instead.
CREATE OR REPLACE FUNCTION search_entity_vectors(p_index integer, p_vector halfvec, p_limit integer, p_known_at bigint, p_concepts boolean)
RETURNS TABLE (entity_id uuid, distance double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public SET enable_sort = on SET enable_seqscan = on
SET hnsw.iterative_scan = relaxed_order SET hnsw.ef_search = 100 AS $$
DECLARE
    kind text := CASE WHEN p_concepts THEN 'concept' ELSE 'entity' END;
    leaf regclass;
    graph boolean;
BEGIN
    leaf := vector_leaf(kind, p_index, tenant_organization());
    IF leaf IS NULL THEN
        RETURN;
    END IF;
    graph := walks_graph(kind, leaf, vector_dims(p_vector), p_limit);
    PERFORM prefer_graph(graph);
    RETURN QUERY EXECUTE nearest_statement(kind, leaf, vector_dims(p_vector), graph, format('
        SELECT n.entity_id FROM names_search n WHERE n.organization_id = %L AND n.entity_id = v.%I
          AND n.from_rev <= $3 AND n.to_rev > $3 %s LIMIT 1', tenant_organization(), kind || '_id', embedded_then(
            '(SELECT e.revision FROM entities e WHERE e.organization_id = n.organization_id AND e.entity_id = n.entity_id)')))
    USING p_vector, p_limit, p_known_at;
END $$;

-- For the caller's own SET clauses to put back: without sorts the ordered walk is the only plan left.
CREATE OR REPLACE FUNCTION prefer_graph(p_graph boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_graph THEN
        PERFORM set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true);
    END IF;
END $$;
