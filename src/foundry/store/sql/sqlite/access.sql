-- name: add_token
INSERT INTO tokens (id, name, role, hash, created, expires, revoked, used)
VALUES (:id, :name, :role, :hash, :created, :expires, :revoked, :used)

-- name: revoke_token
-- Nothing else writes "revoked", so no request that read the row before can undo it.
UPDATE tokens SET revoked = :revoked WHERE id = :id AND revoked IS NULL

-- name: note_token_use
UPDATE tokens SET used = :used WHERE id = :id AND revoked IS NULL

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
