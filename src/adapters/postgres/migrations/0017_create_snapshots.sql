-- Snapshots, stored packs, what erasures took of either, and votes that later votes replaced.

-- A revision of the record with all that a read by it needs. buckets holds 256 digests; digest is over them.
CREATE TABLE snapshots (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    snapshot_id uuid NOT NULL,
    scopes text[] NOT NULL CHECK (cardinality(scopes) BETWEEN 1 AND 100),
    revision bigint NOT NULL,
    as_of timestamptz NOT NULL,
    vocabulary_revision bigint NOT NULL,
    index_id integer REFERENCES vector_indexes,
    embedded_up_to bigint NOT NULL DEFAULT 0,
    statistics double precision[] NOT NULL,
    weights jsonb NOT NULL,
    reading_version integer NOT NULL,
    packing_version integer NOT NULL,
    standings bigint NOT NULL,
    digest bytea NOT NULL,
    buckets bytea NOT NULL,
    name text CHECK (length(name) BETWEEN 1 AND 200),
    reason text CHECK (length(reason) BETWEEN 1 AND 2000),
    kept boolean NOT NULL,
    principal_id uuid NOT NULL,
    principal_kind text NOT NULL,
    made_revision bigint NOT NULL,
    made_at timestamptz NOT NULL,
    verified_at timestamptz,
    altered_at timestamptz,
    PRIMARY KEY (organization_id, snapshot_id),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes
);

-- payload is NULL once an erasure took something of it; the row stays to say so until it expires.
CREATE TABLE packs (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    pack_id uuid NOT NULL,
    snapshot_id uuid NOT NULL,
    principal_id uuid NOT NULL,
    payload bytea,
    revision bigint NOT NULL,
    made_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    voided_by uuid,
    PRIMARY KEY (organization_id, pack_id),
    CHECK ((payload IS NULL) = (voided_by IS NOT NULL)),
    FOREIGN KEY (organization_id, snapshot_id) REFERENCES snapshots,
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes
);
CREATE INDEX packs_by_end ON packs (expires_at);
CREATE INDEX packs_by_snapshot ON packs (organization_id, snapshot_id);

-- Everything that a pack shows, by id: facts, assertions, entities, documents, versions, chunks.
CREATE TABLE pack_items (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    pack_id uuid NOT NULL,
    item_id uuid NOT NULL,
    PRIMARY KEY (organization_id, pack_id, item_id),
    FOREIGN KEY (organization_id, pack_id) REFERENCES packs
);
CREATE INDEX pack_items_by_item ON pack_items (organization_id, item_id);

-- At which revisions the record of a scope held something that an erasure took: a snapshot of one of them is voided by it.
CREATE TABLE erasure_traces (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    erasure_id uuid NOT NULL,
    held int8multirange NOT NULL,
    PRIMARY KEY (organization_id, erasure_id, group_id),
    FOREIGN KEY (organization_id, erasure_id) REFERENCES erasures
);

-- What a snapshot's digest had for standings that an erasure took: HMACs, so that what is left can still be verified.
CREATE TABLE erased_standings (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    standing_id uuid NOT NULL,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL,
    erased_rev bigint NOT NULL,
    leaf bytea NOT NULL,
    PRIMARY KEY (organization_id, standing_id)
);

-- A vote that is replaced is closed, not overwritten: a read of an earlier revision still counts it.
ALTER TABLE feedback DROP CONSTRAINT feedback_organization_id_fact_id_principal_id_key;
ALTER TABLE feedback ADD COLUMN to_rev bigint NOT NULL DEFAULT 9223372036854775807;
CREATE UNIQUE INDEX feedback_in_force ON feedback (organization_id, fact_id, principal_id) WHERE to_rev = 9223372036854775807;
CREATE INDEX feedback_by_fact ON feedback (organization_id, fact_id);
