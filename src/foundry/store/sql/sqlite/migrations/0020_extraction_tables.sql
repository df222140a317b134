-- Questions put to every source, what each answered, and what people decided on the answers.

CREATE TABLE extraction_tables (
  role    TEXT NOT NULL,      -- of its maker: a name that a higher role uses must not show
  name    TEXT NOT NULL,
  level   INTEGER NOT NULL,   -- of its strictest source
  created REAL NOT NULL,
  record  TEXT NOT NULL,
  PRIMARY KEY (role, name)
) STRICT;

CREATE TABLE extraction_cells (
  role    TEXT NOT NULL,
  name    TEXT NOT NULL,
  source  TEXT NOT NULL,      -- id; a source that is gone keeps its cells
  asked   TEXT NOT NULL,      -- key of the question
  path    TEXT NOT NULL,      -- of the source
  level   INTEGER NOT NULL,   -- of the source when it was asked
  record  TEXT NOT NULL,
  PRIMARY KEY (role, name, source, asked),
  FOREIGN KEY (role, name) REFERENCES extraction_tables (role, name) ON DELETE CASCADE
) STRICT;
