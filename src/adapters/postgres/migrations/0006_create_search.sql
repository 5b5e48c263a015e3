-- What search reads. These tables have no policies, since full text and vectors cannot use an index under one; the
-- application role has no right on them and reaches them through definer functions, which filter by the session's scopes.

CREATE TABLE facts_search (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    standing_id uuid NOT NULL,
    fact_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    object_id uuid,
    predicate text NOT NULL,
    lifecycle text NOT NULL,
    kind text NOT NULL,
    tier smallint NOT NULL,
    valid_from timestamptz,
    valid_to timestamptz,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL,
    words integer NOT NULL,
    terms tsvector NOT NULL,
    PRIMARY KEY (organization_id, standing_id)
) WITH (fillfactor = 80);
CREATE INDEX facts_search_terms ON facts_search USING gin (organization_id, terms);
CREATE INDEX facts_search_by_fact ON facts_search (organization_id, fact_id);

CREATE TABLE chunks_search (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    chunk_id uuid NOT NULL,
    document_id uuid NOT NULL,
    version_id uuid NOT NULL,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL,
    words integer NOT NULL,
    terms tsvector NOT NULL,
    PRIMARY KEY (organization_id, chunk_id)
) WITH (fillfactor = 80);
CREATE INDEX chunks_search_terms ON chunks_search USING gin (organization_id, terms);

CREATE TABLE names_search (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    entity_id uuid NOT NULL,
    normal text NOT NULL,
    folded text NOT NULL,
    from_rev bigint NOT NULL,
    to_rev bigint NOT NULL,
    PRIMARY KEY (organization_id, entity_id, normal, from_rev)
);
CREATE INDEX names_search_by_folded ON names_search (organization_id, folded);
CREATE INDEX names_search_by_normal ON names_search (organization_id, normal);
CREATE INDEX names_search_trigrams ON names_search USING gin (organization_id, folded gin_trgm_ops);

-- How many rows of a scope hold a term; refreshed by the sweeper. Terms that are in a few per cent of the rows are dropped.
CREATE TABLE search_terms (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    corpus text NOT NULL CHECK (corpus IN ('facts', 'chunks')),
    term text NOT NULL,
    documents integer NOT NULL,
    PRIMARY KEY (organization_id, corpus, term, group_id)
);
CREATE TABLE search_totals (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    corpus text NOT NULL,
    documents integer NOT NULL,
    mean_words double precision NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, corpus, group_id)
);

-- One build of one model's vectors. An organization names its active one; another is filled beside it, then switched to.
CREATE TABLE vector_indexes (
    index_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    model text NOT NULL,
    dimension integer NOT NULL CHECK (dimension BETWEEN 1 AND 4000),
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE active_vector_indexes (
    organization_id uuid PRIMARY KEY REFERENCES organizations,
    index_id integer NOT NULL REFERENCES vector_indexes,
    building_id integer REFERENCES vector_indexes,
    watermark bigint NOT NULL DEFAULT 0,
    building_watermark bigint NOT NULL DEFAULT 0
);

CREATE TABLE fact_vectors (
    index_id integer NOT NULL,
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    fact_id uuid NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (index_id, organization_id, fact_id)
) PARTITION BY LIST (index_id);
CREATE TABLE chunk_vectors (
    index_id integer NOT NULL,
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    chunk_id uuid NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (index_id, organization_id, chunk_id)
) PARTITION BY LIST (index_id);
CREATE TABLE entity_vectors (
    index_id integer NOT NULL,
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    entity_id uuid NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (index_id, organization_id, entity_id)
) PARTITION BY LIST (index_id);
CREATE TABLE concept_vectors (
    index_id integer NOT NULL,
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    concept_id uuid NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (index_id, organization_id, concept_id)
) PARTITION BY LIST (index_id);
