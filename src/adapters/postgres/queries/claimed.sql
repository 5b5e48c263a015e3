-- name: find_subject
SELECT principal_id, kind, name, disabled, claims_digest, root, reach FROM find_subject($1, $2)

-- name: organizations
SELECT organization_id FROM all_organizations() ORDER BY organization_id

-- name: own_scopes
SELECT path, kind, roles FROM own_scopes($1, $2, $3)

-- name: add_principal
INSERT INTO principals (organization_id, principal_id, kind, name, subject) VALUES (tenant_organization(), $1, $2, $3, $4)

-- name: groups
SELECT CASE s.kind WHEN 'organization' THEN 'organization' WHEN 'workspace' THEN s.name ELSE c.name || '/' || s.name END, s.group_id
FROM scopes s LEFT JOIN scopes c ON c.organization_id = s.organization_id AND c.group_id = s.container_id
WHERE s.organization_id = tenant_organization() AND s.kind <> 'personal'

-- name: hold
SELECT 1 FROM principals WHERE organization_id = tenant_organization() AND principal_id = $1 FOR NO KEY UPDATE

-- name: roles
SELECT group_id, role FROM memberships
WHERE organization_id = tenant_organization() AND principal_id = $1 AND given_by = 'claims'

-- name: give
INSERT INTO memberships (organization_id, group_id, principal_id, role, given_by) VALUES (tenant_organization(), $1, $2, $3, 'claims')
ON CONFLICT (organization_id, group_id, principal_id, given_by) DO UPDATE SET role = EXCLUDED.role

-- name: take
DELETE FROM memberships
WHERE organization_id = tenant_organization() AND group_id = $1 AND principal_id = $2 AND given_by = 'claims'

-- name: note
UPDATE principals SET name = coalesce($2, name), claims_digest = $3
WHERE organization_id = tenant_organization() AND principal_id = $1
