-- The tables that pgvector had; blocks have their vectors. Nothing uses the extension any more.
DO $$
DECLARE found text;
BEGIN
  FOR found IN
    SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      AND relkind = 'p' AND relname LIKE 'old\_vec\_chunks\_%'
  LOOP
    EXECUTE format('DROP TABLE %I', found);
  END LOOP;
END $$;
