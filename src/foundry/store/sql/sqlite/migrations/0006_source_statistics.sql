-- Statistics for BM25 over what a role may see: FTS5's own cover all chunks. A chunk knows its
-- number of terms, and each source what its chunks add to any sum, packed so that all are read fast.

ALTER TABLE chunks ADD COLUMN terms INTEGER NOT NULL DEFAULT 0;  -- in its row of the text index

-- One row for each occurrence of a term.
CREATE VIRTUAL TABLE chunks_instances USING fts5vocab(chunks_fts, instance);

CREATE INDEX sources_by_level ON sources (level);

CREATE TABLE source_statistics (
  source    INTEGER PRIMARY KEY REFERENCES sources (rowid) ON DELETE CASCADE,
  lengths   BLOB NOT NULL,           -- of each chunk: row number (8 bytes) and terms (4), big-endian
  languages TEXT NOT NULL            -- JSON object: language → number of chunks
) STRICT;

UPDATE chunks SET terms = counted.number
FROM (SELECT doc, count(*) AS number FROM chunks_instances GROUP BY doc) counted
WHERE counted.doc = chunks.rowid;

INSERT INTO source_statistics (source, lengths, languages)
SELECT c.source, unhex(group_concat(printf('%016X%08X', c.rowid, c.terms), '')),
  (SELECT json_group_object(language, number) FROM (
    SELECT language, count(*) AS number FROM chunks l WHERE l.source = c.source GROUP BY language))
FROM chunks c GROUP BY c.source;

-- Counts every change of a model's vectors, so that a process that keeps them in memory notices.
ALTER TABLE vector_indexes ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER vectors_added AFTER INSERT ON window_vectors BEGIN
  UPDATE vector_indexes SET changes = changes + 1 WHERE model = NEW.model;
END;

CREATE TRIGGER vectors_removed AFTER DELETE ON window_vectors BEGIN
  UPDATE vector_indexes SET changes = changes + 1 WHERE model = OLD.model;
END;
