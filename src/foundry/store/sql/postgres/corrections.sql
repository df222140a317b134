-- name: list_corrections
SELECT c.record, (
  SELECT s.path FROM sources s
  WHERE s.project = :project AND s.content_hash = c.content_hash AND s.level <= :level
  ORDER BY s.path <> c.path, s.path LIMIT 1)
FROM corrections c
WHERE c.project = :project
  AND (:hash::text IS NULL OR c.content_hash = :hash::text OR c.path = :path::text)
  AND (:level = 3 OR EXISTS (
    SELECT 1 FROM sources s WHERE s.project = :project AND s.level <= :level
      AND (s.content_hash = c.content_hash OR (s.path = c.path AND c.level <= :level))))
ORDER BY c.created, c.id

-- name: put_correction
INSERT INTO corrections (project, id, content_hash, path, level, created, record)
VALUES (:project, :id, :content_hash, :path, :level, :created, :record)

-- name: remove_correction
DELETE FROM corrections WHERE project = :project AND id = :1

-- name: remove_corrections_of
DELETE FROM corrections WHERE project = :project AND content_hash = :1

-- name: find_reading
SELECT r.record FROM source_readings r JOIN sources s ON s.project = :project AND s.rowid = r.source
WHERE r.project = :project AND s.id = :1 AND s.level <= :2

-- name: clear_reading
DELETE FROM source_readings WHERE project = :project AND source = :1

-- name: add_reading
INSERT INTO source_readings (project, source, record) VALUES (:project, :1, :2)
