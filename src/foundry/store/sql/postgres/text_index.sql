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
-- A new chunk has it already.
UPDATE chunks SET terms = :1 WHERE project = :project AND rowid = :2 AND terms <> :1

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
INSERT INTO source_statistics (project, source, lengths, languages, terms)
SELECT :project, t.source, t.lengths, t.languages, (
  SELECT sum(k.terms) FROM chunks k WHERE k.project = :project AND k.source = t.source)
FROM ({statistics} AND c.source = :1 GROUP BY c.source) t

-- name: read_lengths
-- In one row for the sources that the filters allow, and one for the others.
SELECT string_agg(t.lengths, ''::bytea), t.source IN ({visible}) AS allowed,
  EXISTS (SELECT 1 FROM sources WHERE project = :project AND level > :level)
FROM source_statistics t JOIN sources o ON o.project = :project AND o.rowid = t.source
WHERE t.project = :project AND o.level <= :level GROUP BY allowed

-- name: document_frequencies
SELECT term, sum(chunks)::bigint FROM postings
WHERE project = :project AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(:terms::jsonb)))
  AND (source IN (SELECT rowid FROM sources WHERE project = :project AND level <= :level)) IS TRUE
GROUP BY term

-- name: frequencies_of_all
SELECT term, sum(chunks)::bigint FROM postings
WHERE project = :project AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(:terms::jsonb)))
GROUP BY term

-- name: postings
SELECT term, string_agg(places, ''::bytea) FROM postings
WHERE project = :project AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(:1::jsonb))) GROUP BY term

-- name: mentions
-- For each term the sources that have it, how many of their chunks do, and all of them. The sources are
-- read once: the planner would look each one up for every term.
WITH seen AS MATERIALIZED (
  SELECT s.rowid, s.id, length(t.lengths) / 12 AS chunks
  FROM sources s JOIN source_statistics t ON t.project = :project AND t.source = s.rowid
  WHERE s.project = :project AND s.level <= :level)
SELECT p.term, s.id, p.chunks, s.chunks, p.titled
FROM postings p JOIN seen s ON s.rowid = p.source
WHERE p.project = :project
  AND p.term = ANY (ARRAY(SELECT jsonb_array_elements_text(:terms::jsonb)))

-- name: word_indexes
-- The index of each level, if searches may use pg_textsearch. Given the index above them, version 1.0
-- fails where it scores a row apart.
SELECT n.level, format('%I.%I', current_schema(), i.relname)
FROM generate_series(0, 3) n (level)
JOIN pg_class t ON t.relnamespace = current_schema()::regnamespace
  AND t.relname = partition_name('chunk_words', :project) || '_' || n.level
JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid
JOIN pg_am a ON a.oid = i.relam AND a.amname = 'bm25'
WHERE (SELECT words FROM projects WHERE id = :project) AND has_textsearch()

-- name: textsearch_use
-- Whether pg_textsearch can be used, and from which release.
SELECT has_textsearch(), oldest_textsearch()

-- name: make_words
SELECT make_words(:project)

-- name: use_words
SELECT use_words(:project)

-- name: text_totals
-- Of the visible chunks: their number, their terms, and the levels that there are; and whether
-- searches may use pg_textsearch.
SELECT (coalesce(sum(length(t.lengths)), 0) / 12)::bigint, coalesce(sum(t.terms), 0)::bigint,
  array_agg(DISTINCT s.level), has_textsearch() AND (SELECT words FROM projects WHERE id = :project)
FROM source_statistics t JOIN sources s ON s.project = :project AND s.rowid = t.source
WHERE t.project = :project AND s.level <= :level

-- name: chunks_by_words
-- IS TRUE keeps the condition from becoming a join, which cannot use the order of the index.
SELECT v.chunk, v.source FROM chunk_words v
WHERE v.project = :project AND v.level = :at::smallint AND (v.source IN ({visible})) IS TRUE
ORDER BY v.words <@> to_bm25query(:words, :index) LIMIT :count

-- name: source_postings
SELECT term, string_agg(places, ''::bytea) FROM postings
WHERE project = :project AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(:terms::jsonb)))
  AND source = ANY (ARRAY({wanted})) GROUP BY term

-- name: listed_sources
SELECT jsonb_array_elements_text(:sources::jsonb)::bigint
