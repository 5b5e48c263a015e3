-- name: add
INSERT INTO promotions (organization_id, group_id, assertion_id, fact_id, origin, proposal_id, saw, proposed_by, approved_by, revision)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: promoted_from
SELECT * FROM promoted_from($1::uuid, $2::text, $3::uuid, $4::bigint)
