-- Who may use the server, what was done with it, and what a reader found wrong with an answer.

CREATE TABLE tokens (
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  name    text NOT NULL,
  role    text NOT NULL,
  hash    text NOT NULL,   -- SHA-256 of the secret, which is kept nowhere
  created text NOT NULL,
  expires text NOT NULL,
  revoked text,
  used    text,
  PRIMARY KEY (project, id)
) PARTITION BY LIST (project);

CREATE TABLE audit_events (
  project text COLLATE "C" NOT NULL,
  number  bigint NOT NULL DEFAULT nextval('row_numbers'),
  time    text NOT NULL,
  who     text NOT NULL,   -- the name of a token; empty for the owner on this machine
  role    text NOT NULL,
  action  text NOT NULL,
  subject text NOT NULL,
  address text NOT NULL,
  outcome text NOT NULL,
  PRIMARY KEY (project, number)
) PARTITION BY LIST (project);

SELECT protect('tokens', NULL), protect('audit_events', NULL);

-- Only the server itself reads and writes them, never a caller's view of the project.
CREATE POLICY for_the_server ON tokens AS RESTRICTIVE
  USING (current_setting('foundry.level', true) = '3');
CREATE POLICY for_the_server ON audit_events AS RESTRICTIVE
  USING (current_setting('foundry.level', true) = '3');

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit events are append-only';
END $$;
CREATE TRIGGER audit_events_stay BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

ALTER TABLE feedback ADD COLUMN kind text;

-- Adds the partitions of projects that are already there.
SELECT create_project(id) FROM projects;
