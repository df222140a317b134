-- The query log says of which project and profile a row is, what became of the statements that
-- were checked, and what repair changed. All columns have a value or NULL in rows of older logs.

ALTER TABLE query_log ADD COLUMN project TEXT;
ALTER TABLE query_log ADD COLUMN profile TEXT;
ALTER TABLE query_log ADD COLUMN checks TEXT NOT NULL DEFAULT '{}';   -- JSON object: verdict → count
ALTER TABLE query_log ADD COLUMN changes TEXT NOT NULL DEFAULT '{}';  -- JSON object: change → count

UPDATE query_log SET project = (SELECT value FROM meta WHERE key = 'project_id');
