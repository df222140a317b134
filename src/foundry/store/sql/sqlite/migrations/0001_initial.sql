-- The first schema. One project per file: its id stands in meta and is checked on opening.
-- Migrations are append-only: a file that was released is never edited.

PRAGMA application_id = 1181639801;  -- "Fndy": tells a Foundry database from any other

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE schema_version (
  version INTEGER PRIMARY KEY,
  name    TEXT NOT NULL,
  applied TEXT NOT NULL
) STRICT;

CREATE TABLE sources (
  rowid           INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  path            TEXT NOT NULL UNIQUE,
  content_hash    TEXT NOT NULL,
  title           TEXT NOT NULL,
  type            TEXT NOT NULL,
  language        TEXT NOT NULL,
  size            INTEGER NOT NULL,
  modified        TEXT NOT NULL,
  ingested        TEXT NOT NULL,
  pages           INTEGER,
  tags            TEXT NOT NULL,     -- JSON array
  confidentiality TEXT NOT NULL,
  level           INTEGER NOT NULL,  -- place of confidentiality in its order, for filters
  revision        TEXT,
  revision_date   TEXT,
  dated           TEXT NOT NULL,     -- what date filters compare: printed revision, else modified
  warnings        TEXT NOT NULL,     -- JSON array
  recipe          TEXT NOT NULL      -- of the settings and versions that made its chunks
) STRICT;

-- The source text in pieces of 65,536 code points, so that a chunk of a long text is cut from one
-- or two short rows instead of a walk through megabytes. Chunk texts are not stored again.
CREATE TABLE source_texts (
  source  INTEGER NOT NULL REFERENCES sources (rowid) ON DELETE CASCADE,
  segment INTEGER NOT NULL,
  text    TEXT NOT NULL,
  PRIMARY KEY (source, segment)
) STRICT;

