-- What people may see in the projects of one server: only in the server's own database has it rows.

CREATE TABLE project_roles (
  person TEXT NOT NULL,
  folder TEXT NOT NULL,   -- the project's folder name; empty for all projects
  role   TEXT NOT NULL,
  PRIMARY KEY (person, folder)
) STRICT, WITHOUT ROWID;
CREATE INDEX project_roles_by_folder ON project_roles (folder);
