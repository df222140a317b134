-- name: list_indexes (sqlite)
SELECT coalesce(name, model), model, slug, dimension, fingerprint, created, changes
FROM vector_indexes ORDER BY 1

-- name: list_indexes (postgres)
SELECT coalesce(name, model), model, slug, dimension, fingerprint, created FROM vector_indexes
WHERE project = :project ORDER BY 1

-- name: find_index (sqlite)
SELECT coalesce(name, model), model, slug, dimension, fingerprint, created, changes
FROM vector_indexes WHERE coalesce(name, model) = ?1

-- name: find_index (postgres)
SELECT coalesce(name, model), model, slug, dimension, fingerprint, created FROM vector_indexes
WHERE project = :project AND coalesce(name, model) = ?1

-- name: add_index (sqlite)
INSERT INTO vector_indexes (name, model, slug, dimension, fingerprint, created, number)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, coalesce(max(number), 0) + 1 FROM vector_indexes

-- name: add_index (postgres)
INSERT INTO vector_indexes (project, name, model, slug, dimension, fingerprint, created)
VALUES (:project, ?1, ?2, ?3, ?4, ?5, ?6)

-- name: delete_index
DELETE FROM vector_indexes WHERE /*pg project = :project AND*/ model = ?1

-- name: name_index
UPDATE vector_indexes SET name = ?1 WHERE /*pg project = :project AND*/ model = ?2

-- name: has_lacking (sqlite)
SELECT EXISTS (
  SELECT 1 FROM {old} v JOIN chunks c ON c.rowid = v.chunk
  WHERE NOT EXISTS (SELECT 1 FROM {vectors} n WHERE n.chunk = v.chunk))

-- name: has_lacking (postgres)
SELECT EXISTS (
  SELECT 1 FROM {old} v JOIN chunks c ON c.project = :project AND c.rowid = v.chunk
  WHERE v.project = :project AND NOT EXISTS (
    SELECT 1 FROM {vectors} n WHERE n.project = :project AND n.chunk = v.chunk))

-- name: make_vectors (sqlite)
CREATE TABLE {vectors} (chunk INTEGER PRIMARY KEY, block INTEGER NOT NULL) STRICT;
CREATE TABLE {vectors}_blocks (
  block   INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,   -- another one each time it is written
  middle  BLOB,               -- their mean if they are a list, in single precision
  chunks  BLOB NOT NULL,      -- their row numbers, 8 bytes each
  numbers BLOB NOT NULL       -- of one vector after the other, the largest of each 127
) STRICT;
CREATE INDEX {vectors}_heads ON {vectors}_blocks (block, version, length(chunks) / 8, middle)

-- name: make_heads (sqlite)
CREATE INDEX IF NOT EXISTS {vectors}_heads ON {vectors}_blocks (block, version, length(chunks) / 8, middle)

-- name: make_vectors (postgres)
SELECT make_vectors(:project, '{vectors}')

-- name: drop_vectors (sqlite)
DROP TABLE IF EXISTS {vectors};
DROP TABLE IF EXISTS {vectors}_blocks

-- name: drop_vectors (postgres)
SELECT drop_vectors(:project, '{vectors}')

-- name: vector_heads (sqlite)
SELECT block, version, length(chunks) / 8, middle FROM {vectors}_blocks ORDER BY block

-- name: vector_heads (postgres)
-- A transaction locks both tables in this order, as who adds or drops a project's part of them does:
-- neither can wait for the other.
SELECT block, version, length(chunks) / 8, middle
FROM (SELECT FROM {vectors} WHERE false) v RIGHT JOIN {vectors}_blocks ON true
WHERE project = :project ORDER BY block

-- name: block_versions (sqlite)
SELECT block, version FROM {vectors}_blocks ORDER BY block

-- name: block_versions (postgres)
-- Locks both tables, as vector_heads does.
SELECT block, version FROM (SELECT FROM {vectors} WHERE false) v RIGHT JOIN {vectors}_blocks ON true
WHERE project = :project ORDER BY block

-- name: some_heads (sqlite)
SELECT b.block, b.version, length(b.chunks) / 8, b.middle
FROM json_each(?1) j CROSS JOIN {vectors}_blocks b ON b.block = j.value

