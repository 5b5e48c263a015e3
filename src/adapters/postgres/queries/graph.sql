-- Every function takes the tenant itself: one round trip, and no transaction to open.

-- name: neighbourhood
SELECT hop, (s).standing_id, (s).fact_id, (s).group_id, (s).subject_id, (s).predicate, (s).object_id, object_literal, sentence,
       (s).valid_from, (s).valid_to, (s).lifecycle, (s).confidence, (s).standing_hash, (s).from_rev
FROM graph_neighbourhood($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)

-- name: among
SELECT hop, (s).standing_id, (s).fact_id, (s).group_id, (s).subject_id, (s).predicate, (s).object_id, object_literal, sentence,
       (s).valid_from, (s).valid_to, (s).lifecycle, (s).confidence, (s).standing_hash, (s).from_rev
FROM graph_among($1, $2, $3, $4, $5, $6)

-- name: edges
SELECT hop, (s).standing_id, (s).fact_id, (s).group_id, (s).subject_id, (s).predicate, (s).object_id, object_literal, sentence,
       (s).valid_from, (s).valid_to, (s).lifecycle, (s).confidence, (s).standing_hash, (s).from_rev
FROM graph_edges($1, $2, $3)

-- name: links
SELECT fact_id, standing_id, subject_id, object_id FROM graph_links($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: readable
SELECT entities, revision FROM graph_readable($1, $2, $3)

-- name: hashes
SELECT standing_id, standing_hash FROM graph_hashes($1)

-- name: counts
SELECT entities, documents, mentions, edges, literals FROM graph_counts($1)
