-- name: candidates
SELECT * FROM search_candidates(
    $1::uuid, $2::text, $3::text, $4::text[], $5::text, $6::halfvec, $7::int, $8::int, $9::text[], $10::timestamptz, $11::bigint,
    $12::text[], $13::text[], $14::text, $15::smallint[], $16::text[], $17::uuid[], $18::uuid[], $19::text[], $20::text[],
    $21::float8[], $22::float8, $23::int)

-- name: pinned_candidates
-- The pins are taken before the function's own statements look at them.
SELECT * FROM search_candidates(
    (SELECT $1::uuid FROM pin_reads($24::bigint, $25::int, $26::bigint, $27::float8[])),
    $2::text, $3::text, $4::text[], $5::text, $6::halfvec, $7::int, $8::int, $9::text[], $10::timestamptz, $11::bigint,
    $12::text[], $13::text[], $14::text, $15::smallint[], $16::text[], $17::uuid[], $18::uuid[], $19::text[], $20::text[],
    $21::float8[], $22::float8, $23::int)

-- name: passages
SELECT c.* FROM load_chunks((SELECT $3::uuid[] FROM enter_tenant($1::uuid, $2::text)), $4::bigint) c

-- name: find_entities
SELECT f.* FROM find_entities((SELECT $3::text FROM enter_tenant($1::uuid, $2::text)), $4::int, $5::bigint, $6::text, $7::halfvec) f

-- name: pinned_entities
SELECT f.* FROM find_entities(
    (SELECT $3::text FROM enter_tenant($1::uuid, $2::text), pin_reads($8::bigint, $9::int, $10::bigint, $11::float8[])),
    $4::int, $5::bigint, $6::text, $7::halfvec) f

-- name: refresh
SELECT refresh_search_terms($1::uuid)

-- name: committed_at
SELECT journal_time($1::uuid, $2::text, $3::bigint)
