-- No clock decides here, since clocks jump: "lease" counts the signs of life of a running job, is 0
-- for one that waits after a failed attempt, and NULL for one that is free. "started" is for people.

-- name: read_version (sqlite)
SELECT max(version) FROM schema_version

-- name: last_job_number
SELECT coalesce(max(number), 0) FROM jobs /*pg WHERE project = :project*/

-- name: add_job
INSERT INTO jobs (/*pg project,*/ id, number, path, record, status)
VALUES (/*pg :project,*/ :id, :number, :path, :record, 'waiting')
ON CONFLICT (/*pg project,*/ id) DO UPDATE SET number = excluded.number, record = excluded.record,
  status = 'waiting', attempts = 0, lease = NULL WHERE jobs.status NOT IN ('waiting', 'running')

-- name: drop_earlier_jobs
DELETE FROM jobs WHERE /*pg project = :project AND*/ path = :path AND id <> :id AND status <> 'running'

-- name: take_lapsed_job (sqlite)
UPDATE jobs SET status = 'running', worker = :worker, attempts = attempts + 1,
  started = unixepoch('subsec'), lease = 1
WHERE id = (
  SELECT id FROM jobs WHERE record ->> '$.recipe' = :recipe
    AND status IN ('waiting', 'running') AND (id, attempts, lease) IN (
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:lapsed))
  ORDER BY number LIMIT 1)
RETURNING record, status, attempts, worker, lease

-- name: take_lapsed_job (postgres)
UPDATE jobs SET status = 'running', worker = :worker, attempts = attempts + 1,
  started = extract(epoch FROM clock_timestamp()), lease = 1
WHERE project = :project AND id = (
  SELECT id FROM jobs WHERE project = :project AND record::jsonb ->> 'recipe' = :recipe
    AND status IN ('waiting', 'running') AND (id, attempts, lease) IN (
    SELECT e ->> 0, (e ->> 1)::integer, (e ->> 2)::double precision
    FROM jsonb_array_elements(:lapsed::jsonb) e)
  ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING record, status, attempts, worker, lease

-- name: take_free_job (sqlite)
UPDATE jobs SET status = 'running', worker = :worker, attempts = attempts + 1,
  started = unixepoch('subsec'), lease = 1
WHERE id = (
  SELECT id FROM jobs WHERE status = 'waiting' AND lease IS NULL
    AND record ->> '$.recipe' = :recipe
  ORDER BY number LIMIT 1)
RETURNING record, status, attempts, worker, lease

-- name: take_free_job (postgres)
UPDATE jobs SET status = 'running', worker = :worker, attempts = attempts + 1,
  started = extract(epoch FROM clock_timestamp()), lease = 1
WHERE project = :project AND id = (
  SELECT id FROM jobs WHERE project = :project AND status = 'waiting' AND lease IS NULL
    AND record::jsonb ->> 'recipe' = :recipe
  ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING record, status, attempts, worker, lease

-- name: find_foreign_job (sqlite)
SELECT record, status, attempts, worker, lease FROM jobs
WHERE status = 'waiting' AND record ->> '$.recipe' <> :recipe ORDER BY number LIMIT 1

-- name: find_foreign_job (postgres)
SELECT record, status, attempts, worker, lease FROM jobs
WHERE project = :project AND status = 'waiting' AND record::jsonb ->> 'recipe' <> :recipe ORDER BY number LIMIT 1

-- name: extend_job
UPDATE jobs SET lease = lease + 1
WHERE /*pg project = :project AND*/ id = :id AND worker = :worker AND attempts = :attempts AND status = 'running'

-- name: finish_job
UPDATE jobs SET status = :status, record = :record, lease = :pause/*pg ::double precision*/
WHERE /*pg project = :project AND*/ id = :id AND worker = :worker AND attempts = :attempts AND status = 'running'

-- name: cancel_jobs (sqlite)
UPDATE jobs SET status = 'cancelled' WHERE status IN ('waiting', 'running')
  AND (:paths IS NULL OR path IN (SELECT value FROM json_each(:paths)))

-- name: cancel_jobs (postgres)
UPDATE jobs SET status = 'cancelled' WHERE project = :project AND status IN ('waiting', 'running')
  AND (:paths::text IS NULL OR path = ANY (ARRAY(SELECT jsonb_array_elements_text(:paths::jsonb))))

-- name: list_jobs (sqlite)
SELECT record, status, attempts, worker, lease FROM jobs
WHERE (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))
ORDER BY number, id

-- name: list_jobs (postgres)
SELECT record, status, attempts, worker, lease FROM jobs
WHERE project = :project AND (:ids::text IS NULL OR id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb))))
ORDER BY number, id

-- name: open_jobs
SELECT record, status, attempts, worker, lease FROM jobs
WHERE /*pg project = :project AND*/ status IN ('waiting', 'running') ORDER BY number, id

-- name: begun_jobs
SELECT record, status, attempts, worker, lease FROM jobs
WHERE /*pg project = :project AND*/ status IN ('waiting', 'running') AND lease IS NOT NULL ORDER BY number, id

-- name: count_open_jobs
SELECT count(*) FROM jobs WHERE /*pg project = :project AND*/ status IN ('waiting', 'running')

-- name: sign_worker
INSERT INTO workers (/*pg project,*/ name, started, signs) VALUES (/*pg :project,*/ ?1, ?2, 1)
ON CONFLICT (/*pg project,*/ name) DO UPDATE SET signs = workers.signs + 1

-- name: remove_worker
DELETE FROM workers WHERE /*pg project = :project AND*/ name = ?1 AND signs <= ?2

-- name: list_workers
SELECT name, started, signs FROM workers /*pg WHERE project = :project*/ ORDER BY started, name
