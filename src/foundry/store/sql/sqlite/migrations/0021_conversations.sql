-- Who asked, and in which conversation: the row of its first turn.
ALTER TABLE query_log ADD COLUMN who TEXT NOT NULL DEFAULT '';
ALTER TABLE query_log ADD COLUMN conversation TEXT;

UPDATE query_log SET conversation = coalesce(json_extract(shown, '$.earlier[0]'), id)
WHERE kind IN ('ask', 'chat') AND shown IS NOT NULL;

CREATE INDEX query_log_by_conversation ON query_log (conversation) WHERE conversation IS NOT NULL;

-- What people made of their conversations; one that nobody touched has no row.
CREATE TABLE conversations (
  id      TEXT PRIMARY KEY,            -- the row of its first turn
  title   TEXT NOT NULL DEFAULT '',
  removed INTEGER NOT NULL DEFAULT 0   -- from the list: the log keeps its rows
) STRICT;
