-- name: append
INSERT INTO audit (organization_id, group_id, audit_id, at, principal_id, principal_kind, connection_id, door, action,
                   what, outcome, objects, revision, request_id, address)
SELECT tenant_organization(), l.group_id, l.audit_id, l.at, l.principal_id, l.principal_kind, l.connection_id, l.door,
       l.action, l.what, l.outcome, string_to_array(l.objects, ',')::uuid[], l.revision, l.request_id, l.address
FROM unnest($1::text[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[],
            $9::text[], $10::text[], $11::text[], $12::bigint[], $13::text[], $14::text[])
    AS l (group_id, audit_id, at, principal_id, principal_kind, connection_id, door, action, what, outcome, objects,
          revision, request_id, address)
-- A batch whose commit was not heard of is sent again.
ON CONFLICT DO NOTHING

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
