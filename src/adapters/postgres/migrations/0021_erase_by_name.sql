-- Erasing everything about somebody: in which versions their names are blacked out, and, until the work is done, the
-- expressions for the names everywhere and for those that mean them only where they are known to be meant.
CREATE TABLE erasure_redactions (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    version_id uuid NOT NULL,
    document_id uuid NOT NULL,
    erasure_id uuid NOT NULL,
    PRIMARY KEY (organization_id, version_id, erasure_id),
    FOREIGN KEY (organization_id, erasure_id) REFERENCES erasures
);
CREATE INDEX erasure_redactions_by_erasure ON erasure_redactions (organization_id, erasure_id);

ALTER TABLE erasures ADD COLUMN sought text, ADD COLUMN sought_there text,
    -- How often the sweeper started the clean-up again, and when last.
    ADD COLUMN restarts smallint NOT NULL DEFAULT 0, ADD COLUMN restarted_at timestamptz;
CREATE INDEX erasures_open ON erasures (organization_id, erasure_id) WHERE state = 'open';
