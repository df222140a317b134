-- Files that an ingest could not read or left out, until one reads them or finds them gone.

CREATE TABLE unread_files (
  path   TEXT PRIMARY KEY,
  level  INTEGER NOT NULL,           -- of confidentiality: 0 public to 3 secret
  record TEXT NOT NULL               -- JSON object
) STRICT, WITHOUT ROWID;
