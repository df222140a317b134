-- name: save_token
INSERT INTO tokens (id, name, role, hash, created, expires, revoked, used)
VALUES (:id, :name, :role, :hash, :created, :expires, :revoked, :used)
ON CONFLICT (id) DO UPDATE SET revoked = excluded.revoked, used = excluded.used

-- name: find_token
SELECT id, name, role, hash, created, expires, revoked, used FROM tokens WHERE id = :id

-- name: list_tokens
SELECT id, name, role, hash, created, expires, revoked, used FROM tokens ORDER BY created, id

-- name: add_event
INSERT INTO audit_events (time, who, role, action, subject, address, outcome)
VALUES (:time, :who, :role, :action, :subject, :address, :outcome)

-- name: list_events
SELECT time, who, role, action, subject, address, outcome, number FROM audit_events
WHERE :before IS NULL OR number < :before ORDER BY number DESC LIMIT :limit
