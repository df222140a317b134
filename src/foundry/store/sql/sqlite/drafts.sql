-- name: save_draft
INSERT INTO drafts (path, feature, created, record) VALUES (?, ?, ?, ?)
ON CONFLICT (path) DO UPDATE SET feature = excluded.feature, created = excluded.created,
  record = excluded.record

-- name: find_draft
SELECT record FROM drafts WHERE path = ?

-- name: list_drafts
SELECT record FROM drafts WHERE :feature IS NULL OR feature = :feature
ORDER BY created DESC, path

-- name: remove_draft
DELETE FROM drafts WHERE path = ?

-- name: find_section
SELECT section FROM draft_sections WHERE key = ?

-- name: save_section
INSERT INTO draft_sections (key, section, saved) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET section = excluded.section, saved = excluded.saved
