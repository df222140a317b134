-- Files with the same bytes are one source; revisions of one document are a chain.
ALTER TABLE sources ADD COLUMN copies TEXT NOT NULL DEFAULT '[]';         -- JSON array of further paths
ALTER TABLE sources ADD COLUMN chain TEXT NOT NULL DEFAULT '';            -- empty: of no chain
ALTER TABLE sources ADD COLUMN chain_place INTEGER NOT NULL DEFAULT 0;    -- 0 for the oldest

CREATE INDEX sources_by_chain ON sources (chain, chain_place) WHERE chain <> '';

-- Of each source a sample of its words, by which it is compared with all others; see analysis/sketches.py.
CREATE TABLE source_sketches (
  source INTEGER PRIMARY KEY REFERENCES sources (rowid) ON DELETE CASCADE,
  sketch BLOB NOT NULL
) STRICT;

-- What people said of two sources: that one revises the other, or that neither does.
CREATE TABLE revision_links (
  newer  TEXT NOT NULL,   -- path
  older  TEXT NOT NULL,   -- path
  record TEXT NOT NULL,
  PRIMARY KEY (newer, older)
) STRICT;
