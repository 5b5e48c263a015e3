-- What a fact was promoted from: of its assertions that were placed by a revision, those that repeat a narrower scope's fact.
CREATE OR REPLACE FUNCTION promoted_from(p_organization uuid, p_read_scopes text, p_fact uuid, p_known_at bigint)
RETURNS TABLE (assertion_id uuid, fact_id uuid, origin text, proposal_id uuid, saw bigint, proposed_by uuid, proposed_by_name text,
               approved_by uuid, approved_by_name text, revision bigint)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    PERFORM enter_tenant(p_organization, p_read_scopes);
    RETURN QUERY
    SELECT o.assertion_id, o.fact_id, o.origin, o.proposal_id, o.saw, o.proposed_by, asking.name, o.approved_by, deciding.name, o.revision
    FROM placements p
    JOIN promotions o ON o.organization_id = p.organization_id AND o.assertion_id = p.assertion_id
    JOIN principals asking ON asking.organization_id = o.organization_id AND asking.principal_id = o.proposed_by
    JOIN principals deciding ON deciding.organization_id = o.organization_id AND deciding.principal_id = o.approved_by
    WHERE p.organization_id = p_organization AND p.fact_id = p_fact AND p.from_rev <= p_known_at AND p.to_rev > p_known_at
    ORDER BY o.revision, o.assertion_id;
END $$;
