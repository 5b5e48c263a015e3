-- Every function takes the tenant itself: one round trip, and no transaction to open.

-- name: neighbourhood
SELECT hop, standing_id, fact_id, group_id, subject_id, predicate, object_id, object_literal, sentence, valid_from, valid_to,
       lifecycle, confidence, standing_hash, from_rev
FROM graph_neighbourhood($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)

-- name: among
SELECT hop, standing_id, fact_id, group_id, subject_id, predicate, object_id, object_literal, sentence, valid_from, valid_to,
       lifecycle, confidence, standing_hash, from_rev
FROM graph_among($1, $2, $3, $4, $5, $6)

-- name: edges
SELECT hop, standing_id, fact_id, group_id, subject_id, predicate, object_id, object_literal, sentence, valid_from, valid_to,
       lifecycle, confidence, standing_hash, from_rev
FROM graph_edges($1, $2, $3, $4)

-- name: links
SELECT fact_id, standing_id, subject_id, object_id FROM graph_links($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: readable
SELECT entities, revision FROM graph_readable($1, $2, $3)

-- name: hashes
SELECT standing_id, standing_hash FROM graph_hashes($1)

-- name: counts
SELECT entities, documents, mentions, edges, literals FROM graph_counts($1)
