-- The transaction's tenant, and the policies that hold it. Settings are local to a transaction and read '' after it.

CREATE OR REPLACE FUNCTION tenant_organization() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('app.organization', true), '')::uuid;

CREATE OR REPLACE FUNCTION tenant_read_scopes() RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE
RETURN string_to_array(NULLIF(current_setting('app.read_scopes', true), ''), ',');

-- With those around that are not read, since the caller asked for less: they say what things and sources are called.
CREATE OR REPLACE FUNCTION tenant_known_scopes() RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE
RETURN string_to_array(NULLIF(current_setting('app.known_scopes', true), ''), ',');

CREATE OR REPLACE FUNCTION tenant_write_scopes() RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE
RETURN string_to_array(NULLIF(current_setting('app.write_scopes', true), ''), ',');

-- Takes the tenant for this transaction; the first thing that a one-statement read does. Scopes are narrowest first; after
-- a bar come those that are known and not read.
CREATE OR REPLACE FUNCTION enter_tenant(p_organization uuid, p_read_scopes text, p_write_scopes text DEFAULT '')
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('app.organization', p_organization::text, true),
            set_config('app.read_scopes', split_part(p_read_scopes, '|', 1), true),
            set_config('app.known_scopes', translate(p_read_scopes, '|', ','), true),
            set_config('app.write_scopes', p_write_scopes, true);
END $$;

-- Every policy and every right of the application role, from one place. Tables that the application may change in place
-- are named with the columns; everything else is insert-only for it.
CREATE OR REPLACE FUNCTION apply_policies() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    t record;
    condition text;
    write_condition text;
    updatable jsonb := '{
        "heads": "revision, hash, vocabulary_rev, identity_rev", "organizations": "name, gate, monthly_model_limit_micros, audit_days",
        "principals": "name, disabled_at, claims_digest", "scopes": "name, gate, sensitive", "memberships": "role",
        "credentials": "name, expires_at, revoked_at, last_used_at, replaced_by",
        "mutation_payloads": "payload", "idempotency_keys": "response", "sources": "cursor", "source_grades": "to_rev",
        "collections": "settings, entities", "document_versions": "text, title, route, route_confidence, route_reason, mapping, gate",
        "document_states": "to_rev", "chunks": "to_rev, text",
        "receipts": "status, recipe, items, stored, merged, queued, rejected, notes, revision, finished_at, document_id, version_id",
        "proposals": "state, decided_by, decided_at, reason", "entities": "standing, name, kind, label, search_terms",
        "entity_states": "to_rev", "names": "to_rev", "resolutions": "to_rev", "predicates": "to_rev",
        "facts": "key, slot_id, object_key, object_literal, sentence", "slots": "key", "documents": "collection_id", "fact_redirects": "to_rev", "placements": "to_rev",
        "standings": "to_rev", "feedback": "helpful, signals, query, revision, at, to_rev",
        "quotas": "principal_units, organization_units, monthly_model_micros, artifact_bytes, assertions",
        "usage": "calls, requests, texts, input_tokens, output_tokens, price_micros",
        "projections": "live, watermark, lease_holder, lease_until, updated_at",
        "active_vector_indexes": "index_id, building_id, watermark, building_watermark",
        "erasures": "state, counts, canaries, digests, touched, sought, sought_there, finished_at, certificate",
        "legal_holds": "lifted_at, lifted_by, lift_reason, lifted_revision",
        "snapshots": "verified_at, altered_at, kept",
        "fact_vectors": "embedding", "chunk_vectors": "embedding", "entity_vectors": "embedding", "concept_vectors": "embedding"
    }';
    deletable text[] := '{memberships,fact_vectors,chunk_vectors,entity_vectors,concept_vectors,projections,idempotency_keys,receipt_rejections,erasure_objects}';
    -- What things, sources and collections are called: a fact may name those of a scope around its own.
    known text[] := '{entities,entity_states,names,sources,source_grades,collections,scopes}';
    looked_up text[] := '{quotas,artifacts,assertions,audit,snapshots,packs,pack_items,usage,idempotency_keys,erasures,organizations,scopes,principals,memberships,credentials,projections,heads,active_vector_indexes}';
