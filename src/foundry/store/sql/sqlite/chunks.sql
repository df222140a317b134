-- name: chunk_states
SELECT id, rowid, terms_hash, embedded_hash FROM chunks WHERE source = ?

-- name: add_chunk
INSERT INTO chunks (id, source, position, char_start, char_end, first_block, last_block, tokens,
  language, heading_path, headings, prefix, content, text_hash, terms_hash, embedded_hash, terms)
VALUES (:id, :source, :position, :char_start, :char_end, :first_block, :last_block, :tokens,
  :language, :heading_path, :headings, :prefix, :content, :text_hash, :terms_hash, :embedded_hash,
  :terms)
RETURNING rowid

-- name: update_chunk
UPDATE chunks SET position = :position, char_start = :char_start, char_end = :char_end,
  first_block = :first_block, last_block = :last_block, tokens = :tokens, language = :language,
  heading_path = :heading_path, headings = :headings, prefix = :prefix, content = :content,
  text_hash = :text_hash, terms_hash = :terms_hash, embedded_hash = :embedded_hash
WHERE rowid = :rowid

-- name: set_terms_hash
UPDATE chunks SET terms_hash = ? WHERE rowid = ?

-- name: set_prefix
UPDATE chunks SET prefix = ?, embedded_hash = ? WHERE rowid = ?

-- name: delete_chunk
DELETE FROM chunks WHERE rowid = ?

-- name: chunks_by_id
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON s.rowid = c.source
WHERE c.id IN (SELECT value FROM json_each(?)) AND s.level <= ?
ORDER BY c.source, c.position

-- name: chunks_of_source
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON s.rowid = c.source
WHERE s.id = ? ORDER BY c.position

-- name: chunks_after
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON s.rowid = c.source
WHERE c.rowid > ? ORDER BY c.rowid LIMIT ?

-- name: languages
SELECT l.key, sum(l.value) FROM source_statistics t, json_each(t.languages) l
WHERE t.source IN (SELECT rowid FROM sources WHERE level <= ?)
GROUP BY l.key ORDER BY sum(l.value) DESC, l.key

-- name: chunk_ids
SELECT rowid, id FROM chunks WHERE rowid IN (SELECT value FROM json_each(?))

-- name: count_chunks
-- Of visible sources: their number and chunks; of all sources: their chunks and text index rows.
SELECT count(*) FILTER (WHERE s.level <= ?),
  coalesce(sum(length(t.lengths)) FILTER (WHERE s.level <= ?), 0) / 12,
  coalesce(sum(length(t.lengths)), 0) / 12,
  (SELECT count(*) FROM chunks_fts_docsize)
FROM sources s LEFT JOIN source_statistics t ON t.source = s.rowid

-- name: visible_sources
SELECT s.rowid FROM sources s
WHERE s.level <= :level
  AND (:types IS NULL OR s.type IN (SELECT value FROM json_each(:types)))
  AND (:sources IS NULL OR s.path IN (SELECT value FROM json_each(:sources))
    OR s.id IN (SELECT value FROM json_each(:sources)))
  AND (:tags IS NULL OR EXISTS (
    SELECT 1 FROM json_each(s.tags) t WHERE t.value IN (SELECT value FROM json_each(:tags))))
  -- Dates compare at the coarser precision of the two: "2026" covers all of that year.
  AND (:date_from IS NULL
    OR substr(s.dated, 1, length(:date_from)) >= substr(:date_from, 1, length(s.dated)))
  AND (:date_to IS NULL
    OR substr(s.dated, 1, length(:date_to)) <= substr(:date_to, 1, length(s.dated)))
