-- Erasures and their work, what they took, what may not come back, and what may not go.
CREATE TABLE erasures (
    organization_id uuid NOT NULL REFERENCES organizations,
    group_id text NOT NULL,
    erasure_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('document', 'source', 'entity')),
    target_id uuid NOT NULL,
    principal_id uuid NOT NULL,
    principal_kind text NOT NULL,
    reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done')),
    counts jsonb NOT NULL DEFAULT '{}',
    -- Until the work is done: words to look for, digests of texts that caches know, and revisions that wrote the content.
    canaries text[] NOT NULL DEFAULT '{}',
    digests text[] NOT NULL DEFAULT '{}',
    touched bigint[] NOT NULL DEFAULT '{}',
    revision bigint,
    requested_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    certificate bytea,
    PRIMARY KEY (organization_id, erasure_id),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes
);
CREATE INDEX erasures_by_target ON erasures (organization_id, target_id);

-- What an erasure took, by id: who asks for one is told that it was erased.
CREATE TABLE erased_items (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    item_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('document', 'version', 'chunk', 'assertion', 'fact', 'entity')),
    erasure_id uuid NOT NULL,
    PRIMARY KEY (organization_id, item_id),
    FOREIGN KEY (organization_id, erasure_id) REFERENCES erasures
);
CREATE INDEX erased_items_by_erasure ON erased_items (organization_id, erasure_id, kind);

-- Objects that are still to be deleted; a row goes with its object.
CREATE TABLE erasure_objects (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    erasure_id uuid NOT NULL,
    object_key text NOT NULL,
    key_id text NOT NULL,
    PRIMARY KEY (organization_id, erasure_id, object_key),
    FOREIGN KEY (organization_id, erasure_id) REFERENCES erasures
);

-- Records and contents that are refused when they come again: HMACs under the organization's key, no text.
CREATE TABLE suppressions (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    fingerprint bytea NOT NULL,
    erasure_id uuid NOT NULL,
    PRIMARY KEY (organization_id, fingerprint),
    FOREIGN KEY (organization_id, erasure_id) REFERENCES erasures
);

CREATE TABLE legal_holds (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    hold_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('document', 'source', 'entity')),
    target_id uuid NOT NULL,
    reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
    principal_id uuid NOT NULL,
    revision bigint NOT NULL,
    placed_at timestamptz NOT NULL DEFAULT now(),
    lifted_by uuid,
    lifted_at timestamptz,
    lifted_revision bigint,
    lift_reason text,
    PRIMARY KEY (organization_id, hold_id),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes
);
CREATE INDEX legal_holds_in_force ON legal_holds (organization_id, target_id) WHERE lifted_at IS NULL;

-- What an erasure looks up, so that it costs by what it takes.
CREATE INDEX document_versions_by_content ON document_versions (organization_id, content_hash);
CREATE INDEX receipts_by_document ON receipts (organization_id, document_id);
CREATE INDEX entity_keys_by_entity ON entity_keys (organization_id, entity_id);
