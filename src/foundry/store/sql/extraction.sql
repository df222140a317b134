-- name: visible_extraction (sqlite)
-- A table is as confidential as its strictest source, then or now.
t.level <= :level AND NOT EXISTS (
  SELECT 1 FROM extraction_cells c LEFT JOIN sources s ON s.path = c.path
  WHERE c.role = t.role AND c.name = t.name AND coalesce(s.level, c.level) > :level)

-- name: visible_extraction (postgres)
-- A table is as confidential as its strictest source, then or now.
t.project = :project AND t.level <= :level AND (:level::integer = 3 OR NOT EXISTS (
  SELECT 1 FROM (
    SELECT c.path, max(c.level) AS level FROM extraction_cells c
    WHERE c.project = :project AND c.role = t.role AND c.name = t.name GROUP BY c.path) c
  WHERE is_hidden(:project, c.path, :level) OR (c.level > :level::integer AND NOT EXISTS (
    SELECT 1 FROM sources s WHERE s.project = :project AND s.path = c.path))))

-- name: save_extraction
INSERT INTO extraction_tables (/*pg project,*/ role, name, level, created, record)
VALUES (/*pg :project,*/ :role, :name, :level, :created, :record)
ON CONFLICT (/*pg project,*/ role, name) DO UPDATE SET level = excluded.level, record = excluded.record

-- name: find_extraction
-- A role finds its own table of a name before those of others.
SELECT record FROM extraction_tables t WHERE t.name = :name AND {visible}
ORDER BY t.role <> :own, t.created DESC LIMIT 1

-- name: list_extractions
SELECT record FROM extraction_tables t WHERE {visible} ORDER BY t.created DESC, t.name

-- name: remove_extraction
DELETE FROM extraction_tables AS t WHERE t.role = :role AND t.name = :name AND {visible}

-- name: find_extraction_cell
SELECT c.record FROM extraction_cells c WHERE /*pg c.project = :project AND*/ c.role = :role
  AND c.name = :name AND c.source = :source AND c.asked = :asked
  AND EXISTS (SELECT 1 FROM extraction_tables t WHERE t.role = :role AND t.name = :name AND {visible})

-- name: list_extraction_cells (sqlite)
SELECT c.record FROM extraction_cells c WHERE c.role = :role AND c.name = :name
  AND c.source IN (SELECT value FROM json_each(:sources))
  AND EXISTS (SELECT 1 FROM extraction_tables t WHERE t.role = :role AND t.name = :name AND {visible})
ORDER BY c.path, c.asked

-- name: list_extraction_cells (postgres)
SELECT c.record FROM extraction_cells c WHERE c.project = :project AND c.role = :role
  AND c.name = :name AND :sources::jsonb ? c.source
  AND EXISTS (SELECT 1 FROM extraction_tables t WHERE t.role = :role AND t.name = :name AND {visible})
ORDER BY c.path, c.asked

-- name: list_extraction_rows (sqlite)
SELECT DISTINCT c.path, c.source FROM extraction_cells c
WHERE c.role = :role AND c.name = :name AND c.asked IN (SELECT value FROM json_each(:asked))
  AND EXISTS (SELECT 1 FROM extraction_tables t WHERE t.role = :role AND t.name = :name AND {visible})
ORDER BY c.path, c.source

-- name: list_extraction_rows (postgres)
SELECT DISTINCT c.path, c.source FROM extraction_cells c
WHERE c.project = :project AND c.role = :role AND c.name = :name AND :asked::jsonb ? c.asked
  AND EXISTS (SELECT 1 FROM extraction_tables t WHERE t.role = :role AND t.name = :name AND {visible})
ORDER BY c.path, c.source

-- name: save_extraction_cell
INSERT INTO extraction_cells (/*pg project,*/ role, name, source, asked, path, level, record)
VALUES (/*pg :project,*/ :role, :name, :source, :asked, :path, :level, :record)
ON CONFLICT (/*pg project,*/ role, name, source, asked)
DO UPDATE SET path = excluded.path, level = excluded.level, record = excluded.record
