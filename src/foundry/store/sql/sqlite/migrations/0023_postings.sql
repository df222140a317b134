-- The text index as postings in segments (see store/sqlite/segments.py), which a search reads in a tenth
-- of the time of FTS5's. What FTS5 has is converted after this, and FTS5's tables are removed.

CREATE TABLE segments (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,  -- of two that have a chunk, the newer one counts
  volume  INTEGER,                            -- NULL for one that may still be merged: its own id
  size    INTEGER NOT NULL,
  closed  INTEGER NOT NULL,                   -- 1: as large as it gets; 2: never merged
  chunks  BLOB NOT NULL,                      -- row numbers, 8 bytes each, little-endian
  lengths BLOB NOT NULL,                      -- their terms, 4 bytes each
  digest  BLOB NOT NULL                       -- of the postings
) STRICT;

-- A volume has several full segments, so that those of a term are read in one place.
CREATE TABLE postings (
  volume  INTEGER NOT NULL,
  term    TEXT NOT NULL,
  segment INTEGER NOT NULL,
  codes   BLOB NOT NULL,                      -- 2 bytes a chunk: its place and the kind of its weight
  apart   BLOB,                               -- 2 bytes for each weight that the kind does not tell
  PRIMARY KEY (volume, term, segment)
) STRICT, WITHOUT ROWID;

-- Counts every change of what a search of words reads, so that a process that keeps it in memory notices.
CREATE TABLE text_changes (number INTEGER NOT NULL) STRICT;
INSERT INTO text_changes VALUES (0);

CREATE TRIGGER statistics_added AFTER INSERT ON source_statistics BEGIN
  UPDATE text_changes SET number = number + 1;
END;

CREATE TRIGGER statistics_removed AFTER DELETE ON source_statistics BEGIN
  UPDATE text_changes SET number = number + 1;
END;

CREATE TRIGGER levels_changed AFTER UPDATE OF level ON sources WHEN NEW.level <> OLD.level BEGIN
  UPDATE text_changes SET number = number + 1;
END;

CREATE TRIGGER segments_added AFTER INSERT ON segments BEGIN
  UPDATE text_changes SET number = number + 1;
END;

CREATE TRIGGER segments_removed AFTER DELETE ON segments BEGIN
  UPDATE text_changes SET number = number + 1;
END;
