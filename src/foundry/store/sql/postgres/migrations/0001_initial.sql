-- The first schema. Every table has the project in its key and is partitioned by it, so that a
-- distributed PostgreSQL can place projects on nodes. Columns mean what they do in SQLite.
-- Migrations are append-only: a file that was released is never edited.

CREATE TABLE projects (
  id      text COLLATE "C" PRIMARY KEY,
  created timestamptz NOT NULL DEFAULT now()
);

CREATE SEQUENCE row_numbers;

CREATE TABLE sources (
  project         text COLLATE "C" NOT NULL,
  rowid           bigint NOT NULL DEFAULT nextval('row_numbers'),
  id              text COLLATE "C" NOT NULL,
  path            text COLLATE "C" NOT NULL,
  content_hash    text NOT NULL,
  title           text NOT NULL,
  type            text NOT NULL,
  language        text NOT NULL,
  size            bigint NOT NULL,
  modified        text NOT NULL,
  ingested        text NOT NULL,
  pages           integer,
  tags            text NOT NULL,
  confidentiality text NOT NULL,
  level           smallint NOT NULL,
  revision        text,
  revision_date   text,
  dated           text COLLATE "C" NOT NULL,
  names           text NOT NULL,
  about           text NOT NULL,
  warnings        text NOT NULL,
  recipe          text NOT NULL,
  PRIMARY KEY (project, rowid),
  UNIQUE (project, id),
  UNIQUE (project, path)
) PARTITION BY LIST (project);

CREATE TABLE source_texts (
  project text COLLATE "C" NOT NULL,
  source  bigint NOT NULL,
  segment integer NOT NULL,
  text    text NOT NULL,
  PRIMARY KEY (project, source, segment),
  FOREIGN KEY (project, source) REFERENCES sources (project, rowid) ON DELETE CASCADE
) PARTITION BY LIST (project);

CREATE TABLE heading_paths (
  project text COLLATE "C" NOT NULL,
  source  bigint NOT NULL,
  number  integer NOT NULL,
  path    text NOT NULL,
  PRIMARY KEY (project, source, number),
  FOREIGN KEY (project, source) REFERENCES sources (project, rowid) ON DELETE CASCADE
) PARTITION BY LIST (project);

CREATE TABLE blocks (
  project     text COLLATE "C" NOT NULL,
  source      bigint NOT NULL,
  position    integer NOT NULL,
  kind        text NOT NULL,
  char_start  bigint NOT NULL,
  char_end    bigint NOT NULL,
  heading     integer NOT NULL,
  level       integer,
  page        integer,
  page_label  text,
  x0          double precision,
  y0          double precision,
  x1          double precision,
  y1          double precision,
  time_start  double precision,
  time_end    double precision,
  speaker     text,
  table_cells text,
  recognition text,
  PRIMARY KEY (project, source, position),
  FOREIGN KEY (project, source) REFERENCES sources (project, rowid) ON DELETE CASCADE
) PARTITION BY LIST (project);

CREATE TABLE source_summaries (
  project text COLLATE "C" NOT NULL,
  source  bigint NOT NULL,
  text    text NOT NULL,
  model   text NOT NULL,
  PRIMARY KEY (project, source),
  FOREIGN KEY (project, source) REFERENCES sources (project, rowid) ON DELETE CASCADE
) PARTITION BY LIST (project);

CREATE TABLE abbreviations (
  project text COLLATE "C" NOT NULL,
  source  bigint NOT NULL,
  key     text COLLATE "C" NOT NULL,
  other   text COLLATE "C" NOT NULL,
  PRIMARY KEY (project, key, source, other),
  FOREIGN KEY (project, source) REFERENCES sources (project, rowid) ON DELETE CASCADE
) PARTITION BY LIST (project);

CREATE INDEX abbreviations_by_source ON abbreviations (project, source);

CREATE TABLE chunks (
  project       text COLLATE "C" NOT NULL,
  rowid         bigint NOT NULL DEFAULT nextval('row_numbers'),
  id            text COLLATE "C" NOT NULL,
  source        bigint NOT NULL,
  position      integer NOT NULL,
  char_start    bigint NOT NULL,
  char_end      bigint NOT NULL,
  first_block   integer NOT NULL,
  last_block    integer NOT NULL,
  tokens        integer NOT NULL,
  language      text NOT NULL,
  heading_path  text NOT NULL,
  headings      text NOT NULL,
  prefix        text NOT NULL,
  content       text,
  text_hash     text NOT NULL,
  terms_hash    text NOT NULL,
  embedded_hash text NOT NULL,
  terms         integer NOT NULL DEFAULT 0,
  PRIMARY KEY (project, rowid),
  UNIQUE (project, id),
  FOREIGN KEY (project, source) REFERENCES sources (project, rowid) ON DELETE CASCADE
) PARTITION BY LIST (project);

