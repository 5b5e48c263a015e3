-- name: append
SELECT append_audit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)

-- name: newest
SELECT a.group_id, a.audit_id, a.at, a.principal_id, a.principal_kind, a.connection_id, a.door, a.action, a.what,
       a.outcome, a.objects, a.revision, a.request_id, a.address, p.name
FROM audit a LEFT JOIN principals p USING (organization_id, principal_id)
WHERE a.organization_id = tenant_organization() AND a.group_id = ANY ($1::text[])
  AND a.audit_id > audit_place($2) AND a.audit_id < audit_place($3) AND ($4::uuid IS NULL OR a.audit_id < $4)
  AND ($5::uuid IS NULL OR a.principal_id = $5) AND ($6::text IS NULL OR a.action = $6)
  AND ($7::text IS NULL OR a.outcome = $7)
ORDER BY a.audit_id DESC LIMIT $8

-- name: oldest
SELECT a.group_id, a.audit_id, a.at, a.principal_id, a.principal_kind, a.connection_id, a.door, a.action, a.what,
       a.outcome, a.objects, a.revision, a.request_id, a.address, p.name
FROM audit a LEFT JOIN principals p USING (organization_id, principal_id)
WHERE a.organization_id = tenant_organization() AND a.group_id = ANY ($1::text[])
  AND a.audit_id > audit_place($2) AND a.audit_id < audit_place($3) AND ($4::uuid IS NULL OR a.audit_id > $4)
  AND ($5::uuid IS NULL OR a.principal_id = $5) AND ($6::text IS NULL OR a.action = $6)
  AND ($7::text IS NULL OR a.outcome = $7)
ORDER BY a.audit_id LIMIT $8

-- name: set_days
UPDATE organizations SET audit_days = $1 WHERE organization_id = tenant_organization()

-- name: days
SELECT audit_days FROM organizations WHERE organization_id = tenant_organization()

-- name: forget
SELECT forget_audit($1, $2)
