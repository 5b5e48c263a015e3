-- Text search. Full text and trigrams use no index under a policy, so these are definer functions over tables that have
-- none: they take organization and scopes from the session's settings, never as parameters, and return ids and ranks.

-- Loads the extension: only then may a function carry its settings.
SELECT similarity('', '');

-- The terms of a query with their weights: BM25's idf, halved between the two ways of writing where accents were typed.
-- matches is false for terms too frequent to look up by; they only score. Frequencies come from search_terms where the
-- corpus is large, and are counted where it is small.
CREATE OR REPLACE FUNCTION weigh_terms(p_query text, p_corpus text)
RETURNS TABLE (term text, weight double precision, matches boolean, mean_words double precision)
LANGUAGE plpgsql STABLE ROWS 10 SECURITY DEFINER SET search_path = assay, public SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    organization uuid := tenant_organization();
    scopes text[] := tenant_read_scopes();
    written text[] := tsvector_to_array(to_tsvector('simple', p_query));
    plain text[] := tsvector_to_array(to_tsvector('simple', unaccent('unaccent', p_query)));
    terms text[];
    counts integer[];
    total bigint;
    mean double precision;
    source text := CASE p_corpus WHEN 'facts' THEN 'facts_search' ELSE 'chunks_search' END;
BEGIN
    terms := (SELECT array_agg(DISTINCT t) FROM unnest(written || plain) t);
    terms := terms[:64];
    SELECT sum(t.documents), sum(t.documents * t.mean_words) / nullif(sum(t.documents), 0) INTO total, mean
    FROM search_totals t WHERE t.organization_id = organization AND t.corpus = p_corpus AND t.group_id = ANY (scopes);
    IF pinned_at() IS NOT NULL THEN
        total := (pinned_statistics())[CASE p_corpus WHEN 'facts' THEN 1 ELSE 3 END];
        mean := (pinned_statistics())[CASE p_corpus WHEN 'facts' THEN 2 ELSE 4 END];
        counts := pinned_counts(source, terms);
    ELSIF total IS NULL THEN
        EXECUTE format('SELECT count(*), avg(words) FROM (SELECT words FROM %I WHERE organization_id = $1 AND group_id = ANY ($2) LIMIT 1000) x',
                       source) INTO total, mean USING organization, scopes;
        EXECUTE format('SELECT array_agg((SELECT count(*)::int FROM (SELECT 1 FROM (SELECT terms FROM %I
                WHERE organization_id = $1 AND group_id = ANY ($2) LIMIT 1000) s WHERE s.terms @@ u.q) x) ORDER BY u.n)
            FROM unnest($3) WITH ORDINALITY AS u (q, n)', source)
            INTO counts USING organization, scopes, (SELECT array_agg(term_query(t) ORDER BY n) FROM unnest(terms) WITH ORDINALITY AS u (t, n));
    ELSE
        SELECT array_agg(coalesce((SELECT sum(s.documents)::int FROM search_terms s WHERE s.organization_id = organization
                                   AND s.corpus = p_corpus AND s.term = u.t AND s.group_id = ANY (scopes)), 1) ORDER BY u.n)
        INTO counts FROM unnest(terms) WITH ORDINALITY AS u (t, n);
    END IF;
    RETURN QUERY
    WITH weighed AS (
        SELECT u.t, u.n AS df,
               ln(1 + (greatest(total, u.n, 1) - u.n + 0.5::float8) / (u.n + 0.5::float8))
               * CASE WHEN u.t = ANY (written) AND u.t = ANY (plain) THEN 1.0::float8 ELSE 0.5 END AS idf,
               sum(u.n) OVER (ORDER BY u.n, u.t) AS upto, row_number() OVER (ORDER BY u.n, u.t) AS place
        FROM unnest(terms, counts) AS u (t, n))
    SELECT w.t, w.idf, coalesce(total, 0) <= 1000 OR w.place = 1 OR w.upto <= greatest(1000, least(5000, total / 20)), coalesce(mean, 1)
    FROM weighed w ORDER BY w.place;
