-- Where things come from and their text. A version is one content hash of a document; a document is one record of a source.

CREATE TABLE sources (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    source_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('connector', 'record_export', 'upload', 'folder', 'api', 'conversation', 'research', 'person', 'agent')),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    zone text,
    cursor text,
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, source_id),
    UNIQUE (organization_id, group_id, name),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes
);

CREATE TABLE source_grades (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    source_id uuid NOT NULL,
    tier smallint NOT NULL CHECK (tier BETWEEN 1 AND 4),
    trust double precision CHECK (trust BETWEEN 0 AND 1),
    withdrawn boolean NOT NULL DEFAULT false,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL DEFAULT 9223372036854775807,
    PRIMARY KEY (organization_id, source_id, from_rev),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources
);

CREATE TABLE collections (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    collection_id uuid NOT NULL,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    settings jsonb NOT NULL DEFAULT '{}',
    entities jsonb NOT NULL DEFAULT '{}',
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, collection_id),
    UNIQUE (organization_id, group_id, name),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes
);

CREATE TABLE documents (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    document_id uuid NOT NULL,
    source_id uuid NOT NULL,
    collection_id uuid,
    record_key text NOT NULL CHECK (length(record_key) BETWEEN 1 AND 1000),
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, document_id),
    UNIQUE (organization_id, source_id, record_key),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes,
    FOREIGN KEY (organization_id, source_id) REFERENCES sources,
    FOREIGN KEY (organization_id, collection_id) REFERENCES collections
);

CREATE TABLE artifacts (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    source_id uuid NOT NULL,
    content_hash text NOT NULL,
    object_key text NOT NULL,
    key_id text NOT NULL,
    size bigint NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, group_id, source_id, content_hash),
    FOREIGN KEY (organization_id, source_id) REFERENCES sources
);

-- text is what offsets count in: Unicode code points of the parsed document. NULL until it is parsed, and after erasure.
CREATE TABLE document_versions (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    version_id uuid NOT NULL,
    document_id uuid NOT NULL,
    source_id uuid NOT NULL,
    content_hash text NOT NULL,
    title text,
    content_type text NOT NULL,
    source_type text,
    source_uri text,
    published_at timestamptz,
    retrieved_at timestamptz NOT NULL,
    mapping jsonb,
    gate text NOT NULL CHECK (gate IN ('live', 'extract_pending', 'propose')),
    text text,
    route text CHECK (route IN ('facts', 'both', 'discard')),
    route_confidence double precision,
    route_reason text,
    principal_id uuid NOT NULL,
    principal_kind text NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, version_id),
    FOREIGN KEY (organization_id, document_id) REFERENCES documents,
    FOREIGN KEY (organization_id, group_id, source_id, content_hash) REFERENCES artifacts
);
CREATE INDEX document_versions_by_document ON document_versions (organization_id, document_id, revision);

CREATE INDEX document_versions_by_revision ON document_versions (organization_id, revision);

CREATE TABLE document_states (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    version_id uuid NOT NULL,
    status text NOT NULL CHECK (status IN ('proposed', 'pending', 'processing', 'completed', 'discarded', 'failed', 'retracted', 'erased', 'replaced', 'refused')),
    detail text,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL DEFAULT 9223372036854775807,
    PRIMARY KEY (organization_id, version_id, from_rev),
    FOREIGN KEY (organization_id, version_id) REFERENCES document_versions
);

CREATE INDEX document_states_by_revision ON document_states (organization_id, from_rev);

CREATE TABLE chunks (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    chunk_id uuid NOT NULL,
    version_id uuid NOT NULL,
    document_id uuid NOT NULL,
    ordinal integer NOT NULL,
    start_offset integer NOT NULL,
    end_offset integer NOT NULL,
    text text NOT NULL,
    embed boolean NOT NULL,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL DEFAULT 9223372036854775807,
    PRIMARY KEY (organization_id, chunk_id),
    FOREIGN KEY (organization_id, version_id) REFERENCES document_versions
) WITH (fillfactor = 90);
CREATE INDEX chunks_by_revision ON chunks (organization_id, from_rev);
CREATE INDEX chunks_by_version ON chunks (organization_id, version_id, ordinal);

-- What became of every item of a submission; a finished one adds up.
CREATE TABLE receipts (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    receipt_id uuid NOT NULL,
    principal_id uuid NOT NULL,
    kind text NOT NULL,
    document_id uuid,
    version_id uuid,
    status text NOT NULL CHECK (status IN ('accepted', 'proposed', 'processing', 'completed', 'discarded', 'failed', 'refused', 'unchanged')),
    recipe text,
    items integer NOT NULL DEFAULT 0,
    stored integer NOT NULL DEFAULT 0,
    merged integer NOT NULL DEFAULT 0,
    queued integer NOT NULL DEFAULT 0,
    rejected integer NOT NULL DEFAULT 0,
    notes jsonb NOT NULL DEFAULT '{}',
    revision bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    PRIMARY KEY (organization_id, receipt_id),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes,
    CHECK (finished_at IS NULL OR items = stored + merged + queued + rejected)
);
CREATE INDEX receipts_by_version ON receipts (organization_id, version_id);

CREATE TABLE receipt_rejections (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    receipt_id uuid NOT NULL,
    ordinal integer NOT NULL,
    place text NOT NULL,
    code text NOT NULL,
    detail text NOT NULL,
    PRIMARY KEY (organization_id, receipt_id, ordinal),
    FOREIGN KEY (organization_id, receipt_id) REFERENCES receipts
);

CREATE TABLE proposals (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    proposal_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('document', 'assertion', 'merge', 'vocabulary', 'promotion', 'correction')),
    target_id uuid,
    payload jsonb NOT NULL DEFAULT '{}',
    principal_id uuid NOT NULL,
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'approved', 'rejected')),
    decided_by uuid,
    decided_at timestamptz,
    reason text,
    created_at timestamptz NOT NULL DEFAULT now(),
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, proposal_id),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes
);
CREATE INDEX proposals_by_state ON proposals (organization_id, state, proposal_id);
CREATE INDEX proposals_by_target ON proposals (organization_id, target_id);
