-- name: add_job
INSERT INTO jobs (id, number, path, record, status)
SELECT :id, coalesce(max(number), 0) + 1, :path, :record, 'waiting' FROM jobs WHERE true
ON CONFLICT (id) DO UPDATE SET number = excluded.number, record = excluded.record,
  status = 'waiting', attempts = 0, lease = NULL WHERE jobs.status NOT IN ('waiting', 'running')

-- name: drop_earlier_jobs
DELETE FROM jobs WHERE path = :path AND id <> :id AND status <> 'running'

-- name: take_job
-- A lease longer than any that is given is from a clock that was set back since.
UPDATE jobs SET status = 'running', worker = :worker, attempts = attempts + 1,
  started = unixepoch('subsec'), lease = unixepoch('subsec') + :lease
WHERE id = (
  SELECT id FROM jobs WHERE status IN ('waiting', 'running') AND (lease IS NULL
    OR lease <= unixepoch('subsec') OR lease > unixepoch('subsec') + :lease)
  ORDER BY number LIMIT 1)
RETURNING record, status, attempts, worker

-- name: extend_job
UPDATE jobs SET lease = unixepoch('subsec') + :lease
WHERE id = :id AND worker = :worker AND attempts = :attempts AND status = 'running'
  AND unixepoch('subsec') < started + :longest

-- name: finish_job
UPDATE jobs SET status = :status, record = :record, lease = unixepoch('subsec') + :pause
WHERE id = :id AND worker = :worker AND attempts = :attempts AND status = 'running'

-- name: cancel_jobs
UPDATE jobs SET status = 'cancelled' WHERE status IN ('waiting', 'running')
  AND (:paths IS NULL OR path IN (SELECT value FROM json_each(:paths)))

-- name: list_jobs
SELECT record, status, attempts, worker FROM jobs
WHERE :ids IS NULL OR id IN (SELECT value FROM json_each(:ids)) ORDER BY number