-- Each heading path once per source; blocks point at it.
CREATE TABLE heading_paths (
  source INTEGER NOT NULL REFERENCES sources (rowid) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  path   TEXT NOT NULL,              -- JSON array
  PRIMARY KEY (source, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE blocks (
  source     INTEGER NOT NULL REFERENCES sources (rowid) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  char_start INTEGER NOT NULL,
  char_end   INTEGER NOT NULL,
  heading    INTEGER NOT NULL,       -- number in heading_paths
  level      INTEGER,
  page       INTEGER,
  page_label TEXT,
  x0         REAL,
  y0         REAL,
  x1         REAL,
  y1         REAL,
  time_start REAL,
  time_end   REAL,
  speaker    TEXT,
  PRIMARY KEY (source, position)
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: a row number is never used twice, so that embedding can go on "after row n"
-- while another process replaces chunks, and an index row can never point at a stranger.
CREATE TABLE chunks (
  rowid         INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE,
  source        INTEGER NOT NULL REFERENCES sources (rowid) ON DELETE CASCADE,
  position      INTEGER NOT NULL,
  char_start    INTEGER NOT NULL,
  char_end      INTEGER NOT NULL,
  first_block   INTEGER NOT NULL,    -- blocks that overlap: first_block <= position < last_block
  last_block    INTEGER NOT NULL,
  tokens        INTEGER NOT NULL,
  language      TEXT NOT NULL,
  heading_path  TEXT NOT NULL,       -- JSON array
  headings      TEXT NOT NULL,       -- JSON array
  prefix        TEXT NOT NULL,
  content       TEXT,                -- NULL where it equals the text
  text_hash     TEXT NOT NULL,       -- of the slice of the source text
  terms_hash    TEXT NOT NULL,       -- of what the text index row was made of
  embedded_hash TEXT NOT NULL        -- of what the embedding model reads
) STRICT;

CREATE INDEX chunks_by_source ON chunks (source, position);
CREATE INDEX chunks_by_embedded_hash ON chunks (embedded_hash);

-- Terms come analysed (foundry.analysis), separated by spaces: every ASCII mark is part of a term.
-- The tokenizer must split at spaces and nowhere else. Nothing of the text is stored here.
CREATE VIRTUAL TABLE chunks_fts USING fts5(
  title, headings, body,
  content = '', contentless_delete = 1,
  tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);

CREATE VIRTUAL TABLE chunks_terms USING fts5vocab(chunks_fts, row);

-- One row per embedding model; its vectors stand in vec_chunks_{slug}.
CREATE TABLE vector_indexes (
  model       TEXT PRIMARY KEY,
  slug        TEXT NOT NULL UNIQUE,
  dimension   INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  created     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The windows of each chunk that has a vector, one after the other in half precision: with its vector
-- they come and go.
CREATE TABLE window_vectors (
  model TEXT NOT NULL REFERENCES vector_indexes (model) ON DELETE CASCADE,
  chunk INTEGER NOT NULL REFERENCES chunks (rowid) ON DELETE CASCADE,
  data  BLOB NOT NULL,
  PRIMARY KEY (model, chunk)
) STRICT;

-- Vectors of chunks that were removed during the ingest run that is open, by what they embed, so
-- that text which moves to another source is not embedded again. Emptied when the run ends.
CREATE TABLE spare_vectors (
  model         TEXT NOT NULL REFERENCES vector_indexes (model) ON DELETE CASCADE,
  embedded_hash TEXT NOT NULL,
  embedding     BLOB NOT NULL,
  PRIMARY KEY (model, embedded_hash)
) STRICT;

CREATE TABLE source_summaries (
  source INTEGER PRIMARY KEY REFERENCES sources (rowid) ON DELETE CASCADE,
  text   TEXT NOT NULL,
  model  TEXT NOT NULL
) STRICT;

CREATE TABLE ingest_runs (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  started  TEXT NOT NULL,
  finished TEXT,
  status   TEXT NOT NULL,            -- running, finished, interrupted
  details  TEXT NOT NULL,            -- JSON object
  report   TEXT                      -- JSON object
) STRICT;

CREATE TABLE query_log (
  number               INTEGER PRIMARY KEY AUTOINCREMENT,
  id                   TEXT NOT NULL UNIQUE,
  time                 TEXT NOT NULL,
  moment               REAL NOT NULL,  -- the time in seconds since 1970, for retention
  kind                 TEXT NOT NULL,
  query                TEXT NOT NULL,
  rewritten            TEXT,
  role                 TEXT NOT NULL,
  agent                TEXT,
  verdict              TEXT,
  gate_score           REAL,
  chunks               TEXT NOT NULL,  -- JSON array of [chunk id, score]
  models               TEXT NOT NULL,  -- JSON object
  answer               TEXT,
  attribution_coverage REAL,
  shown_coverage       REAL,
  timings_ms           TEXT NOT NULL,  -- JSON object
  usage                TEXT NOT NULL,  -- JSON object
  error                TEXT
) STRICT;

CREATE INDEX query_log_by_moment ON query_log (moment);

CREATE TABLE feedback (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  query_id TEXT NOT NULL,
  correct  INTEGER NOT NULL,
  note     TEXT,
  time     TEXT NOT NULL
) STRICT;

CREATE TABLE drafts (
  path         TEXT PRIMARY KEY,
  content_hash TEXT NOT NULL,
  topic        TEXT NOT NULL,
  created      TEXT NOT NULL,
  feature      TEXT,
  details      TEXT                  -- JSON object
) STRICT, WITHOUT ROWID;

CREATE TABLE eval_questions (
  id       TEXT PRIMARY KEY,
  question TEXT NOT NULL,
  details  TEXT NOT NULL             -- JSON object
) STRICT, WITHOUT ROWID;

CREATE TABLE eval_runs (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  started  TEXT NOT NULL,
  finished TEXT,
  details  TEXT NOT NULL             -- JSON object
) STRICT;

CREATE TABLE eval_results (
  run      INTEGER NOT NULL REFERENCES eval_runs (id) ON DELETE CASCADE,
  question TEXT NOT NULL,
  details  TEXT NOT NULL,            -- JSON object
  PRIMARY KEY (run, question)
) STRICT, WITHOUT ROWID;

CREATE TABLE model_responses (
  key   TEXT PRIMARY KEY,
  model TEXT NOT NULL,
  reply TEXT NOT NULL,
  saved TEXT NOT NULL
) STRICT;
