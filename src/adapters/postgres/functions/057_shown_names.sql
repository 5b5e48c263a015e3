-- What a thing is shown as, at a revision: names and kinds are facts, and a thing that has none is shown as it was first
-- mentioned. Sentences are kept as they were first written, and are shown with the names of the revision that is read.

-- What the fact in force says, of those of the thing's own scope: a person's word first. Texts are compared without case,
-- so the spelling is that of the latest assertion.
CREATE OR REPLACE FUNCTION stated_of(p_organization uuid, p_entity uuid, p_group text, p_predicate text, p_known_at bigint) RETURNS text
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
BEGIN
    RETURN (
        SELECT a.object_literal ->> 'value' FROM (
            SELECT s.fact_id FROM standings s
            WHERE s.organization_id = p_organization AND s.subject_id = p_entity AND s.predicate = p_predicate
              AND s.group_id = p_group AND s.lifecycle IN ('active', 'disputed') AND s.support AND s.object_id IS NULL
              AND s.valid_to IS NULL AND s.from_rev <= p_known_at AND s.to_rev > p_known_at
            ORDER BY s.corrected DESC, s.score DESC, s.fact_id LIMIT 1) f
        JOIN placements p ON p.organization_id = p_organization AND p.fact_id = f.fact_id AND p.state = 'live'
            AND p.from_rev <= p_known_at AND p.to_rev > p_known_at
        JOIN assertions a ON a.organization_id = p_organization AND a.assertion_id = p.assertion_id AND a.polarity = 'support'
        ORDER BY a.corrects_revision IS NULL, a.observed_at DESC, a.assertion_id DESC LIMIT 1);
END $$;

CREATE OR REPLACE FUNCTION shown_name(p_entity entities, p_known_at bigint) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF NOT p_entity.named OR p_entity.name = '' THEN
        RETURN p_entity.name;
    END IF;
    RETURN coalesce(stated_of(p_entity.organization_id, p_entity.entity_id, p_entity.group_id, 'CANONICAL_NAME', p_known_at),
                    p_entity.name);
END $$;

CREATE OR REPLACE FUNCTION shown_kind(p_entity entities, p_known_at bigint) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF NOT p_entity.named OR p_entity.name = '' THEN
        RETURN p_entity.kind;
    END IF;
    RETURN coalesce(stated_of(p_entity.organization_id, p_entity.entity_id, p_entity.group_id, 'ENTITY_KIND', p_known_at),
                    p_entity.kind);
END $$;

-- The longest of the names that a thing had by a revision with which the text begins, or ends; NULL when there is none. Names
-- come without the full stop that a text may have behind them.
CREATE OR REPLACE FUNCTION name_within(p_entity entities, p_text text, p_at_end boolean, p_known_at bigint) RETURNS text
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
    RETURN (
        SELECT x.name FROM (
            SELECT n.name || stop AS name FROM names n CROSS JOIN (VALUES (''), ('.')) AS s (stop)
            WHERE n.organization_id = p_entity.organization_id AND n.entity_id = p_entity.entity_id AND n.from_rev <= p_known_at
            UNION SELECT p_entity.name) x
        WHERE CASE WHEN p_at_end THEN lower(right(p_text, length(x.name) + 1)) = ' ' || lower(x.name)
                   ELSE lower(left(p_text, length(x.name) + 1)) = lower(x.name) || ' ' END
        ORDER BY length(x.name) DESC, x.name LIMIT 1);
END $$;

-- A sentence with the names that its two ends have at a revision, where something says one; else with those that it was worded
-- with. What a thing is called is said as it was said.
CREATE OR REPLACE FUNCTION shown_sentence(
    p_organization uuid, p_sentence text, p_subject uuid, p_predicate text, p_object uuid, p_known_at bigint) RETURNS text
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    e entities;
    told text := p_sentence;
    details text := '';
    called text;
    former text;
BEGIN
    IF p_sentence IS NULL OR p_predicate = 'CANONICAL_NAME' THEN
        RETURN p_sentence;
    END IF;
    SELECT * INTO e FROM entities x WHERE x.organization_id = p_organization AND x.entity_id = p_subject AND x.named;
    IF FOUND THEN
        called := stated_of(p_organization, e.entity_id, e.group_id, 'CANONICAL_NAME', p_known_at);
        former := CASE WHEN called IS NOT NULL THEN name_within(e, told, false, p_known_at) END;
        IF former IS NOT NULL THEN
            told := called || substr(told, length(former) + 1);
        END IF;
    END IF;
    SELECT * INTO e FROM entities x WHERE x.organization_id = p_organization AND x.entity_id = p_object AND x.named;
    IF FOUND THEN
        called := stated_of(p_organization, e.entity_id, e.group_id, 'CANONICAL_NAME', p_known_at);
        former := CASE WHEN called IS NOT NULL THEN name_within(e, told, true, p_known_at) END;
        IF called IS NOT NULL AND former IS NULL AND told ~ ' \([^()]*\)$' THEN
            details := substring(told FROM ' \([^()]*\)$');
            told := left(told, length(told) - length(details));
            former := name_within(e, told, true, p_known_at);
        END IF;
        IF former IS NOT NULL THEN
            told := left(told, length(told) - length(former)) || called;
        END IF;
    END IF;
    RETURN told || details;
END $$;

-- Whether anything of the organization has a name or kind of its own to be looked for.
CREATE OR REPLACE FUNCTION anything_named(p_organization uuid) RETURNS boolean LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM entities e WHERE e.organization_id = p_organization AND e.named);
END $$;
