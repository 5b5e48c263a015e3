-- name: add_organization
INSERT INTO organizations (organization_id, name) VALUES ($1, $2)

-- name: add_head
INSERT INTO heads (organization_id, hash) VALUES ($1, sha256(convert_to('assay ' || $1::uuid::text, 'UTF8')))

-- name: organization
SELECT name, gate FROM organizations WHERE organization_id = tenant_organization()

-- name: add_scope
INSERT INTO scopes (organization_id, group_id, scope_id, kind, container_id, principal_id, name)
VALUES (tenant_organization(), $1, uuidv7(), $2, $3, $4, $5) RETURNING scope_id

-- name: scopes
SELECT s.scope_id, s.kind, CASE s.kind WHEN 'organization' THEN 'organization' WHEN 'personal' THEN 'personal'
           WHEN 'workspace' THEN s.name ELSE c.name || '/' || s.name END AS path, s.gate, s.created_at
FROM scopes s LEFT JOIN scopes c ON c.organization_id = s.organization_id AND c.group_id = s.container_id
WHERE s.organization_id = tenant_organization() ORDER BY path

-- name: add_principal
INSERT INTO principals (organization_id, principal_id, kind, name) VALUES (tenant_organization(), $1, $2, $3)

-- name: set_membership
INSERT INTO memberships (organization_id, group_id, principal_id, role) VALUES (tenant_organization(), $1, $2, $3)
ON CONFLICT (organization_id, group_id, principal_id, given_by) DO UPDATE SET role = EXCLUDED.role

-- name: memberships
SELECT m.principal_id, p.name, CASE s.kind WHEN 'organization' THEN 'organization' WHEN 'personal' THEN 'personal'
           WHEN 'workspace' THEN s.name ELSE c.name || '/' || s.name END AS path, m.role, m.given_by
FROM memberships m
JOIN principals p USING (organization_id, principal_id)
JOIN scopes s ON s.organization_id = m.organization_id AND s.group_id = m.group_id
LEFT JOIN scopes c ON c.organization_id = s.organization_id AND c.group_id = s.container_id
WHERE m.organization_id = tenant_organization() ORDER BY path, p.name, m.given_by DESC

-- name: add_key
INSERT INTO credentials (organization_id, credential_id, principal_id, name, prefix, key_hash, role, group_id, expires_at, grants,
                         issued_by)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)

-- name: keys
SELECT k.credential_id, k.name, k.prefix, k.principal_id, k.role,
       CASE s.kind WHEN 'organization' THEN 'organization' WHEN 'personal' THEN 'personal'
           WHEN 'workspace' THEN s.name ELSE c.name || '/' || s.name END AS path,
       k.created_at, k.expires_at, k.revoked_at, k.last_used_at, k.grants, k.replaced_by, k.issued_by
FROM credentials k
JOIN scopes s ON s.organization_id = k.organization_id AND s.group_id = k.group_id
LEFT JOIN scopes c ON c.organization_id = s.organization_id AND c.group_id = s.container_id
WHERE k.organization_id = tenant_organization() AND k.group_id = ANY (tenant_write_scopes()) AND k.kind = 'key'
ORDER BY k.credential_id DESC

-- name: revoke_key
UPDATE credentials SET revoked_at = coalesce(revoked_at, now())
WHERE organization_id = tenant_organization() AND credential_id = $1 RETURNING true

-- name: gate_policy
SELECT coalesce((SELECT s.gate FROM scopes s WHERE s.organization_id = o.organization_id AND s.gate IS NOT NULL
                 ORDER BY array_position(tenant_read_scopes(), s.group_id) LIMIT 1), o.gate)
FROM organizations o WHERE o.organization_id = tenant_organization()

-- name: set_monthly_limit
UPDATE organizations SET monthly_model_limit_micros = $1 WHERE organization_id = tenant_organization()
