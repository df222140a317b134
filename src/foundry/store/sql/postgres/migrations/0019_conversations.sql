-- Who asked, and in which conversation: the row of its first turn.
ALTER TABLE query_log ADD COLUMN who text NOT NULL DEFAULT '';
ALTER TABLE query_log ADD COLUMN conversation text COLLATE "C";

UPDATE query_log SET conversation = coalesce(shown::jsonb #>> '{earlier,0}', id)
WHERE kind IN ('ask', 'chat') AND shown IS NOT NULL;

CREATE INDEX query_log_by_conversation ON query_log (project, conversation)
  WHERE conversation IS NOT NULL;

-- What people made of their conversations; one that nobody touched has no row.
CREATE TABLE conversations (
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,    -- the row of its first turn
  title   text NOT NULL DEFAULT '',
  removed integer NOT NULL DEFAULT 0,   -- from the list: the log keeps its rows
  PRIMARY KEY (project, id)
) PARTITION BY LIST (project);

SELECT protect('conversations', NULL);

-- Adds the partitions of projects that are already there.
SELECT create_project(id) FROM projects;
