-- Things and their names. entity_keys decides who makes the entity of a name first; it holds no revision, like slots.

CREATE TABLE entity_keys (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    key bytea NOT NULL,
    entity_id uuid NOT NULL,
    PRIMARY KEY (organization_id, group_id, key),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes
);

CREATE TABLE entities (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    entity_id uuid NOT NULL,
    kind text,
    name text NOT NULL,
    standing text NOT NULL DEFAULT 'mentioned' CHECK (standing IN ('curated', 'mentioned')),
    label text,
    search_terms text[],
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, entity_id),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes
);
CREATE INDEX entities_by_revision ON entities (organization_id, revision);

CREATE TABLE entity_states (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    entity_id uuid NOT NULL,
    merged_into uuid,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL DEFAULT 9223372036854775807,
    PRIMARY KEY (organization_id, entity_id, from_rev),
    FOREIGN KEY (organization_id, entity_id) REFERENCES entities,
    FOREIGN KEY (organization_id, merged_into) REFERENCES entities (organization_id, entity_id)
);

-- normal is the exact normal form; alias_of_assertion is the assertion that says so, NULL for a first name.
CREATE TABLE names (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    entity_id uuid NOT NULL,
    name text NOT NULL,
    normal text NOT NULL,
    kind text,
    assertion_id uuid,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL DEFAULT 9223372036854775807,
    PRIMARY KEY (organization_id, entity_id, normal, from_rev),
    FOREIGN KEY (organization_id, entity_id) REFERENCES entities
);
CREATE INDEX names_by_normal ON names (organization_id, normal);

-- One mention a name, kind and version: within one document a name means one thing.
CREATE TABLE mentions (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    mention_id uuid NOT NULL,
    version_id uuid NOT NULL,
    document_id uuid NOT NULL,
    surface text NOT NULL,
    normal text NOT NULL,
    kind text,
    start_offset integer,
    end_offset integer,
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, mention_id),
    UNIQUE NULLS NOT DISTINCT (organization_id, version_id, normal, kind),
    FOREIGN KEY (organization_id, version_id) REFERENCES document_versions
);

CREATE INDEX mentions_by_revision ON mentions (organization_id, revision);

CREATE TABLE resolutions (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    mention_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    rule text NOT NULL,
    score double precision NOT NULL,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL DEFAULT 9223372036854775807,
    PRIMARY KEY (organization_id, mention_id, from_rev),
    FOREIGN KEY (organization_id, mention_id) REFERENCES mentions,
    FOREIGN KEY (organization_id, entity_id) REFERENCES entities
);
CREATE INDEX resolutions_by_entity ON resolutions (organization_id, entity_id);

-- An organization's own predicates, over the built-in core. A policy is closed and reopened when it changes.
CREATE TABLE predicates (
    organization_id uuid NOT NULL REFERENCES organizations,
    name text NOT NULL,
    policy jsonb NOT NULL,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL DEFAULT 9223372036854775807,
    PRIMARY KEY (organization_id, name, from_rev)
);
