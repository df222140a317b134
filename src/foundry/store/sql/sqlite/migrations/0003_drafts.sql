-- A draft's row holds the whole record; sections that were written are kept by what they depend on,
-- so that a second run writes only what changed. Drafts of older databases had no row: the table
-- existed, and no version wrote to it.

DROP TABLE drafts;

CREATE TABLE drafts (
  path    TEXT PRIMARY KEY,
  feature TEXT,
  created REAL NOT NULL,             -- in seconds since 1970, for the order
  record  TEXT NOT NULL              -- JSON object
) STRICT, WITHOUT ROWID;

CREATE INDEX drafts_by_feature ON drafts (feature, created);

CREATE TABLE draft_sections (
  key     TEXT PRIMARY KEY,
  section TEXT NOT NULL,             -- JSON object
  saved   TEXT NOT NULL
) STRICT;
