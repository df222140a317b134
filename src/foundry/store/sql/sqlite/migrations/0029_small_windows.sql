-- Windows with 8 bits a number instead of 16, in a new table: rows that shrink in place free no pages. The
-- column has another name, so that a process of an earlier version that still runs fails, instead of writing
-- what would be misread. The function shrink is Foundry's, for this. Windows of a wrong size cannot be
-- shrunk: they go, and the check reports that they are missing.
DELETE FROM spare_vectors;

CREATE TABLE small_windows (
  model   TEXT NOT NULL REFERENCES vector_indexes (model) ON DELETE CASCADE,
  chunk   INTEGER NOT NULL REFERENCES chunks (rowid) ON DELETE CASCADE,
  numbers BLOB NOT NULL,   -- of one window after the other, the largest of each 127
  PRIMARY KEY (model, chunk)
) STRICT;

INSERT INTO small_windows
SELECT w.model, w.chunk, shrink(w.data, i.dimension)
FROM window_vectors w JOIN vector_indexes i ON i.model = w.model
WHERE length(w.data) > 0 AND length(w.data) % (2 * i.dimension) = 0 ORDER BY w.rowid;

DROP TABLE window_vectors;
ALTER TABLE small_windows RENAME TO window_vectors;

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
