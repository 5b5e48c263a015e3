-- What an organization or a workspace may use. Units are those of the rate limits, a minute, and stand in the
-- organization's row alone; budgets hold for a scope and everything inside it. NULL: the installation's rates, no budget.
-- The organization's own budget for models stands in organizations.
CREATE TABLE quotas (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    principal_units bigint CHECK (principal_units >= 0),
    organization_units bigint CHECK (organization_units >= 0),
    monthly_model_micros bigint CHECK (monthly_model_micros >= 0),
    artifact_bytes bigint CHECK (artifact_bytes >= 0),
    assertions bigint CHECK (assertions >= 0),
    PRIMARY KEY (organization_id, group_id),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes (organization_id, group_id)
);