CREATE INDEX chunks_by_source ON chunks (project, source, position);
CREATE INDEX chunks_by_embedded_hash ON chunks (project, embedded_hash);

-- The analysed terms of each chunk, separated by spaces: what postings are made of.
CREATE TABLE chunk_terms (
  project  text COLLATE "C" NOT NULL,
  chunk    bigint NOT NULL,
  title    text NOT NULL,
  headings text NOT NULL,
  body     text NOT NULL,
  PRIMARY KEY (project, chunk),
  FOREIGN KEY (project, chunk) REFERENCES chunks (project, rowid) ON DELETE CASCADE
) PARTITION BY LIST (project);

-- Where a term occurs in a source: of each chunk its row number (8 bytes) and how often the title,
-- headings and body have it (2 each), big-endian. A source is replaced or removed as a whole.
CREATE TABLE postings (
  project text COLLATE "C" NOT NULL,
  term    text COLLATE "C" NOT NULL,
  source  bigint NOT NULL,
  chunks  integer NOT NULL,
  titled  boolean NOT NULL,
  places  bytea NOT NULL,
  PRIMARY KEY (project, term, source),
  FOREIGN KEY (project, source) REFERENCES sources (project, rowid) ON DELETE CASCADE
) PARTITION BY LIST (project);

CREATE INDEX postings_by_source ON postings (project, source);

CREATE TABLE source_statistics (
  project   text COLLATE "C" NOT NULL,
  source    bigint NOT NULL,
  lengths   bytea NOT NULL,
  languages text NOT NULL,
  PRIMARY KEY (project, source),
  FOREIGN KEY (project, source) REFERENCES sources (project, rowid) ON DELETE CASCADE
) PARTITION BY LIST (project);

CREATE TABLE vector_indexes (
  project     text COLLATE "C" NOT NULL,
  model       text COLLATE "C" NOT NULL,
  slug        text NOT NULL,
  dimension   integer NOT NULL,
  fingerprint text NOT NULL,
  created     text NOT NULL,
  PRIMARY KEY (project, model)
) PARTITION BY LIST (project);

CREATE TABLE window_vectors (
  project text COLLATE "C" NOT NULL,
  model   text COLLATE "C" NOT NULL,
  chunk   bigint NOT NULL,
  data    bytea NOT NULL,
  PRIMARY KEY (project, model, chunk),
  FOREIGN KEY (project, model) REFERENCES vector_indexes (project, model) ON DELETE CASCADE,
  FOREIGN KEY (project, chunk) REFERENCES chunks (project, rowid) ON DELETE CASCADE
) PARTITION BY LIST (project);

CREATE TABLE spare_vectors (
  project       text COLLATE "C" NOT NULL,
  model         text COLLATE "C" NOT NULL,
  embedded_hash text NOT NULL,
  embedding     bytea NOT NULL,
  PRIMARY KEY (project, model, embedded_hash),
  FOREIGN KEY (project, model) REFERENCES vector_indexes (project, model) ON DELETE CASCADE
) PARTITION BY LIST (project);

CREATE TABLE ingest_runs (
  project  text COLLATE "C" NOT NULL,
  id       bigint NOT NULL DEFAULT nextval('row_numbers'),
  started  text NOT NULL,
  finished text,
  status   text NOT NULL,
  details  text NOT NULL,
  report   text,
  PRIMARY KEY (project, id)
) PARTITION BY LIST (project);

CREATE TABLE unread_files (
  project text COLLATE "C" NOT NULL,
  path    text COLLATE "C" NOT NULL,
  level   smallint NOT NULL,
  record  text NOT NULL,
  PRIMARY KEY (project, path)
) PARTITION BY LIST (project);

