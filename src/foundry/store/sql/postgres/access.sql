-- name: save_token
INSERT INTO tokens (project, id, name, role, hash, created, expires, revoked, used)
VALUES (:project, :id, :name, :role, :hash, :created, :expires, :revoked, :used)
ON CONFLICT (project, id) DO UPDATE SET revoked = excluded.revoked, used = excluded.used

-- name: find_token
SELECT id, name, role, hash, created, expires, revoked, used FROM tokens
WHERE project = :project AND id = :id

-- name: list_tokens
SELECT id, name, role, hash, created, expires, revoked, used FROM tokens
WHERE project = :project ORDER BY created, id

-- name: add_event
INSERT INTO audit_events (project, time, who, role, action, subject, address, outcome)
VALUES (:project, :time, :who, :role, :action, :subject, :address, :outcome)

-- name: list_events
SELECT time, who, role, action, subject, address, outcome, number FROM audit_events
WHERE project = :project AND (:before::bigint IS NULL OR number < :before::bigint)
ORDER BY number DESC LIMIT :limit
