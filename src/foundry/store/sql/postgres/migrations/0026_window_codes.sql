-- Windows with 4 bits a number instead of 8; postgres/conversion.py does it. The column has another name,
-- so that a process of an earlier version that still runs fails, instead of writing what would be misread.
-- Windows of a wrong size cannot be repacked: they go, and the check reports that they are missing.
ALTER TABLE window_vectors RENAME COLUMN numbers TO codes;

DO $$
DECLARE wanted text;
BEGIN
  FOR wanted IN SELECT id FROM projects LOOP
    PERFORM set_config('foundry.project', wanted, true), set_config('foundry.level', '3', true);
    DELETE FROM spare_vectors WHERE project = wanted;
    DELETE FROM window_vectors w USING vector_indexes i
    WHERE w.project = wanted AND i.project = wanted AND i.model = w.model
      AND (length(w.codes) = 0 OR length(w.codes) % i.dimension <> 0);
  END LOOP;
END $$;
