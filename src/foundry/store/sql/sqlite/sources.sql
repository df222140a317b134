-- name: list_sources
SELECT s.*, (SELECT count(*) FROM chunks c WHERE c.source = s.rowid) AS chunks
FROM sources s WHERE s.level <= ? ORDER BY s.path

-- name: sources_under
-- A path and what is below it: '0' follows '/'.
SELECT s.*, (SELECT count(*) FROM chunks c WHERE c.source = s.rowid) AS chunks
FROM sources s WHERE s.level <= :level
  AND (s.path = :under OR (s.path > :under || '/' AND s.path < :under || '0')) ORDER BY s.path

-- name: sources_by_content
SELECT s.*, (SELECT count(*) FROM chunks c WHERE c.source = s.rowid) AS chunks
FROM sources s WHERE s.content_hash = :hash AND s.level <= :level ORDER BY s.path

-- name: find_source
SELECT s.*, (SELECT count(*) FROM chunks c WHERE c.source = s.rowid) AS chunks
FROM sources s WHERE (s.id = :key OR s.path = :key) AND s.level <= :level
ORDER BY s.id = :key DESC LIMIT 1

-- name: sources_by_id
SELECT s.*, (SELECT count(*) FROM chunks c WHERE c.source = s.rowid) AS chunks
FROM sources s WHERE s.id IN (SELECT value FROM json_each(?)) AND s.level <= ?

-- name: source_rowid
SELECT rowid FROM sources WHERE id = ? AND level <= ?

-- name: source_about
SELECT about FROM sources WHERE rowid = ?

-- name: put_source
INSERT INTO sources (id, path, content_hash, title, type, language, size, modified, ingested, pages,
  tags, confidentiality, level, revision, revision_date, dated, names, about,
  warnings, recipe)
VALUES (:id, :path, :content_hash, :title, :type, :language, :size, :modified, :ingested, :pages,
  :tags, :confidentiality, :level, :revision, :revision_date, :dated, :names, :about,
  :warnings, :recipe)
ON CONFLICT (id) DO UPDATE SET path = :path, content_hash = :content_hash, title = :title,
  type = :type, language = :language, size = :size, modified = :modified, ingested = :ingested,
  pages = :pages, tags = :tags, confidentiality = :confidentiality, level = :level,
  revision = :revision, revision_date = :revision_date, dated = :dated, names = :names,
  about = :about, warnings = :warnings, recipe = :recipe
RETURNING rowid

-- name: delete_source
DELETE FROM sources WHERE rowid = ?

-- name: clear_text
DELETE FROM source_texts WHERE source = ?

-- name: clear_heading_paths
DELETE FROM heading_paths WHERE source = ?

-- name: clear_blocks
DELETE FROM blocks WHERE source = ?

-- name: add_text
INSERT INTO source_texts (source, segment, text) VALUES (?, ?, ?)

-- name: add_heading_path
INSERT INTO heading_paths (source, number, path) VALUES (?, ?, ?)

-- name: add_block
INSERT INTO blocks (source, position, kind, char_start, char_end, heading, level, page, page_label,
  x0, y0, x1, y1, time_start, time_end, speaker, table_cells,
  recognition, corrections)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: text_segments
SELECT text FROM source_texts WHERE source = ? AND segment BETWEEN ? AND ? ORDER BY segment

-- name: text_spans
-- The part that each stored segment has of each span: [source, start, end].
SELECT w.key, substr(t.text,
  max(w.value ->> 1 - t.segment * :segment, 0) + 1,
  w.value ->> 2 - max(w.value ->> 1, t.segment * :segment))
FROM json_each(:spans) w CROSS JOIN source_texts t
WHERE t.source = w.value ->> 0
  AND t.segment BETWEEN (w.value ->> 1) / :segment AND (w.value ->> 2) / :segment
  AND w.value ->> 2 > max(w.value ->> 1, t.segment * :segment)
ORDER BY w.key, t.segment

-- name: block_ranges
-- The blocks of each range of positions: [source, first, one after the last].
SELECT w.key, b.kind, b.char_start, b.char_end, h.path, b.level, b.page, b.page_label,
  b.x0, b.y0, b.x1, b.y1, b.time_start, b.time_end, b.speaker, b.table_cells,
  b.recognition, b.corrections
FROM json_each(?) w CROSS JOIN blocks b
LEFT JOIN heading_paths h ON h.source = b.source AND h.number = b.heading
WHERE b.source = w.value ->> 0
  AND b.position >= w.value ->> 1 AND b.position < w.value ->> 2
ORDER BY w.key, b.position

-- name: blocks_between
SELECT b.kind, b.char_start, b.char_end, h.path, b.level, b.page, b.page_label,
  b.x0, b.y0, b.x1, b.y1, b.time_start, b.time_end, b.speaker, b.table_cells,
  b.recognition, b.corrections
FROM blocks b LEFT JOIN heading_paths h ON h.source = b.source AND h.number = b.heading
WHERE b.source = ? AND b.position >= ? AND b.position < ?
ORDER BY b.position

-- name: put_summary
INSERT INTO source_summaries (source, text, model) VALUES (?, ?, ?)
ON CONFLICT (source) DO UPDATE SET text = excluded.text, model = excluded.model

-- name: summaries
SELECT s.id, y.text, y.model FROM source_summaries y JOIN sources s ON s.rowid = y.source
WHERE s.id IN (SELECT value FROM json_each(?)) AND s.level <= ?

-- name: abbreviations
SELECT DISTINCT a.key, a.other FROM json_each(:keys) j
CROSS JOIN abbreviations a ON a.key = j.value
JOIN sources s ON s.rowid = a.source AND s.level <= :level
ORDER BY a.key, a.other

-- name: labels
SELECT about FROM sources WHERE level <= ? ORDER BY path
