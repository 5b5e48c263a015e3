-- What a version was screened by and what was found in it: {"policy", "found", "quarantined", "flags"}; NULL for those before.
ALTER TABLE document_versions ADD COLUMN screening jsonb;

-- What a scope does with secrets and personal data, kind to treatment, where it says otherwise than what contains it.
ALTER TABLE scopes ADD COLUMN sensitive jsonb;
