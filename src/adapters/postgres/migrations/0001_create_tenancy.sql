-- Who is here: organizations, their scopes, principals, keys, and the head of each organization's journal.
-- Every tenant table begins its keys with organization_id; a row that belongs to one scope has its group_id.

CREATE TABLE organizations (
    organization_id uuid PRIMARY KEY,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    gate text NOT NULL DEFAULT 'by_tier' CHECK (gate IN ('by_tier', 'always')),
    monthly_model_limit_micros bigint,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- The one row that every write locks last. vocabulary_rev and identity_rev tell a writer that what it placed under moved.
CREATE TABLE heads (
    organization_id uuid PRIMARY KEY REFERENCES organizations,
    revision bigint NOT NULL DEFAULT 0,
    hash bytea NOT NULL,
    vocabulary_rev bigint NOT NULL DEFAULT 0,
    identity_rev bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE principals (
    organization_id uuid NOT NULL REFERENCES organizations,
    principal_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('human', 'agent', 'system')),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    subject text,
    created_at timestamptz NOT NULL DEFAULT now(),
    disabled_at timestamptz,
    PRIMARY KEY (organization_id, principal_id),
    UNIQUE (organization_id, subject)
);

-- group_id of a scope is its own; container_id is the scope that contains it.
CREATE TABLE scopes (
    organization_id uuid NOT NULL REFERENCES organizations,
    group_id text NOT NULL CHECK (group_id ~ '^[owpu]_[0-9a-f]{32}$'),
    scope_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('organization', 'workspace', 'project', 'personal')),
    container_id text,
    principal_id uuid,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    gate text CHECK (gate IN ('by_tier', 'always')),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, group_id),
    UNIQUE (organization_id, scope_id),
    UNIQUE NULLS NOT DISTINCT (organization_id, kind, container_id, name),
    FOREIGN KEY (organization_id, container_id) REFERENCES scopes (organization_id, group_id),
    FOREIGN KEY (organization_id, principal_id) REFERENCES principals
);

CREATE TABLE memberships (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    principal_id uuid NOT NULL,
    role text NOT NULL CHECK (role IN ('viewer', 'member', 'curator', 'admin', 'owner')),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, group_id, principal_id),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes,
    FOREIGN KEY (organization_id, principal_id) REFERENCES principals
);
CREATE INDEX memberships_by_principal ON memberships (organization_id, principal_id);

-- Only the SHA-256 of a key is kept. group_id is the widest scope that the key may touch.
CREATE TABLE credentials (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    credential_id uuid NOT NULL,
    principal_id uuid NOT NULL,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    prefix text NOT NULL,
    key_hash bytea NOT NULL,
    role text NOT NULL CHECK (role IN ('viewer', 'member', 'curator', 'admin', 'owner')),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    PRIMARY KEY (organization_id, credential_id),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes,
    FOREIGN KEY (organization_id, principal_id) REFERENCES principals
);
CREATE UNIQUE INDEX credentials_by_hash ON credentials (key_hash);
