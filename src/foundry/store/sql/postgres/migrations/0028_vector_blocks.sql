-- Vectors in blocks and lists, as in SQLite (see store/relational/vectors.py), instead of pgvector's type
-- and graph. conversion.py fills them from the old tables after this; the next migration drops those.

CREATE FUNCTION make_vectors(wanted text, name text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  blocks text := name || '_blocks';
  part text := partition_name(name, wanted);
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('foundry.make_vectors'));
  IF to_regclass(quote_ident(name)) IS NULL THEN
    -- The level is that of the sources: each vector is in a block of its own.
    EXECUTE format('CREATE TABLE %I (
      project text COLLATE "C" NOT NULL, chunk bigint NOT NULL, block bigint NOT NULL,
      level smallint NOT NULL, PRIMARY KEY (project, chunk)
    ) PARTITION BY LIST (project)', name);
    EXECUTE format('CREATE TABLE %I (
      project text COLLATE "C" NOT NULL, block bigint NOT NULL, version bigint NOT NULL,
      level smallint NOT NULL, middle bytea, chunks bytea NOT NULL, codes bytea,
      numbers bytea NOT NULL, PRIMARY KEY (project, block)
    ) PARTITION BY LIST (project)', blocks);
    -- Numbers do not compress, and are read often.
    EXECUTE format('ALTER TABLE %I ALTER COLUMN middle SET STORAGE EXTERNAL,
      ALTER COLUMN chunks SET STORAGE EXTERNAL, ALTER COLUMN codes SET STORAGE EXTERNAL,
      ALTER COLUMN numbers SET STORAGE EXTERNAL', blocks);
    EXECUTE format('CREATE INDEX ON %I (project, level, block) WHERE middle IS NULL', blocks);
    PERFORM protect(name, 'level'), protect(blocks, 'level');
    PERFORM copy_grants();
  END IF;
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES IN (%L)',
    part, name, wanted);
  -- The middles of lists stay in the rows: the first search of a process reads all.
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES IN (%L)
    WITH (toast_tuple_target = 4080)', part || '_b', blocks, wanted);
END $$;

CREATE OR REPLACE FUNCTION drop_vectors(wanted text, name text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE part text := partition_name(name, wanted);
BEGIN
  IF wanted IS DISTINCT FROM current_setting('foundry.project', true)
    OR name NOT LIKE 'vec\_chunks\_%' THEN
    RAISE insufficient_privilege USING MESSAGE = 'not the vectors of this project';
  END IF;
  EXECUTE format('DROP TABLE IF EXISTS %I, %I', part, part || '_b');
END $$;

DROP FUNCTION make_vectors(text, text, integer);
DROP FUNCTION index_vectors(text, text, bigint);

DO $$
DECLARE found text;
BEGIN
  FOR found IN
    SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      AND relkind IN ('p', 'r') AND relname LIKE 'vec\_chunks\_%'
  LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %I', found, 'old_' || found);
  END LOOP;
END $$;
