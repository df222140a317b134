-- name: visible_draft (sqlite)
-- A draft of an earlier version has no role: it may have been made from everything.
coalesce(d.record ->> '$.role', 'secret') IN (SELECT value FROM json_each(:roles))
AND NOT EXISTS (
  SELECT 1 FROM json_each(d.record, '$.sources') used
  JOIN sources s ON s.path = used.value ->> '$.path' WHERE s.level > :level)

-- name: visible_draft (postgres)
-- A draft of an earlier version has no role: it may have been made from everything.
d.project = :project AND :roles::jsonb ? coalesce(d.record::jsonb ->> 'role', 'secret')
AND NOT EXISTS (
  SELECT 1 FROM jsonb_array_elements(d.record::jsonb -> 'sources') used
  WHERE is_hidden(:project, used.value ->> 'path', :level))

-- name: save_draft (sqlite)
-- "created" orders drafts: one that is made later comes later, even if the clock went back.
INSERT INTO drafts (path, feature, created, record)
VALUES (?1, ?2, max(?3, (SELECT coalesce(max(created), 0) + 0.001 FROM drafts)), ?4)
ON CONFLICT (path) DO UPDATE SET feature = excluded.feature, record = excluded.record,
  created = iif(drafts.record ->> '$.created' = excluded.record ->> '$.created',
    drafts.created, excluded.created)

-- name: save_draft (postgres)
-- "created" orders drafts: one that is made later comes later, even if the clock went back.
INSERT INTO drafts (project, path, feature, created, record)
VALUES (:project, ?1, ?2, greatest(?3::float8,
  (SELECT coalesce(max(created), 0) + 0.001 FROM drafts WHERE project = :project)), ?4)
ON CONFLICT (project, path) DO UPDATE SET feature = excluded.feature, record = excluded.record,
  created = CASE WHEN drafts.record::jsonb ->> 'created' = excluded.record::jsonb ->> 'created'
    THEN drafts.created ELSE excluded.created END

-- name: find_draft
SELECT record FROM drafts d WHERE d.path = :path AND {visible}

-- name: list_drafts
SELECT record FROM drafts d WHERE (:feature/*pg ::text*/ IS NULL OR d.feature = :feature/*pg ::text*/) AND {visible}
ORDER BY created DESC, path

-- name: save_text
INSERT INTO kept_texts (/*pg project,*/ path, hash, saved, record) VALUES (/*pg :project,*/ ?1, ?2, ?3, ?4)
ON CONFLICT (/*pg project,*/ path, hash) DO UPDATE SET saved = excluded.saved, record = excluded.record

-- name: list_texts
SELECT record FROM kept_texts d WHERE d.path = :path
  AND (:hash/*pg ::text*/ IS NULL OR d.hash = :hash/*pg ::text*/) AND {visible}
ORDER BY saved DESC, hash

-- name: find_section
SELECT section FROM draft_sections WHERE /*pg project = :project AND*/ key = ?1

-- name: save_section
INSERT INTO draft_sections (/*pg project,*/ key, section, saved) VALUES (/*pg :project,*/ ?1, ?2, ?3)
ON CONFLICT (/*pg project,*/ key) DO UPDATE SET section = excluded.section, saved = excluded.saved
