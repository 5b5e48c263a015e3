-- Whoever issues a key has seen it: only one that its own principal issued opens that person's personal scope. Keys from
-- before are taken for somebody else's; rotating one makes it one's own.
ALTER TABLE credentials ADD COLUMN issued_by uuid;
