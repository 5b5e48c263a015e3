-- name: contested
SELECT * FROM contested($1::uuid, $2::text, $3::timestamptz, $4::bigint, $5::text[], $6::text[], $7::uuid[], $8::text[], $9::uuid,
    $10::text[], $11::text, $12::smallint[], $13::text[], $14::uuid[], $15::uuid[], $16::int, $17::double precision, $18::uuid)

-- name: differing
SELECT * FROM differing_scopes($1::uuid, $2::text, $3::timestamptz, $4::bigint, $5::text[], $6::int)

-- name: together
SELECT * FROM values_together($1::uuid, $2::text, $3::text, $4::timestamptz, $5::text[], $6::text[], $7::int, $8::uuid, $9::text, $10::int)

-- name: judged
SELECT * FROM judged_before($1::uuid, $2::text, $3::uuid[])

-- name: compared
SELECT * FROM compared($1::uuid, $2::text, $3::bigint, $4::text[], $5::uuid[], $6::text[], $7::uuid[], $8::text[], $9::int)
