-- The processes that do jobs, one row for each while it lives. No clock decides whether it does, since
-- clocks jump: "signs" counts its signs of life.

CREATE TABLE workers (
  project text COLLATE "C" NOT NULL,
  name    text COLLATE "C" NOT NULL,   -- HOST:PROCESS
  started text NOT NULL,               -- for people
  signs   bigint NOT NULL,
  PRIMARY KEY (project, name)
) PARTITION BY LIST (project);

SELECT protect('workers', NULL);

-- Users who may take jobs may also register as workers.
DO $$
DECLARE who text;
BEGIN
  FOR who IN SELECT DISTINCT g.grantee::regrole
    FROM aclexplode((SELECT relacl FROM pg_class WHERE oid = 'jobs'::regclass)) g
    WHERE g.privilege_type = 'INSERT' AND g.grantee <> 0
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON workers TO %s', who);
  END LOOP;
END $$;

-- Adds the partitions of projects that are already there.
SELECT create_project(id) FROM projects;

-- A file that is no source may be the copy of one: only sources with copies are looked at.
CREATE INDEX sources_with_copies ON sources (project, path) WHERE copies <> '[]';
