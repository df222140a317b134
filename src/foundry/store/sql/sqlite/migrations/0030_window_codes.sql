-- Windows with 4 bits a number instead of 8, in a new table: rows that shrink in place free no pages. The
-- column has another name, so that a process of an earlier version that still runs fails, instead of writing
-- what would be misread. The function repack is Foundry's, for this. Windows of a wrong size cannot be
-- repacked: they go, and the check reports that they are missing.
DELETE FROM spare_vectors;

CREATE TABLE packed_windows (
  model TEXT NOT NULL REFERENCES vector_indexes (model) ON DELETE CASCADE,
  chunk INTEGER NOT NULL REFERENCES chunks (rowid) ON DELETE CASCADE,
  codes BLOB NOT NULL,   -- a row for their mean and for each window: store/window_codes.py
  PRIMARY KEY (model, chunk)
) STRICT;

INSERT INTO packed_windows
SELECT w.model, w.chunk, repack(w.numbers, i.dimension)
FROM window_vectors w JOIN vector_indexes i ON i.model = w.model
WHERE length(w.numbers) > 0 AND length(w.numbers) % i.dimension = 0 ORDER BY w.rowid;

DROP TABLE window_vectors;
ALTER TABLE packed_windows RENAME TO window_vectors;

-- As they were before.
CREATE TRIGGER vectors_added AFTER INSERT ON window_vectors BEGIN
  UPDATE vector_indexes SET changes = changes + 1 WHERE model = NEW.model;
END;

CREATE TRIGGER vectors_removed AFTER DELETE ON window_vectors BEGIN
  UPDATE vector_indexes SET changes = changes + 1 WHERE model = OLD.model;
END;

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
