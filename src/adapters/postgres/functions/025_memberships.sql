-- More of what is asked before there is a tenant; see 020_sign_in.sql.

-- The roles that a principal has in some scopes.
CREATE OR REPLACE FUNCTION membership_roles(p_organization uuid, p_principal uuid, p_groups text[]) RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT role FROM memberships
    WHERE organization_id = p_organization AND principal_id = p_principal AND group_id = ANY (p_groups)
$$;

-- A scope and every scope in it.
CREATE OR REPLACE FUNCTION scopes_below(p_organization uuid, p_group text) RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    WITH RECURSIVE inside AS (
        SELECT group_id FROM scopes WHERE organization_id = p_organization AND group_id = p_group
        UNION ALL
        SELECT s.group_id FROM inside i
        JOIN scopes s ON s.organization_id = p_organization AND s.container_id = i.group_id
    )
    SELECT group_id FROM inside ORDER BY group_id
$$;

-- The same for a principal: personal scopes of others are left out.
CREATE OR REPLACE FUNCTION scopes_open_below(p_organization uuid, p_group text, p_principal uuid) RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT s.group_id FROM scopes s
    WHERE s.organization_id = p_organization AND (s.kind <> 'personal' OR s.principal_id = p_principal)
      AND s.group_id IN (SELECT scopes_below(p_organization, p_group))
    ORDER BY s.group_id
$$;

-- What a starting process compares with the files that it brings.
CREATE OR REPLACE FUNCTION applied_scripts() RETURNS TABLE (name text, checksum text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT name, checksum FROM applied_migrations UNION ALL SELECT name, checksum FROM applied_functions
$$;
