-- Who may use the server, what was done with it, and what a reader found wrong with an answer.

CREATE TABLE tokens (
  id      TEXT PRIMARY KEY,
  name    TEXT NOT NULL,
  role    TEXT NOT NULL,
  hash    TEXT NOT NULL,   -- SHA-256 of the secret, which is kept nowhere
  created TEXT NOT NULL,
  expires TEXT NOT NULL,
  revoked TEXT,
  used    TEXT
) STRICT;

CREATE TABLE audit_events (
  number  INTEGER PRIMARY KEY AUTOINCREMENT,
  time    TEXT NOT NULL,
  who     TEXT NOT NULL,   -- the name of a token; empty for the owner on this machine
  role    TEXT NOT NULL,
  action  TEXT NOT NULL,
  subject TEXT NOT NULL,
  address TEXT NOT NULL,
  outcome TEXT NOT NULL
) STRICT;

CREATE TRIGGER audit_events_are_kept BEFORE DELETE ON audit_events BEGIN
  SELECT RAISE(ABORT, 'audit events are append-only');
END;
CREATE TRIGGER audit_events_stay BEFORE UPDATE ON audit_events BEGIN
  SELECT RAISE(ABORT, 'audit events are append-only');
END;

ALTER TABLE feedback ADD COLUMN kind TEXT;
