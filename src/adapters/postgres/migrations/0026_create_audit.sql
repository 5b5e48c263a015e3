-- Who came, from where, and what became of it: one line a request, off the chain, never changed. The table of this name
-- that was here had no writer.
DROP TABLE audit;

-- objects are what the request named or wrote, by id; revision is the last that it made. No text of a request is here.
CREATE TABLE audit (
    organization_id uuid NOT NULL,
    group_id text NOT NULL CHECK (group_id ~ '^[owpu]_[0-9a-f]{32}$'),
    audit_id uuid NOT NULL,
    at timestamptz NOT NULL,
    principal_id uuid NOT NULL,
    principal_kind text NOT NULL,
    connection_id text NOT NULL CHECK (length(connection_id) BETWEEN 1 AND 200),
    door text NOT NULL CHECK (door IN ('api', 'mcp', 'cli', 'worker')),
    action text NOT NULL CHECK (action IN ('read', 'write', 'export', 'administer', 'sign_in', 'sign_in_failed', 'refused')),
    what text NOT NULL CHECK (length(what) BETWEEN 1 AND 200),
    outcome text NOT NULL CHECK (length(outcome) BETWEEN 1 AND 100),
    objects uuid[] NOT NULL CHECK (cardinality(objects) <= 20),
    revision bigint,
    request_id text CHECK (length(request_id) <= 64),
    address text CHECK (length(address) <= 64),
    PRIMARY KEY (organization_id, audit_id)
);
CREATE INDEX audit_by_principal ON audit (organization_id, principal_id, audit_id);
-- Reads that went well are nearly all of it; what is looked for is the rest.
CREATE INDEX audit_of_note ON audit (organization_id, audit_id) WHERE action <> 'read';

-- NULL: as the installation is configured.
ALTER TABLE organizations ADD COLUMN audit_days integer CHECK (audit_days BETWEEN 30 AND 36500);
