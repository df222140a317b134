-- name: list_corrections
SELECT c.record, (
  SELECT s.path FROM sources s WHERE /*pg s.project = :project AND*/ s.content_hash = c.content_hash AND s.level <= :level
  ORDER BY s.path <> c.path, s.path LIMIT 1)
FROM corrections c
WHERE /*pg c.project = :project AND*/ (:hash/*pg ::text*/ IS NULL OR c.content_hash = :hash/*pg ::text*/ OR c.path = :path/*pg ::text*/)
  AND (:level = 3 OR EXISTS (
    SELECT 1 FROM sources s WHERE /*pg s.project = :project AND*/ s.level <= :level
      AND (s.content_hash = c.content_hash OR (s.path = c.path AND c.level <= :level))))
ORDER BY c.created, c.id

-- name: put_correction
INSERT INTO corrections (/*pg project,*/ id, content_hash, path, level, created, record)
VALUES (/*pg :project,*/ :id, :content_hash, :path, :level, :created, :record)

-- name: remove_correction
DELETE FROM corrections WHERE /*pg project = :project AND*/ id = ?1

-- name: remove_corrections_of
DELETE FROM corrections WHERE /*pg project = :project AND*/ content_hash = ?1

-- name: find_reading
SELECT r.record FROM source_readings r JOIN sources s ON /*pg s.project = :project AND*/ s.rowid = r.source
WHERE /*pg r.project = :project AND*/ s.id = ?1 AND s.level <= ?2

-- name: clear_reading
DELETE FROM source_readings WHERE /*pg project = :project AND*/ source = ?1

-- name: add_reading
INSERT INTO source_readings (/*pg project,*/ source, record) VALUES (/*pg :project,*/ ?1, ?2)
