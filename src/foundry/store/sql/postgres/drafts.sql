-- name: visible_draft
-- A draft of an earlier version has no role: it may have been made from everything.
d.project = :project AND :roles::jsonb ? coalesce(d.record::jsonb ->> 'role', 'secret')
AND NOT EXISTS (
  SELECT 1 FROM jsonb_array_elements(d.record::jsonb -> 'sources') used
  WHERE is_hidden(:project, used.value ->> 'path', :level))

-- name: save_draft
-- "created" orders drafts: one that is made later comes later, even if the clock went back.
INSERT INTO drafts (project, path, feature, created, record)
VALUES (:project, :1, :2, greatest(:3::float8,
  (SELECT coalesce(max(created), 0) + 0.001 FROM drafts WHERE project = :project)), :4)
ON CONFLICT (project, path) DO UPDATE SET feature = excluded.feature, record = excluded.record,
  created = CASE WHEN drafts.record::jsonb ->> 'created' = excluded.record::jsonb ->> 'created'
    THEN drafts.created ELSE excluded.created END

-- name: find_draft
SELECT record FROM drafts d WHERE d.path = :path AND {visible}

-- name: list_drafts
SELECT record FROM drafts d WHERE (:feature::text IS NULL OR d.feature = :feature::text) AND {visible}
ORDER BY created DESC, path

-- name: find_section
SELECT section FROM draft_sections WHERE project = :project AND key = :1

-- name: save_section
INSERT INTO draft_sections (project, key, section, saved) VALUES (:project, :1, :2, :3)
ON CONFLICT (project, key) DO UPDATE SET section = excluded.section, saved = excluded.saved
