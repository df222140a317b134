-- PostgreSQL checks a foreign key row by row: two fifths of the time to index a source, whose postings
-- are its terms by the hundred. They go with their source all the same.
ALTER TABLE postings DROP CONSTRAINT postings_project_source_fkey;

CREATE FUNCTION drop_postings() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM postings WHERE project = OLD.project AND source = OLD.rowid;
  RETURN NULL;
END $$;

CREATE TRIGGER postings_follow AFTER DELETE ON sources FOR EACH ROW EXECUTE FUNCTION drop_postings();
