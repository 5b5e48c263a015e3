-- A vote sees the head as it is and keeps it from moving until the vote is there: what a revision counts never changes later.
CREATE OR REPLACE FUNCTION give_feedback(p_fact uuid, p_principal uuid, p_helpful boolean, p_query text, p_signals jsonb)
RETURNS bigint LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    org uuid := tenant_organization();
    forever CONSTANT bigint := 9223372036854775807;
    seen bigint;
    kept bigint;
BEGIN
    SELECT revision INTO seen FROM heads WHERE organization_id = org FOR SHARE;
    UPDATE feedback SET to_rev = seen
    WHERE organization_id = org AND fact_id = p_fact AND principal_id = p_principal AND to_rev = forever AND revision < seen;
    INSERT INTO feedback (organization_id, group_id, feedback_id, fact_id, principal_id, helpful, query, signals, revision)
    SELECT org, f.group_id, uuidv7(), f.fact_id, p_principal, p_helpful, p_query, p_signals, seen
    FROM facts f WHERE f.organization_id = org AND f.fact_id = p_fact
    ON CONFLICT (organization_id, fact_id, principal_id) WHERE to_rev = 9223372036854775807
    DO UPDATE SET helpful = EXCLUDED.helpful, query = EXCLUDED.query, signals = EXCLUDED.signals,
                  revision = EXCLUDED.revision, at = now()
    RETURNING revision INTO kept;
    RETURN kept;
END $$;
