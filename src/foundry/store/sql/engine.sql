-- name: last_change (sqlite)
SELECT coalesce(max(number), 0) FROM source_changes

-- name: last_change (postgres)
-- Of later transactions some may not have ended.
SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1

-- name: store_identity (sqlite)
SELECT file FROM pragma_database_list WHERE name = 'main'

-- name: store_identity (postgres)
-- Of the server's files, and of the database in them: an address may have several names.
SELECT 'postgresql:' || system_identifier || ':' || current_database() FROM pg_control_system()

-- name: changed_sources
-- A copy of another server's database has numbers of transactions that this one has yet to begin: they
-- count for an engine that has nothing.
SELECT source, number FROM source_changes WHERE number > ?1
  /*pg AND project = :project AND (?1 = 0 OR number < pg_snapshot_xmax(pg_current_snapshot())::text::bigint)*/
ORDER BY source

-- name: count_changed_chunks
SELECT count(*) FROM chunks WHERE /*pg project = :project AND*/ source IN (
  SELECT source FROM source_changes
  WHERE /*pg project = :project AND number < pg_snapshot_xmax(pg_current_snapshot())::text::bigint AND*/
    number > ?1)

-- name: source_rows
SELECT rowid FROM sources /*pg WHERE project = :project*/ ORDER BY rowid

-- name: engine_rows (sqlite)
SELECT c.rowid, c.id, s.rowid, s.id, s.path, s.type, s.tags, s.level, s.dated
FROM sources s JOIN chunks c ON c.source = s.rowid
WHERE s.rowid IN (SELECT value FROM json_each(:sources)) LIMIT :most

-- name: engine_rows (postgres)
SELECT c.rowid, c.id, s.rowid, s.id, s.path, s.type, s.tags, s.level, s.dated
FROM sources s JOIN chunks c ON c.project = :project AND c.source = s.rowid
WHERE s.project = :project
  AND s.rowid = ANY (ARRAY(SELECT jsonb_array_elements_text(:sources::jsonb)::bigint)) LIMIT :most

-- name: visible_rows (sqlite)
SELECT c.rowid FROM json_each(:rows) j CROSS JOIN chunks c ON c.rowid = j.value
WHERE EXISTS ({visible} AND s.rowid = c.source)

-- name: visible_rows (postgres)
SELECT c.rowid FROM chunks c WHERE c.project = :project
  AND c.rowid = ANY (ARRAY(SELECT jsonb_array_elements_text(:rows::jsonb)::bigint))
  AND EXISTS ({visible} AND s.rowid = c.source)
