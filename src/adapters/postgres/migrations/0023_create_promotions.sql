-- Where an assertion of a wider scope comes from: the fact of a narrower one that it repeats, who proposed it and who approved it.
-- A row never refers into a narrower scope: the original is named by its id, without a foreign key.

CREATE TABLE promotions (
    organization_id uuid NOT NULL,
    group_id text NOT NULL,
    assertion_id uuid NOT NULL,
    fact_id uuid NOT NULL,
    origin text NOT NULL CHECK (origin IN ('personal', 'project', 'workspace')),
    proposal_id uuid NOT NULL,
    saw bigint NOT NULL,
    proposed_by uuid NOT NULL,
    approved_by uuid NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (organization_id, assertion_id),
    FOREIGN KEY (organization_id, group_id) REFERENCES scopes,
    FOREIGN KEY (organization_id, assertion_id) REFERENCES assertions ON DELETE CASCADE,
    FOREIGN KEY (organization_id, proposed_by) REFERENCES principals (organization_id, principal_id),
    FOREIGN KEY (organization_id, approved_by) REFERENCES principals (organization_id, principal_id)
);
CREATE INDEX promotions_by_fact ON promotions (organization_id, fact_id);
