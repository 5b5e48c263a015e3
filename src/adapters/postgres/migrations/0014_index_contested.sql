-- What is contested, or was until one side won, is little of a record: found without reading the rest.
CREATE INDEX standings_contested ON standings (organization_id, lifecycle, slot_id)
WHERE lifecycle IN ('disputed', 'superseded') OR (support AND refute);
