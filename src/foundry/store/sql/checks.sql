-- name: check_file (sqlite)
PRAGMA integrity_check(1000)

-- name: chunks_without_source
SELECT count(*) FROM chunks c WHERE /*pg c.project = :project AND*/ NOT EXISTS (SELECT 1 FROM sources s WHERE /*pg s.project = :project AND*/ s.rowid = c.source)

-- name: sweep_chunks
DELETE FROM chunks WHERE /*pg project = :project AND*/ source NOT IN (SELECT rowid FROM sources /*pg WHERE project = :project*/)

-- name: blocks_without_source
SELECT count(*) FROM blocks b WHERE /*pg b.project = :project AND*/ NOT EXISTS (SELECT 1 FROM sources s WHERE /*pg s.project = :project AND*/ s.rowid = b.source)

-- name: sweep_blocks
DELETE FROM blocks WHERE /*pg project = :project AND*/ source NOT IN (SELECT rowid FROM sources /*pg WHERE project = :project*/)

-- name: texts_without_source
SELECT count(*) FROM source_texts t
WHERE /*pg t.project = :project AND*/ NOT EXISTS (SELECT 1 FROM sources s WHERE /*pg s.project = :project AND*/ s.rowid = t.source)

-- name: sweep_texts
DELETE FROM source_texts WHERE /*pg project = :project AND*/ source NOT IN (SELECT rowid FROM sources /*pg WHERE project = :project*/)

-- name: paths_without_source
SELECT count(*) FROM heading_paths h
WHERE /*pg h.project = :project AND*/ NOT EXISTS (SELECT 1 FROM sources s WHERE /*pg s.project = :project AND*/ s.rowid = h.source)

-- name: sweep_paths
DELETE FROM heading_paths WHERE /*pg project = :project AND*/ source NOT IN (SELECT rowid FROM sources /*pg WHERE project = :project*/)

-- name: summaries_without_source
SELECT count(*) FROM source_summaries y
WHERE /*pg y.project = :project AND*/ NOT EXISTS (SELECT 1 FROM sources s WHERE /*pg s.project = :project AND*/ s.rowid = y.source)

-- name: sweep_summaries
DELETE FROM source_summaries WHERE /*pg project = :project AND*/ source NOT IN (SELECT rowid FROM sources /*pg WHERE project = :project*/)

-- name: has_summary
SELECT 1 FROM source_summaries WHERE /*pg project = :project AND*/ source = ?1

-- name: text_rows_without_chunk (postgres)
SELECT count(*) FROM chunk_terms d WHERE d.project = :project
  AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.project = :project AND c.rowid = d.chunk)

-- name: count_without_text_row (postgres)
SELECT count(*) FROM chunks c WHERE c.project = :project
  AND NOT EXISTS (SELECT 1 FROM chunk_terms d WHERE d.project = :project AND d.chunk = c.rowid)

-- name: statistics_differ (sqlite)
SELECT count(*) FROM ({statistics} GROUP BY c.source) wanted
LEFT JOIN source_statistics t ON t.source = wanted.source
WHERE t.lengths IS NOT wanted.lengths OR t.languages IS NOT wanted.languages

-- name: statistics_differ (postgres)
SELECT count(*) FROM ({statistics} GROUP BY c.source) wanted
LEFT JOIN source_statistics t ON t.project = :project AND t.source = wanted.source
WHERE t.lengths IS DISTINCT FROM wanted.lengths OR t.languages IS DISTINCT FROM wanted.languages
  OR t.terms <> (
    SELECT sum(k.terms) FROM chunks k WHERE k.project = :project AND k.source = wanted.source)

-- name: vectors_without_chunk (sqlite)
SELECT v.chunk FROM {vectors} v
WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.rowid = v.chunk)

-- name: vector_tables (sqlite)
SELECT name FROM sqlite_schema
WHERE type = 'table' AND name LIKE 'vec\_chunks\_%' ESCAPE '\' AND name NOT LIKE '%\_blocks' ESCAPE '\'

-- name: source_keys
SELECT rowid, id, path, title FROM sources /*pg WHERE project = :project*/ ORDER BY path

-- name: words_differ (postgres)
-- Chunks that pg_textsearch's table lacks or has with other words, another source or another level.
SELECT count(*) FROM chunk_terms d
JOIN chunks c ON c.project = :project AND c.rowid = d.chunk
JOIN sources s ON s.project = :project AND s.rowid = c.source
LEFT JOIN chunk_words w ON w.project = :project AND w.chunk = d.chunk
WHERE d.project = :project AND (w.words, w.source, w.level)
  IS DISTINCT FROM (encode_words(d.title, d.title, d.headings, d.body), c.source, s.level)
