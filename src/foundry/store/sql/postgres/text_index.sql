-- name: put_text_row
INSERT INTO chunk_terms (project, chunk, title, headings, body) VALUES (:project, :1, :2, :3, :4)
ON CONFLICT (project, chunk) DO UPDATE SET title = excluded.title, headings = excluded.headings,
  body = excluded.body

-- name: delete_text_row
DELETE FROM chunk_terms WHERE project = :project AND chunk = :1

-- name: clear_text_index
DELETE FROM chunk_terms WHERE project = :project

-- name: count_text_rows
SELECT count(*) FROM chunk_terms WHERE project = :project

-- name: count_visible_text_rows
SELECT count(*) FROM chunk_terms d JOIN chunks c ON c.project = :project AND c.rowid = d.chunk
JOIN sources s ON s.project = :project AND s.rowid = c.source
WHERE d.project = :project AND s.level <= :1

-- name: set_length
UPDATE chunks SET terms = :1 WHERE project = :project AND rowid = :2

-- name: source_statistics
-- Of each chunk its row number (8 bytes) and terms (4), big-endian.
SELECT c.source, string_agg(int8send(c.rowid) || int4send(c.terms), ''::bytea ORDER BY c.rowid)
    AS lengths,
  (SELECT jsonb_object_agg(l.language, l.number) FROM (
    SELECT k.language, count(*) AS number FROM chunks k
    WHERE k.project = :project AND k.source = c.source GROUP BY k.language) l)::text AS languages
FROM chunks c WHERE c.project = :project

-- name: delete_statistics
WITH gone AS (DELETE FROM postings WHERE project = :project AND source = :1)
DELETE FROM source_statistics WHERE project = :project AND source = :1

-- name: add_statistics
WITH added AS (
  INSERT INTO postings (project, term, source, chunks, titled, places)
  SELECT :project, p.* FROM list_postings(:project, :1) p)
INSERT INTO source_statistics (project, source, lengths, languages)
SELECT :project, t.source, t.lengths, t.languages
FROM ({statistics} AND c.source = :1 GROUP BY c.source) t

-- name: read_lengths
SELECT t.lengths, t.source IN ({visible}),
  EXISTS (SELECT 1 FROM sources WHERE project = :project AND level > :level)
FROM source_statistics t JOIN sources o ON o.project = :project AND o.rowid = t.source
WHERE t.project = :project AND o.level <= :level

-- name: document_frequencies
SELECT term, sum(chunks)::bigint FROM postings
WHERE project = :project AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(:1::jsonb))) GROUP BY term

-- name: postings
SELECT term, string_agg(places, ''::bytea) FROM postings
WHERE project = :project AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(:1::jsonb))) GROUP BY term

-- name: mentions
-- For each term the sources that have it, how many of their chunks do, and all of them.
SELECT p.term, s.id, p.chunks, length(t.lengths) / 12, p.titled
FROM postings p JOIN sources s ON s.project = :project AND s.rowid = p.source
JOIN source_statistics t ON t.project = :project AND t.source = s.rowid
WHERE p.project = :project AND s.level <= :level
  AND p.term = ANY (ARRAY(SELECT jsonb_array_elements_text(:terms::jsonb)))
ORDER BY s.id
