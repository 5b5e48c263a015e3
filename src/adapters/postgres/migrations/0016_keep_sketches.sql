-- The original that a document declares to be a copy of.
ALTER TABLE document_versions ADD COLUMN origin_uri text CHECK (length(origin_uri) BETWEEN 1 AND 2000);

-- Passages that hold evidence, as they are compared with others: those that are nearly the same count once. copy_of is the
-- document that a passage was found to be like. Rows have no revision: they are claimed by who comes first.
CREATE TABLE sketches (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    sketch_id uuid NOT NULL,
    version_id uuid NOT NULL,
    document_id uuid NOT NULL,
    start_offset integer NOT NULL,
    end_offset integer NOT NULL,
    content bytea NOT NULL,
    independence_key text NOT NULL,
    copy_of uuid,
    likeness real CHECK (likeness BETWEEN 0 AND 1),
    PRIMARY KEY (organization_id, sketch_id),
    UNIQUE (organization_id, version_id, start_offset, end_offset),
    FOREIGN KEY (organization_id, version_id) REFERENCES document_versions
);

-- HMACs under the organization's key, by which a passage finds others.
CREATE TABLE sketch_bands (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    band bigint NOT NULL,
    sketch_id uuid NOT NULL,
    PRIMARY KEY (organization_id, band, sketch_id)
);
CREATE INDEX sketch_bands_by_sketch ON sketch_bands (organization_id, sketch_id);
