-- name: spent
SELECT spent, spending_limit FROM spent_this_month($1)

-- name: record
INSERT INTO usage (organization_id, group_id, usage_id, role, model, input_tokens, output_tokens, requests, price_micros, at)
VALUES (tenant_organization(), $1, uuidv7(), $2, $3, $4, $5, $6, model_price($3, $4, $5), $7)

-- name: give_feedback
INSERT INTO feedback (organization_id, group_id, feedback_id, fact_id, principal_id, helpful, query, signals, revision)
SELECT tenant_organization(), f.group_id, uuidv7(), f.fact_id, $2, $3, $4, $5::text::jsonb,
       (SELECT revision FROM heads WHERE organization_id = tenant_organization())
FROM facts f WHERE f.organization_id = tenant_organization() AND f.fact_id = $1
ON CONFLICT (organization_id, fact_id, principal_id)
DO UPDATE SET helpful = EXCLUDED.helpful, query = EXCLUDED.query, signals = EXCLUDED.signals,
              revision = EXCLUDED.revision, at = now()
RETURNING revision