-- name: some_heads (postgres)
SELECT block, version, length(chunks) / 8, middle FROM {vectors}_blocks
WHERE project = :project AND block = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)::bigint))

-- name: block_sizes (sqlite)
SELECT block, version, 0, length(chunks) / 8, middle IS NOT NULL FROM {vectors}_blocks ORDER BY block

-- name: block_sizes (postgres)
-- Locks both tables, as vector_heads does.
SELECT block, version, level, length(chunks) / 8, middle IS NOT NULL
FROM (SELECT FROM {vectors} WHERE false) v RIGHT JOIN {vectors}_blocks ON true
WHERE project = :project ORDER BY block

-- name: vector_blocks (sqlite)
SELECT b.block, b.version, b.middle, b.chunks, b.numbers
FROM json_each(?1) j CROSS JOIN {vectors}_blocks b ON b.block = j.value

-- name: vector_blocks (postgres)
SELECT block, version, middle, chunks, numbers FROM {vectors}_blocks
WHERE project = :project AND block = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)::bigint))

-- name: blocks_to_change (sqlite)
SELECT b.block, b.version, b.middle, b.chunks, b.numbers
FROM json_each(?1) j CROSS JOIN {vectors}_blocks b ON b.block = j.value

-- name: blocks_to_change (postgres)
-- Locked in one order, so that no two transactions wait for each other.
SELECT block, version, middle, chunks, numbers FROM {vectors}_blocks
WHERE project = :project AND block = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)::bigint))
ORDER BY block FOR UPDATE

-- name: open_block (sqlite)
SELECT block, version, middle, chunks, numbers FROM {vectors}_blocks
WHERE block = (SELECT max(block) FROM {vectors}_blocks) AND middle IS NULL AND length(chunks) < :bytes

-- name: open_block (postgres)
-- One that no other transaction is writing: none waits for another.
SELECT block, version, middle, chunks, numbers FROM {vectors}_blocks
WHERE project = :project AND level = :level AND middle IS NULL AND length(chunks) < :bytes
ORDER BY block DESC LIMIT 1 FOR UPDATE SKIP LOCKED

-- name: new_blocks (sqlite)
WITH RECURSIVE free (number, more) AS (
  SELECT coalesce(max(block), 0) + 1, ?1 FROM {vectors}_blocks
  UNION ALL SELECT number + 1, more - 1 FROM free WHERE more > 1)
SELECT number FROM free

-- name: new_blocks (postgres)
SELECT nextval('row_numbers') FROM generate_series(1, ?1::integer)

-- name: rows_by_level (sqlite)
-- Blocks have no level.
SELECT 0, ?1

-- name: rows_by_level (postgres)
-- Not joined: without statistics the planner would read all sources for each chunk.
SELECT level, jsonb_agg(rowid)::text FROM (
  SELECT c.rowid, (
    SELECT s.level FROM sources s WHERE s.project = :project AND s.rowid = c.source) AS level
  FROM chunks c WHERE c.project = :project
    AND c.rowid = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)::bigint))) r
GROUP BY level ORDER BY level

-- name: misplaced_vectors (sqlite)
SELECT ?1 LIMIT 0

-- name: misplaced_vectors (postgres)
SELECT chunk FROM {vectors} WHERE project = :project
  AND chunk = ANY (ARRAY(SELECT rowid FROM chunks WHERE project = :project AND source = ?1))
  AND level <> (SELECT level FROM sources WHERE project = :project AND rowid = ?1)

-- name: blocks_of (sqlite)
SELECT DISTINCT v.block FROM json_each(?1) j CROSS JOIN {vectors} v ON v.chunk = j.value

-- name: blocks_of (postgres)
SELECT DISTINCT block FROM {vectors} WHERE project = :project AND chunk = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)::bigint))

-- name: find_table (sqlite)
SELECT sql FROM sqlite_schema WHERE name = ?1

-- name: old_vectors (sqlite)
-- The blocks of sqlite-vec, which kept vectors until version 31 of the schema.
SELECT c.rowids, c.validity, v.vectors
FROM {vectors}_chunks c JOIN {vectors}_vector_chunks00 v ON v.rowid = c.chunk_id ORDER BY c.chunk_id

