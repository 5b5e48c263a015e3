-- name: asked
SELECT f.sentence FROM facts f WHERE f.organization_id = $1 ORDER BY md5(f.fact_id::text) LIMIT $2

-- name: copied
SELECT * FROM standings WHERE organization_id = $1
