-- Every process remembers for a moment who a credential is and where a scope lies. A change says so on commit, and they forget.

CREATE OR REPLACE FUNCTION notice_identity() RETURNS trigger
LANGUAGE plpgsql SET search_path = assay, public AS $$
BEGIN
    PERFORM pg_notify('assay_identity', (CASE WHEN TG_OP = 'DELETE' THEN OLD.organization_id ELSE NEW.organization_id END)::text);
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notice_identity AFTER UPDATE OF name, disabled_at ON principals
    FOR EACH ROW EXECUTE FUNCTION notice_identity();
-- Not for last_used_at: use is no change.
CREATE OR REPLACE TRIGGER notice_identity AFTER UPDATE OF revoked_at, expires_at ON credentials
    FOR EACH ROW EXECUTE FUNCTION notice_identity();
CREATE OR REPLACE TRIGGER notice_identity AFTER INSERT OR UPDATE OR DELETE ON memberships
    FOR EACH ROW EXECUTE FUNCTION notice_identity();
CREATE OR REPLACE TRIGGER notice_identity AFTER UPDATE OR DELETE ON scopes
    FOR EACH ROW EXECUTE FUNCTION notice_identity();
