-- name: spent
SELECT spent, spending_limit, 'organization' AS kind FROM spent_this_month($1)

-- name: spent_around
SELECT l.used AS spent, l.budget AS spending_limit, CASE left(l.group_id, 1) WHEN 'o' THEN 'organization' ELSE 'workspace' END AS kind
FROM budget_lines($1, ARRAY[$2::text], '{model_calls}') l

-- name: days
SELECT day, group_id, role, model, calls, requests, texts, input_tokens, output_tokens, price_micros FROM usage
WHERE organization_id = tenant_organization() AND day >= $1 ORDER BY day DESC, group_id, role, model

-- name: record
INSERT INTO usage AS u (organization_id, group_id, role, model, input_tokens, output_tokens, requests, texts, day, calls,
                        price_micros)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6, $7, ($8::timestamptz AT TIME ZONE 'UTC')::date, 1,
        model_price($3, $4, $5))
ON CONFLICT (organization_id, day, group_id, role, model) DO UPDATE
SET calls = u.calls + 1, requests = u.requests + EXCLUDED.requests, texts = u.texts + EXCLUDED.texts,
    input_tokens = u.input_tokens + EXCLUDED.input_tokens, output_tokens = u.output_tokens + EXCLUDED.output_tokens,
    price_micros = u.price_micros + EXCLUDED.price_micros

-- name: give_feedback
SELECT give_feedback($1, $2, $3, $4, $5::text::jsonb)
