-- name: visible_draft
-- A draft of an earlier version has no role: it may have been made from everything.
d.project = :project AND :roles::jsonb ? coalesce(d.record::jsonb ->> 'role', 'secret')
AND NOT EXISTS (
  SELECT 1 FROM jsonb_array_elements(d.record::jsonb -> 'sources') used
  WHERE is_hidden(:project, used.value ->> 'path', :level))

-- name: save_draft
INSERT INTO drafts (project, path, feature, created, record) VALUES (:project, :1, :2, :3, :4)
ON CONFLICT (project, path) DO UPDATE SET feature = excluded.feature, created = excluded.created,
  record = excluded.record

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
