-- What people may see in the projects of one server: only in the server's own database has it rows.

CREATE TABLE project_roles (
  project text COLLATE "C" NOT NULL,
  person  text COLLATE "C" NOT NULL,
  folder  text COLLATE "C" NOT NULL,   -- the project's folder name; empty for all projects
  role    text NOT NULL,
  PRIMARY KEY (project, person, folder)
) PARTITION BY LIST (project);
CREATE INDEX project_roles_by_folder ON project_roles (project, folder);

SELECT protect('project_roles', NULL);

-- Only the server itself reads and writes them, never a caller's view of the project.
CREATE POLICY for_the_server ON project_roles AS RESTRICTIVE
  USING (current_setting('foundry.level', true) = '3');

-- Adds the partitions of projects that are already there.
SELECT create_project(id) FROM projects;
