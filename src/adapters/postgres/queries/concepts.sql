-- name: candidates
SELECT list, ids, cosines FROM concept_candidates(
    $1::uuid, $2::text, $3::text, $4::text, $5::halfvec, $6::int, $7::text, $8::text, $9::uuid[], $10::timestamptz, $11::bigint,
    $12::text[], $13::text[], $14::text, $15::smallint[], $16::text[], $17::uuid[], $18::uuid[])

-- name: concepts
SELECT r.*, s.* FROM concept_rows($1::uuid, $2::text, $3::uuid[], $4::text, $8::timestamptz, $9::bigint) WITH ORDINALITY
    AS r (entity_id, group_id, label, names, terms, place)
LEFT JOIN concept_sayings($1::uuid, $2::text, $3::uuid[], $5::text, $6::text, $7::text, $8::timestamptz, $9::bigint, $10::timestamptz)
    WITH ORDINALITY AS s (
        concept_id, role, fact_id, other_id, other_name, stated, in_force, weight, independence_key, assertion_id, kind, asserter, excerpt,
        start_offset, end_offset, pointer, version_id, document_id, title, source_uri, published_at, observed_at, source_id, source_name,
        tier, saying) ON s.concept_id = r.entity_id
ORDER BY r.place, s.saying
