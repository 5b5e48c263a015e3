-- Makes {documents} large documents, each out of {small} documents of 50 assertions.
WITH small AS (
    SELECT document_id, (row_number() OVER (ORDER BY document_id) - 1) / {small} AS bundle
    FROM (SELECT document_id FROM assertions GROUP BY document_id HAVING count(*) = 50 ORDER BY document_id LIMIT {small} * {documents}) d),
whole AS (
    SELECT document_id, first_value(document_id) OVER (PARTITION BY bundle ORDER BY document_id) AS into_id FROM small)
UPDATE assertions a SET document_id = whole.into_id, version_id = whole.into_id
FROM whole WHERE a.document_id = whole.document_id;
INSERT INTO document_states (organization_id, group_id, version_id, status, from_rev)
SELECT organization_id, group_id, version_id, 'completed', 1 FROM document_versions;
