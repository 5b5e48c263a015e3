-- name: head
SELECT revision, vocabulary_rev, identity_rev FROM heads WHERE organization_id = tenant_organization()

-- name: held_head
SELECT revision FROM heads WHERE organization_id = tenant_organization() FOR NO KEY UPDATE

-- name: locked_head
SELECT revision FROM heads WHERE organization_id = tenant_organization() FOR SHARE

-- name: advance
SELECT take_revision($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)

-- name: revision_at
SELECT CASE WHEN $1::timestamptz < clock_timestamp() THEN coalesce((
    SELECT max(revision) FROM mutations WHERE organization_id = tenant_organization() AND committed_at <= $1), 0) END
