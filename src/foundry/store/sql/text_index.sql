-- name: text_changes (sqlite)
SELECT number FROM text_changes

-- name: text_snapshot (postgres)
SELECT pg_current_snapshot()::text

-- name: texts_changed (postgres)
-- Whether a transaction that ended since a snapshot changed what searches keep in memory; or this
-- transaction began before others that the snapshot includes. A copy of another server's database has
-- numbers of transactions that this one has yet to begin. A project that was dropped has no row, and one
-- that was created again, or restored, has another table.
SELECT EXISTS (
  SELECT 1 FROM source_changes
  WHERE project = :project AND number >= pg_snapshot_xmin(s.kept)::text::bigint
    AND NOT pg_visible_in_snapshot(number::text::xid8, s.kept)
    AND number < pg_snapshot_xmax(s.own)::text::bigint)
  OR pg_snapshot_xmax(s.kept) > pg_snapshot_xmax(s.own)
  OR EXISTS (SELECT 1 FROM pg_snapshot_xip(s.own) x WHERE pg_visible_in_snapshot(x, s.kept))
  OR NOT EXISTS (SELECT 1 FROM source_changes WHERE project = :project AND tableoid::bigint = ?2)
FROM (SELECT ?1::text::pg_snapshot AS kept, pg_current_snapshot() AS own) s

-- name: sources_changed (postgres)
-- The sources that transactions which ended since a snapshot changed; NULL if this transaction began
-- before others that the snapshot includes, or if the project was dropped, even if it was created again.
SELECT c.source FROM source_changes c
WHERE c.project = :project AND c.number >= pg_snapshot_xmin(?1::text::pg_snapshot)::text::bigint
  AND NOT pg_visible_in_snapshot(c.number::text::xid8, ?1::text::pg_snapshot)
UNION ALL SELECT NULL WHERE pg_snapshot_xmax(?1::text::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
  OR EXISTS (SELECT 1 FROM pg_snapshot_xip(pg_current_snapshot()) x
    WHERE pg_visible_in_snapshot(x, ?1::text::pg_snapshot))
  OR NOT EXISTS (SELECT 1 FROM source_changes WHERE project = :project AND tableoid::bigint = ?2)

-- name: texts_table (postgres)
-- The number of the table in which a project's changes are noted; NULL if there are none.
SELECT tableoid::bigint FROM source_changes WHERE project = :project LIMIT 1

-- name: note_source (postgres)
-- Triggers note a source that has chunks.
INSERT INTO source_changes (project, source, number)
VALUES (:project, ?1, pg_current_xact_id()::text::bigint)
ON CONFLICT (project, source) DO UPDATE SET number = excluded.number

-- name: note_segments (postgres)
-- A merge changes no source, and the removal of what has no chunk neither.
INSERT INTO source_changes (project, source, number)
VALUES (:project, 0, pg_current_xact_id()::text::bigint)
ON CONFLICT (project, source) DO UPDATE SET number = excluded.number

-- name: list_statistics
SELECT s.rowid, s.id, s.level, t.lengths, t.languages
FROM sources s LEFT JOIN source_statistics t ON /*pg t.project = :project AND*/ t.source = s.rowid
/*pg WHERE s.project = :project*/ ORDER BY s.rowid

-- name: some_statistics (postgres)
SELECT s.rowid, s.id, s.level, t.lengths, t.languages
FROM sources s LEFT JOIN source_statistics t ON t.project = :project AND t.source = s.rowid
WHERE s.project = :project AND s.rowid = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)::bigint))

-- name: list_visible
{visible}

-- name: list_segments
SELECT id, chunks FROM segments /*pg WHERE project = :project*/ ORDER BY id

-- name: list_volumes
SELECT DISTINCT coalesce(volume, id) FROM segments
/*pg WHERE project = :project AND volume IS NOT NULL*/ ORDER BY 1

-- name: packed_segments (postgres)
-- Those that may still be merged, without the ones that the caller has.
SELECT id, digest, CASE WHEN encode(digest, 'hex') = ANY (ARRAY(
  SELECT jsonb_array_elements_text(?1::jsonb))) THEN NULL ELSE whole END
FROM segments WHERE project = :project AND whole IS NOT NULL

-- name: newer_segments
SELECT chunks FROM segments WHERE /*pg project = :project AND*/ id > ?1

-- name: open_segments
SELECT id, size FROM segments
WHERE /*pg project = :project AND level = :level AND*/ closed = 0 ORDER BY id

-- name: closed_segments
SELECT id FROM segments
WHERE /*pg project = :project AND level = :level AND*/ closed = 1 ORDER BY id

