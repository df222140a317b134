-- A policy that compares with all sources reads them in every statement, once for each table. The
-- highest level sees all; for others the planner chooses between a look-up for each row and one list.
CREATE OR REPLACE FUNCTION protect(name text, owner_column text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
  EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  EXECUTE format('DROP POLICY IF EXISTS bind_project ON %I', name);
  EXECUTE format('DROP POLICY IF EXISTS in_level ON %I', name);
  EXECUTE format('CREATE POLICY bind_project ON %I
    USING (project = current_setting(''foundry.project'', true))', name);
  IF owner_column = 'level' THEN
    EXECUTE format('CREATE POLICY in_level ON %I AS RESTRICTIVE
      USING (level <= current_setting(''foundry.level'', true)::integer)', name);
  ELSIF owner_column IS NOT NULL THEN
    EXECUTE format('CREATE POLICY in_level ON %1$I AS RESTRICTIVE USING (
      (SELECT current_setting(''foundry.level'', true)) = ''3'' OR EXISTS (
        SELECT FROM sources s WHERE s.project = current_setting(''foundry.project'', true)
          AND s.rowid = %1$I.%2$I))', name, owner_column);
  END IF;
END $$;

SELECT protect(c.relname, 'source') FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
WHERE p.polname = 'in_level' AND c.relnamespace = current_schema()::regnamespace
  AND c.relname NOT IN ('sources', 'unread_files');
