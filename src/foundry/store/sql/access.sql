-- name: add_token
INSERT INTO tokens (/*pg project,*/ id, name, role, hash, created, expires, revoked, used)
VALUES (/*pg :project,*/ :id, :name, :role, :hash, :created, :expires, :revoked, :used)

-- name: revoke_token
-- Nothing else writes "revoked", so no request that read the row before can undo it.
UPDATE tokens SET revoked = :revoked WHERE /*pg project = :project AND*/ id = :id AND revoked IS NULL

-- name: note_token_use
UPDATE tokens SET used = :used WHERE /*pg project = :project AND*/ id = :id AND revoked IS NULL

-- name: find_token
SELECT id, name, role, hash, created, expires, revoked, used FROM tokens WHERE /*pg project = :project AND*/ id = :id

-- name: list_tokens
SELECT id, name, role, hash, created, expires, revoked, used FROM tokens /*pg WHERE project = :project*/ ORDER BY created, id

-- name: add_event
INSERT INTO audit_events (/*pg project,*/ time, who, role, action, subject, address, outcome)
VALUES (/*pg :project,*/ :time, :who, :role, :action, :subject, :address, :outcome)

-- name: list_events
SELECT time, who, role, action, subject, address, outcome, number FROM audit_events
WHERE /*pg project = :project AND (*/ :before/*pg ::bigint*/ IS NULL OR number < :before/*pg ::bigint)*/ ORDER BY number DESC LIMIT :limit


-- name: put_project_role
INSERT INTO project_roles (/*pg project,*/ person, folder, role)
VALUES (/*pg :project,*/ :person, :folder, :role)
ON CONFLICT (/*pg project,*/ person, folder) DO UPDATE SET role = excluded.role

-- name: delete_project_role
DELETE FROM project_roles WHERE /*pg project = :project AND*/ person = :person AND folder = :folder

-- name: find_project_roles
SELECT person, folder, role FROM project_roles
WHERE /*pg project = :project AND*/ person = :person AND folder IN (:folder, '') ORDER BY folder

-- name: list_project_roles
SELECT person, folder, role FROM project_roles
WHERE /*pg project = :project AND*/ (:person/*pg ::text*/ IS NULL OR person = :person/*pg ::text*/)
  AND (:folder/*pg ::text*/ IS NULL OR folder = :folder/*pg ::text*/)
ORDER BY person, folder
