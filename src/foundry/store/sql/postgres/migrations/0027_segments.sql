-- The text index as postings in segments, as in SQLite (see store/relational/segments.py): a search reads
-- a row for each term and segment instead of one for each term and source. conversion.py fills it from
-- chunk_terms after this.
DROP TRIGGER postings_follow ON sources;
DROP FUNCTION drop_postings();
DROP FUNCTION list_postings(text, bigint);
CREATE TEMPORARY TABLE granted ON COMMIT DROP AS
SELECT g.grantee::regrole::text AS who, g.privilege_type AS what
FROM aclexplode((SELECT relacl FROM pg_class WHERE oid = 'postings'::regclass)) g WHERE g.grantee <> 0;
DROP TABLE postings;

CREATE TABLE segments (
  project text COLLATE "C" NOT NULL,
  id      bigint NOT NULL,              -- of two that have a chunk, the newer one counts
  volume  bigint,                       -- NULL for one that may still be merged
  level   smallint NOT NULL,            -- of the sources of its chunks
  size    integer NOT NULL,
  closed  smallint NOT NULL,            -- 1: as large as it gets; 2: never merged
  chunks  bytea NOT NULL,               -- row numbers, 8 bytes each, little-endian
  lengths bytea NOT NULL,               -- their terms, 4 bytes each
  digest  bytea NOT NULL,               -- of the postings
  whole   bytea,                        -- the postings of one that may still be merged
  PRIMARY KEY (project, id)
) PARTITION BY LIST (project);

CREATE TABLE postings (
  project text COLLATE "C" NOT NULL,
  volume  bigint NOT NULL,
  term    text COLLATE "C" NOT NULL,
  segment bigint NOT NULL,
  level   smallint NOT NULL,
  codes   bytea NOT NULL,               -- 2 bytes a chunk: its place and the kind of its weight
  apart   bytea,                        -- 2 bytes for each weight that the kind does not tell
  PRIMARY KEY (project, term, volume, segment)
) PARTITION BY LIST (project);
CREATE INDEX postings_by_segment ON postings (project, segment);

-- Numbers do not compress, and are read often.
ALTER TABLE segments ALTER COLUMN chunks SET STORAGE EXTERNAL,
  ALTER COLUMN lengths SET STORAGE EXTERNAL, ALTER COLUMN whole SET STORAGE EXTERNAL;
ALTER TABLE postings ALTER COLUMN codes SET STORAGE EXTERNAL;

-- Sources whose level changed, and the one they had: their chunks leave its segments.
CREATE TABLE moved_sources (
  project text COLLATE "C" NOT NULL,
  source  bigint NOT NULL,
  level   smallint NOT NULL,
  PRIMARY KEY (project, source, level)
) PARTITION BY LIST (project);

SELECT protect('segments', 'level'), protect('postings', 'level'), protect('moved_sources', 'level');
SELECT create_project(id) FROM projects;

DO $$
DECLARE who text; what text;
BEGIN
  FOR who, what IN SELECT g.who, g.what FROM granted g LOOP
    EXECUTE format('GRANT %s ON segments, postings, moved_sources TO %s', what, who);
  END LOOP;
END $$;

CREATE FUNCTION note_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO moved_sources VALUES (OLD.project, OLD.rowid, OLD.level) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER segments_left AFTER UPDATE OF level ON sources FOR EACH ROW
WHEN (OLD.level <> NEW.level) EXECUTE FUNCTION note_move();

-- A process that keeps what searches read of all chunks notices that it changed.
CREATE FUNCTION note_text() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO source_changes (project, source, number)
  VALUES (NEW.project, NEW.source, pg_current_xact_id()::text::bigint)
  ON CONFLICT (project, source) DO UPDATE SET number = excluded.number;
  RETURN NULL;
END $$;

CREATE TRIGGER text_changed AFTER INSERT ON source_statistics FOR EACH ROW EXECUTE FUNCTION note_text();
