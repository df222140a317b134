-- No clock decides here, since clocks jump: "lease" counts the signs of life of a running job, is 0
-- for one that waits after a failed attempt, and NULL for one that is free. "started" is for people.

-- name: read_version
SELECT max(version) FROM schema_version

-- name: last_job_number
SELECT coalesce(max(number), 0) FROM jobs 

-- name: add_job
INSERT INTO jobs (id, number, path, record, status)
VALUES (:id, :number, :path, :record, 'waiting')
ON CONFLICT (id) DO UPDATE SET number = excluded.number, record = excluded.record,
  status = 'waiting', attempts = 0, lease = NULL WHERE jobs.status NOT IN ('waiting', 'running')

-- name: drop_earlier_jobs
DELETE FROM jobs WHERE path = :path AND id <> :id AND status <> 'running'

-- name: take_lapsed_job
UPDATE jobs SET status = 'running', worker = :worker, attempts = attempts + 1,
  started = unixepoch('subsec'), lease = 1
WHERE id = (
  SELECT id FROM jobs WHERE record ->> '$.recipe' = :recipe
    AND status IN ('waiting', 'running') AND (id, attempts, lease) IN (
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:lapsed))
  ORDER BY number LIMIT 1)
RETURNING record, status, attempts, worker, lease

-- name: take_free_job
UPDATE jobs SET status = 'running', worker = :worker, attempts = attempts + 1,
  started = unixepoch('subsec'), lease = 1
WHERE id = (
  SELECT id FROM jobs WHERE status = 'waiting' AND lease IS NULL
    AND record ->> '$.recipe' = :recipe
  ORDER BY number LIMIT 1)
RETURNING record, status, attempts, worker, lease

-- name: find_foreign_job
SELECT record, status, attempts, worker, lease FROM jobs
WHERE status = 'waiting' AND record ->> '$.recipe' <> :recipe ORDER BY number LIMIT 1

-- name: extend_job
UPDATE jobs SET lease = lease + 1
WHERE id = :id AND worker = :worker AND attempts = :attempts AND status = 'running'

-- name: finish_job
UPDATE jobs SET status = :status, record = :record, lease = :pause
WHERE id = :id AND worker = :worker AND attempts = :attempts AND status = 'running'

-- name: cancel_jobs
UPDATE jobs SET status = 'cancelled' WHERE status IN ('waiting', 'running')
  AND (:paths IS NULL OR path IN (SELECT value FROM json_each(:paths)))

-- name: list_jobs
SELECT record, status, attempts, worker, lease FROM jobs
WHERE (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))
ORDER BY number, id

-- name: begun_jobs
SELECT record, status, attempts, worker, lease FROM jobs
WHERE status IN ('waiting', 'running') AND lease IS NOT NULL ORDER BY number, id

-- name: count_open_jobs
SELECT count(*) FROM jobs WHERE status IN ('waiting', 'running')
