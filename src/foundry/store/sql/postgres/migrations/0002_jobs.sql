-- Files that wait for a worker, one row for each. Times are seconds since 1970 by the server's clock.

CREATE TABLE jobs (
  project  text COLLATE "C" NOT NULL,
  id       text COLLATE "C" NOT NULL,
  number   bigint NOT NULL,
  path     text COLLATE "C" NOT NULL,
  record   text NOT NULL,
  status   text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  worker   text,
  started  double precision,
  lease    double precision,
  PRIMARY KEY (project, id)
) PARTITION BY LIST (project);

CREATE INDEX jobs_by_status ON jobs (project, status, number);
CREATE INDEX jobs_by_path ON jobs (project, path);

SELECT protect('jobs', NULL);

-- Adds the partitions of projects that are already there.
SELECT create_project(id) FROM projects;
