-- Finding the tenant of a request. These run as the owner, since there is no tenant yet, and answer one narrow question each.

DROP FUNCTION IF EXISTS authenticate_key(bytea);
CREATE FUNCTION authenticate_key(p_hash bytea)
RETURNS TABLE (organization_id uuid, principal_id uuid, principal_kind text, principal_name text, credential_id uuid,
               prefix text, role text, group_id text, grants text[], expired boolean, revoked boolean, seconds_left double precision,
               opens_personal boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT c.organization_id, c.principal_id, p.kind, p.name, c.credential_id, c.prefix, c.role, c.group_id, c.grants,
           coalesce(ends.at <= now(), false), c.revoked_at IS NOT NULL OR p.disabled_at IS NOT NULL,
           extract(epoch FROM ends.at - now())::double precision,
           -- Whoever issues a key has seen it: somebody else's opens no person's own scope.
           c.kind = 'session' OR p.kind = 'agent' OR coalesce(c.issued_by = c.principal_id, false)
    FROM credentials c JOIN principals p USING (organization_id, principal_id),
    LATERAL (SELECT least(c.expires_at, coalesce(c.last_used_at, c.created_at) + make_interval(secs => c.idle_seconds)) AS at) ends
    WHERE c.key_hash = p_hash
$$;

-- Whom a subject of an identity provider is here; the widest scope to work in, and the digest of what claims gave last.
CREATE OR REPLACE FUNCTION find_subject(p_organization uuid, p_subject text)
RETURNS TABLE (principal_id uuid, kind text, name text, disabled boolean, claims_digest bytea, root text, reach text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT p.principal_id, p.kind, p.name, p.disabled_at IS NOT NULL, p.claims_digest, o.group_id,
           CASE WHEN o.group_id = ANY (m.groups) OR cardinality(m.groups) <> 1 THEN o.group_id ELSE m.groups[1] END
    FROM scopes o LEFT JOIN principals p ON p.organization_id = o.organization_id AND p.subject = p_subject,
    LATERAL (SELECT coalesce(array_agg(DISTINCT m.group_id), '{}') AS groups FROM memberships m
             WHERE m.organization_id = o.organization_id AND m.principal_id = p.principal_id AND m.group_id NOT LIKE 'u\_%') m
    WHERE o.organization_id = p_organization AND o.kind = 'organization'
$$;

-- At most one write a minute a key.
CREATE OR REPLACE FUNCTION touch_key(p_organization uuid, p_credential uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = assay, public AS $$
    UPDATE credentials SET last_used_at = now()
    WHERE organization_id = p_organization AND credential_id = p_credential
      AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
$$;

-- The scope that a caller names, narrowest first, then what contains it. p_reach is the widest scope of the caller's
-- key: what is asked must be it or lie in it. p_workspace and p_project are names; p_personal asks for the caller's own.
CREATE OR REPLACE FUNCTION resolve_scope(p_organization uuid, p_reach text, p_principal uuid,
                                         p_workspace text, p_project text, p_personal boolean)
RETURNS TABLE (depth integer, group_id text, kind text, gate text, in_reach boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    WITH RECURSIVE target AS (
        SELECT s.group_id FROM scopes s
        LEFT JOIN scopes w ON w.organization_id = s.organization_id AND w.group_id = s.container_id
        WHERE s.organization_id = p_organization AND CASE
            WHEN p_personal THEN s.kind = 'personal' AND s.principal_id = p_principal
            WHEN p_project IS NOT NULL THEN s.kind = 'project' AND s.name = p_project AND w.kind = 'workspace' AND w.name = p_workspace
            WHEN p_workspace IS NOT NULL THEN s.kind = 'workspace' AND s.name = p_workspace
            ELSE s.group_id = p_reach END
    ), chain AS (
        SELECT 0 AS depth, s.* FROM scopes s JOIN target t USING (group_id) WHERE s.organization_id = p_organization
        UNION ALL
        SELECT c.depth + 1, s.* FROM chain c
        JOIN scopes s ON s.organization_id = c.organization_id AND s.group_id = c.container_id
    )
    SELECT c.depth, c.group_id, c.kind, c.gate,
           bool_or(c.group_id = p_reach OR c.kind = 'personal' AND c.principal_id = p_principal) OVER ()
    FROM chain c ORDER BY c.depth
$$;

-- The scopes within a reach where a principal has roles, there or around them; its personal one among them.
CREATE OR REPLACE FUNCTION own_scopes(p_organization uuid, p_principal uuid, p_reach text)
RETURNS TABLE (path text, kind text, roles text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT CASE s.kind WHEN 'workspace' THEN s.name WHEN 'project' THEN c.name || '/' || s.name ELSE s.kind END AS path,
           s.kind, array_agg(DISTINCT m.role)
    FROM scopes s
    LEFT JOIN scopes c ON c.organization_id = s.organization_id AND c.group_id = s.container_id
    LEFT JOIN scopes o ON o.organization_id = c.organization_id AND o.group_id = c.container_id
    JOIN memberships m ON m.organization_id = s.organization_id AND m.principal_id = p_principal
        AND (m.group_id IN (s.group_id, c.group_id, o.group_id))
    WHERE s.organization_id = p_organization
      AND (s.kind <> 'personal' OR s.principal_id = p_principal)
      AND (s.kind = 'personal' OR p_reach IN (s.group_id, c.group_id, o.group_id))
    GROUP BY 1, 2 ORDER BY 1
$$;

-- Every scope of an organization, for work that concerns all of it.
CREATE OR REPLACE FUNCTION organization_scopes(p_organization uuid) RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT group_id FROM scopes WHERE organization_id = p_organization ORDER BY group_id
$$;

-- For the sweeper: who lags behind the head, without saying what they hold.
CREATE OR REPLACE FUNCTION lagging_projections(p_engine text) RETURNS TABLE (organization_id uuid, group_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT h.organization_id, s.group_id
    FROM heads h JOIN scopes s ON s.organization_id = h.organization_id AND s.kind = 'organization'
    WHERE NOT EXISTS (SELECT 1 FROM projections p WHERE p.organization_id = h.organization_id AND p.engine = p_engine
                      AND p.live AND p.watermark >= h.revision)
$$;
CREATE OR REPLACE FUNCTION lagging_vectors() RETURNS TABLE (organization_id uuid, group_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT h.organization_id, s.group_id
    FROM heads h JOIN scopes s ON s.organization_id = h.organization_id AND s.kind = 'organization'
    JOIN active_vector_indexes a ON a.organization_id = h.organization_id
    WHERE a.watermark < h.revision
$$;
CREATE OR REPLACE FUNCTION all_organizations() RETURNS TABLE (organization_id uuid, group_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = assay, public AS $$
    SELECT organization_id, group_id FROM scopes WHERE kind = 'organization'
$$;
