-- name: list_corrections
SELECT c.record, (
  SELECT s.path FROM sources s WHERE s.content_hash = c.content_hash AND s.level <= :level
  ORDER BY s.path <> c.path, s.path LIMIT 1)
FROM corrections c
WHERE (:hash IS NULL OR c.content_hash = :hash OR c.path = :path)
  AND (:level = 3 OR EXISTS (
    SELECT 1 FROM sources s WHERE s.level <= :level
      AND (s.content_hash = c.content_hash OR (s.path = c.path AND c.level <= :level))))
ORDER BY c.created, c.id

-- name: put_correction
INSERT INTO corrections (id, content_hash, path, level, created, record)
VALUES (:id, :content_hash, :path, :level, :created, :record)

-- name: remove_correction
DELETE FROM corrections WHERE id = ?

-- name: remove_corrections_of
DELETE FROM corrections WHERE content_hash = ?

-- name: find_reading
SELECT r.record FROM source_readings r JOIN sources s ON s.rowid = r.source
WHERE s.id = ? AND s.level <= ?

-- name: clear_reading
DELETE FROM source_readings WHERE source = ?

-- name: add_reading
INSERT INTO source_readings (source, record) VALUES (?, ?)
