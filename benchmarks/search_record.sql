-- name: facts
SELECT organization_id, group_id, fact_id FROM facts ORDER BY fact_id

-- name: activate
INSERT INTO active_vector_indexes (organization_id, index_id, watermark) SELECT organization_id, $1::int, 1 FROM organizations

-- name: asked
SELECT f.sentence, v.embedding FROM facts f
JOIN fact_vectors v ON v.organization_id = f.organization_id AND v.fact_id = f.fact_id
WHERE f.organization_id = $1 ORDER BY md5(f.fact_id::text) LIMIT $2

-- name: nearest
-- The distance is of an expression that no search graph serves.
SELECT s.standing_id FROM fact_vectors v
JOIN standings s ON s.organization_id = v.organization_id AND s.fact_id = v.fact_id AND s.lifecycle IN ('active', 'disputed')
WHERE v.organization_id = $1 ORDER BY (v.embedding <=> $2::halfvec) + 0, s.standing_id LIMIT $3

-- name: plain_search
-- What somebody would write for one known tenant: the nearest and the best by words, fused by reciprocal rank, the first ten
-- with their sentences. Names behind a colon are put in as literals, so that the planner knows the tenant.
WITH near AS (
    SELECT q.fact_id, row_number() OVER (ORDER BY q.distance) AS place FROM (
        SELECT v.fact_id, v.embedding::halfvec(:dimension) <=> $1::halfvec(:dimension) AS distance FROM fact_vectors v
        WHERE v.index_id = :index AND v.organization_id = :organization AND v.group_id = :group
        ORDER BY v.embedding::halfvec(:dimension) <=> $1::halfvec(:dimension) LIMIT 50) q),
worded AS (
    SELECT q.fact_id, row_number() OVER (ORDER BY q.rank DESC) AS place FROM (
        SELECT s.fact_id, ts_rank(s.terms, $2::tsquery) AS rank FROM facts_search s
        WHERE s.organization_id = :organization AND s.group_id = :group AND s.terms @@ $2::tsquery
          AND s.to_rev = 9223372036854775807 AND s.lifecycle IN ('active', 'disputed')
        ORDER BY rank DESC LIMIT 50) q),
fused AS (
    SELECT u.fact_id, sum(1.0 / (60 + u.place)) AS score FROM (SELECT * FROM near UNION ALL SELECT * FROM worded) u
    GROUP BY u.fact_id ORDER BY score DESC LIMIT 10)
SELECT f.fact_id, f.sentence, x.score FROM fused x
JOIN facts f ON f.organization_id = :organization AND f.fact_id = x.fact_id ORDER BY x.score DESC
