-- What keeps the search tables equal to the record: triggers that run as the owner, a statement at a time.

-- The terms of a text: as written and with accents folded, so that both ways of typing find it.
CREATE OR REPLACE FUNCTION search_terms_of(p_text text) RETURNS tsvector LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = assay, public AS $$
DECLARE
    folded text := unaccent('unaccent', p_text);
BEGIN
    IF folded = p_text THEN
        RETURN to_tsvector('simple', p_text);
    END IF;
    RETURN to_tsvector('simple', p_text) || to_tsvector('simple', folded);
END $$;

CREATE OR REPLACE FUNCTION feed_new_standings() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
    INSERT INTO facts_search (organization_id, group_id, standing_id, fact_id, subject_id, object_id, predicate, lifecycle,
                              kind, tier, valid_from, valid_to, from_rev, to_rev, words, terms)
    SELECT n.organization_id, n.group_id, n.standing_id, n.fact_id, n.subject_id, n.object_id, n.predicate, n.lifecycle,
           n.kind, n.tier, n.valid_from, n.valid_to, n.from_rev, n.to_rev,
           array_length(string_to_array(f.sentence, ' '), 1), search_terms_of(f.sentence)
    FROM new_rows n CROSS JOIN LATERAL (
        -- A look-up a row, by the key: joined, the planner knows neither side's size and can go quadratic.
        SELECT (SELECT f.sentence FROM facts f WHERE f.organization_id = n.organization_id AND f.fact_id = n.fact_id) OFFSET 0
    ) f (sentence)
    WHERE f.sentence IS NOT NULL;
    -- A thing whose name or kind is said has one to be looked for from now on.
    IF EXISTS (SELECT 1 FROM new_rows n WHERE n.predicate IN ('CANONICAL_NAME', 'ENTITY_KIND')) THEN
        UPDATE entities e SET named = true FROM new_rows n
        WHERE n.predicate IN ('CANONICAL_NAME', 'ENTITY_KIND') AND e.organization_id = n.organization_id
          AND e.entity_id = n.subject_id AND e.group_id = n.group_id AND NOT e.named;
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER standings_feed_insert AFTER INSERT ON standings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION feed_new_standings();

CREATE OR REPLACE FUNCTION feed_closed_standings() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    UPDATE facts_search s SET to_rev = n.to_rev FROM new_rows n
    WHERE s.organization_id = n.organization_id AND s.standing_id = n.standing_id;
    INSERT INTO standing_closures (organization_id, group_id, standing_id, fact_id, revision)
    SELECT n.organization_id, n.group_id, n.standing_id, n.fact_id, n.to_rev FROM new_rows n
    WHERE n.to_rev < 9223372036854775807 ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER standings_feed_update AFTER UPDATE ON standings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION feed_closed_standings();

CREATE OR REPLACE FUNCTION feed_new_chunks() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public AS $$
BEGIN
    INSERT INTO chunks_search (organization_id, group_id, chunk_id, document_id, version_id, from_rev, to_rev, words, terms)
    SELECT organization_id, group_id, chunk_id, document_id, version_id, from_rev, to_rev,
           array_length(regexp_split_to_array(text, '\s+'), 1), search_terms_of(text) FROM new_rows;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER chunks_feed_insert AFTER INSERT ON chunks
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION feed_new_chunks();

CREATE OR REPLACE FUNCTION feed_closed_chunks() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    UPDATE chunks_search s SET to_rev = n.to_rev FROM new_rows n
    WHERE s.organization_id = n.organization_id AND s.chunk_id = n.chunk_id;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER chunks_feed_update AFTER UPDATE ON chunks
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION feed_closed_chunks();

CREATE OR REPLACE FUNCTION feed_names() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public AS $$
BEGIN
    INSERT INTO names_search (organization_id, group_id, entity_id, normal, folded, from_rev, to_rev)
    SELECT organization_id, group_id, entity_id, normal, lower(unaccent('unaccent', normal)), from_rev, to_rev FROM new_rows
    ON CONFLICT (organization_id, entity_id, normal, from_rev) DO UPDATE SET to_rev = EXCLUDED.to_rev;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER names_feed_insert AFTER INSERT ON names
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION feed_names();
CREATE OR REPLACE TRIGGER names_feed_update AFTER UPDATE ON names
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION feed_names();
