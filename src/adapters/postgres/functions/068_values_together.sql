-- Subjects that have several values of one predicate now, in the scope that is written in; the standings of each, a few.
CREATE OR REPLACE FUNCTION values_together(
    p_organization uuid, p_read_scopes text, p_group text, p_as_of timestamptz, p_predicates text[], p_one_valued text[],
    p_most integer, p_after_subject uuid, p_after_predicate text, p_limit integer)
RETURNS TABLE (subject_id uuid, predicate text, standings uuid[]) LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    RETURN QUERY
    SELECT s.subject_id, s.predicate, array_agg(s.standing_id ORDER BY s.fact_id) FROM standings s
    WHERE s.organization_id = p_organization AND s.group_id = p_group AND s.to_rev = 9223372036854775807 AND s.lifecycle = 'active'
      AND (s.valid_from IS NULL OR s.valid_from <= p_as_of) AND (s.valid_to IS NULL OR s.valid_to > p_as_of)
      AND (p_predicates IS NULL OR s.predicate = ANY (p_predicates)) AND NOT s.predicate = ANY (p_one_valued)
      AND (p_after_subject IS NULL OR (s.subject_id, s.predicate) > (p_after_subject, p_after_predicate))
    GROUP BY s.subject_id, s.predicate HAVING count(*) BETWEEN 2 AND p_most
    ORDER BY s.subject_id, s.predicate LIMIT p_limit;
END $$;

-- Which of these facts a judge proposed to end before, and in whose favour, however that was decided.
CREATE OR REPLACE FUNCTION judged_before(p_organization uuid, p_read_scopes text, p_facts uuid[])
RETURNS TABLE (older uuid, newer uuid) LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    RETURN QUERY
    SELECT p.target_id, (p.payload -> 'judged' ->> 'newer')::uuid FROM proposals p
    WHERE p.organization_id = p_organization AND p.kind = 'correction' AND p.target_id = ANY (p_facts) AND p.payload ? 'judged';
END $$;
