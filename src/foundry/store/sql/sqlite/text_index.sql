-- name: put_text_row
INSERT OR REPLACE INTO chunks_fts (rowid, title, headings, body) VALUES (?, ?, ?, ?)

-- name: delete_text_row
DELETE FROM chunks_fts WHERE rowid = ?

-- name: clear_text_index
INSERT INTO chunks_fts (chunks_fts) VALUES ('delete-all')

-- name: optimize_text_index
INSERT INTO chunks_fts (chunks_fts) VALUES ('optimize')

-- name: count_text_rows
SELECT count(*) FROM chunks_fts_docsize

-- name: count_visible_text_rows
SELECT count(*) FROM chunks_fts_docsize d JOIN chunks c ON c.rowid = d.id
WHERE c.source IN (SELECT rowid FROM sources WHERE level <= ?)

-- name: document_frequency
SELECT doc FROM chunks_terms WHERE term = ?

-- name: visible_frequency
SELECT count(*) FROM chunks_fts t JOIN chunks c ON c.rowid = t.rowid
WHERE t.chunks_fts MATCH :term AND c.source IN (SELECT rowid FROM sources WHERE level <= :level)

-- name: term_scores
SELECT rowid AS chunk, :factor{number} * bm25(chunks_fts, :title, :headings, :body) AS part
FROM chunks_fts WHERE chunks_fts MATCH :term{number}

-- name: search_text
-- The empty last part keeps a single term's part a subquery: bm25() works nowhere else.
WITH scored AS MATERIALIZED (
  SELECT chunk, sum(part) AS score FROM (
    {parts} UNION ALL SELECT 0, 0.0 WHERE FALSE)
  GROUP BY chunk ORDER BY score DESC, chunk LIMIT :limit)
SELECT c.id, scored.score FROM scored JOIN chunks c ON c.rowid = scored.chunk
ORDER BY scored.score DESC, c.id

-- name: search_text_filtered
-- The filter comes after the sums and before the cut: a look at each chunk found is cheaper than
-- a list of all that are visible.
WITH scored AS MATERIALIZED (
  SELECT chunk, sum(part) AS score FROM (
    {parts} UNION ALL SELECT 0, 0.0 WHERE FALSE)
  GROUP BY chunk)
SELECT c.id, scored.score FROM scored CROSS JOIN chunks c ON c.rowid = scored.chunk
WHERE c.source IN ({visible})
ORDER BY scored.score DESC, c.id LIMIT :limit

-- name: make_analysed
CREATE TEMP TABLE analysed (
  chunk INTEGER PRIMARY KEY, terms_hash TEXT, title TEXT, headings TEXT, body TEXT)

-- name: drop_analysed
DROP TABLE IF EXISTS temp.analysed

-- name: add_analysed
INSERT INTO temp.analysed VALUES (?, ?, ?, ?, ?)

-- name: copy_analysed
INSERT INTO chunks_fts (rowid, title, headings, body)
SELECT a.chunk, a.title, a.headings, a.body
FROM temp.analysed a JOIN chunks c ON c.rowid = a.chunk AND c.terms_hash = a.terms_hash

-- name: chunks_without_text_row
SELECT c.*, s.id AS source_id, s.title AS source_title
FROM chunks c JOIN sources s ON s.rowid = c.source
WHERE NOT EXISTS (SELECT 1 FROM chunks_fts_docsize d WHERE d.id = c.rowid)
