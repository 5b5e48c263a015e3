-- name: take_turn
SELECT take_sketches_turn()

-- name: alike
SELECT sketch_id, version_id, document_id, start_offset, end_offset, content, independence_key, copy_of, likeness
FROM alike_sketches($1, $2::bigint[])

-- name: add
SELECT add_sketches($1, $2)
