-- name: principals
SELECT principal_id, kind, name, created_at, disabled_at FROM principals
WHERE organization_id = tenant_organization() ORDER BY name, principal_id

-- name: members
-- Those who have a role in a readable scope, their personal one left out.
SELECT p.principal_id, p.kind, p.name, p.created_at, p.disabled_at FROM principals p
WHERE p.organization_id = tenant_organization() AND EXISTS (
    SELECT FROM memberships m WHERE m.organization_id = p.organization_id AND m.principal_id = p.principal_id AND m.group_id NOT LIKE 'u\_%')
ORDER BY p.name, p.principal_id

-- name: principal
SELECT principal_id, kind, name, created_at, disabled_at FROM principals
WHERE organization_id = tenant_organization() AND principal_id = $1

-- name: switch_principal
-- Whoever is disabled has no session any more, also once enabled again; keys stay.
WITH ended AS (
    UPDATE credentials SET revoked_at = now()
    WHERE organization_id = tenant_organization() AND principal_id = $1 AND kind = 'session' AND revoked_at IS NULL AND NOT $2)
UPDATE principals SET disabled_at = CASE WHEN $2 THEN NULL ELSE now() END
WHERE organization_id = tenant_organization() AND principal_id = $1 AND (disabled_at IS NULL) <> $2 RETURNING true

-- name: roles_of
SELECT role FROM memberships
WHERE organization_id = tenant_organization() AND principal_id = $1 AND group_id NOT LIKE 'u\_%'

-- name: owners
SELECT DISTINCT m.principal_id FROM memberships m JOIN principals p USING (organization_id, principal_id)
WHERE m.organization_id = tenant_organization() AND m.group_id = $1 AND m.role = 'owner' AND p.kind = 'human' AND p.disabled_at IS NULL

-- name: remove_membership
WITH gone AS (DELETE FROM memberships
              WHERE organization_id = tenant_organization() AND principal_id = $1 AND group_id = $2 RETURNING true)
SELECT EXISTS (SELECT FROM gone)