-- name: drop_old_vectors (sqlite)
DROP TABLE IF EXISTS {vectors}_chunks;
DROP TABLE IF EXISTS {vectors}_rowids;
DROP TABLE IF EXISTS {vectors}_info;
DROP TABLE IF EXISTS {vectors}_vector_chunks00

-- name: has_old_vectors (postgres)
SELECT to_regclass('old_{vectors}') IS NOT NULL

-- name: old_vectors (postgres)
-- What pgvector kept until version 27 of the schema.
SELECT chunk, embedding::real[] FROM old_{vectors}
WHERE project = :project AND chunk > ?1 ORDER BY chunk LIMIT 1000

-- name: old_vector_tables (sqlite)
SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%vec0%'

-- name: places (sqlite)
SELECT chunk, block FROM {vectors}

-- name: places (postgres)
-- Those in blocks of their source's level: a search of a lower level must not find others.
SELECT v.chunk, v.block FROM {vectors} v
JOIN {vectors}_blocks b ON b.project = :project AND b.block = v.block AND b.level = v.level
LEFT JOIN chunks c ON c.project = :project AND c.rowid = v.chunk
LEFT JOIN sources s ON s.project = :project AND s.rowid = c.source
WHERE v.project = :project AND v.level = coalesce(s.level, v.level)

-- name: next_version (sqlite)
UPDATE vector_indexes SET changes = changes + 1 WHERE model = ?1 RETURNING changes

-- name: next_version (postgres)
-- No count, for which writers would wait for each other.
SELECT nextval('row_numbers')

-- name: add_vector_block (sqlite)
INSERT INTO {vectors}_blocks (block, version, middle, chunks, numbers) VALUES (?1, ?2, ?4, ?5, ?6)

-- name: add_vector_block (postgres)
INSERT INTO {vectors}_blocks (project, block, version, level, middle, chunks, numbers)
SELECT :project, r.*
FROM unnest(?1::bigint[], ?2::bigint[], ?3::smallint[], ?4::bytea[], ?5::bytea[], ?6::bytea[]) r

-- name: change_vector_block (sqlite)
UPDATE {vectors}_blocks SET version = ?2, chunks = ?3, numbers = ?4 WHERE block = ?1

-- name: change_vector_block (postgres)
UPDATE {vectors}_blocks b
SET version = r.version, chunks = r.chunks, numbers = r.numbers
FROM unnest(?1::bigint[], ?2::bigint[], ?3::bytea[], ?4::bytea[]) r (block, version, chunks, numbers)
WHERE b.project = :project AND b.block = r.block AND b.block = ANY (?1::bigint[])

-- name: has_codes (sqlite)
SELECT count(*) FROM pragma_table_info('{vectors}_blocks') WHERE name = 'codes'

-- name: coded_blocks (sqlite)
-- Lists with the codes that they had until version 33 of the schema.
SELECT block, version, middle, chunks, codes, numbers FROM {vectors}_blocks
WHERE codes IS NOT NULL AND block > ?1 ORDER BY block LIMIT 64

-- name: coded_blocks (postgres)
-- Lists with the codes that they had until version 29 of the schema.
SELECT block, version, middle, chunks, old_codes, numbers FROM {vectors}_blocks
WHERE project = :project AND old_codes IS NOT NULL AND block > ?1 ORDER BY block LIMIT 64

-- name: seal_block
UPDATE {vectors}_blocks SET version = ?2 WHERE /*pg project = :project AND*/ block = ?1

-- name: drop_codes (sqlite)
ALTER TABLE {vectors}_blocks DROP COLUMN codes

-- name: delete_vector_block
DELETE FROM {vectors}_blocks WHERE /*pg project = :project AND*/ block = ?1

-- name: clear_vectors (sqlite)
DELETE FROM {vectors}_blocks

-- name: clear_vectors (postgres)
-- Processes notice by source_changes that blocks were replaced.
WITH noted AS (
  INSERT INTO source_changes (project, source, number)
  VALUES (:project, 0, pg_current_xact_id()::text::bigint)
  ON CONFLICT (project, source) DO UPDATE SET number = excluded.number)
