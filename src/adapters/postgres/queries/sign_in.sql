-- name: authenticate
SELECT * FROM authenticate_key($1)

-- name: touch
SELECT touch_key($1, $2)

-- name: find
WITH found AS MATERIALIZED (SELECT * FROM resolve_scope($1, $2, $3, $4, $5, $6))
SELECT array_agg(group_id ORDER BY depth) AS chain, bool_and(in_reach) AS in_reach,
       (SELECT array_agg(r) FROM membership_roles($1, $3, (SELECT array_agg(group_id) FROM found)) r) AS roles
FROM found

-- name: chain
SELECT group_id FROM resolve_scope($1, $2, NULL, NULL, NULL, false) ORDER BY depth

-- name: below
SELECT group_id FROM scopes_below($1, $2) group_id

-- name: open_below
SELECT group_id FROM scopes_open_below($1, $2, $3) group_id

-- name: applied_scripts
SELECT name, checksum FROM applied_scripts()
