-- name: facts_by_pattern
SELECT * FROM load_hits(pattern_standings(
    $1::uuid, $2::text, $3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::text[], $9::timestamptz, $10::bigint,
    $11::text[], $12::text[], $13::text, $14::smallint[], $15::text[], $16::uuid[], $17::uuid[], $18::int, $19::boolean,
    $20::uuid, $21::timestamptz), $10, $9)

-- name: load
SELECT h.* FROM load_hits((SELECT $3::uuid[] FROM enter_tenant($1::uuid, $2::text)), $4::bigint, $5::timestamptz) h

-- name: load_filtered
SELECT h.* FROM load_hits((SELECT $3::uuid[] FROM enter_tenant($1::uuid, $2::text)), $4::bigint, $5::timestamptz) h
WHERE (NOT $12::boolean OR fact_meets($1, h.fact_id, $4, $6::text[], $7::text, $8::smallint[], $9::text[], $10::uuid[], $11::uuid[]))
  AND (cardinality($13::text[]) = 1 OR h.group_id = ($13::text[])[1]
       OR NOT said_in_narrower_scope($1, $13, h.group_id, h.fact_id, $5, $4, $14::text[]))

-- name: policies
SELECT policy FROM own_policies($1::uuid, $2::text, $3::bigint) AS policy

-- name: entity_summary
SELECT entity_summary($1::uuid, $2::text, $3::uuid[], $4::text[], $5::timestamptz, $6::bigint, $7::text[], $8::int)

-- name: predicates_in_use
SELECT predicate, facts, examples FROM predicates_in_use($1::uuid, $2::text, $3::timestamptz, $4::bigint, $5::text[])

-- name: fact
SELECT * FROM load_hits(fact_standings($1::uuid, $2::text, $3::uuid, $4::bigint), $4, $5::timestamptz)

-- name: explain_fact
SELECT explain_fact($1::uuid, $2::text, $3::uuid, $4::bigint)

-- name: erasure_of
SELECT erasure_id, requested_at FROM erasure_of_item($1::uuid, $2::text, $3::uuid)