DELETE FROM {vectors}_blocks WHERE project = :project

-- name: place_vector (sqlite)
INSERT OR REPLACE INTO {vectors} (chunk, block) VALUES (?1, ?2)

-- name: place_vector (postgres)
INSERT INTO {vectors} (project, chunk, block, level)
SELECT :project, r.chunk, r.block, (
  SELECT b.level FROM {vectors}_blocks b WHERE b.project = :project AND b.block = r.block)
FROM unnest(?1::bigint[], ?2::bigint[]) r (chunk, block)
ON CONFLICT (project, chunk) DO UPDATE SET block = excluded.block, level = excluded.level

-- name: delete_vectors (sqlite)
DELETE FROM {vectors} WHERE chunk IN (SELECT value FROM json_each(?1))

-- name: delete_vectors (postgres)
DELETE FROM {vectors} WHERE project = :project AND chunk = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)::bigint))

-- name: put_windows (sqlite)
INSERT OR REPLACE INTO window_vectors (key, codes)
VALUES ((SELECT number << 40 FROM vector_indexes WHERE model = ?1) + ?2, ?3)

-- name: put_windows (postgres)
INSERT INTO window_vectors (project, model, chunk, codes)
SELECT :project, r.* FROM unnest(?1::text[], ?2::bigint[], ?3::bytea[]) r
ON CONFLICT (project, model, chunk) DO UPDATE SET codes = excluded.codes

-- name: large_windows (postgres)
-- What a migration changes, as an earlier version kept it.
SELECT w.model, w.chunk, w.{column}, i.dimension
FROM window_vectors w JOIN vector_indexes i ON i.project = :project AND i.model = w.model
WHERE w.project = :project AND (w.model, w.chunk) > (?1, ?2) ORDER BY w.model, w.chunk LIMIT 1000

-- name: change_windows (postgres)
UPDATE window_vectors w SET {column} = r.smaller
FROM unnest(?1::text[], ?2::bigint[], ?3::bytea[]) r (model, chunk, smaller)
WHERE w.project = :project AND w.model = r.model AND w.chunk = r.chunk

-- name: delete_windows (sqlite)
DELETE FROM window_vectors WHERE key = (SELECT number << 40 FROM vector_indexes WHERE model = ?1) + ?2

-- name: delete_windows (postgres)
DELETE FROM window_vectors w USING unnest(?1::text[], ?2::bigint[]) r (model, chunk)
WHERE w.project = :project AND w.model = r.model AND w.chunk = r.chunk

-- name: read_windows (sqlite)
SELECT codes FROM window_vectors WHERE key = (SELECT number << 40 FROM vector_indexes WHERE model = ?1) + ?2

-- name: read_windows (postgres)
SELECT codes FROM window_vectors WHERE project = :project AND model = ?1 AND chunk = ?2

-- name: count_windowless (sqlite)
SELECT count(*) FROM {vectors} v
WHERE NOT EXISTS (
  SELECT 1 FROM window_vectors w
  WHERE w.key = (SELECT number << 40 FROM vector_indexes WHERE model = ?1) + v.chunk)

-- name: count_windowless (postgres)
SELECT count(*) FROM {vectors} v WHERE v.project = :project AND NOT EXISTS (
  SELECT 1 FROM window_vectors w WHERE w.project = :project AND w.model = ?1 AND w.chunk = v.chunk)

-- name: count_vectorless (sqlite)
SELECT count(*) FROM vector_indexes i
JOIN window_vectors w ON w.key BETWEEN i.number << 40 AND ((i.number + 1) << 40) - 1
WHERE i.model = ?1 AND NOT EXISTS (SELECT 1 FROM {vectors} v WHERE v.chunk = w.key - (i.number << 40))

-- name: count_vectorless (postgres)
SELECT count(*) FROM window_vectors w WHERE w.project = :project AND w.model = ?1 AND NOT EXISTS (
  SELECT 1 FROM {vectors} v WHERE v.project = :project AND v.chunk = w.chunk)

-- name: some_windows (sqlite)
SELECT w.key - (i.number << 40), w.codes FROM vector_indexes i
JOIN window_vectors w ON w.key > (i.number << 40) + ?2 AND w.key < (i.number + 1) << 40
WHERE i.model = ?1 ORDER BY w.key LIMIT 1000

