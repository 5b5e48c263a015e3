-- name: candidates
SELECT * FROM search_candidates(
    $1::uuid, $2::text, $3::text, $4::text[], $5::text, $6::halfvec, $7::int, $8::int, $9::text[], $10::timestamptz, $11::bigint,
    $12::text[], $13::text[], $14::text, $15::smallint[], $16::text[], $17::uuid[], $18::uuid[], $19::text[], $20::text[],
    $21::float8[], $22::float8, $23::int)

-- name: passages
SELECT c.* FROM load_chunks((SELECT $3::uuid[] FROM enter_tenant($1::uuid, $2::text))) c

-- name: find_entities
SELECT f.* FROM find_entities((SELECT $3::text FROM enter_tenant($1::uuid, $2::text)), $4::int, $5::bigint, $6::text, $7::halfvec) f

-- name: refresh
SELECT refresh_search_terms($1::uuid)

-- name: committed_at
SELECT journal_time($1::uuid, $2::text, $3::bigint)
