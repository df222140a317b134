-- name: chunk_states
SELECT id, rowid, terms_hash, embedded_hash FROM chunks WHERE /*pg project = :project AND*/ source = ?1/*pg ::bigint*/

-- name: add_chunk (sqlite)
INSERT INTO chunks (id, source, position, char_start, char_end, first_block, last_block, tokens,
  language, heading_path, headings, prefix, content, text_hash, terms_hash, embedded_hash, terms)
VALUES (:id, :source, :position, :char_start, :char_end, :first_block, :last_block, :tokens,
  :language, :heading_path, :headings, :prefix, :content, :text_hash, :terms_hash, :embedded_hash,
  :terms)

-- name: add_chunk (postgres)
INSERT INTO chunks (project, id, source, position, char_start, char_end, first_block, last_block, tokens,
  language, heading_path, headings, prefix, content, text_hash, terms_hash, embedded_hash, terms)
SELECT :project, r.* FROM unnest(:id::text[], :source::bigint[], :position::integer[],
  :char_start::bigint[], :char_end::bigint[], :first_block::integer[], :last_block::integer[],
  :tokens::integer[], :language::text[], :heading_path::text[], :headings::text[], :prefix::text[],
  :content::text[], :text_hash::text[], :terms_hash::text[], :embedded_hash::text[],
  :terms::integer[]) r

-- name: update_chunk
UPDATE chunks SET position = :position, char_start = :char_start, char_end = :char_end,
  first_block = :first_block, last_block = :last_block, tokens = :tokens, language = :language,
  heading_path = :heading_path, headings = :headings, prefix = :prefix, content = :content,
  text_hash = :text_hash, terms_hash = :terms_hash, embedded_hash = :embedded_hash
WHERE /*pg project = :project AND*/ rowid = :rowid

-- name: set_terms_hash
UPDATE chunks SET terms_hash = ?1 WHERE /*pg project = :project AND*/ rowid = ?2

-- name: set_prefix
UPDATE chunks SET prefix = ?1, embedded_hash = ?2 WHERE /*pg project = :project AND*/ rowid = ?3

-- name: delete_chunk
DELETE FROM chunks WHERE /*pg project = :project AND*/ rowid = ?1

-- name: chunks_by_id (sqlite)
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON s.rowid = c.source
WHERE c.id IN (SELECT value FROM json_each(?1)) AND s.level <= ?2
ORDER BY c.source, c.position

-- name: chunks_by_id (postgres)
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON s.project = :project AND s.rowid = c.source
WHERE c.project = :project AND c.id = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb))) AND s.level <= ?2
ORDER BY c.source, c.position

-- name: chunks_of_source
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON /*pg s.project = :project AND*/ s.rowid = c.source
WHERE /*pg c.project = :project AND*/ s.id = ?1 ORDER BY c.position

-- name: chunks_after
SELECT c.*, s.id AS source_id, s.about AS source_about
FROM chunks c JOIN sources s ON /*pg s.project = :project AND*/ s.rowid = c.source
WHERE /*pg c.project = :project AND*/ c.rowid > ?1 ORDER BY c.rowid LIMIT ?2

-- name: chunk_ids (sqlite)
SELECT rowid, id FROM chunks WHERE rowid IN (SELECT value FROM json_each(?1))

-- name: chunk_ids (postgres)
SELECT rowid, id FROM chunks
WHERE project = :project AND rowid = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)::bigint))

-- name: visible_sources (sqlite)
SELECT s.rowid FROM sources s
WHERE s.level <= :level
  AND (:types IS NULL OR s.type IN (SELECT value FROM json_each(:types)))
  AND (:sources IS NULL OR s.path IN (SELECT value FROM json_each(:sources))
    OR s.id IN (SELECT value FROM json_each(:sources)))
  AND (:without IS NULL OR s.path NOT IN (SELECT value FROM json_each(:without)))
  AND (:tags IS NULL OR EXISTS (
    SELECT 1 FROM json_each(s.tags) t WHERE t.value IN (SELECT value FROM json_each(:tags))))
  AND (:folders IS NULL OR EXISTS (
    SELECT 1 FROM json_each(:folders) f WHERE substr(s.path, 1, length(f.value)) = f.value))
  AND (:levels IS NULL OR s.confidentiality IN (SELECT value FROM json_each(:levels)))
  -- Dates compare at the coarser precision of the two: "2026" covers all of that year.
  AND (:date_from IS NULL
    OR substr(s.dated, 1, length(:date_from)) >= substr(:date_from, 1, length(s.dated)))
  AND (:date_to IS NULL
    OR substr(s.dated, 1, length(:date_to)) <= substr(:date_to, 1, length(s.dated)))

-- name: visible_sources (postgres)
SELECT s.rowid FROM sources s
WHERE s.project = :project AND s.level <= :level
  AND (:types::jsonb IS NULL OR :types::jsonb ? s.type)
  AND (:sources::jsonb IS NULL OR :sources::jsonb ? s.path OR :sources::jsonb ? s.id)
  AND (:without::jsonb IS NULL OR NOT :without::jsonb ? s.path)
  AND (:tags::jsonb IS NULL OR EXISTS (
    SELECT 1 FROM jsonb_array_elements_text(s.tags::jsonb) t WHERE :tags::jsonb ? t.value))
  AND (:folders::jsonb IS NULL OR EXISTS (
    SELECT 1 FROM jsonb_array_elements_text(:folders::jsonb) f WHERE starts_with(s.path, f.value)))
  AND (:levels::jsonb IS NULL OR :levels::jsonb ? s.confidentiality)
  -- Dates compare at the coarser precision of the two: "2026" covers all of that year.
  AND (:date_from::text IS NULL OR substr(s.dated, 1, length(:date_from::text))
    >= substr(:date_from::text, 1, length(s.dated)) COLLATE "C")
  AND (:date_to::text IS NULL OR substr(s.dated, 1, length(:date_to::text))
    <= substr(:date_to::text, 1, length(s.dated)) COLLATE "C")
