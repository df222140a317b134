-- Files that wait for a worker, one row for each. Times are seconds since 1970 by the database's clock.

CREATE TABLE jobs (
  id       TEXT PRIMARY KEY,
  number   INTEGER NOT NULL,         -- the order in which they are taken
  path     TEXT NOT NULL,
  record   TEXT NOT NULL,            -- JSON object: what to do, later what was done
  status   TEXT NOT NULL,            -- waiting, running, done, failed, cancelled
  attempts INTEGER NOT NULL DEFAULT 0,
  worker   TEXT,
  started  REAL,                     -- the latest attempt
  lease    REAL                      -- waiting: not before then; running: its worker's until then
) STRICT;

CREATE INDEX jobs_by_status ON jobs (status, number);
CREATE INDEX jobs_by_path ON jobs (path);

-- A copy from another store brings rows without the project, which is not a column's value there.
CREATE TRIGGER queries_of_project AFTER INSERT ON query_log WHEN NEW.project IS NULL BEGIN
  UPDATE query_log SET project = (SELECT value FROM meta WHERE key = 'project_id')
  WHERE number = NEW.number;
END;
