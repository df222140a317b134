-- Vectors are kept in the precision that the index searches: windows rank what is found. The graph of
-- an index costs a load three times what building it at the end does, so that a run builds it when it
-- ends, and keeps it up to date from then on.

CREATE OR REPLACE FUNCTION make_vectors(wanted text, name text, dimension integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('foundry.make_vectors'));
  IF to_regclass(quote_ident(name)) IS NULL THEN
    EXECUTE format('CREATE TABLE %I (
      project text COLLATE "C" NOT NULL, chunk bigint NOT NULL, source bigint NOT NULL,
      embedding halfvec(%s) NOT NULL, PRIMARY KEY (project, chunk),
      FOREIGN KEY (project, chunk) REFERENCES chunks (project, rowid) ON DELETE CASCADE
    ) PARTITION BY LIST (project)', name, dimension);
    EXECUTE format('CREATE INDEX ON %I (project, source)', name);
    PERFORM protect(name, 'source');
    PERFORM copy_grants();
  END IF;
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES IN (%L)',
    partition_name(name, wanted), name, wanted);
END $$;

-- Build the index of a project's vectors if there are more than "few" and it has none. It is built in
-- memory, 1.4 kB a vector of 384 numbers with 16 neighbours; beyond 2 GB the build takes hours.
CREATE FUNCTION index_vectors(wanted text, name text, few bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  part text := partition_name(name, wanted);
  rows bigint;
  build text := format('CREATE INDEX %I ON %I USING hnsw (embedding halfvec_ip_ops)
    WITH (m = 16, ef_construction = 64)', part || '_hnsw', part);
BEGIN
  IF wanted IS DISTINCT FROM current_setting('foundry.project', true)
    OR name NOT LIKE 'vec\_chunks\_%' THEN
    RAISE insufficient_privilege USING MESSAGE = 'not the vectors of this project';
  END IF;
  -- Another process builds it.
  IF NOT pg_try_advisory_xact_lock(hashtextextended(part, 0)) THEN
    RETURN;
  END IF;
  IF to_regclass(quote_ident(part || '_hnsw')) IS NOT NULL THEN
    RETURN;
  END IF;
  EXECUTE format('SELECT count(*) FROM %I', part) INTO rows;
  IF rows <= few THEN
    RETURN;
  END IF;
  EXECUTE format('SELECT greatest($1 * (2 * vector_dims(embedding) + 700) / 1024,
    pg_size_bytes(current_setting(''maintenance_work_mem'')) / 1024) FROM %I LIMIT 1', part)
    INTO rows USING rows;
  PERFORM set_config('maintenance_work_mem', least(rows, 2097151)::text, true);
  BEGIN
    EXECUTE build;
  EXCEPTION WHEN insufficient_resources OR system_error THEN
    -- Parallel workers share the memory, of which a container may have little.
    PERFORM set_config('max_parallel_maintenance_workers', '0', true);
    EXECUTE build;
  END;
END $$;

DO $$
DECLARE
  parent regclass;
  old regclass;
  dimension integer;
BEGIN
  FOR parent IN
    SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      AND relkind = 'p' AND relname LIKE 'vec\_chunks\_%'
  LOOP
    FOR old IN SELECT x.indexrelid FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
      JOIN pg_am a ON a.oid = c.relam AND a.amname = 'hnsw' WHERE x.indrelid = parent
    LOOP
      EXECUTE format('DROP INDEX %s', old);
    END LOOP;
    SELECT atttypmod INTO dimension FROM pg_attribute
    WHERE attrelid = parent AND attname = 'embedding';
    EXECUTE format('ALTER TABLE %s ALTER COLUMN embedding TYPE halfvec(%s) USING embedding::halfvec(%2$s)',
      parent, dimension);
  END LOOP;
END $$;

DO $$
DECLARE
  wanted text;
  found text;
BEGIN
  FOR wanted IN SELECT id FROM projects LOOP
    PERFORM set_config('foundry.project', wanted, true);
    FOR found IN SELECT 'vec_chunks_' || slug FROM vector_indexes WHERE project = wanted LOOP
      PERFORM index_vectors(wanted, found, 5000);
    END LOOP;
  END LOOP;
END $$;
