-- What sources said, which facts that makes, and how the facts stand. Everything that changes is closed (to_rev) and reopened.

CREATE TABLE runs (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    run_id uuid NOT NULL,
    version_id uuid NOT NULL,
    recipe text NOT NULL,
    extractor text NOT NULL,
    extractor_version text NOT NULL,
    model text,
    prompt_version text,
    settings jsonb NOT NULL DEFAULT '{}',
    depth integer NOT NULL DEFAULT 0,
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, run_id),
    FOREIGN KEY (organization_id, version_id) REFERENCES document_versions
);
CREATE INDEX runs_by_version ON runs (organization_id, version_id, recipe);

-- Immutable. The object is a mention, or a literal (object_literal, in the wire form of typed objects).
-- key makes a repeated item of one document the same assertion. Bounds are (value, precision, state).
CREATE TABLE assertions (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    assertion_id uuid NOT NULL,
    key bytea NOT NULL,
    document_id uuid NOT NULL,
    version_id uuid NOT NULL,
    run_id uuid NOT NULL,
    source_id uuid NOT NULL,
    principal_id uuid NOT NULL,
    principal_kind text NOT NULL,
    predicate text NOT NULL,
    subject_mention uuid NOT NULL,
    object_mention uuid,
    object_literal jsonb,
    qualifiers jsonb,
    polarity text NOT NULL CHECK (polarity IN ('support', 'refute')),
    kind text NOT NULL CHECK (kind IN ('fact', 'claim', 'opinion')),
    asserter text,
    confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    valid_from timestamptz,
    valid_from_precision text,
    valid_from_state text NOT NULL,
    valid_to timestamptz,
    valid_to_precision text,
    valid_to_state text NOT NULL,
    observed_at timestamptz NOT NULL,
    published_at timestamptz,
    independence_key text NOT NULL,
    corrects_fact uuid,
    corrects_revision bigint,
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, assertion_id),
    UNIQUE (organization_id, document_id, key),
    CHECK ((object_mention IS NULL) <> (object_literal IS NULL)),
    FOREIGN KEY (organization_id, run_id) REFERENCES runs,
    FOREIGN KEY (organization_id, subject_mention) REFERENCES mentions (organization_id, mention_id),
    FOREIGN KEY (organization_id, object_mention) REFERENCES mentions (organization_id, mention_id)
);
CREATE INDEX assertions_by_version ON assertions (organization_id, version_id);
CREATE INDEX assertions_by_source ON assertions (organization_id, source_id);

CREATE TABLE evidence (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    assertion_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('span', 'record', 'statement')),
    version_id uuid NOT NULL,
    chunk_id uuid,
    start_offset integer,
    end_offset integer,
    pointer text,
    excerpt text,
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, assertion_id),
    FOREIGN KEY (organization_id, assertion_id) REFERENCES assertions
);

-- The row that a writer locks. key is an HMAC without the scope; the scope is in the row.
CREATE TABLE slots (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    slot_id uuid NOT NULL,
    key bytea,
    PRIMARY KEY (organization_id, slot_id),
    UNIQUE (organization_id, group_id, key),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes
);

CREATE TABLE facts (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    fact_id uuid NOT NULL,
    key bytea,
    slot_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    predicate text NOT NULL,
    object_id uuid,
    object_literal jsonb,
    object_key uuid,
    qualifiers jsonb,
    sentence text,
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, fact_id),
    UNIQUE (organization_id, group_id, key),
    FOREIGN KEY (organization_id, slot_id) REFERENCES slots,
    FOREIGN KEY (organization_id, subject_id) REFERENCES entities (organization_id, entity_id),
    FOREIGN KEY (organization_id, object_id) REFERENCES entities (organization_id, entity_id)
);
CREATE INDEX facts_by_revision ON facts (organization_id, revision);
CREATE INDEX facts_by_slot ON facts (organization_id, slot_id);

CREATE TABLE fact_redirects (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    fact_id uuid NOT NULL,
    into_fact_id uuid NOT NULL,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL DEFAULT 9223372036854775807,
    PRIMARY KEY (organization_id, fact_id, from_rev),
    FOREIGN KEY (organization_id, fact_id) REFERENCES facts,
    FOREIGN KEY (organization_id, into_fact_id) REFERENCES facts (organization_id, fact_id)
);

-- Which fact an assertion makes at present, and the assertion's state: both change by closing and reopening the row.
CREATE TABLE placements (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    assertion_id uuid NOT NULL,
    fact_id uuid NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'live', 'withdrawn', 'rejected')),
    approved boolean NOT NULL DEFAULT false,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL DEFAULT 9223372036854775807,
    PRIMARY KEY (organization_id, assertion_id, from_rev),
    FOREIGN KEY (organization_id, assertion_id) REFERENCES assertions,
    FOREIGN KEY (organization_id, fact_id) REFERENCES facts
) WITH (fillfactor = 85);
CREATE INDEX placements_by_fact ON placements (organization_id, fact_id);

-- One row a segment of a fact, with what patterns look up. to_rev is in no index, so that closing a row is cheap.
CREATE TABLE standings (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    standing_id uuid NOT NULL,
    fact_id uuid NOT NULL,
    slot_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    predicate text NOT NULL,
    object_id uuid,
    object_key uuid,
    valid_from timestamptz,
    valid_to timestamptz,
    lifecycle text NOT NULL CHECK (lifecycle IN ('proposed', 'active', 'disputed', 'superseded', 'refuted', 'retracted')),
    support boolean NOT NULL,
    refute boolean NOT NULL,
    confidence double precision NOT NULL,
    support_mass double precision NOT NULL,
    refute_mass double precision NOT NULL,
    score double precision NOT NULL,
    reason text NOT NULL,
    tier smallint NOT NULL,
    verification text NOT NULL,
    kind text NOT NULL,
    corrected boolean NOT NULL,
    observed_at timestamptz NOT NULL,
    standing_hash bytea NOT NULL,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL DEFAULT 9223372036854775807,
    PRIMARY KEY (organization_id, standing_id),
    FOREIGN KEY (organization_id, fact_id) REFERENCES facts
) WITH (fillfactor = 80);
CREATE INDEX standings_by_fact ON standings (organization_id, fact_id);
CREATE INDEX standings_by_subject ON standings (organization_id, subject_id, predicate);
CREATE INDEX standings_by_object ON standings (organization_id, object_key, predicate);
CREATE INDEX standings_by_predicate ON standings (organization_id, predicate, fact_id);
CREATE INDEX standings_by_revision ON standings (organization_id, from_rev);

-- Rows closed at a revision, for the feed: to_rev itself stays out of every index.
CREATE TABLE standing_closures (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    standing_id uuid NOT NULL,
    fact_id uuid NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, revision, standing_id)
);
