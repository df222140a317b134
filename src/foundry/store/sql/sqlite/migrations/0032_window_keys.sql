-- Windows under one number for the index and the chunk, in a new table without an index: a row no longer
-- repeats the name of its model, and removing a chunk no longer reads all of them to find its own.
ALTER TABLE vector_indexes ADD COLUMN number INTEGER;
UPDATE vector_indexes SET number = (SELECT count(*) FROM vector_indexes i WHERE i.model <= vector_indexes.model);
CREATE UNIQUE INDEX vector_indexes_by_number ON vector_indexes (number);

CREATE TABLE keyed_windows (
  key   INTEGER PRIMARY KEY,   -- the number of the index times 2^40, plus the row number of the chunk
  codes BLOB NOT NULL          -- a row for their mean and for each window: store/window_codes.py
) STRICT;

INSERT INTO keyed_windows
SELECT (i.number << 40) + w.chunk, w.codes
FROM (SELECT number, model FROM vector_indexes ORDER BY number) i
CROSS JOIN window_vectors w ON w.model = i.model;

DROP TABLE window_vectors;
ALTER TABLE keyed_windows RENAME TO window_vectors;

CREATE TRIGGER windows_leave_with_chunk AFTER DELETE ON chunks BEGIN
  DELETE FROM window_vectors
  WHERE key IN (SELECT (number << 40) + OLD.rowid FROM vector_indexes);
END;

CREATE TRIGGER windows_leave_with_index AFTER DELETE ON vector_indexes BEGIN
  DELETE FROM window_vectors WHERE key BETWEEN OLD.number << 40 AND ((OLD.number + 1) << 40) - 1;
END;

-- As they were before.
CREATE TRIGGER vectors_added AFTER INSERT ON window_vectors BEGIN
  UPDATE vector_indexes SET changes = changes + 1 WHERE number = NEW.key >> 40;
END;

CREATE TRIGGER vectors_removed AFTER DELETE ON window_vectors BEGIN
  UPDATE vector_indexes SET changes = changes + 1 WHERE number = OLD.key >> 40;
END;

CREATE TRIGGER vectors_added_to_source AFTER INSERT ON window_vectors BEGIN
  INSERT INTO source_changes (source, number)
  SELECT source, (SELECT coalesce(max(number), 0) + 1 FROM source_changes) FROM chunks
  WHERE rowid = NEW.key & ((1 << 40) - 1)
  ON CONFLICT (source) DO UPDATE SET number = excluded.number;
END;

CREATE TRIGGER vectors_removed_from_source AFTER DELETE ON window_vectors BEGIN
  INSERT INTO source_changes (source, number)
  SELECT source, (SELECT coalesce(max(number), 0) + 1 FROM source_changes) FROM chunks
  WHERE rowid = OLD.key & ((1 << 40) - 1)
  ON CONFLICT (source) DO UPDATE SET number = excluded.number;
END;
