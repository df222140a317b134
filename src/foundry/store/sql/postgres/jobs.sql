-- name: add_job
INSERT INTO jobs (project, id, number, path, record, status)
SELECT :project, :id, coalesce(max(number), 0) + 1, :path, :record, 'waiting' FROM jobs
WHERE project = :project
ON CONFLICT (project, id) DO UPDATE SET number = excluded.number, record = excluded.record,
  status = 'waiting', attempts = 0, lease = NULL WHERE jobs.status NOT IN ('waiting', 'running')

-- name: drop_earlier_jobs
DELETE FROM jobs WHERE project = :project AND path = :path AND id <> :id AND status <> 'running'

-- name: take_job
-- A lease longer than any that is given is from a clock that was set back since.
UPDATE jobs SET status = 'running', worker = :worker, attempts = attempts + 1,
  started = extract(epoch FROM clock_timestamp()),
  lease = extract(epoch FROM clock_timestamp()) + :lease::double precision
WHERE project = :project AND id = (
  SELECT id FROM jobs WHERE project = :project AND status IN ('waiting', 'running')
    AND (lease IS NULL OR lease <= extract(epoch FROM clock_timestamp())
      OR lease > extract(epoch FROM clock_timestamp()) + :lease::double precision)
  ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING record, status, attempts, worker

-- name: extend_job
UPDATE jobs SET lease = extract(epoch FROM clock_timestamp()) + :lease::double precision
WHERE project = :project AND id = :id AND worker = :worker AND attempts = :attempts
  AND status = 'running'
  AND extract(epoch FROM clock_timestamp()) < started + :longest::double precision

-- name: finish_job
UPDATE jobs SET status = :status, record = :record,
  lease = extract(epoch FROM clock_timestamp()) + :pause::double precision
WHERE project = :project AND id = :id AND worker = :worker AND attempts = :attempts
  AND status = 'running'

-- name: cancel_jobs
UPDATE jobs SET status = 'cancelled' WHERE project = :project AND status IN ('waiting', 'running')
  AND (:paths::text IS NULL OR path = ANY (ARRAY(SELECT jsonb_array_elements_text(:paths::jsonb))))

-- name: list_jobs
SELECT record, status, attempts, worker FROM jobs WHERE project = :project
  AND (:ids::text IS NULL OR id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)))) ORDER BY number
