-- What drafts and specifications said at one time, by the hash that names it.

CREATE TABLE kept_texts (
  path   TEXT NOT NULL,
  hash   TEXT NOT NULL,
  saved  REAL NOT NULL,   -- in seconds since 1970, for the order
  record TEXT NOT NULL,   -- JSON object, with the role and sources that decide who sees it
  PRIMARY KEY (path, hash)
) STRICT, WITHOUT ROWID;
