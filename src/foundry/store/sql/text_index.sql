-- name: put_text_row (sqlite)
INSERT OR REPLACE INTO chunks_fts (rowid, title, headings, body) VALUES (?1, ?2, ?3, ?4)

-- name: put_text_row (postgres)
INSERT INTO chunk_terms (project, chunk, title, headings, body)
SELECT :project, r.* FROM unnest(?1::bigint[], ?2::text[], ?3::text[], ?4::text[]) r
ON CONFLICT (project, chunk) DO UPDATE SET title = excluded.title, headings = excluded.headings,
  body = excluded.body

-- name: delete_text_row (sqlite)
DELETE FROM chunks_fts WHERE rowid = ?1

-- name: delete_text_row (postgres)
DELETE FROM chunk_terms WHERE project = :project AND chunk = ?1

-- name: clear_text_index (sqlite)
INSERT INTO chunks_fts (chunks_fts) VALUES ('delete-all')

-- name: clear_text_index (postgres)
DELETE FROM chunk_terms WHERE project = :project

-- name: optimize_text_index (sqlite)
INSERT INTO chunks_fts (chunks_fts) VALUES ('optimize')

-- name: count_text_rows (sqlite)
SELECT count(*) FROM chunks_fts_docsize

-- name: count_text_rows (postgres)
SELECT count(*) FROM chunk_terms WHERE project = :project

-- name: count_visible_text_rows (sqlite)
SELECT count(*) FROM chunks_fts_docsize d JOIN chunks c ON c.rowid = d.id
WHERE c.source IN (SELECT rowid FROM sources WHERE level <= ?1)

-- name: count_visible_text_rows (postgres)
SELECT count(*) FROM chunk_terms d JOIN chunks c ON c.project = :project AND c.rowid = d.chunk
JOIN sources s ON s.project = :project AND s.rowid = c.source
WHERE d.project = :project AND s.level <= ?1

-- name: set_length
UPDATE chunks SET terms = ?1 WHERE /*pg project = :project AND*/ rowid = ?2 AND terms <> ?1

-- name: source_statistics (sqlite)
SELECT c.source, unhex(group_concat(printf('%016X%08X', c.rowid, c.terms), '')) AS lengths,
  (SELECT json_group_object(language, number) FROM (
    SELECT language, count(*) AS number FROM chunks l
    WHERE l.source = c.source GROUP BY language)) AS languages
FROM chunks c

-- name: source_statistics (postgres)
-- Of each chunk its row number (8 bytes) and terms (4), big-endian.
SELECT c.source, string_agg(int8send(c.rowid) || int4send(c.terms), ''::bytea ORDER BY c.rowid)
    AS lengths,
  (SELECT jsonb_object_agg(l.language, l.number) FROM (
    SELECT k.language, count(*) AS number FROM chunks k
    WHERE k.project = :project AND k.source = c.source GROUP BY k.language) l)::text AS languages
FROM chunks c WHERE c.project = :project

-- name: delete_statistics
/*pg WITH gone AS (DELETE FROM postings WHERE project = :project AND source = ?1)*/ DELETE FROM source_statistics WHERE /*pg project = :project AND*/ source = ?1

-- name: add_statistics (sqlite)
INSERT INTO source_statistics (source, lengths, languages) {statistics}
WHERE c.source = ?1 GROUP BY c.source

-- name: source_terms (postgres)
SELECT c.rowid, c.terms, d.title, d.headings, d.body
FROM chunks c JOIN chunk_terms d ON d.project = :project AND d.chunk = c.rowid
WHERE c.project = :project AND c.source = ?1 ORDER BY c.rowid

-- name: add_postings (postgres)
-- What list_postings computes in five times the processor time: terms in their order, separated by
-- spaces, the number of chunks and whether titles have it of each, and the places of all.
INSERT INTO postings (project, term, source, chunks, titled, places)
SELECT :project, r.term, :source, r.chunks, r.titled,
  substring(:places::bytea FROM (18 * (r.past - r.chunks) + 1)::integer FOR 18 * r.chunks)
FROM (
  SELECT *, sum(u.chunks) OVER (ORDER BY u.place) AS past
  FROM unnest(string_to_array(:terms, ' '), string_to_array(:chunks, ' ')::integer[],
    string_to_array(:titled, ' ')::boolean[]) WITH ORDINALITY u (term, chunks, titled, place)) r

-- name: add_statistics (postgres)
INSERT INTO source_statistics (project, source, lengths, languages, terms)
SELECT :project, t.source, t.lengths, t.languages, (
  SELECT sum(k.terms) FROM chunks k WHERE k.project = :project AND k.source = t.source)
FROM ({statistics} AND c.source = ?1 GROUP BY c.source) t

-- name: clear_statistics (sqlite)
DELETE FROM source_statistics

-- name: rebuild_statistics (sqlite)
INSERT INTO source_statistics (source, lengths, languages) {statistics} GROUP BY c.source

-- name: read_lengths (sqlite)
SELECT t.lengths, t.source IN ({visible}), EXISTS (SELECT 1 FROM sources WHERE level > :level)
FROM source_statistics t WHERE t.source IN (SELECT rowid FROM sources WHERE level <= :level)

