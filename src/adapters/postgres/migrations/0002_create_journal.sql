-- Who did what and why, hash-chained. Payloads are the only part that can be erased; the chain commits to them by an
-- HMAC under a salt of their own, which goes with them.

CREATE TABLE mutations (
    organization_id uuid NOT NULL,
    revision bigint NOT NULL,
    group_id text NOT NULL,
    principal_id uuid NOT NULL,
    principal_kind text NOT NULL,
    connection_id text,
    kind text NOT NULL,
    reason text,
    commitment bytea NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL,
    committed_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, revision),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes
);
CREATE INDEX mutations_by_time ON mutations (organization_id, committed_at);

CREATE TABLE mutation_payloads (
    organization_id uuid NOT NULL,
    revision bigint NOT NULL,
    group_id text NOT NULL,
    salt bytea NOT NULL,
    payload bytea NOT NULL,
    PRIMARY KEY (organization_id, revision),
    FOREIGN KEY (organization_id, revision) REFERENCES mutations
);

CREATE TABLE idempotency_keys (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    principal_id uuid NOT NULL,
    key text NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
    request_hash bytea NOT NULL,
    response bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, group_id, principal_id, key),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes
);

CREATE TABLE audit (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    audit_id uuid NOT NULL,
    principal_id uuid NOT NULL,
    action text NOT NULL,
    target text,
    detail jsonb NOT NULL DEFAULT '{}',
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, audit_id)
);