-- name: crowded_levels (postgres)
-- The levels whose segments are to be merged, and those that sources left.
SELECT level FROM segments WHERE project = :project AND closed = 0
GROUP BY level HAVING count(*) > ?1 OR sum(size) > ?2
UNION SELECT level FROM moved_sources WHERE project = :project

-- name: moved_sources (postgres)
SELECT DISTINCT source FROM moved_sources WHERE project = :project AND level = ?1

-- name: forget_moved (postgres)
DELETE FROM moved_sources WHERE project = :project AND level = ?1

-- name: segments_of_level (postgres)
SELECT id, chunks, volume FROM segments WHERE project = :project AND level = ?1 ORDER BY id

-- name: source_level
SELECT level FROM sources WHERE /*pg project = :project AND*/ rowid = ?1

-- name: rows_of_source (postgres)
SELECT rowid FROM chunks WHERE project = :project AND source = ?1

-- name: chunk_numbers
SELECT rowid FROM chunks /*pg WHERE project = :project*/ ORDER BY rowid

-- name: latest_volume
SELECT volume, count(*) FROM segments
WHERE /*pg project = :project AND*/ volume = (
  SELECT volume FROM segments WHERE /*pg project = :project AND level = :level AND*/ closed = 1
  ORDER BY id DESC LIMIT 1)
GROUP BY volume

-- name: segment_volume
SELECT volume FROM segments WHERE /*pg project = :project AND*/ id = ?1

-- name: find_segment (sqlite)
SELECT chunks, lengths, digest, NULL FROM segments WHERE id = ?1

-- name: find_segment (postgres)
SELECT chunks, lengths, digest, whole FROM segments WHERE project = :project AND id = ?1

-- name: add_segment (sqlite)
INSERT INTO segments (id, volume, size, closed, chunks, lengths, digest)
VALUES (:number, :volume, :size, :closed, :chunks, :lengths, :digest) RETURNING id

-- name: add_segment (postgres)
INSERT INTO segments (project, id, volume, level, size, closed, chunks, lengths, digest, whole)
VALUES (:project, coalesce(:number::bigint, nextval('row_numbers')), :volume::bigint, :level, :size,
  :closed, :chunks::bytea, :lengths::bytea, :digest::bytea, :whole::bytea) RETURNING id

-- name: remove_segment
DELETE FROM segments WHERE /*pg project = :project AND*/ id = ?1

-- name: add_postings (sqlite)
INSERT INTO postings VALUES (?1, ?2, ?3, ?4, ?5)

-- name: add_postings (postgres)
INSERT INTO postings (project, volume, term, segment, codes, apart, level)
SELECT :project, r.*, s.level
FROM unnest(?1::bigint[], ?2::text[], ?3::bigint[], ?4::bytea[], ?5::bytea[])
  r (volume, term, segment, codes, apart)
JOIN segments s ON s.project = :project AND s.id = r.segment

-- name: remove_postings
DELETE FROM postings
WHERE /*pg project = :project AND*/ segment = ?1 AND volume = (
  SELECT coalesce(volume, id) FROM segments WHERE /*pg project = :project AND*/ id = ?1)

-- name: segment_postings
SELECT term, codes, apart FROM postings
WHERE /*pg project = :project AND*/ segment = ?1 AND volume = (
  SELECT coalesce(volume, id) FROM segments WHERE /*pg project = :project AND*/ id = ?1)
ORDER BY term /*pg COLLATE "C"*/

-- name: count_postings (sqlite)
SELECT j.value, sum(length(p.codes)) / 2
FROM json_each(?1) j CROSS JOIN json_each(?2) v CROSS JOIN postings p
WHERE p.volume = v.value AND p.term = j.value GROUP BY j.key

-- name: count_postings (postgres)
SELECT term, (sum(length(codes)) / 2)::bigint FROM postings
WHERE project = :project
  AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)))
  AND volume = ANY (ARRAY(SELECT jsonb_array_elements_text(?2::jsonb)::bigint))
GROUP BY term

-- name: term_postings (sqlite)
SELECT p.term, p.segment, p.codes, p.apart
FROM json_each(?1) j CROSS JOIN json_each(?2) v CROSS JOIN postings p
WHERE p.volume = v.value AND p.term = j.value

-- name: term_postings (postgres)
SELECT term, segment, codes, apart FROM postings WHERE project = :project
  AND term = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)))
  AND volume = ANY (ARRAY(SELECT jsonb_array_elements_text(?2::jsonb)::bigint))

-- name: existing_chunks (sqlite)
SELECT rowid FROM chunks WHERE rowid IN (SELECT value FROM json_each(:rows))