-- name: read_lengths (postgres)
-- In one row for the sources that the filters allow, and one for the others.
SELECT string_agg(t.lengths, ''::bytea), t.source IN ({visible}) AS allowed,
  EXISTS (SELECT 1 FROM sources WHERE project = :project AND level > :level)
FROM source_statistics t JOIN sources o ON o.project = :project AND o.rowid = t.source
WHERE t.project = :project AND o.level <= :level GROUP BY allowed

-- name: document_frequencies (sqlite)
SELECT t.term, t.doc FROM json_each(:terms) j CROSS JOIN chunks_terms t ON t.term = j.value

-- name: document_frequencies (postgres)
SELECT term, sum(chunks)::bigint FROM postings
WHERE project = :project AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(:terms::jsonb)))
  AND (source IN (SELECT rowid FROM sources WHERE project = :project AND level <= :level)) IS TRUE
GROUP BY term

-- name: chunks_with_term (sqlite)
SELECT (SELECT group_concat(rowid) FROM chunks_fts WHERE chunks_fts MATCH j.value)
FROM json_each(?1) j ORDER BY j.key

-- name: postings (sqlite)
-- Each occurrence as four times the row number plus the number of the field.
SELECT (
  SELECT group_concat(doc * 4 + CASE col WHEN 'title' THEN 0 WHEN 'headings' THEN 1 ELSE 2 END)
  FROM chunks_instances WHERE term = j.value)
FROM json_each(?1) j ORDER BY j.key

-- name: postings (postgres)
SELECT term, string_agg(places, ''::bytea) FROM postings
WHERE project = :project AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb))) GROUP BY term

-- name: make_analysed (sqlite)
CREATE TEMP TABLE analysed (
  chunk INTEGER PRIMARY KEY, terms_hash TEXT, title TEXT, headings TEXT, body TEXT, terms INTEGER)

-- name: drop_analysed (sqlite)
DROP TABLE IF EXISTS temp.analysed

-- name: add_analysed (sqlite)
INSERT INTO temp.analysed VALUES (?1, ?2, ?3, ?4, ?5, ?6)

-- name: copy_analysed (sqlite)
INSERT INTO chunks_fts (rowid, title, headings, body)
SELECT a.chunk, a.title, a.headings, a.body
FROM temp.analysed a JOIN chunks c ON c.rowid = a.chunk AND c.terms_hash = a.terms_hash

-- name: copy_lengths (sqlite)
UPDATE chunks SET terms = a.terms FROM temp.analysed a WHERE a.chunk = chunks.rowid

-- name: chunks_without_text_row (sqlite)
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON s.rowid = c.source
WHERE NOT EXISTS (SELECT 1 FROM chunks_fts_docsize d WHERE d.id = c.rowid)

-- name: source_lengths (sqlite)
SELECT s.id, t.lengths FROM sources s JOIN source_statistics t ON t.source = s.rowid
WHERE s.level <= ?1 ORDER BY s.id

-- name: frequencies_of_all (postgres)
SELECT term, sum(chunks)::bigint FROM postings
WHERE project = :project AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(:terms::jsonb)))
GROUP BY term

-- name: mentions (postgres)
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

-- name: word_indexes (postgres)
-- The index of each level, if searches may use pg_textsearch. Given the index above them, version 1.0
-- fails where it scores a row apart.
SELECT n.level, format('%I.%I', current_schema(), i.relname)
FROM generate_series(0, 3) n (level)
JOIN pg_class t ON t.relnamespace = current_schema()::regnamespace
  AND t.relname = partition_name('chunk_words', :project) || '_' || n.level
JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid
JOIN pg_am a ON a.oid = i.relam AND a.amname = 'bm25'
WHERE (SELECT words FROM projects WHERE id = :project) AND has_textsearch()

-- name: textsearch_use (postgres)
-- Whether pg_textsearch can be used, and from which release.
SELECT has_textsearch(), oldest_textsearch()

-- name: make_words (postgres)
SELECT make_words(:project)

-- name: use_words (postgres)
SELECT use_words(:project)

-- name: text_totals (postgres)
-- Of the visible chunks: their number, their terms, and the levels that there are; and whether
-- searches may use pg_textsearch.
SELECT (coalesce(sum(length(t.lengths)), 0) / 12)::bigint, coalesce(sum(t.terms), 0)::bigint,
  array_agg(DISTINCT s.level), has_textsearch() AND (SELECT words FROM projects WHERE id = :project)
FROM source_statistics t JOIN sources s ON s.project = :project AND s.rowid = t.source
WHERE t.project = :project AND s.level <= :level

-- name: chunks_by_words (postgres)
-- IS TRUE keeps the condition from becoming a join, which cannot use the order of the index.
SELECT v.chunk, v.source FROM chunk_words v
WHERE v.project = :project AND v.level = :at::smallint AND (v.source IN ({visible})) IS TRUE
ORDER BY v.words <@> to_bm25query(:words, :index) LIMIT :count

-- name: source_postings (postgres)
SELECT term, string_agg(places, ''::bytea) FROM postings
WHERE project = :project AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(:terms::jsonb)))
  AND source = ANY (ARRAY({wanted})) GROUP BY term

-- name: listed_sources (postgres)
SELECT jsonb_array_elements_text(:sources::jsonb)::bigint
