-- Traversal over the record itself. Each entry function takes the tenant for its transaction, so that a read is one
-- round trip; the policies then bind the scopes of the edge and of both its ends. Nothing here is a definer function.

-- What these returned before; no other type can take the place of a result.
DROP FUNCTION IF EXISTS graph_touching(uuid, uuid[], boolean, boolean, text[], timestamptz, bigint, text[]);
DROP FUNCTION IF EXISTS graph_edges_of(uuid, uuid[], integer[]);
DROP FUNCTION IF EXISTS graph_neighbourhood(uuid, text, uuid[], integer, boolean, boolean, text[], timestamptz, bigint, text[], integer);
DROP FUNCTION IF EXISTS graph_among(uuid, text, uuid[], timestamptz, bigint, text[]);
DROP FUNCTION IF EXISTS graph_edges(uuid, text, uuid[]);
DROP FUNCTION IF EXISTS graph_edges_of(uuid, uuid[]);

-- The standings that touch a frontier, at a revision and a moment, each once, with the far end, which with a literal is the
-- subject again: whoever joins it to its entity sees whether it is readable. Those to p_before, which was expanded earlier,
-- are left out. It is one SELECT without settings, so that it becomes a part of the statement that calls it.
CREATE OR REPLACE FUNCTION graph_touching(
    p_organization uuid, p_frontier uuid[], p_before uuid[], p_out boolean, p_in boolean, p_predicates text[],
    p_as_of timestamptz, p_known_at bigint, p_lifecycles text[])
RETURNS TABLE (
    standing_id uuid, fact_id uuid, group_id text, subject_id uuid, predicate text, object_id uuid, valid_from timestamptz,
    valid_to timestamptz, lifecycle text, confidence double precision, standing_hash bytea, from_rev bigint, far uuid)
LANGUAGE sql STABLE ROWS 100 AS $$
    SELECT s.standing_id, s.fact_id, s.group_id, s.subject_id, s.predicate, s.object_id, s.valid_from, s.valid_to, s.lifecycle,
           s.confidence, s.standing_hash, s.from_rev, coalesce(s.object_id, s.subject_id)
    FROM standings s
    WHERE p_out AND s.organization_id = p_organization AND s.subject_id = ANY (p_frontier)
      AND (p_predicates IS NULL OR s.predicate = ANY (p_predicates)) AND s.lifecycle = ANY (p_lifecycles)
      AND s.from_rev <= p_known_at AND s.to_rev > p_known_at
      AND (s.valid_from IS NULL OR s.valid_from <= p_as_of) AND (s.valid_to IS NULL OR s.valid_to > p_as_of)
      AND (s.object_id IS NULL OR s.object_id NOT IN (SELECT unnest(p_before)))
    UNION ALL
    SELECT s.standing_id, s.fact_id, s.group_id, s.subject_id, s.predicate, s.object_id, s.valid_from, s.valid_to, s.lifecycle,
           s.confidence, s.standing_hash, s.from_rev, s.subject_id
    FROM standings s
    WHERE p_in AND s.organization_id = p_organization AND s.object_key = ANY (p_frontier) AND s.object_id IS NOT NULL
      AND (p_predicates IS NULL OR s.predicate = ANY (p_predicates)) AND s.lifecycle = ANY (p_lifecycles)
      AND s.from_rev <= p_known_at AND s.to_rev > p_known_at
      AND (s.valid_from IS NULL OR s.valid_from <= p_as_of) AND (s.valid_to IS NULL OR s.valid_to > p_as_of)
      AND s.subject_id NOT IN (SELECT unnest(p_before))
      AND (NOT p_out OR s.subject_id NOT IN (SELECT unnest(p_frontier)))
$$;

-- Standings with what their facts show, each with its hop, in order.
CREATE OR REPLACE FUNCTION graph_edges_of(p_organization uuid, p_standings uuid[], p_known_at bigint)
RETURNS TABLE (
    hop integer, standing_id uuid, fact_id uuid, group_id text, subject_id uuid, predicate text, object_id uuid,
    object_literal text, sentence text, valid_from timestamptz, valid_to timestamptz, lifecycle text,
    confidence double precision, standing_hash bytea, from_rev bigint)
LANGUAGE plpgsql STABLE ROWS 100 SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
    some_named boolean := anything_named(p_organization);
