-- name: text_changes (sqlite)
SELECT number FROM text_changes

-- name: list_statistics (sqlite)
SELECT s.rowid, s.id, s.level, t.lengths, t.languages
FROM sources s LEFT JOIN source_statistics t ON t.source = s.rowid ORDER BY s.rowid

-- name: list_visible (sqlite)
{visible}

-- name: list_segments (sqlite)
SELECT id, chunks FROM segments ORDER BY id

-- name: list_volumes (sqlite)
SELECT DISTINCT coalesce(volume, id) FROM segments ORDER BY 1

-- name: newer_segments (sqlite)
SELECT chunks FROM segments WHERE id > ?1

-- name: open_segments (sqlite)
SELECT id, size FROM segments WHERE NOT closed ORDER BY id

-- name: closed_segments (sqlite)
SELECT id FROM segments WHERE closed = 1 ORDER BY id

-- name: chunk_numbers (sqlite)
SELECT rowid FROM chunks ORDER BY rowid

-- name: latest_volume (sqlite)
SELECT volume, count(*) FROM segments
WHERE volume = (SELECT volume FROM segments WHERE closed = 1 ORDER BY id DESC LIMIT 1) GROUP BY volume

-- name: segment_volume (sqlite)
SELECT volume FROM segments WHERE id = ?1

-- name: find_segment (sqlite)
SELECT chunks, lengths, digest FROM segments WHERE id = ?1

-- name: add_segment (sqlite)
INSERT INTO segments (id, volume, size, closed, chunks, lengths, digest)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id

-- name: remove_segment (sqlite)
DELETE FROM segments WHERE id = ?1

-- name: add_postings (sqlite)
INSERT INTO postings VALUES (?1, ?2, ?3, ?4, ?5)

-- name: remove_postings (sqlite)
DELETE FROM postings
WHERE segment = ?1 AND volume = (SELECT coalesce(volume, id) FROM segments WHERE id = ?1)

-- name: segment_postings (sqlite)
SELECT term, codes, apart FROM postings
WHERE segment = ?1 AND volume = (SELECT coalesce(volume, id) FROM segments WHERE id = ?1)
ORDER BY term

-- name: count_postings (sqlite)
SELECT j.value, sum(length(p.codes)) / 2
FROM json_each(?1) j CROSS JOIN json_each(?2) v CROSS JOIN postings p
WHERE p.volume = v.value AND p.term = j.value GROUP BY j.key

-- name: term_postings (sqlite)
SELECT p.segment, p.codes, p.apart FROM json_each(?2) v CROSS JOIN postings p
WHERE p.volume = v.value AND p.term = ?1

-- name: existing_chunks (sqlite)
SELECT rowid FROM chunks WHERE rowid IN (SELECT value FROM json_each(?1))

-- name: put_text_row (postgres)
INSERT INTO chunk_terms (project, chunk, title, headings, body)
SELECT :project, r.* FROM unnest(?1::bigint[], ?2::text[], ?3::text[], ?4::text[]) r
ON CONFLICT (project, chunk) DO UPDATE SET title = excluded.title, headings = excluded.headings,
  body = excluded.body

-- name: count_text_rows (postgres)
SELECT count(*) FROM chunk_terms WHERE project = :project

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

-- name: document_frequencies (postgres)
SELECT term, sum(chunks)::bigint FROM postings
WHERE project = :project AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(:terms::jsonb)))
  AND (source IN (SELECT rowid FROM sources WHERE project = :project AND level <= :level)) IS TRUE
GROUP BY term

-- name: postings (postgres)
SELECT term, string_agg(places, ''::bytea) FROM postings
WHERE project = :project AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb))) GROUP BY term

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

-- name: fts_chunks (sqlite)
SELECT d.id, c.terms FROM chunks_fts_docsize d JOIN chunks c ON c.rowid = d.id ORDER BY d.id

-- name: fts_occurrences (sqlite)
-- Each occurrence as four times the row number plus the number of the field.
SELECT t.term, (
  SELECT group_concat(i.doc * 4 + CASE i.col WHEN 'title' THEN 0 WHEN 'headings' THEN 1 ELSE 2 END)
  FROM chunks_instances i WHERE i.term = t.term AND i.doc BETWEEN ?1 AND ?2)
FROM chunks_terms t

-- name: drop_fts (sqlite)
DROP TABLE chunks_terms; DROP TABLE chunks_instances; DROP TABLE chunks_fts

-- name: newest_segment (sqlite)
SELECT coalesce(max(id), 0) FROM segments

-- name: set_segments_aside (sqlite)
UPDATE segments SET closed = 2

-- name: remove_older_segments (sqlite)
DELETE FROM segments WHERE id <= ?1

-- name: stray_postings (sqlite)
SELECT count(DISTINCT segment) FROM postings WHERE segment NOT IN (SELECT id FROM segments)

-- name: sweep_postings (sqlite)
DELETE FROM postings WHERE segment NOT IN (SELECT id FROM segments)

-- name: segment_numbers (sqlite)
SELECT id FROM segments ORDER BY id

-- name: chunk_lengths (sqlite)
SELECT rowid, terms FROM chunks ORDER BY rowid

-- name: listed_chunks (sqlite)
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON s.rowid = c.source
WHERE c.rowid IN (SELECT value FROM json_each(?1)) ORDER BY c.rowid

-- name: terms_hashes (sqlite)
SELECT rowid, terms_hash FROM chunks WHERE rowid IN (SELECT value FROM json_each(?1))
