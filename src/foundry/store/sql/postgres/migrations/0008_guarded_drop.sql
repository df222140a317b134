-- It runs with its owner's rights, so it drops vectors only, and only of the caller's project.
CREATE OR REPLACE FUNCTION drop_vectors(wanted text, name text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF wanted IS DISTINCT FROM current_setting('foundry.project', true)
    OR name NOT LIKE 'vec\_chunks\_%' THEN
    RAISE insufficient_privilege USING MESSAGE = 'not the vectors of this project';
  END IF;
  EXECUTE format('DROP TABLE IF EXISTS %I', partition_name(name, wanted));
END $$;
