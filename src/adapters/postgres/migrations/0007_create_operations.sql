-- What follows the record and what watches it.

-- How far an engine's build has come. One worker holds the lease at a time.
CREATE TABLE projections (
    organization_id uuid NOT NULL REFERENCES organizations,
    engine text NOT NULL,
    generation integer NOT NULL DEFAULT 1,
    live boolean NOT NULL DEFAULT true,
    watermark bigint NOT NULL DEFAULT 0,
    lease_holder uuid,
    lease_until timestamptz,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, engine, generation)
) WITH (fillfactor = 50);

CREATE TABLE feedback (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    feedback_id uuid NOT NULL,
    fact_id uuid NOT NULL,
    principal_id uuid NOT NULL,
    helpful boolean NOT NULL,
    query text,
    signals jsonb NOT NULL DEFAULT '{}',
    revision bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, feedback_id),
    UNIQUE (organization_id, fact_id, principal_id),
    FOREIGN KEY (organization_id, fact_id) REFERENCES facts
);

CREATE TABLE usage (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    usage_id uuid NOT NULL,
    role text NOT NULL,
    model text NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    requests integer NOT NULL,
    price_micros bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, usage_id)
);
CREATE INDEX usage_by_time ON usage (organization_id, at);

-- Millionths of the currency a million tokens.
CREATE TABLE model_prices (
    model text PRIMARY KEY,
    input_micros bigint NOT NULL,
    output_micros bigint NOT NULL
);
