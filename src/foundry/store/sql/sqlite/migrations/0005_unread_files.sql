-- Files that an ingest could not read or left out, until one reads them or finds them gone.

CREATE TABLE unread_files (
  path   TEXT PRIMARY KEY,
  record TEXT NOT NULL               -- JSON object
) STRICT, WITHOUT ROWID;
