-- name: reach_of
SELECT group_id FROM credentials
WHERE organization_id = tenant_organization() AND credential_id = $1 AND group_id = ANY (tenant_write_scopes())

-- name: end_of_key
SELECT expires_at FROM credentials
WHERE organization_id = tenant_organization() AND credential_id::text = $1 AND kind = 'key'

-- name: replace
UPDATE credentials SET replaced_by = $2, expires_at = least(expires_at, $3)
WHERE organization_id = tenant_organization() AND credential_id = $1

-- name: open_session
INSERT INTO credentials (organization_id, credential_id, principal_id, name, prefix, key_hash, role, group_id, expires_at,
                         idle_seconds, kind)
VALUES (tenant_organization(), $1, $2, $3, '', $4, $5, $6, $7, $8, 'session')

-- name: end_session
UPDATE credentials SET revoked_at = now()
WHERE organization_id = tenant_organization() AND credential_id = $1 AND kind = 'session' AND revoked_at IS NULL RETURNING true
