-- name: visible_draft
-- A draft of an earlier version has no role: it may have been made from everything.
coalesce(d.record ->> '$.role', 'secret') IN (SELECT value FROM json_each(:roles))
AND NOT EXISTS (
  SELECT 1 FROM json_each(d.record, '$.sources') used
  JOIN sources s ON s.path = used.value ->> '$.path' WHERE s.level > :level)

-- name: save_draft
-- "created" orders drafts: one that is made later comes later, even if the clock went back.
INSERT INTO drafts (path, feature, created, record)
VALUES (?1, ?2, max(?3, (SELECT coalesce(max(created), 0) + 0.001 FROM drafts)), ?4)
ON CONFLICT (path) DO UPDATE SET feature = excluded.feature, record = excluded.record,
  created = iif(drafts.record ->> '$.created' = excluded.record ->> '$.created',
    drafts.created, excluded.created)

-- name: find_draft
SELECT record FROM drafts d WHERE d.path = :path AND {visible}

-- name: list_drafts
SELECT record FROM drafts d WHERE (:feature IS NULL OR d.feature = :feature) AND {visible}
ORDER BY created DESC, path

-- name: find_section
SELECT section FROM draft_sections WHERE key = ?

-- name: save_section
INSERT INTO draft_sections (key, section, saved) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET section = excluded.section, saved = excluded.saved
