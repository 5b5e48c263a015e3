-- People and service accounts that an identity provider vouches for, what their claims gave them, and sessions.

-- The digest of what the claims gave last: the same claims change nothing.
ALTER TABLE principals ADD COLUMN claims_digest bytea;

-- A role is given by a person or by claims; each keeps its own row, so that neither takes what the other gave.
ALTER TABLE memberships ADD COLUMN given_by text NOT NULL DEFAULT 'person' CHECK (given_by IN ('person', 'claims'));
ALTER TABLE memberships DROP CONSTRAINT memberships_pkey;
ALTER TABLE memberships ADD PRIMARY KEY (organization_id, group_id, principal_id, given_by);

-- A session is a credential whose secret is in a cookie; it ends when nobody used it for idle_seconds.
-- grants is the most that a key may do, NULL for no bound; replaced_by is the key that a rotation made of it.
ALTER TABLE credentials ADD COLUMN kind text NOT NULL DEFAULT 'key' CHECK (kind IN ('key', 'session'));
ALTER TABLE credentials ADD COLUMN grants text[];
ALTER TABLE credentials ADD COLUMN idle_seconds integer CHECK (idle_seconds > 0);
ALTER TABLE credentials ADD COLUMN replaced_by uuid;
ALTER TABLE credentials ADD FOREIGN KEY (organization_id, replaced_by) REFERENCES credentials (organization_id, credential_id);
