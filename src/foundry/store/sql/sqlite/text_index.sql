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

-- name: set_length
-- A new chunk has it already.
UPDATE chunks SET terms = ?1 WHERE rowid = ?2 AND terms <> ?1

-- name: source_statistics
SELECT c.source, unhex(group_concat(printf('%016X%08X', c.rowid, c.terms), '')) AS lengths,
  (SELECT json_group_object(language, number) FROM (
    SELECT language, count(*) AS number FROM chunks l
    WHERE l.source = c.source GROUP BY language)) AS languages
FROM chunks c

-- name: delete_statistics
DELETE FROM source_statistics WHERE source = ?

-- name: add_statistics
INSERT INTO source_statistics (source, lengths, languages) {statistics}
WHERE c.source = ? GROUP BY c.source

-- name: clear_statistics
DELETE FROM source_statistics

-- name: rebuild_statistics
INSERT INTO source_statistics (source, lengths, languages) {statistics} GROUP BY c.source

-- name: read_lengths
SELECT t.lengths, t.source IN ({visible}), EXISTS (SELECT 1 FROM sources WHERE level > :level)
FROM source_statistics t WHERE t.source IN (SELECT rowid FROM sources WHERE level <= :level)

-- name: document_frequencies
SELECT t.term, t.doc FROM json_each(:terms) j CROSS JOIN chunks_terms t ON t.term = j.value

-- name: chunks_with_term
SELECT (SELECT group_concat(rowid) FROM chunks_fts WHERE chunks_fts MATCH j.value)
FROM json_each(?) j ORDER BY j.key

-- name: postings
-- Each occurrence as four times the row number plus the number of the field.
SELECT (
  SELECT group_concat(doc * 4 + CASE col WHEN 'title' THEN 0 WHEN 'headings' THEN 1 ELSE 2 END)
  FROM chunks_instances WHERE term = j.value)
FROM json_each(?) j ORDER BY j.key

-- name: make_analysed
CREATE TEMP TABLE analysed (
  chunk INTEGER PRIMARY KEY, terms_hash TEXT, title TEXT, headings TEXT, body TEXT, terms INTEGER)

-- name: drop_analysed
DROP TABLE IF EXISTS temp.analysed

-- name: add_analysed
INSERT INTO temp.analysed VALUES (?, ?, ?, ?, ?, ?)

-- name: copy_analysed
INSERT INTO chunks_fts (rowid, title, headings, body)
SELECT a.chunk, a.title, a.headings, a.body
FROM temp.analysed a JOIN chunks c ON c.rowid = a.chunk AND c.terms_hash = a.terms_hash

-- name: copy_lengths
UPDATE chunks SET terms = a.terms FROM temp.analysed a WHERE a.chunk = chunks.rowid

-- name: chunks_without_text_row
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON s.rowid = c.source
WHERE NOT EXISTS (SELECT 1 FROM chunks_fts_docsize d WHERE d.id = c.rowid)

-- name: source_lengths
SELECT s.id, t.lengths FROM sources s JOIN source_statistics t ON t.source = s.rowid
WHERE s.level <= ? ORDER BY s.id
