-- What drafts and specifications said at one time, by the hash that names it.

CREATE TABLE kept_texts (
  project text COLLATE "C" NOT NULL,
  path    text COLLATE "C" NOT NULL,
  hash    text COLLATE "C" NOT NULL,
  saved   double precision NOT NULL,   -- in seconds since 1970, for the order
  record  text NOT NULL,               -- JSON object, with the role and sources that decide who sees it
  PRIMARY KEY (project, path, hash)
) PARTITION BY LIST (project);

SELECT protect('kept_texts', NULL);

-- Adds the partitions of projects that are already there.
SELECT create_project(id) FROM projects;
