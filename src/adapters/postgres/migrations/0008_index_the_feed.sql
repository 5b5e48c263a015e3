-- What the feed of graphs and the sweeper look up. Mentions are followed by their resolutions, which carry the same
-- revision at first and a new one when a mention is resolved anew.

CREATE INDEX resolutions_by_revision ON resolutions (organization_id, from_rev);
DROP INDEX mentions_by_revision;
CREATE INDEX entity_states_by_revision ON entity_states (organization_id, from_rev);
CREATE INDEX document_states_unfinished ON document_states (organization_id, from_rev)
    WHERE status IN ('pending', 'processing') AND to_rev = 9223372036854775807;
