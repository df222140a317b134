-- What people corrected in the text and structure of sources, kept apart from what the readers made.

CREATE TABLE corrections (
  project      text COLLATE "C" NOT NULL,
  id           text COLLATE "C" NOT NULL,
  content_hash text COLLATE "C" NOT NULL,   -- of the file, whichever source has it
  path         text COLLATE "C" NOT NULL,   -- of the source for which it was made
  level        integer NOT NULL,            -- of that source
  created      text COLLATE "C" NOT NULL,
  record       text NOT NULL,
  PRIMARY KEY (project, id)
) PARTITION BY LIST (project);

CREATE INDEX corrections_by_content ON corrections (project, content_hash);

-- A corrected source as its reader made it.
CREATE TABLE source_readings (
  project text COLLATE "C" NOT NULL,
  source  bigint NOT NULL,
  record  text NOT NULL,
  PRIMARY KEY (project, source),
  FOREIGN KEY (project, source) REFERENCES sources (project, rowid) ON DELETE CASCADE
) PARTITION BY LIST (project);

ALTER TABLE blocks ADD COLUMN corrections text;  -- JSON array

SELECT protect('corrections', NULL), protect('source_readings', 'source');

-- Sources are those that the level sees. A source that is gone leaves its corrections to the server.
CREATE POLICY of_visible_sources ON corrections AS RESTRICTIVE USING (
  (SELECT current_setting('foundry.level', true)) = '3' OR EXISTS (
    SELECT 1 FROM sources s WHERE s.project = corrections.project
      AND (s.content_hash = corrections.content_hash
        OR (s.path = corrections.path
          AND corrections.level <= current_setting('foundry.level', true)::integer))));

-- Adds the partitions of projects that are already there.
SELECT create_project(id) FROM projects;
