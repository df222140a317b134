-- The processes that do jobs, one row for each while it lives.

CREATE TABLE workers (
  name    TEXT PRIMARY KEY,          -- HOST:PROCESS
  started TEXT NOT NULL,             -- for people
  signs   INTEGER NOT NULL           -- signs of life so far: no clock decides, since clocks jump
) STRICT;

-- A file that is no source may be the copy of one: only sources with copies are looked at.
CREATE INDEX sources_with_copies ON sources (path) WHERE copies <> '[]';