BEGIN
    RETURN QUERY
    SELECT 1, s.standing_id, s.fact_id, s.group_id, s.subject_id, s.predicate, s.object_id, f.object_literal::text,
           CASE WHEN some_named THEN shown_sentence(p_organization, f.sentence, s.subject_id, s.predicate, s.object_id, p_known_at)
           ELSE f.sentence END,
           s.valid_from, s.valid_to, s.lifecycle, s.confidence, s.standing_hash, s.from_rev
    FROM unnest(p_standings) u (standing_id)
    JOIN standings s ON s.organization_id = p_organization AND s.standing_id = u.standing_id
    JOIN facts f ON f.organization_id = p_organization AND f.fact_id = s.fact_id
    ORDER BY s.fact_id, s.standing_id;
END $$;

-- The edges within some hops, with the hop that first meets each, in order; one more than the limit says that there are
-- more. An entity is expanded once: with both directions, an edge to one expanded before has been met. A hop is one
-- statement that reads each standing once; all hops but the last are few rows, and are read once more for the next frontier.
CREATE OR REPLACE FUNCTION graph_neighbourhood(
    p_organization uuid, p_read_scopes text, p_starts uuid[], p_hops integer, p_out boolean, p_in boolean, p_predicates text[],
    p_as_of timestamptz, p_known_at bigint, p_lifecycles text[], p_limit integer)
RETURNS TABLE (
    hop integer, standing_id uuid, fact_id uuid, group_id text, subject_id uuid, predicate text, object_id uuid,
    object_literal text, sentence text, valid_from timestamptz, valid_to timestamptz, lifecycle text,
    confidence double precision, standing_hash bytea, from_rev bigint)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
    frontier uuid[];
    visited uuid[] := '{}';
    before uuid[];
    wanted bigint := p_limit + 1;
    found bigint;
    some_named boolean;
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    some_named := anything_named(p_organization);
    frontier := ARRAY(SELECT e.entity_id FROM entities e WHERE e.organization_id = p_organization AND e.entity_id = ANY (p_starts));
    FOR step IN 1..p_hops LOOP
        EXIT WHEN cardinality(frontier) = 0 OR wanted = 0;
        before := CASE WHEN p_out AND p_in THEN visited ELSE '{}' END;
        RETURN QUERY
        SELECT step, t.standing_id, t.fact_id, t.group_id, t.subject_id, t.predicate, t.object_id, f.object_literal::text,
               CASE WHEN some_named THEN shown_sentence(p_organization, f.sentence, t.subject_id, t.predicate, t.object_id, p_known_at)
               ELSE f.sentence END,
               t.valid_from, t.valid_to, t.lifecycle, t.confidence, t.standing_hash, t.from_rev
        FROM (
            SELECT t.* FROM graph_touching(
                p_organization, frontier, before, p_out, p_in, p_predicates, p_as_of, p_known_at, p_lifecycles) t
            JOIN entities e ON e.organization_id = p_organization AND e.entity_id = t.far
            ORDER BY t.fact_id, t.standing_id LIMIT wanted) t
        JOIN facts f ON f.organization_id = p_organization AND f.fact_id = t.fact_id
        ORDER BY t.fact_id, t.standing_id;
        EXIT WHEN step = p_hops;
        GET DIAGNOSTICS found = ROW_COUNT;
        wanted := wanted - found;
        visited := visited || frontier;
        frontier := ARRAY(
            WITH far AS MATERIALIZED (
                SELECT t.far FROM graph_touching(
                    p_organization, frontier, before, p_out, p_in, p_predicates, p_as_of, p_known_at, p_lifecycles) t
                EXCEPT SELECT unnest(visited))
            SELECT e.entity_id FROM far JOIN entities e ON e.organization_id = p_organization AND e.entity_id = far.far);
    END LOOP;
END $$;

-- The links between entities at a frontier whose entities are readable.
CREATE OR REPLACE FUNCTION graph_links(
    p_organization uuid, p_read_scopes text, p_frontier uuid[], p_out boolean, p_in boolean, p_predicates text[],
    p_as_of timestamptz, p_known_at bigint, p_lifecycles text[])
RETURNS TABLE (fact_id uuid, standing_id uuid, subject_id uuid, object_id uuid)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    RETURN QUERY
    WITH touched AS MATERIALIZED (
        SELECT t.fact_id, t.standing_id, t.subject_id, t.object_id, t.far
        FROM graph_touching(p_organization, p_frontier, '{}', p_out, p_in, p_predicates, p_as_of, p_known_at, p_lifecycles) t
        WHERE t.object_id IS NOT NULL)
    SELECT t.fact_id, t.standing_id, t.subject_id, t.object_id FROM touched t WHERE t.far IN (
        SELECT e.entity_id FROM entities e
        WHERE e.organization_id = p_organization AND e.entity_id IN (SELECT far FROM touched));
END $$;

-- The edges that leave one of the entities for another.
CREATE OR REPLACE FUNCTION graph_among(
    p_organization uuid, p_read_scopes text, p_entities uuid[], p_as_of timestamptz, p_known_at bigint, p_lifecycles text[])