BEGIN
    FOR t IN
        SELECT c.oid, c.relname,
               bool_or(a.attname = 'organization_id') AS by_organization,
               bool_or(a.attname = 'group_id') AS by_group
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relnamespace = 'assay'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND c.relname NOT LIKE 'pgqueuer%'
        GROUP BY c.oid, c.relname
    LOOP
        EXECUTE format('REVOKE ALL ON %I FROM assay_app, assay_worker', t.relname);
        -- What an erasure took is vacuumed away at once.
        EXECUTE format('GRANT MAINTAIN ON %I TO assay_app', t.relname);
        CONTINUE WHEN t.relname LIKE '%\_search' OR t.relname IN ('search_terms', 'search_totals', 'applied_migrations', 'applied_functions');
        EXECUTE format('GRANT SELECT ON %I TO assay_app', t.relname);
        CONTINUE WHEN NOT t.by_organization;
        EXECUTE format('GRANT INSERT ON %I TO assay_app', t.relname);
        IF updatable ? t.relname THEN
            EXECUTE format('GRANT UPDATE (%s) ON %I TO assay_app', updatable ->> t.relname, t.relname);
        END IF;
        IF t.relname = ANY (deletable) THEN
            EXECUTE format('GRANT DELETE ON %I TO assay_app', t.relname);
        END IF;
        condition := 'organization_id = tenant_organization()';
        write_condition := condition;
        IF t.by_group THEN
            write_condition := condition || ' AND group_id = ANY (tenant_write_scopes())';
            condition := condition || CASE WHEN t.relname = ANY (known)
                THEN ' AND group_id = ANY (tenant_known_scopes())' ELSE ' AND group_id = ANY (tenant_read_scopes())' END;
        END IF;
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t.relname);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t.relname);
        EXECUTE format('DROP POLICY IF EXISTS tenant_read ON %I', t.relname);
        EXECUTE format('DROP POLICY IF EXISTS tenant_insert ON %I', t.relname);
        EXECUTE format('DROP POLICY IF EXISTS tenant_update ON %I', t.relname);
        EXECUTE format('DROP POLICY IF EXISTS tenant_delete ON %I', t.relname);
        EXECUTE format('DROP POLICY IF EXISTS definer_lookup ON %I', t.relname);
        EXECUTE format('CREATE POLICY tenant_read ON %I FOR SELECT USING (%s)', t.relname, condition);
        EXECUTE format('CREATE POLICY tenant_insert ON %I FOR INSERT WITH CHECK (%s)', t.relname, write_condition);
        EXECUTE format('CREATE POLICY tenant_update ON %I FOR UPDATE USING (%s) WITH CHECK (%s)', t.relname, write_condition, write_condition);
        EXECUTE format('CREATE POLICY tenant_delete ON %I FOR DELETE USING (%s)', t.relname, write_condition);
        -- The definer functions that find a tenant before there is one read these as their owner.
        IF t.relname = ANY (looked_up) THEN
            EXECUTE format('CREATE POLICY definer_lookup ON %I TO assay_owner USING (true)', t.relname);
        END IF;
    END LOOP;
    IF to_regclass('assay.pgqueuer') IS NOT NULL THEN
        GRANT INSERT ON pgqueuer, pgqueuer_log TO assay_app;
        GRANT SELECT ON pgqueuer TO assay_app;
        GRANT MAINTAIN ON pgqueuer, pgqueuer_log TO assay_app;
        GRANT ALL ON pgqueuer, pgqueuer_log, pgqueuer_schedules TO assay_worker;
        GRANT USAGE ON ALL SEQUENCES IN SCHEMA assay TO assay_app, assay_worker;
        ALTER TABLE pgqueuer ENABLE ROW LEVEL SECURITY;
        ALTER TABLE pgqueuer FORCE ROW LEVEL SECURITY;
        DROP POLICY IF EXISTS tenant_insert ON pgqueuer;
        DROP POLICY IF EXISTS tenant_read ON pgqueuer;
        DROP POLICY IF EXISTS worker_all ON pgqueuer;
        DROP POLICY IF EXISTS definer_lookup ON pgqueuer;
        CREATE POLICY tenant_insert ON pgqueuer FOR INSERT TO assay_app WITH CHECK
            (headers ->> 'organization_id' = tenant_organization()::text AND headers ->> 'group_id' = ANY (tenant_write_scopes()));
        CREATE POLICY tenant_read ON pgqueuer FOR SELECT TO assay_app USING
            (headers ->> 'organization_id' = tenant_organization()::text AND headers ->> 'group_id' = ANY (tenant_read_scopes()));
        CREATE OR REPLACE TRIGGER count_deaths BEFORE UPDATE OF status ON pgqueuer FOR EACH ROW
            WHEN (OLD.status = 'picked' AND NEW.status = 'picked' AND OLD.queue_manager_id IS DISTINCT FROM NEW.queue_manager_id)
            EXECUTE FUNCTION count_death();
        CREATE POLICY worker_all ON pgqueuer TO assay_worker USING (true) WITH CHECK (true);
        CREATE POLICY definer_lookup ON pgqueuer TO assay_owner USING (true) WITH CHECK (true);
    END IF;
    GRANT USAGE ON SCHEMA assay TO assay_app, assay_worker;
    REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA assay FROM PUBLIC;
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA assay TO assay_app, assay_worker;
    REVOKE EXECUTE ON FUNCTION apply_policies() FROM assay_app, assay_worker;
    -- Left out, temporary tables come first: whoever makes one would say what a function finds, or run as its owner.
    FOR t IN SELECT p.oid::regprocedure AS signature FROM pg_proc p
             WHERE p.pronamespace = 'assay'::regnamespace AND p.prosecdef LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = assay, public, pg_temp', t.signature);
    END LOOP;
END $$;
