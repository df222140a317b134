-- name: list_indexes
SELECT coalesce(name, model), model, slug, dimension, fingerprint, created, changes
FROM vector_indexes ORDER BY 1

-- name: find_index
SELECT coalesce(name, model), model, slug, dimension, fingerprint, created, changes
FROM vector_indexes WHERE coalesce(name, model) = ?

-- name: add_index
INSERT INTO vector_indexes (name, model, slug, dimension, fingerprint, created) VALUES (?, ?, ?, ?, ?, ?)

-- name: delete_index
DELETE FROM vector_indexes WHERE model = ?

-- name: name_index
UPDATE vector_indexes SET name = ? WHERE model = ?

-- name: has_lacking
SELECT EXISTS (
  SELECT 1 FROM {old}_rowids v JOIN chunks c ON c.rowid = v.rowid
  WHERE NOT EXISTS (SELECT 1 FROM {vectors}_rowids n WHERE n.rowid = v.rowid))

-- name: make_vectors
CREATE VIRTUAL TABLE {vectors} USING vec0(embedding float[{dimension}] distance_metric=cosine)

-- name: drop_vectors
DROP TABLE IF EXISTS {vectors}

-- name: add_vector
INSERT INTO {vectors} (rowid, embedding) VALUES (?, ?)

-- name: delete_vector
DELETE FROM {vectors} WHERE rowid = ?

-- name: read_vector
SELECT embedding FROM {vectors} WHERE rowid = ?

-- name: put_windows
INSERT OR REPLACE INTO window_vectors (model, chunk, data) VALUES (?, ?, ?)

-- name: delete_windows
DELETE FROM window_vectors WHERE model = ? AND chunk = ?

-- name: read_windows
SELECT data FROM window_vectors WHERE model = ? AND chunk = ?

-- name: count_windowless
SELECT count(*) FROM {vectors}_rowids v
WHERE NOT EXISTS (SELECT 1 FROM window_vectors w WHERE w.model = ? AND w.chunk = v.rowid)

-- name: count_vectorless
SELECT count(*) FROM window_vectors w
WHERE w.model = ? AND NOT EXISTS (SELECT 1 FROM {vectors}_rowids v WHERE v.rowid = w.chunk)

-- name: count_misshapen
SELECT count(*) FROM window_vectors
WHERE model = :model AND (length(data) = 0 OR length(data) % (2 * :dimension) <> 0)

-- name: read_vectors
SELECT rowid, embedding FROM {vectors}

-- name: count_vectors
SELECT count(*) FROM {vectors}_rowids

-- name: count_visible_vectors
SELECT count(*) FROM {vectors}_rowids v JOIN chunks c ON c.rowid = v.rowid
WHERE c.source IN (SELECT rowid FROM sources WHERE level <= ?)

-- name: has_visible_vector
SELECT 1 FROM sources s JOIN chunks c ON c.source = s.rowid
JOIN {vectors}_rowids v ON v.rowid = c.rowid WHERE s.level <= ? LIMIT 1

-- name: vector_slots
SELECT validity FROM {vectors}_chunks

-- name: vector_blocks
-- The blocks in which sqlite-vec keeps its vectors: one product with a whole block takes half the
-- time of its own search.
SELECT c.rowids, c.validity, v.vectors
FROM {vectors}_chunks c CROSS JOIN {vectors}_vector_chunks00 v ON v.rowid = c.chunk_id
ORDER BY c.chunk_id

-- name: candidates
SELECT c.id, w.data, c.language FROM json_each(:rows) j
CROSS JOIN window_vectors w ON w.model = :model AND w.chunk = CAST(j.value AS INTEGER)
CROSS JOIN chunks c ON c.rowid = w.chunk

-- name: embedded_chunks
SELECT id, rowid, embedded_hash FROM chunks WHERE id IN (SELECT value FROM json_each(?))

-- name: of_sources
AND s.id IN (SELECT value FROM json_each(:sources))

-- name: pending_chunks
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON s.rowid = c.source
WHERE c.rowid > :after
  {chosen} AND NOT EXISTS (SELECT 1 FROM {vectors}_rowids v WHERE v.rowid = c.rowid)
ORDER BY c.rowid LIMIT :limit

-- name: pending_tokens
SELECT coalesce(sum(c.tokens), 0) FROM chunks c JOIN sources s ON s.rowid = c.source
WHERE NOT EXISTS (SELECT 1 FROM {vectors}_rowids v WHERE v.rowid = c.rowid) {chosen}

-- name: chunk_vectors
SELECT c.id, v.embedding, w.data FROM json_each(:ids) j
CROSS JOIN chunks c ON c.id = j.value
CROSS JOIN {vectors} v ON v.rowid = c.rowid
CROSS JOIN window_vectors w ON w.model = :model AND w.chunk = c.rowid

-- name: chunk_windows
SELECT c.id, w.data, i.dimension FROM vector_indexes i CROSS JOIN json_each(:ids) j
CROSS JOIN chunks c ON c.id = j.value
CROSS JOIN window_vectors w ON w.model = i.model AND w.chunk = c.rowid
WHERE coalesce(i.name, i.model) = :model AND c.source IN (SELECT rowid FROM sources WHERE level <= :level)

-- name: find_donors
SELECT c.embedded_hash, min(c.rowid) FROM chunks c JOIN {vectors}_rowids v ON v.rowid = c.rowid
WHERE c.embedded_hash IN (SELECT value FROM json_each(?)) GROUP BY c.embedded_hash

-- name: find_spares
SELECT embedded_hash, embedding FROM spare_vectors
WHERE model = ? AND embedded_hash IN (SELECT value FROM json_each(?))

-- name: keep_spare
INSERT OR REPLACE INTO spare_vectors (model, embedded_hash, embedding) VALUES (?, ?, ?)

-- name: clear_spares
DELETE FROM spare_vectors

-- name: open_runs
SELECT count(*) FROM ingest_runs WHERE status = 'running'
