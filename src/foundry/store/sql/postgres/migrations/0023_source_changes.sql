-- The latest transaction that changed a source's vectors or filtered columns. A search engine beside the
-- database remembers up to which transaction it has all; removed sources keep their row.
CREATE TABLE source_changes (
  project text COLLATE "C" NOT NULL,
  source  bigint NOT NULL,
  number  bigint NOT NULL,
  PRIMARY KEY (project, source)
) PARTITION BY LIST (project);

CREATE INDEX source_changes_by_number ON source_changes (project, number);

SELECT protect('source_changes', NULL);

-- Adds the partitions of projects that are already there.
SELECT create_project(id) FROM projects;

DO $$
DECLARE wanted text;
BEGIN
  FOR wanted IN SELECT id FROM projects LOOP
    PERFORM set_config('foundry.project', wanted, true), set_config('foundry.level', '3', true);
    INSERT INTO source_changes
    SELECT project, rowid, pg_current_xact_id()::text::bigint FROM sources WHERE project = wanted;
  END LOOP;
END $$;

CREATE FUNCTION note_vectors() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO source_changes (project, source, number)
  SELECT DISTINCT c.project, c.source, pg_current_xact_id()::text::bigint
  FROM changed w JOIN chunks c ON c.project = w.project AND c.rowid = w.chunk
  ON CONFLICT (project, source) DO UPDATE SET number = excluded.number;
  RETURN NULL;
END $$;

CREATE TRIGGER vectors_added AFTER INSERT ON window_vectors
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_vectors();
CREATE TRIGGER vectors_changed AFTER UPDATE ON window_vectors
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_vectors();
CREATE TRIGGER vectors_removed AFTER DELETE ON window_vectors
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_vectors();

CREATE FUNCTION note_source() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO source_changes (project, source, number)
  VALUES (OLD.project, OLD.rowid, pg_current_xact_id()::text::bigint)
  ON CONFLICT (project, source) DO UPDATE SET number = excluded.number;
  RETURN NULL;
END $$;

CREATE TRIGGER source_changed AFTER UPDATE ON sources FOR EACH ROW
WHEN ((OLD.path, OLD.type, OLD.tags, OLD.level, OLD.dated)
  IS DISTINCT FROM (NEW.path, NEW.type, NEW.tags, NEW.level, NEW.dated))
EXECUTE FUNCTION note_source();
CREATE TRIGGER source_removed AFTER DELETE ON sources FOR EACH ROW EXECUTE FUNCTION note_source();