CREATE TABLE query_log (
  project              text COLLATE "C" NOT NULL,
  number               bigint NOT NULL DEFAULT nextval('row_numbers'),
  id                   text COLLATE "C" NOT NULL,
  time                 text NOT NULL,
  moment               double precision NOT NULL,
  kind                 text NOT NULL,
  query                text NOT NULL,
  rewritten            text,
  role                 text NOT NULL,
  agent                text,
  verdict              text,
  gate_score           double precision,
  chunks               text NOT NULL,
  models               text NOT NULL,
  profile              text,
  answer               text,
  attribution_coverage double precision,
  shown_coverage       double precision,
  checks               text NOT NULL,
  changes              text NOT NULL,
  timings_ms           text NOT NULL,
  usage                text NOT NULL,
  error                text,
  PRIMARY KEY (project, number),
  UNIQUE (project, id)
) PARTITION BY LIST (project);

CREATE INDEX query_log_by_moment ON query_log (project, moment);

CREATE TABLE feedback (
  project  text COLLATE "C" NOT NULL,
  id       bigint NOT NULL DEFAULT nextval('row_numbers'),
  query_id text NOT NULL,
  correct  integer NOT NULL,
  note     text,
  time     text NOT NULL,
  PRIMARY KEY (project, id)
) PARTITION BY LIST (project);

CREATE TABLE drafts (
  project text COLLATE "C" NOT NULL,
  path    text COLLATE "C" NOT NULL,
  feature text,
  created double precision NOT NULL,
  record  text NOT NULL,
  PRIMARY KEY (project, path)
) PARTITION BY LIST (project);

CREATE TABLE draft_sections (
  project text COLLATE "C" NOT NULL,
  key     text COLLATE "C" NOT NULL,
  section text NOT NULL,
  saved   text NOT NULL,
  PRIMARY KEY (project, key)
) PARTITION BY LIST (project);

CREATE TABLE eval_questions (
  project  text COLLATE "C" NOT NULL,
  key      text COLLATE "C" NOT NULL,
  set_name text COLLATE "C" NOT NULL,
  record   text NOT NULL,
  PRIMARY KEY (project, key)
) PARTITION BY LIST (project);

CREATE TABLE eval_runs (
  project text COLLATE "C" NOT NULL,
  id      bigint NOT NULL,
  name    text NOT NULL,
  record  text NOT NULL,
  PRIMARY KEY (project, id)
) PARTITION BY LIST (project);

CREATE TABLE eval_results (
  project  text COLLATE "C" NOT NULL,
  run      bigint NOT NULL,
  question text COLLATE "C" NOT NULL,
  record   text NOT NULL,
  PRIMARY KEY (project, run, question),
  FOREIGN KEY (project, run) REFERENCES eval_runs (project, id) ON DELETE CASCADE
) PARTITION BY LIST (project);

CREATE TABLE fitted_constants (
  project text COLLATE "C" NOT NULL,
  model   text COLLATE "C" NOT NULL,
  record  text NOT NULL,
  PRIMARY KEY (project, model)
) PARTITION BY LIST (project);

CREATE TABLE model_responses (
  project text COLLATE "C" NOT NULL,
  key     text COLLATE "C" NOT NULL,
  model   text NOT NULL,
  reply   text NOT NULL,
  saved   text NOT NULL,
  PRIMARY KEY (project, key)
) PARTITION BY LIST (project);

-- Abbreviations follow the names of their source.
CREATE FUNCTION save_abbreviations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM abbreviations WHERE project = NEW.project AND source = NEW.rowid;
  INSERT INTO abbreviations
  SELECT NEW.project, NEW.rowid, lower(a.value), n.value ->> 'name'
  FROM jsonb_array_elements(NEW.names::jsonb) n, jsonb_array_elements_text(n.value -> 'aliases') a
  WHERE n.value ->> 'kind' = 'abbreviation'
  UNION SELECT NEW.project, NEW.rowid, lower(n.value ->> 'name'), a.value
  FROM jsonb_array_elements(NEW.names::jsonb) n, jsonb_array_elements_text(n.value -> 'aliases') a
  WHERE n.value ->> 'kind' = 'abbreviation';
  RETURN NEW;
END $$;

CREATE TRIGGER abbreviations_follow AFTER INSERT OR UPDATE OF names ON sources
FOR EACH ROW EXECUTE FUNCTION save_abbreviations();