END $$;

CREATE OR REPLACE FUNCTION term_query(p_term text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('''' || replace(replace(p_term, '\', '\\'), '''', '''''') || '''')::tsquery;

-- What a row scores, as SQL text over the columns terms and words: BM25 with k1 1.2 and b 0.75. In a sentence a term
-- counts once; in a chunk its frequency is read off ts_rank, which for one term grows with the frequency alone.
CREATE OR REPLACE FUNCTION score_expression(p_terms text[], p_weights double precision[], p_corpus text)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(CASE p_corpus WHEN 'facts'
        THEN format('CASE WHEN s.terms @@ %L::tsquery THEN float8 %L ELSE 0 END', term_query(t), w * 2.2)
        ELSE format('float8 %L * (1 - n.norm / (n.norm + width_bucket(ts_rank(''{1,1,1,1}'', s.terms, %L::tsquery),
                    ''{0.6,0.75,0.82,0.86,0.885,0.9}''::real[])))', w * 2.2, term_query(t)) END, ' + ')
    FROM unnest(p_terms, p_weights) AS u (t, w)
$$;

-- They weighed the terms themselves before, each anew.
DROP FUNCTION IF EXISTS search_facts_text(text, integer, text[], timestamptz, bigint, text[], text[], text, smallint[], text[], uuid[], uuid[]);
DROP FUNCTION IF EXISTS search_facts_about(uuid[], text, integer, text[], timestamptz, bigint, text[], text[], text, smallint[], text[],
    uuid[], uuid[]);

-- Facts by text: segments in force at the asked time, best first. Terms and weights are those of weigh_terms, p_query the
-- terms to look up by.
CREATE OR REPLACE FUNCTION search_facts_text(
    p_terms text[], p_weights double precision[], p_mean double precision, p_query text, p_limit integer, p_predicates text[], p_as_of timestamptz, p_known_at bigint, p_lifecycles text[],
    p_kinds text[], p_asserter text, p_tiers smallint[], p_collections text[], p_documents uuid[], p_sources uuid[])
RETURNS TABLE (standing_id uuid, fact_id uuid, rank double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
BEGIN
    IF p_query IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY EXECUTE facts_statement(p_terms, p_weights, p_mean, format('s.terms @@ %L::tsquery', p_query))
        USING p_limit, p_predicates, p_as_of, p_known_at, p_lifecycles, p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources;
END $$;

-- Facts that have one of the entities on either side, best by the words of the query; more of the entities come first.
CREATE OR REPLACE FUNCTION search_facts_about(
    p_entities uuid[], p_terms text[], p_weights double precision[], p_mean double precision, p_limit integer, p_predicates text[], p_as_of timestamptz, p_known_at bigint, p_lifecycles text[],
    p_kinds text[], p_asserter text, p_tiers smallint[], p_collections text[], p_documents uuid[], p_sources uuid[])
RETURNS TABLE (standing_id uuid, fact_id uuid, rank double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
BEGIN
    IF coalesce(cardinality(p_entities), 0) = 0 OR p_terms IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY EXECUTE facts_statement(p_terms, p_weights, p_mean, format(
        's.standing_id = ANY (ARRAY(SELECT x.standing_id FROM standings x WHERE x.organization_id = %1$L AND x.subject_id = ANY (%2$L)
            AND x.from_rev <= $4 AND x.to_rev > $4 %3$s LIMIT 1000)
         || ARRAY(SELECT x.standing_id FROM standings x WHERE x.organization_id = %1$L AND x.object_key = ANY (%2$L)
            AND x.from_rev <= $4 AND x.to_rev > $4 %3$s LIMIT 1000))', tenant_organization(), p_entities,
        CASE WHEN pinned_at() IS NOT NULL THEN 'ORDER BY x.standing_id' ELSE '' END))
        USING p_limit, p_predicates, p_as_of, p_known_at, p_lifecycles, p_kinds, p_asserter, p_tiers, p_collections, p_documents, p_sources;
END $$;

-- The statement of a fact search with the organization and the scopes as literals, so that the planner knows which tenant it is.
CREATE OR REPLACE FUNCTION facts_statement(p_terms text[], p_weights double precision[], p_mean double precision, p_condition text)
RETURNS text LANGUAGE sql STABLE SET search_path = assay, public AS $$
    SELECT format('SELECT s.standing_id, s.fact_id, (%1$s) / (float8 ''1.3'' + s.words * float8 %2$L)
        FROM facts_search s
        WHERE s.organization_id = %3$L AND s.group_id = ANY (%4$L) AND %5$s
          AND s.from_rev <= $4 AND s.to_rev > $4 AND s.lifecycle = ANY ($5)
          AND ($3 IS NULL OR (s.valid_from IS NULL OR s.valid_from <= $3) AND (s.valid_to IS NULL OR s.valid_to > $3))
          AND ($2 IS NULL OR s.predicate = ANY ($2))
          AND ($6 IS NULL AND $7 IS NULL AND $8 IS NULL AND $9 IS NULL AND $10 IS NULL AND $11 IS NULL
               OR fact_meets(s.organization_id, s.fact_id, $4, $6, $7, $8, $9, $10, $11))
        ORDER BY 3 DESC, s.fact_id, s.standing_id LIMIT $1',
        score_expression(p_terms, p_weights, 'facts'), 0.9 / greatest(p_mean, 1), tenant_organization(), tenant_read_scopes(), p_condition)
$$;

-- Chunks by text, best first; only of some documents or collections when they are given.
CREATE OR REPLACE FUNCTION search_chunks_text(
    p_query text, p_limit integer, p_known_at bigint, p_collections text[], p_documents uuid[], p_sources uuid[])
RETURNS TABLE (chunk_id uuid, document_id uuid, rank double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE
    plan record;
BEGIN
    SELECT array_agg(t.term) AS terms, array_agg(t.weight) AS weights, min(t.mean_words) AS mean,
           string_agg(term_query(t.term)::text, ' | ') FILTER (WHERE t.matches) AS query
    INTO plan FROM weigh_terms(p_query, 'chunks') t;
    IF plan.query IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY EXECUTE chunks_statement(plan.terms, plan.weights, plan.mean, plan.query)
        USING p_limit, p_known_at, p_collections, p_documents, p_sources;
END $$;

CREATE OR REPLACE FUNCTION chunks_statement(p_terms text[], p_weights double precision[], p_mean double precision, p_query text)
RETURNS text LANGUAGE sql STABLE SET search_path = assay, public AS $$
    SELECT format('SELECT s.chunk_id, s.document_id, (%1$s)
        FROM chunks_search s CROSS JOIN LATERAL (SELECT float8 ''0.3'' + s.words * float8 %2$L AS norm) n
        WHERE s.organization_id = %3$L AND s.group_id = ANY (%4$L) AND s.terms @@ %5$L::tsquery AND s.from_rev <= $2 AND s.to_rev > $2
          AND ($4 IS NULL OR s.document_id = ANY ($4))
          AND ($3 IS NULL AND $5 IS NULL OR document_meets(s.organization_id, s.document_id, $3, $5))
        ORDER BY 3 DESC, s.chunk_id LIMIT $1',
        score_expression(p_terms, p_weights, 'chunks'), 0.9 / greatest(p_mean, 1), tenant_organization(), tenant_read_scopes(), p_query)
$$;

CREATE OR REPLACE FUNCTION document_meets(p_organization uuid, p_document uuid, p_collections text[], p_sources uuid[]) RETURNS boolean
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM documents d
        LEFT JOIN collections c ON c.organization_id = d.organization_id AND c.collection_id = d.collection_id
        WHERE d.organization_id = p_organization AND d.document_id = p_document
          AND (p_collections IS NULL OR c.name = ANY (p_collections)) AND (p_sources IS NULL OR d.source_id = ANY (p_sources)));
END $$;

-- Which entities a text names: its n-grams, in normal form, against every current name, with accents and without.
-- gram is the one that names it.
DROP FUNCTION IF EXISTS entities_in_text(text[], bigint);

CREATE FUNCTION entities_in_text(p_grams text[], p_known_at bigint) RETURNS TABLE (entity_id uuid, name text, gram text)
LANGUAGE plpgsql STABLE ROWS 4 SECURITY DEFINER SET search_path = assay, public SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    organization uuid := tenant_organization();
    scopes text[] := tenant_known_scopes();
    plain text[] := string_to_array(folded_name(array_to_string(p_grams, chr(31))), chr(31));
BEGIN
    RETURN QUERY
    SELECT n.entity_id, n.normal, p_grams[array_position(plain, n.folded)] FROM names_search n
    WHERE n.organization_id = organization AND n.folded = ANY (plain) AND n.group_id = ANY (scopes)
      AND n.from_rev <= p_known_at AND n.to_rev > p_known_at;
END $$;

-- Entities whose name is like the one given, the most alike first; exact ones have likeness 1. All of them without a limit. To
-- compare two names takes some hundred times longer than the planner believes: it is done with what the index gives only.
CREATE OR REPLACE FUNCTION search_names(p_name text, p_limit integer, p_known_at bigint)
RETURNS TABLE (entity_id uuid, name text, likeness double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = assay, public SET pg_trgm.similarity_threshold = 0.35
SET enable_seqscan = off SET enable_indexscan = off AS $$
BEGIN
    RETURN QUERY EXECUTE names_statement() USING folded_name(p_name), p_limit, p_known_at;
END $$;

CREATE OR REPLACE FUNCTION names_statement() RETURNS text LANGUAGE sql STABLE SET search_path = assay, public AS $$
    SELECT format('SELECT x.entity_id, x.normal, x.likeness FROM (
            SELECT DISTINCT ON (s.entity_id) s.entity_id, s.normal, similarity(s.folded, $1)::double precision AS likeness
            FROM names_search s
            WHERE s.organization_id = %L AND s.group_id = ANY (%L) AND s.folded %% $1 AND s.from_rev <= $3 AND s.to_rev > $3
            ORDER BY s.entity_id, similarity(s.folded, $1) DESC) x
        ORDER BY x.likeness DESC, x.entity_id LIMIT $2', tenant_organization(), tenant_known_scopes())
$$;

-- Counts the terms of an organization's scopes anew. The sweeper calls it; a search before the first refresh of a large
-- corpus counts for itself, up to a cap.
CREATE OR REPLACE FUNCTION refresh_search_terms(p_organization uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE
    c record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('assay.search_terms ' || p_organization, 0));
    DELETE FROM search_terms WHERE organization_id = p_organization;
    DELETE FROM search_totals WHERE organization_id = p_organization;
    FOR c IN
        SELECT 'facts' AS corpus, 'facts_search' AS source, group_id, count(*) AS documents, avg(words) AS mean, max(from_rev) AS revision
        FROM facts_search WHERE organization_id = p_organization AND to_rev = 9223372036854775807 GROUP BY group_id
        UNION ALL
        SELECT 'chunks', 'chunks_search', group_id, count(*), avg(words), max(from_rev)
        FROM chunks_search WHERE organization_id = p_organization AND to_rev = 9223372036854775807 GROUP BY group_id
    LOOP
        INSERT INTO search_totals (organization_id, group_id, corpus, documents, mean_words, revision)
        VALUES (p_organization, c.group_id, c.corpus, c.documents, c.mean, c.revision);
        INSERT INTO search_terms (organization_id, group_id, corpus, term, documents)
        SELECT p_organization, c.group_id, c.corpus, word, ndoc FROM ts_stat(format(
            'SELECT terms FROM %I WHERE organization_id = %L AND group_id = %L AND to_rev = 9223372036854775807',
            c.source, p_organization, c.group_id)) WHERE ndoc > 1;
    END LOOP;
END $$;
