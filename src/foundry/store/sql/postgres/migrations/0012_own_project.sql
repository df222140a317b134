-- Who works in a project reads no other project's row. Not forced: the functions that add projects and
-- indexes run as the owner of the tables, for all of them.
ALTER TABLE projects ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_project ON projects USING (id = current_setting('foundry.project', true));
