-- A number for the latest change of each source's vectors or filtered columns, rising over all sources.
-- A search engine beside the database remembers the number that it has; removed sources keep their row.
CREATE TABLE source_changes (
  source INTEGER PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT;

CREATE INDEX source_changes_by_number ON source_changes (number);

INSERT INTO source_changes (source, number)
SELECT rowid, row_number() OVER (ORDER BY rowid) FROM sources;

CREATE TRIGGER vectors_added_to_source AFTER INSERT ON window_vectors BEGIN
  INSERT INTO source_changes (source, number)
  SELECT source, (SELECT coalesce(max(number), 0) + 1 FROM source_changes) FROM chunks
  WHERE rowid = NEW.chunk
  ON CONFLICT (source) DO UPDATE SET number = excluded.number;
END;

CREATE TRIGGER vectors_removed_from_source AFTER DELETE ON window_vectors BEGIN
  INSERT INTO source_changes (source, number)
  SELECT source, (SELECT coalesce(max(number), 0) + 1 FROM source_changes) FROM chunks
  WHERE rowid = OLD.chunk
  ON CONFLICT (source) DO UPDATE SET number = excluded.number;
END;

CREATE TRIGGER source_changed AFTER UPDATE OF path, type, tags, level, dated ON sources
WHEN (OLD.path, OLD.type, OLD.tags, OLD.level, OLD.dated)
  IS NOT (NEW.path, NEW.type, NEW.tags, NEW.level, NEW.dated)
BEGIN
  INSERT INTO source_changes (source, number)
  VALUES (NEW.rowid, (SELECT coalesce(max(number), 0) + 1 FROM source_changes))
  ON CONFLICT (source) DO UPDATE SET number = excluded.number;
END;

CREATE TRIGGER source_removed AFTER DELETE ON sources BEGIN
  INSERT INTO source_changes (source, number)
  VALUES (OLD.rowid, (SELECT coalesce(max(number), 0) + 1 FROM source_changes))
  ON CONFLICT (source) DO UPDATE SET number = excluded.number;
END;
