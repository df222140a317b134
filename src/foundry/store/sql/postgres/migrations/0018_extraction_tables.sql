-- Questions put to every source, what each answered, and what people decided on the answers.

CREATE TABLE extraction_tables (
  project text COLLATE "C" NOT NULL,
  role    text COLLATE "C" NOT NULL,   -- of its maker: a name that a higher role uses must not show
  name    text COLLATE "C" NOT NULL,
  level   integer NOT NULL,            -- of its strictest source
  created float8 NOT NULL,
  record  text NOT NULL,
  PRIMARY KEY (project, role, name)
) PARTITION BY LIST (project);

CREATE TABLE extraction_cells (
  project text COLLATE "C" NOT NULL,
  role    text COLLATE "C" NOT NULL,
  name    text COLLATE "C" NOT NULL,
  source  text COLLATE "C" NOT NULL,   -- id; a source that is gone keeps its cells
  asked   text COLLATE "C" NOT NULL,   -- key of the question
  path    text COLLATE "C" NOT NULL,   -- of the source
  level   integer NOT NULL,            -- of the source when it was asked
  record  text NOT NULL,
  PRIMARY KEY (project, role, name, source, asked),
  FOREIGN KEY (project, role, name)
    REFERENCES extraction_tables (project, role, name) ON DELETE CASCADE
) PARTITION BY LIST (project);

-- The level of a cell is compared in the statements, which must see that there is a stricter one.
SELECT protect('extraction_tables', 'level'), protect('extraction_cells', NULL);

-- Adds the partitions of projects that are already there.
SELECT create_project(id) FROM projects;
