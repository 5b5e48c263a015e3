-- name: lines
SELECT group_id, what, budget, used FROM budget_lines($1, $2::text[], $3::text[])

-- name: rates
SELECT principal_units, organization_units FROM rates_of_organization($1)

-- name: set
INSERT INTO quotas AS q (organization_id, group_id, principal_units, organization_units, monthly_model_micros,
                         artifact_bytes, assertions)
VALUES (tenant_organization(), $1, $2, $3, $4, $5, $6)
ON CONFLICT (organization_id, group_id) DO UPDATE
SET principal_units = EXCLUDED.principal_units, organization_units = EXCLUDED.organization_units,
    monthly_model_micros = EXCLUDED.monthly_model_micros, artifact_bytes = EXCLUDED.artifact_bytes,
    assertions = EXCLUDED.assertions
