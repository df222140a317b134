-- Codes of one bit a number go: 8-bit vectors are compared as fast. conversion.py gives blocks a checksum
-- without codes after this; the next migration drops them. With another name, a process of an earlier
-- version that is still writing fails: it would write checksums with codes.

DO $$
DECLARE found text;
BEGIN
  FOR found IN
    SELECT t.relname FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'codes'
    WHERE t.relnamespace = current_schema()::regnamespace
      AND t.relkind = 'p' AND t.relname LIKE 'vec\_chunks\_%\_blocks'
  LOOP
    EXECUTE format('ALTER TABLE %I RENAME COLUMN codes TO old_codes', found);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION make_vectors(wanted text, name text) RETURNS void
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
      level smallint NOT NULL, middle bytea, chunks bytea NOT NULL, numbers bytea NOT NULL,
      PRIMARY KEY (project, block)
    ) PARTITION BY LIST (project)', blocks);
    -- Numbers do not compress, and are read often.
    EXECUTE format('ALTER TABLE %I ALTER COLUMN middle SET STORAGE EXTERNAL,
      ALTER COLUMN chunks SET STORAGE EXTERNAL, ALTER COLUMN numbers SET STORAGE EXTERNAL', blocks);
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
