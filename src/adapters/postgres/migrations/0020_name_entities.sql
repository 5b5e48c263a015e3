-- What a thing is called and of what kind it is are facts. Most things have none: `named` says where one has to be looked for.

ALTER TABLE entities ADD COLUMN named boolean NOT NULL DEFAULT false;
CREATE INDEX entities_named ON entities (organization_id) WHERE named;

-- A canonical name is a thing's own, and no alias that leads elsewhere.
ALTER TABLE names ADD COLUMN canonical boolean NOT NULL DEFAULT false;

ALTER TABLE proposals DROP CONSTRAINT proposals_kind_check;
ALTER TABLE proposals ADD CONSTRAINT proposals_kind_check
    CHECK (kind IN ('document', 'assertion', 'merge', 'vocabulary', 'promotion', 'correction', 'entity_edit'));
