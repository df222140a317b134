-- What people corrected in the text and structure of sources, kept apart from what the readers made.

CREATE TABLE corrections (
  id           TEXT PRIMARY KEY,
  content_hash TEXT NOT NULL,      -- of the file, whichever source has it
  path         TEXT NOT NULL,      -- of the source for which it was made
  level        INTEGER NOT NULL,   -- of that source
  created      TEXT NOT NULL,
  record       TEXT NOT NULL
) STRICT;

CREATE INDEX corrections_by_content ON corrections (content_hash);

-- A corrected source as its reader made it.
CREATE TABLE source_readings (
  source INTEGER PRIMARY KEY REFERENCES sources (rowid) ON DELETE CASCADE,
  record TEXT NOT NULL
) STRICT;

ALTER TABLE blocks ADD COLUMN corrections TEXT;  -- JSON array
