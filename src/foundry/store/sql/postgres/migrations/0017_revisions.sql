-- Files with the same bytes are one source; revisions of one document are a chain.
ALTER TABLE sources ADD COLUMN copies text NOT NULL DEFAULT '[]';             -- JSON array of further paths
ALTER TABLE sources ADD COLUMN chain text COLLATE "C" NOT NULL DEFAULT '';    -- empty: of no chain
ALTER TABLE sources ADD COLUMN chain_place integer NOT NULL DEFAULT 0;        -- 0 for the oldest

CREATE INDEX sources_by_chain ON sources (project, chain, chain_place) WHERE chain <> '';

-- Of each source a sample of its words, by which it is compared with all others; see analysis/sketches.py.
CREATE TABLE source_sketches (
  project text COLLATE "C" NOT NULL,
  source  bigint NOT NULL,
  sketch  bytea NOT NULL,
  PRIMARY KEY (project, source),
  FOREIGN KEY (project, source) REFERENCES sources (project, rowid) ON DELETE CASCADE
) PARTITION BY LIST (project);

-- What people said of two sources: that one revises the other, or that neither does.
CREATE TABLE revision_links (
  project text COLLATE "C" NOT NULL,
  newer   text COLLATE "C" NOT NULL,   -- path
  older   text COLLATE "C" NOT NULL,   -- path
  record  text NOT NULL,
  PRIMARY KEY (project, newer, older)
) PARTITION BY LIST (project);

SELECT protect('source_sketches', 'source'), protect('revision_links', NULL);

-- Both sources are those that the level sees.
CREATE POLICY of_visible_sources ON revision_links AS RESTRICTIVE USING (
  (SELECT current_setting('foundry.level', true)) = '3' OR (
    EXISTS (SELECT 1 FROM sources s WHERE s.project = revision_links.project AND s.path = newer)
    AND EXISTS (SELECT 1 FROM sources s WHERE s.project = revision_links.project AND s.path = older)));

-- Adds the partitions of projects that are already there.
SELECT create_project(id) FROM projects;