-- name: some_windows (postgres)
SELECT chunk, codes FROM window_vectors
WHERE project = :project AND model = ?1 AND chunk > ?2 ORDER BY chunk LIMIT 1000

-- name: count_vectors (sqlite)
SELECT count(*) FROM {vectors}

-- name: count_vectors (postgres)
SELECT count(*) FROM {vectors} WHERE project = :project

-- name: count_visible_vectors (sqlite)
SELECT count(*) FROM {vectors} v JOIN chunks c ON c.rowid = v.chunk
WHERE c.source IN (SELECT rowid FROM sources WHERE level <= ?1)

-- name: count_visible_vectors (postgres)
SELECT count(*) FROM {vectors} WHERE project = :project AND level <= ?1

-- name: has_visible_vector (sqlite)
SELECT 1 FROM sources s JOIN chunks c ON c.source = s.rowid
JOIN {vectors} v ON v.chunk = c.rowid WHERE s.level <= ?1 LIMIT 1

-- name: has_visible_vector (postgres)
-- Locks both tables, as vector_heads does.
SELECT 1 FROM (SELECT FROM {vectors} WHERE false) v RIGHT JOIN {vectors}_blocks ON true
WHERE project = :project AND level <= ?1 LIMIT 1

-- name: candidates (sqlite)
SELECT j.value, w.codes FROM json_each(:rows) j
CROSS JOIN window_vectors w ON w.key = (SELECT number << 40 FROM vector_indexes WHERE model = :model) + j.value

-- name: candidates (postgres)
SELECT w.chunk, w.codes FROM window_vectors w
WHERE w.project = :project AND w.model = :model
  AND w.chunk = ANY (ARRAY(SELECT jsonb_array_elements_text(:rows::jsonb)::bigint))

-- name: chunk_languages (sqlite)
SELECT c.rowid, c.id, c.language FROM json_each(?1) j CROSS JOIN chunks c ON c.rowid = j.value

-- name: chunk_languages (postgres)
SELECT rowid, id, language FROM chunks
WHERE project = :project AND rowid = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)::bigint))

-- name: embedded_chunks (sqlite)
SELECT id, rowid, embedded_hash FROM chunks WHERE id IN (SELECT value FROM json_each(?1))

-- name: embedded_chunks (postgres)
SELECT id, rowid, embedded_hash FROM chunks
WHERE project = :project AND id = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)))

-- name: of_sources (sqlite)
AND s.id IN (SELECT value FROM json_each(:sources))

-- name: of_sources (postgres)
AND s.id IN (SELECT jsonb_array_elements_text(:sources::jsonb))

-- name: pending_chunks (sqlite)
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON s.rowid = c.source
WHERE c.rowid > :after
  {chosen} AND NOT EXISTS (SELECT 1 FROM {vectors} v WHERE v.chunk = c.rowid)
ORDER BY c.rowid LIMIT :limit

-- name: pending_chunks (postgres)
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON s.project = :project AND s.rowid = c.source
WHERE c.project = :project AND c.rowid > :after
  {chosen} AND NOT EXISTS (
    SELECT 1 FROM {vectors} v WHERE v.project = :project AND v.chunk = c.rowid)
ORDER BY c.rowid LIMIT :limit

-- name: pending_tokens (sqlite)
SELECT coalesce(sum(c.tokens), 0) FROM chunks c JOIN sources s ON s.rowid = c.source
WHERE NOT EXISTS (SELECT 1 FROM {vectors} v WHERE v.chunk = c.rowid) {chosen}

-- name: pending_tokens (postgres)
SELECT coalesce(sum(c.tokens), 0)::bigint
FROM chunks c JOIN sources s ON s.project = :project AND s.rowid = c.source
WHERE c.project = :project {chosen} AND NOT EXISTS (
    SELECT 1 FROM {vectors} v WHERE v.project = :project AND v.chunk = c.rowid)

-- name: chunk_vectors (sqlite)
SELECT c.id, c.rowid, w.codes FROM json_each(:ids) j
CROSS JOIN chunks c ON c.id = j.value
CROSS JOIN window_vectors w ON w.key = (SELECT number << 40 FROM vector_indexes WHERE model = :model) + c.rowid

