-- The application role may add lines to the audit and read them. Only this takes some away: those older than the
-- organization's policy, or than p_days where it has none, and none that is younger than 30 days whoever asks.
CREATE OR REPLACE FUNCTION forget_audit(p_days integer, p_most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = assay, public AS $$
DECLARE
    o record;
    gone bigint;
    forgotten bigint := 0;
BEGIN
    FOR o IN SELECT organization_id, clock_timestamp() - make_interval(days => greatest(coalesce(audit_days, p_days), 30)) AS before
             FROM organizations LOOP
        DELETE FROM audit WHERE organization_id = o.organization_id AND audit_id = ANY (ARRAY (
            SELECT a.audit_id FROM audit a
            WHERE a.organization_id = o.organization_id AND a.audit_id < audit_place(o.before) AND a.at < o.before
            ORDER BY a.audit_id LIMIT p_most - forgotten));
        GET DIAGNOSTICS gone = ROW_COUNT;
        forgotten := forgotten + gone;
        EXIT WHEN forgotten >= p_most;
    END LOOP;
    RETURN forgotten;
END $$;

-- The least UUIDv7 of a moment: lines lie in the order of their times.
CREATE OR REPLACE FUNCTION audit_place(p_at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (lpad(to_hex(floor(extract(epoch FROM p_at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid;
