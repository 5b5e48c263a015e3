-- A batch of lines of one organization in one round trip, as its caller and under the policies. One whose commit was not
-- heard of is sent again: what is there already is left as it is.
CREATE OR REPLACE FUNCTION append_audit(
    p_organization uuid, p_scopes text, p_groups text[], p_ids uuid[], p_at timestamptz[], p_principals uuid[],
    p_kinds text[], p_connections text[], p_doors text[], p_actions text[], p_what text[], p_outcomes text[],
    p_objects text[], p_revisions bigint[], p_requests text[], p_addresses text[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM enter_tenant(p_organization, p_scopes, p_scopes);
    INSERT INTO audit (organization_id, group_id, audit_id, at, principal_id, principal_kind, connection_id, door, action,
                       what, outcome, objects, revision, request_id, address)
    SELECT p_organization, l.group_id, l.audit_id, l.at, l.principal_id, l.principal_kind, l.connection_id, l.door,
           l.action, l.what, l.outcome, string_to_array(l.objects, ',')::uuid[], l.revision, l.request_id, l.address
    FROM unnest(p_groups, p_ids, p_at, p_principals, p_kinds, p_connections, p_doors, p_actions, p_what, p_outcomes,
                p_objects, p_revisions, p_requests, p_addresses)
        AS l (group_id, audit_id, at, principal_id, principal_kind, connection_id, door, action, what, outcome, objects,
              revision, request_id, address)
    ON CONFLICT DO NOTHING;
END $$;

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
