-- Questions, runs and results hold whole records; no earlier version wrote to these tables.
-- Constants fitted to the project's own questions stand beside them.

DROP TABLE eval_results;
DROP TABLE eval_runs;
DROP TABLE eval_questions;

CREATE TABLE eval_questions (
  key      TEXT PRIMARY KEY,         -- set/id
  set_name TEXT NOT NULL,
  record   TEXT NOT NULL             -- JSON object
) STRICT, WITHOUT ROWID;

CREATE INDEX eval_questions_by_set ON eval_questions (set_name, key);

CREATE TABLE eval_runs (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  name   TEXT NOT NULL,
  record TEXT NOT NULL               -- JSON object, without the id
) STRICT;

CREATE INDEX eval_runs_by_name ON eval_runs (name);

CREATE TABLE eval_results (
  run      INTEGER NOT NULL REFERENCES eval_runs (id) ON DELETE CASCADE,
  question TEXT NOT NULL,            -- its key
  record   TEXT NOT NULL,            -- JSON object
  PRIMARY KEY (run, question)
) STRICT, WITHOUT ROWID;

CREATE TABLE fitted_constants (
  model  TEXT PRIMARY KEY,           -- the embedding model
  record TEXT NOT NULL               -- JSON object
) STRICT, WITHOUT ROWID;
