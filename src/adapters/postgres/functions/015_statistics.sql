-- What the planner may believe of a table that was never analysed: that all its rows are of one organization and scope.
-- Without this it takes an organization for one of 200, and goes by any index that begins with it, in foreign keys too;
-- a plan made then stays in its session while the table grows. A real analysis overwrites it.
CREATE OR REPLACE FUNCTION seed_statistics() RETURNS void LANGUAGE plpgsql SET search_path = assay, public AS $$
DECLARE
    c record;
BEGIN
    FOR c IN
        SELECT t.relname::text AS table_name, a.attname::text AS column_name, CASE a.attname WHEN 'group_id' THEN 35 ELSE 16 END AS width
        FROM pg_class t
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname IN ('organization_id', 'group_id')
        WHERE t.relnamespace = 'assay'::regnamespace AND t.relkind = 'r' AND NOT t.relispartition AND t.reltuples <= 0
    LOOP
        PERFORM pg_restore_attribute_stats('schemaname', 'assay', 'relname', c.table_name, 'attname', c.column_name,
            'inherited', false, 'null_frac', 0::real, 'avg_width', c.width, 'n_distinct', 1::real);
    END LOOP;
END $$;
