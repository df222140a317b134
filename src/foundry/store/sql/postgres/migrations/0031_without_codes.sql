-- Nothing reads the codes of lists any more.
DO $$
DECLARE found text;
BEGIN
  FOR found IN
    SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      AND relkind = 'p' AND relname LIKE 'vec\_chunks\_%\_blocks'
  LOOP
    EXECUTE format('ALTER TABLE %I DROP COLUMN IF EXISTS old_codes', found);
  END LOOP;
END $$;
