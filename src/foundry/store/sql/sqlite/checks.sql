-- name: check_file
PRAGMA integrity_check(20)

-- name: chunks_without_source
SELECT count(*) FROM chunks c WHERE NOT EXISTS (SELECT 1 FROM sources s WHERE s.rowid = c.source)

-- name: sweep_chunks
DELETE FROM chunks WHERE source NOT IN (SELECT rowid FROM sources)

-- name: blocks_without_source
SELECT count(*) FROM blocks b WHERE NOT EXISTS (SELECT 1 FROM sources s WHERE s.rowid = b.source)

-- name: sweep_blocks
DELETE FROM blocks WHERE source NOT IN (SELECT rowid FROM sources)

-- name: texts_without_source
SELECT count(*) FROM source_texts t
WHERE NOT EXISTS (SELECT 1 FROM sources s WHERE s.rowid = t.source)

-- name: sweep_texts
DELETE FROM source_texts WHERE source NOT IN (SELECT rowid FROM sources)

-- name: paths_without_source
SELECT count(*) FROM heading_paths h
WHERE NOT EXISTS (SELECT 1 FROM sources s WHERE s.rowid = h.source)

-- name: sweep_paths
DELETE FROM heading_paths WHERE source NOT IN (SELECT rowid FROM sources)

-- name: summaries_without_source
SELECT count(*) FROM source_summaries y
WHERE NOT EXISTS (SELECT 1 FROM sources s WHERE s.rowid = y.source)

-- name: sweep_summaries
DELETE FROM source_summaries WHERE source NOT IN (SELECT rowid FROM sources)

-- name: has_summary
SELECT 1 FROM source_summaries WHERE source = ?

-- name: text_rows_without_chunk
SELECT count(*) FROM chunks_fts_docsize d
WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.rowid = d.id)

-- name: count_without_text_row
SELECT count(*) FROM chunks c
WHERE NOT EXISTS (SELECT 1 FROM chunks_fts_docsize d WHERE d.id = c.rowid)

-- name: lengths_differ
SELECT abs((SELECT coalesce(sum(terms), 0) FROM chunks)
  - (SELECT coalesce(sum(cnt), 0) FROM chunks_terms))

-- name: statistics_differ
SELECT count(*) FROM ({statistics} GROUP BY c.source) wanted
LEFT JOIN source_statistics t ON t.source = wanted.source
WHERE t.lengths IS NOT wanted.lengths OR t.languages IS NOT wanted.languages

-- name: vectors_without_chunk
SELECT v.rowid FROM {vectors}_rowids v
WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.rowid = v.rowid)

-- name: vector_tables
SELECT name FROM sqlite_schema
WHERE type = 'table' AND name LIKE 'vec\_chunks\_%' ESCAPE '\' AND sql LIKE 'CREATE VIRTUAL TABLE%'

-- name: source_keys
SELECT rowid, id, path, title FROM sources ORDER BY path