-- name: existing_chunks (postgres)
SELECT c.rowid FROM chunks c JOIN sources s ON s.project = :project AND s.rowid = c.source
WHERE c.project = :project AND s.level = :level
  AND c.rowid = ANY (ARRAY(SELECT jsonb_array_elements_text(:rows::jsonb)::bigint))

-- name: put_text_row (postgres)
INSERT INTO chunk_terms (project, chunk, title, headings, body)
SELECT :project, r.* FROM unnest(?1::bigint[], ?2::text[], ?3::text[], ?4::text[]) r
ON CONFLICT (project, chunk) DO UPDATE SET title = excluded.title, headings = excluded.headings,
  body = excluded.body

-- name: count_text_rows (postgres)
SELECT count(*) FROM chunk_terms WHERE project = :project

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

-- name: delete_statistics (sqlite)
DELETE FROM source_statistics WHERE source = ?1

-- name: delete_statistics (postgres)
-- If none follow, no trigger notes it.
WITH noted AS (
  INSERT INTO source_changes (project, source, number)
  VALUES (:project, ?1, pg_current_xact_id()::text::bigint)
  ON CONFLICT (project, source) DO UPDATE SET number = excluded.number)
DELETE FROM source_statistics WHERE project = :project AND source = ?1

-- name: add_statistics (sqlite)
INSERT INTO source_statistics (source, lengths, languages) {statistics}
WHERE c.source = ?1 GROUP BY c.source

-- name: source_terms (postgres)
SELECT c.rowid, d.title, d.headings, d.body
FROM chunks c JOIN chunk_terms d ON d.project = :project AND d.chunk = c.rowid
WHERE c.project = :project AND c.source = ?1 ORDER BY c.rowid

-- name: add_statistics (postgres)
INSERT INTO source_statistics (project, source, lengths, languages, terms)
SELECT :project, t.source, t.lengths, t.languages, (
  SELECT sum(k.terms) FROM chunks k WHERE k.project = :project AND k.source = t.source)
FROM ({statistics} AND c.source = ?1 GROUP BY c.source) t

-- name: clear_statistics (sqlite)
DELETE FROM source_statistics

-- name: rebuild_statistics (sqlite)
INSERT INTO source_statistics (source, lengths, languages) {statistics} GROUP BY c.source

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

-- name: uses_words (postgres)
-- Whether searches may use pg_textsearch.
SELECT has_textsearch() AND (SELECT words FROM projects WHERE id = :project)

-- name: textsearch_use (postgres)
-- Whether pg_textsearch can be used, and from which release.
SELECT has_textsearch(), oldest_textsearch()

-- name: make_words (postgres)
SELECT make_words(:project)

-- name: use_words (postgres)
SELECT use_words(:project)

-- name: use_order (postgres)
-- Has an index that returns rows in order win over sorting all of them, whatever the statistics say.
SELECT set_config('enable_sort', 'off', true)

-- name: chunks_by_words (postgres)
-- IS TRUE keeps the condition from becoming a join, which cannot use the order of the index.
SELECT v.chunk FROM chunk_words v
WHERE v.project = :project AND v.level = :at::smallint AND (v.source IN ({visible})) IS TRUE
ORDER BY v.words <@> to_bm25query(:words, :index) LIMIT :count

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

-- name: newest_segment
SELECT coalesce(max(id), 0) FROM segments /*pg WHERE project = :project*/

-- name: set_segments_aside
UPDATE segments SET closed = 2 /*pg WHERE project = :project*/

-- name: remove_older_segments
DELETE FROM segments WHERE /*pg project = :project AND*/ id <= ?1

-- name: stray_postings
SELECT count(DISTINCT segment) FROM postings
WHERE /*pg project = :project AND*/ segment NOT IN (SELECT id FROM segments /*pg WHERE project = :project*/)

-- name: sweep_postings
DELETE FROM postings
WHERE /*pg project = :project AND*/ segment NOT IN (SELECT id FROM segments /*pg WHERE project = :project*/)

-- name: segment_numbers
SELECT id FROM segments /*pg WHERE project = :project*/ ORDER BY id

-- name: chunk_lengths
SELECT rowid, terms FROM chunks /*pg WHERE project = :project*/ ORDER BY rowid

-- name: listed_chunks (sqlite)
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON s.rowid = c.source
WHERE c.rowid IN (SELECT value FROM json_each(?1)) ORDER BY c.rowid

-- name: terms_hashes (sqlite)
SELECT rowid, terms_hash FROM chunks WHERE rowid IN (SELECT value FROM json_each(?1))