RETURNS TABLE (
    hop integer, standing_id uuid, fact_id uuid, group_id text, subject_id uuid, predicate text, object_id uuid,
    object_literal text, sentence text, valid_from timestamptz, valid_to timestamptz, lifecycle text,
    confidence double precision, standing_hash bytea, from_rev bigint)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    readable uuid[];
    found uuid[];
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    readable := ARRAY(SELECT e.entity_id FROM entities e WHERE e.organization_id = p_organization AND e.entity_id = ANY (p_entities));
    found := ARRAY(
        SELECT t.standing_id
        FROM graph_touching(p_organization, readable, '{}', true, false, NULL, p_as_of, p_known_at, p_lifecycles) t
        WHERE t.object_id IN (SELECT unnest(readable)));
    RETURN QUERY SELECT * FROM graph_edges_of(p_organization, found, p_known_at);
END $$;

-- Some standings by id, whatever their revision.
CREATE OR REPLACE FUNCTION graph_edges(p_organization uuid, p_read_scopes text, p_standings uuid[], p_known_at bigint)
RETURNS TABLE (
    hop integer, standing_id uuid, fact_id uuid, group_id text, subject_id uuid, predicate text, object_id uuid,
    object_literal text, sentence text, valid_from timestamptz, valid_to timestamptz, lifecycle text,
    confidence double precision, standing_hash bytea, from_rev bigint)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    RETURN QUERY SELECT * FROM graph_edges_of(p_organization, p_standings, p_known_at);
END $$;

-- The readable ones of some entities, and the organization's last revision: what a search of several steps holds on to.
CREATE OR REPLACE FUNCTION graph_readable(p_organization uuid, p_read_scopes text, p_entities uuid[])
RETURNS TABLE (entities uuid[], revision bigint) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    RETURN QUERY SELECT
        ARRAY(SELECT e.entity_id FROM entities e WHERE e.organization_id = p_organization AND e.entity_id = ANY (p_entities)),
        (SELECT h.revision FROM heads h WHERE h.organization_id = p_organization);
END $$;

-- The tenant with all its scopes, for what concerns the whole organization.
CREATE OR REPLACE FUNCTION enter_whole_tenant(p_organization uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM enter_tenant(p_organization, (SELECT coalesce(string_agg(s, ','), '') FROM organization_scopes(p_organization) s));
END $$;

CREATE OR REPLACE FUNCTION graph_hashes(p_organization uuid) RETURNS TABLE (standing_id uuid, standing_hash bytea)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM enter_whole_tenant(p_organization);
    RETURN QUERY SELECT s.standing_id, s.standing_hash FROM standings s
    WHERE s.organization_id = p_organization AND s.to_rev = 9223372036854775807;
END $$;

-- How many entities, documents, mentions, edges and literals a graph of the present would hold.
CREATE OR REPLACE FUNCTION graph_counts(p_organization uuid)
RETURNS TABLE (entities bigint, documents bigint, mentions bigint, edges bigint, literals bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM enter_whole_tenant(p_organization);
    RETURN QUERY
    WITH gone AS (
        SELECT m.entity_id FROM entity_states m
        WHERE m.organization_id = p_organization AND m.to_rev = 9223372036854775807 AND m.merged_into IS NOT NULL),
    accepted AS (
        SELECT v.version_id, v.document_id FROM document_versions v
        JOIN document_states d ON d.organization_id = v.organization_id AND d.version_id = v.version_id AND d.to_rev = 9223372036854775807
        WHERE v.organization_id = p_organization AND d.status IN ('pending', 'processing', 'completed'))
    SELECT (SELECT count(*) FROM entities e WHERE e.organization_id = p_organization
                AND NOT EXISTS (SELECT 1 FROM gone g WHERE g.entity_id = e.entity_id)),
           (SELECT count(DISTINCT a.document_id) FROM accepted a),
           (SELECT count(*) FROM (
                SELECT DISTINCT a.document_id, r.entity_id FROM accepted a
                JOIN mentions m ON m.organization_id = p_organization AND m.version_id = a.version_id
                JOIN resolutions r ON r.organization_id = p_organization AND r.mention_id = m.mention_id AND r.to_rev = 9223372036854775807
                WHERE NOT EXISTS (SELECT 1 FROM gone g WHERE g.entity_id = r.entity_id)) pairs),
           count(*), count(DISTINCT s.fact_id) FILTER (WHERE s.object_id IS NULL)
    FROM standings s WHERE s.organization_id = p_organization AND s.to_rev = 9223372036854775807;
END $$;
