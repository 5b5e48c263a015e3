-- Corrections are few: this finds them without reading the rest of a predicate.
CREATE INDEX standings_corrected ON standings (organization_id, predicate, fact_id) WHERE corrected;
