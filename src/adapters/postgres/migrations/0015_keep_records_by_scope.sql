-- A source of the organization can give the same record to several workspaces: each has a document of its own.
ALTER TABLE documents DROP CONSTRAINT documents_organization_id_source_id_record_key_key;
ALTER TABLE documents ADD UNIQUE (organization_id, source_id, record_key, group_id);
