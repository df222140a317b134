-- Source texts compressed, in pieces of 16,384 code points instead of 65,536: a chunk is cut from one or
-- two of them, and five kilobytes fill SQLite's pages. The functions pack and unpack are Foundry's.

CREATE TABLE packed_texts (
  source  INTEGER NOT NULL REFERENCES sources (rowid) ON DELETE CASCADE,
  segment INTEGER NOT NULL,
  text    BLOB NOT NULL,   -- UTF-8, by zlib
  PRIMARY KEY (source, segment)
) STRICT;

INSERT INTO packed_texts
SELECT t.source, 4 * t.segment + p.value, pack(substr(t.text, 16384 * p.value + 1, 16384))
FROM source_texts t CROSS JOIN json_each('[0, 1, 2, 3]') p
WHERE length(t.text) > 16384 * p.value;

DROP TABLE source_texts;
ALTER TABLE packed_texts RENAME TO source_texts;
