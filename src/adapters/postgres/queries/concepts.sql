-- name: candidates
SELECT list, ids, cosines FROM concept_candidates(
    $1::uuid, $2::text, $3::text, $4::text, $5::halfvec, $6::int, $7::text, $8::text, $9::uuid[], $10::timestamptz, $11::bigint,
    $12::text[], $13::text[], $14::text, $15::smallint[], $16::text[], $17::uuid[], $18::uuid[])

-- name: concepts
SELECT * FROM concept_rows($1::uuid, $2::text, $3::uuid[], $4::text, $5::timestamptz, $6::bigint)

-- name: sayings
SELECT * FROM concept_sayings($1::uuid, $2::text, $3::uuid[], $4::text, $5::text, $6::text, $7::timestamptz, $8::bigint, $9::timestamptz)