-- name: chunk_vectors (postgres)
SELECT c.id, c.rowid, w.codes
FROM chunks c JOIN window_vectors w ON w.project = :project AND w.model = :model AND w.chunk = c.rowid
WHERE c.project = :project AND c.id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)))

-- name: chunk_windows (sqlite)
SELECT c.id, w.codes, i.dimension FROM vector_indexes i CROSS JOIN json_each(:ids) j
CROSS JOIN chunks c ON c.id = j.value
CROSS JOIN sources s ON s.rowid = c.source
CROSS JOIN window_vectors w ON w.key = (i.number << 40) + c.rowid
WHERE coalesce(i.name, i.model) = :model AND s.level <= :level

-- name: chunk_windows (postgres)
SELECT c.id, w.codes, i.dimension
FROM vector_indexes i JOIN window_vectors w ON w.project = :project AND w.model = i.model
JOIN chunks c ON c.project = :project AND c.rowid = w.chunk
JOIN sources s ON s.project = :project AND s.rowid = c.source
WHERE i.project = :project AND coalesce(i.name, i.model) = :model AND s.level <= :level
  AND c.id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)))

-- name: sample_windows (sqlite)
SELECT codes FROM window_vectors
WHERE key >= (SELECT number << 40 FROM vector_indexes WHERE model = :model) + :first ORDER BY key LIMIT 1

-- name: sample_windows (postgres)
SELECT codes FROM window_vectors
WHERE project = :project AND model = :model AND chunk >= :first ORDER BY chunk LIMIT 1

-- name: last_window (sqlite)
SELECT max(w.key) - (i.number << 40) FROM vector_indexes i
JOIN window_vectors w ON w.key BETWEEN i.number << 40 AND ((i.number + 1) << 40) - 1
WHERE i.model = ?1

-- name: last_window (postgres)
SELECT max(chunk) FROM window_vectors WHERE project = :project AND model = ?1

-- name: find_donors (sqlite)
SELECT c.embedded_hash, min(c.rowid) FROM chunks c JOIN {vectors} v ON v.chunk = c.rowid
WHERE c.embedded_hash IN (SELECT value FROM json_each(?1)) GROUP BY c.embedded_hash

-- name: find_donors (postgres)
SELECT c.embedded_hash, min(c.rowid)
FROM chunks c JOIN {vectors} v ON v.project = :project AND v.chunk = c.rowid
WHERE c.project = :project AND c.embedded_hash = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)))
GROUP BY c.embedded_hash

-- name: find_spares (sqlite)
SELECT embedded_hash, embedding FROM spare_vectors
WHERE model = ?1 AND embedded_hash IN (SELECT value FROM json_each(?2))

-- name: find_spares (postgres)
SELECT embedded_hash, embedding FROM spare_vectors WHERE project = :project AND model = ?1
  AND embedded_hash = ANY (ARRAY(SELECT jsonb_array_elements_text(?2::jsonb)))

-- name: keep_spare (sqlite)
INSERT OR REPLACE INTO spare_vectors (model, embedded_hash, embedding) VALUES (?1, ?2, ?3)

-- name: keep_spare (postgres)
INSERT INTO spare_vectors (project, model, embedded_hash, embedding) VALUES (:project, ?1, ?2, ?3)
ON CONFLICT (project, model, embedded_hash) DO UPDATE SET embedding = excluded.embedding

-- name: clear_spares
DELETE FROM spare_vectors /*pg WHERE project = :project*/

-- name: open_runs
SELECT count(*) FROM ingest_runs WHERE /*pg project = :project AND*/ status = 'running'

-- name: vectors_without_chunk (postgres)
SELECT v.chunk FROM {vectors} v WHERE v.project = :project
  AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.project = :project AND c.rowid = v.chunk)

-- name: vector_tables (postgres)
SELECT p.relname FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent AND p.relkind = 'p'
JOIN pg_class c ON c.oid = i.inhrelid
WHERE p.relnamespace = current_schema()::regnamespace AND p.relname LIKE 'vec\_chunks\_%'
  AND c.relname = partition_name(p.relname, :project)
