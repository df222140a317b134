-- name: forget_plans (postgres)
DISCARD PLANS

-- name: begin_reading (postgres)
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {enter}

-- name: begin_writing (postgres)
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; {enter}

-- name: enter (postgres)
-- Compiling a plan takes longer than running it.
SELECT set_config('search_path', 'foundry, public', true), set_config('foundry.project', :project, true),
  set_config('foundry.level', '{level}', true), set_config('lock_timeout', '120s', true),
  set_config('jit', 'off', true), pg_current_snapshot()::text

-- name: name_project (postgres)
SELECT set_config('foundry.project', :project, false)

-- name: take_turn (postgres)
SELECT pg_advisory_xact_lock(hashtextextended('foundry.write.' || :project, 0))

-- name: share_turn (postgres)
SELECT pg_advisory_xact_lock_shared(hashtextextended('foundry.write.' || :project, 0))

-- name: take_sources (postgres)
-- In one order, so that no two transactions wait for each other. A server has room for some thousands
-- of locks: sources share 1,024.
SELECT pg_advisory_xact_lock(hashtext('foundry.sources.' || :project), s.place) FROM (
  SELECT DISTINCT hashtext(v) & 1023 AS place FROM jsonb_array_elements_text(:sources::jsonb) v
  ORDER BY 1) s

-- name: extension_versions (postgres)
SELECT extname, extversion FROM pg_extension

-- name: server_version (postgres)
SELECT split_part(current_setting('server_version'), ' ', 1)

-- name: find_schema (postgres)
SELECT to_regclass('foundry.schema_version')::text

-- name: read_version (postgres)
SELECT coalesce(max(version), 0) FROM foundry.schema_version

-- name: make_schema (postgres)
CREATE SCHEMA IF NOT EXISTS foundry

-- name: make_versions (postgres)
CREATE TABLE IF NOT EXISTS foundry.schema_version (
  version integer PRIMARY KEY,
  name    text NOT NULL,
  applied timestamptz NOT NULL DEFAULT now()
)

-- name: add_version (postgres)
INSERT INTO foundry.schema_version (version, name) VALUES (?1, ?2)

-- name: project_ids (postgres)
SELECT id FROM projects

-- name: find_project (postgres)
SELECT 1 FROM foundry.projects WHERE id = :project

-- name: add_project (postgres)
SELECT foundry.create_project(:project)

-- name: try_lock (postgres)
SELECT pg_try_advisory_lock(hashtextextended(?1, 0))

-- name: wait_for_lock (postgres)
SELECT pg_advisory_lock(hashtextextended(?1, 0))

-- name: free_lock (postgres)
SELECT pg_advisory_unlock(hashtextextended(?1, 0))

-- name: limit_waiting (postgres)
SELECT set_config('lock_timeout', ?1, false)

-- name: find_holder (postgres)
-- Any user may read the label of a session; since when it holds the lock, the same user only.
SELECT a.application_name, coalesce(a.xact_start, a.state_change)
FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid AND a.datid = l.database
WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND a.datname = current_database()
  AND (l.classid::bigint << 32) | l.objid::bigint = hashtextextended(?1, 0)
