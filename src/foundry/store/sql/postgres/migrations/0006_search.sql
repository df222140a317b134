-- What searches of large projects need: sums without reading every chunk, and an index by words where
-- the server has pg_textsearch.

ALTER TABLE source_statistics ADD COLUMN terms bigint NOT NULL DEFAULT 0;

-- Counting the chunks that have a term reads the index alone.
ALTER TABLE postings DROP CONSTRAINT postings_pkey;
ALTER TABLE postings ADD PRIMARY KEY (project, term, source) INCLUDE (chunks);

-- Whether every chunk of the project is in chunk_words.
ALTER TABLE projects ADD COLUMN words boolean NOT NULL DEFAULT false;

DO $$
DECLARE wanted text;
BEGIN
  FOR wanted IN SELECT id FROM projects LOOP
    PERFORM set_config('foundry.project', wanted, true);
    UPDATE source_statistics t SET terms = (
      SELECT coalesce(sum(c.terms), 0) FROM chunks c
      WHERE c.project = wanted AND c.source = t.source) WHERE t.project = wanted;
    -- Windows stay beside their key: a search reads hundreds. Those that are there stay where they are.
    EXECUTE format('ALTER TABLE %I SET (toast_tuple_target = 8160)',
      partition_name('window_vectors', wanted));
  END LOOP;
END $$;

-- Whoever may write chunks may write the tables that are made later. Rights on partitions would lead
-- around row-level security, so default privileges will not do.
CREATE FUNCTION copy_grants() RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE made text; who text;
BEGIN
  FOR made, who IN
    SELECT c.relname, g.grantee::regrole FROM pg_class c,
      aclexplode((SELECT relacl FROM pg_class WHERE oid = 'chunks'::regclass)) g
    WHERE c.relnamespace = current_schema()::regnamespace
      AND c.relkind = 'p' AND NOT c.relispartition AND g.privilege_type = 'INSERT'
      AND (c.relname LIKE 'vec\_chunks\_%' OR c.relname = 'chunk_words')
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO %s', made, who);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION make_vectors(wanted text, name text, dimension integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('foundry.make_vectors'));
  IF to_regclass(quote_ident(name)) IS NULL THEN
    EXECUTE format('CREATE TABLE %I (
      project text COLLATE "C" NOT NULL, chunk bigint NOT NULL, source bigint NOT NULL,
      embedding vector(%s) NOT NULL, PRIMARY KEY (project, chunk),
      FOREIGN KEY (project, chunk) REFERENCES chunks (project, rowid) ON DELETE CASCADE
    ) PARTITION BY LIST (project)', name, dimension);
    EXECUTE format('CREATE INDEX ON %I USING hnsw ((embedding::halfvec(%s)) halfvec_ip_ops)',
      name, dimension);
    EXECUTE format('CREATE INDEX ON %I (project, source)', name);
    PERFORM protect(name, 'source');
    PERFORM copy_grants();
  END IF;
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES IN (%L)',
    partition_name(name, wanted), name, wanted);
END $$;

-- The terms of a chunk for pg_textsearch, which would cut and change words: each as its bytes in
-- letters. A term of more than 1,023 bytes is too long for it.
CREATE FUNCTION encode_words(VARIADIC fields text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(string_agg(
    translate(encode(convert_to(w.term, 'UTF8'), 'hex'), '0123456789', 'ghijklmnop'), ' '), '')
  FROM unnest(fields) f, unnest(string_to_array(f, ' ')) w (term) WHERE w.term <> ''
$$;

-- The title counts twice, as in text_ranking.py.
CREATE FUNCTION save_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chunk_words (project, level, chunk, source, words)
  SELECT c.project, s.level, c.rowid, c.source,
    encode_words(NEW.title, NEW.title, NEW.headings, NEW.body)
  FROM chunks c JOIN sources s ON s.project = NEW.project AND s.rowid = c.source
  WHERE c.project = NEW.project AND c.rowid = NEW.chunk
  ON CONFLICT (project, level, chunk) DO UPDATE SET source = excluded.source, words = excluded.words;
  RETURN NEW;
END $$;

CREATE FUNCTION move_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE chunk_words SET level = NEW.level
  WHERE project = NEW.project AND source = NEW.rowid AND level <> NEW.level;
  RETURN NEW;
END $$;

CREATE FUNCTION partition_words(wanted text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE whole text := partition_name('chunk_words', wanted);
BEGIN
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF chunk_words FOR VALUES IN (%L)
    PARTITION BY LIST (level)', whole, wanted);
  FOR level IN 0..3 LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES IN (%s)',
      whole || '_' || level, whole, level);
  END LOOP;
END $$;

CREATE FUNCTION has_textsearch() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT current_setting('pg_textsearch.library_version', true) IS NOT NULL
    AND EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_textsearch')
$$;

-- The table for pg_textsearch, if the server has it. It counts terms in each partition apart: one for
-- each level keeps sources above a caller's level out of what the caller finds.
CREATE FUNCTION make_words(wanted text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('foundry.create_project'));
  IF NOT has_textsearch() THEN
    RETURN;
  END IF;
  IF to_regclass('chunk_words') IS NULL THEN
    CREATE TABLE chunk_words (
      project text COLLATE "C" NOT NULL, level smallint NOT NULL, chunk bigint NOT NULL,
      source bigint NOT NULL, words text NOT NULL, PRIMARY KEY (project, level, chunk),
      FOREIGN KEY (project, chunk) REFERENCES chunks (project, rowid) ON DELETE CASCADE
    ) PARTITION BY LIST (project);
    CREATE INDEX chunk_words_by_chunk ON chunk_words (project, chunk);
    CREATE INDEX chunk_words_by_source ON chunk_words (project, source);
    PERFORM protect('chunk_words', 'source');
    PERFORM copy_grants();
    PERFORM partition_words(id) FROM projects;
    CREATE TRIGGER words_follow AFTER INSERT OR UPDATE ON chunk_terms
    FOR EACH ROW EXECUTE FUNCTION save_words();
    CREATE TRIGGER levels_follow AFTER UPDATE OF level ON sources
    FOR EACH ROW EXECUTE FUNCTION move_words();
  END IF;
  PERFORM partition_words(wanted);
  IF to_regclass('chunk_words_bm25') IS NULL THEN
    EXECUTE 'CREATE INDEX chunk_words_bm25 ON chunk_words USING bm25 (words)
      WITH (text_config = ''pg_catalog.simple'')';
  END IF;
END $$;

CREATE FUNCTION use_words(wanted text) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path FROM CURRENT AS
$$ UPDATE projects SET words = to_regclass('chunk_words') IS NOT NULL WHERE id = wanted $$;

CREATE OR REPLACE FUNCTION create_project(wanted text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
DECLARE
  parent text;
  made bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('foundry.create_project'));
  INSERT INTO projects (id) VALUES (wanted) ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS made = ROW_COUNT;
  FOR parent IN
    SELECT c.relname FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'p'
      AND c.relname NOT LIKE 'vec\_chunks\_%' AND c.relname NOT LIKE 'chunk\_words%'
  LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES IN (%L)',
      partition_name(parent, wanted), parent, wanted);
  END LOOP;
  EXECUTE format('ALTER TABLE %I SET (toast_tuple_target = 8160)',
    partition_name('window_vectors', wanted));
  PERFORM make_words(wanted);
  -- A new project has all of its chunks there: none. Others are filled by a rebuild.
  IF made > 0 THEN
    PERFORM use_words(wanted);
  END IF;
END $$;