-- The postings of one source, from the terms of its chunks.
CREATE FUNCTION list_postings(wanted text, home bigint)
RETURNS TABLE (term text, source bigint, chunks integer, titled boolean, places bytea)
LANGUAGE sql STABLE AS $$
  SELECT p.term, home, count(*)::integer, bool_or(p.title > 0),
    string_agg(int8send(p.chunk) || int2send(p.title) || int2send(p.headings) || int2send(p.body),
      ''::bytea ORDER BY p.chunk)
  FROM (
    SELECT d.chunk, w.term,
      least(count(*) FILTER (WHERE w.field = 0), 32767)::smallint AS title,
      least(count(*) FILTER (WHERE w.field = 1), 32767)::smallint AS headings,
      least(count(*) FILTER (WHERE w.field = 2), 32767)::smallint AS body
    FROM chunks c JOIN chunk_terms d ON d.project = wanted AND d.chunk = c.rowid
    CROSS JOIN LATERAL (
      SELECT 0, unnest(string_to_array(d.title, ' '))
      UNION ALL SELECT 1, unnest(string_to_array(d.headings, ' '))
      UNION ALL SELECT 2, unnest(string_to_array(d.body, ' '))) w (field, term)
    WHERE c.project = wanted AND c.source = home AND w.term <> ''
    GROUP BY d.chunk, w.term) p
  GROUP BY p.term
$$;

-- The second lock: a statement without its condition finds nothing of another project, and nothing
-- above the level of its transaction. Both are set when a transaction begins.
CREATE FUNCTION protect(name text, owner_column text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
  EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
  EXECUTE format('CREATE POLICY bind_project ON %I
    USING (project = current_setting(''foundry.project'', true))', name);
  IF owner_column = 'level' THEN
    EXECUTE format('CREATE POLICY in_level ON %I AS RESTRICTIVE
      USING (level <= current_setting(''foundry.level'', true)::integer)', name);
  ELSIF owner_column IS NOT NULL THEN
    EXECUTE format('CREATE POLICY in_level ON %I AS RESTRICTIVE USING (%I IN (
      SELECT s.rowid FROM sources s WHERE s.project = current_setting(''foundry.project'', true)))',
      name, owner_column);
  END IF;
END $$;

SELECT protect(name, owner_column) FROM (VALUES
  ('sources', 'level'), ('unread_files', 'level'),
  ('source_texts', 'source'), ('heading_paths', 'source'), ('blocks', 'source'),
  ('source_summaries', 'source'), ('abbreviations', 'source'), ('chunks', 'source'),
  ('postings', 'source'), ('source_statistics', 'source'),
  ('chunk_terms', NULL), ('vector_indexes', NULL), ('window_vectors', NULL),
  ('spare_vectors', NULL), ('ingest_runs', NULL), ('query_log', NULL), ('feedback', NULL),
  ('drafts', NULL), ('draft_sections', NULL), ('eval_questions', NULL), ('eval_runs', NULL),
  ('eval_results', NULL), ('fitted_constants', NULL), ('model_responses', NULL)
) AS protected (name, owner_column);

-- Whether a source is above a level, asked by who may not see it: a draft made from it is hidden too.
-- (A SET clause for a setting of our own would need a superuser.)
CREATE FUNCTION is_hidden(wanted text, place text, seen integer) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
DECLARE
  own text := current_setting('foundry.level', true);
  found boolean;
BEGIN
  PERFORM set_config('foundry.level', '3', true);
  found := EXISTS (
    SELECT 1 FROM sources s WHERE s.project = wanted AND s.path = place AND s.level > seen);
  PERFORM set_config('foundry.level', own, true);
  RETURN found;
END $$;

-- The partitions of a project. Its owner may create tables; who only works in a project need not.
CREATE FUNCTION partition_name(parent text, project text) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT left(parent, 40) || '_' || left(md5(project), 16) $$;

CREATE FUNCTION create_project(wanted text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
DECLARE parent text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('foundry.create_project'));
  INSERT INTO projects (id) VALUES (wanted) ON CONFLICT DO NOTHING;
  FOR parent IN
    SELECT c.relname FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'p'
      AND c.relname NOT LIKE 'vec\_chunks\_%'
  LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES IN (%L)',
      partition_name(parent, wanted), parent, wanted);
  END LOOP;
END $$;

-- The table of a model's vectors, with this project's part of it. Candidates are found in half
-- precision; windows rank them.
CREATE FUNCTION make_vectors(wanted text, name text, dimension integer) RETURNS void
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
  END IF;
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES IN (%L)',
    partition_name(name, wanted), name, wanted);
END $$;

CREATE FUNCTION drop_vectors(wanted text, name text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS %I', partition_name(name, wanted));
END $$;
