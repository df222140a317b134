-- name: list_sources
SELECT s.*, (SELECT count(*) FROM chunks c WHERE /*pg c.project = :project AND*/ c.source = s.rowid) AS chunks
FROM sources s WHERE /*pg s.project = :project AND*/ s.level <= ?1 ORDER BY s.path

-- name: select_sources
SELECT s.*, (SELECT count(*) FROM chunks c WHERE /*pg c.project = :project AND*/ c.source = s.rowid) AS chunks
FROM sources s WHERE /*pg s.project = :project AND*/ s.rowid IN ({visible}) ORDER BY s.path

-- name: outline_sources
SELECT s.id, s.path, s.title, s.type, s.confidentiality, s.revision, s.dated, s.size, s.pages, s.modified,
  s.ingested, s.content_hash, s.warnings <> '[]', s.tags, s.copies,
  CASE WHEN s.facts LIKE '%"status"%' THEN s.facts END
FROM sources s WHERE /*pg s.project = :project AND*/ s.rowid IN ({visible})

-- name: count_facets
-- How many sources have the same values; a folder is a path without what follows its last slash.
SELECT s.type, s.tags, s.confidentiality, substr(s.dated, 1, 4), s.revision,
  rtrim(s.path, replace(s.path, '/', '')), count(*)
FROM sources s WHERE /*pg s.project = :project AND*/ s.rowid IN ({visible})
GROUP BY 1, 2, 3, 4, 5, 6

-- name: source_states
SELECT id, content_hash, recipe FROM sources WHERE /*pg project = :project AND*/ level <= ?1 ORDER BY id

-- name: all_sources
SELECT rowid FROM sources WHERE /*pg project = :project AND*/ level <= :level

-- name: sources_under
-- A path and what is below it: '0' follows '/'.
SELECT s.*, (SELECT count(*) FROM chunks c WHERE /*pg c.project = :project AND*/ c.source = s.rowid) AS chunks
FROM sources s WHERE /*pg s.project = :project AND*/ s.level <= :level
  AND (s.path = :under OR (s.path > :under || '/' AND s.path < :under || '0')) ORDER BY s.path

-- name: sources_by_content
SELECT s.*, (SELECT count(*) FROM chunks c WHERE /*pg c.project = :project AND*/ c.source = s.rowid) AS chunks
FROM sources s WHERE /*pg s.project = :project AND*/ s.content_hash = :hash AND s.level <= :level ORDER BY s.path

-- name: find_source
SELECT s.*, (SELECT count(*) FROM chunks c WHERE /*pg c.project = :project AND*/ c.source = s.rowid) AS chunks
FROM sources s WHERE /*pg s.project = :project AND*/ (s.id = :key OR s.path = :key) AND s.level <= :level
ORDER BY /*pg (*/ s.id = :key /*pg )*/ DESC LIMIT 1

-- name: find_copy (sqlite)
-- The plus has the index of sources with copies win over that by level.
SELECT s.*, (SELECT count(*) FROM chunks c WHERE c.source = s.rowid) AS chunks
FROM sources s WHERE s.copies <> '[]' AND +s.level <= :level
  AND EXISTS (SELECT 1 FROM json_each(s.copies) j WHERE j.value = :key)

-- name: find_copy (postgres)
SELECT s.*, (SELECT count(*) FROM chunks c WHERE c.project = :project AND c.source = s.rowid) AS chunks
FROM sources s WHERE s.project = :project AND s.copies <> '[]' AND s.level <= :level
  AND s.copies::jsonb ? :key

-- name: sources_by_id (sqlite)
SELECT s.*, (SELECT count(*) FROM chunks c WHERE c.source = s.rowid) AS chunks
FROM sources s WHERE s.id IN (SELECT value FROM json_each(?1)) AND s.level <= ?2

-- name: sources_by_id (postgres)
SELECT s.*, (SELECT count(*) FROM chunks c WHERE c.project = :project AND c.source = s.rowid) AS chunks
FROM sources s
WHERE s.project = :project AND s.id = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb))) AND s.level <= ?2

-- name: source_rowid
SELECT rowid FROM sources WHERE /*pg project = :project AND*/ id = ?1 AND level <= ?2

-- name: source_about
SELECT about FROM sources WHERE /*pg project = :project AND*/ rowid = ?1

-- name: put_source (sqlite)
INSERT INTO sources (id, path, content_hash, title, type, language, size, modified, ingested, pages,
  tags, confidentiality, level, revision, revision_date, dated, names, facts, about,
  warnings, recipe, copies, chain, chain_place)
VALUES (:id, :path, :content_hash, :title, :type, :language, :size, :modified, :ingested, :pages,
  :tags, :confidentiality, :level, :revision, :revision_date, :dated, :names, :facts, :about,
  :warnings, :recipe, :copies, :chain, :chain_place)
ON CONFLICT (id) DO UPDATE SET path = :path, content_hash = :content_hash, title = :title,
  type = :type, language = :language, size = :size, modified = :modified, ingested = :ingested,
  pages = :pages, tags = :tags, confidentiality = :confidentiality, level = :level,
  revision = :revision, revision_date = :revision_date, dated = :dated, names = :names,
  facts = :facts, about = :about, warnings = :warnings, recipe = :recipe, copies = :copies, chain = :chain,
  chain_place = :chain_place
RETURNING rowid

-- name: put_source (postgres)
INSERT INTO sources (project, id, path, content_hash, title, type, language, size, modified, ingested,
  pages, tags, confidentiality, level, revision, revision_date, dated, names, facts, about, warnings, recipe,
  copies, chain, chain_place)
VALUES (:project, :id, :path, :content_hash, :title, :type, :language, :size, :modified, :ingested,
  :pages, :tags, :confidentiality, :level, :revision, :revision_date, :dated, :names, :facts, :about,
  :warnings, :recipe, :copies, :chain, :chain_place)
ON CONFLICT (project, id) DO UPDATE SET path = excluded.path, content_hash = excluded.content_hash,
  title = excluded.title, type = excluded.type, language = excluded.language, size = excluded.size,
  modified = excluded.modified, ingested = excluded.ingested, pages = excluded.pages,
  tags = excluded.tags, confidentiality = excluded.confidentiality, level = excluded.level,
  revision = excluded.revision, revision_date = excluded.revision_date, dated = excluded.dated,
  names = excluded.names, facts = excluded.facts, about = excluded.about, warnings = excluded.warnings,
  recipe = excluded.recipe, copies = excluded.copies, chain = excluded.chain,
  chain_place = excluded.chain_place
RETURNING rowid

-- name: delete_source
DELETE FROM sources WHERE /*pg project = :project AND*/ rowid = ?1

-- name: clear_text
DELETE FROM source_texts WHERE /*pg project = :project AND*/ source = ?1

-- name: clear_heading_paths
DELETE FROM heading_paths WHERE /*pg project = :project AND*/ source = ?1

-- name: clear_blocks
DELETE FROM blocks WHERE /*pg project = :project AND*/ source = ?1

-- name: add_text (sqlite)
INSERT INTO source_texts (source, segment, text) VALUES (?1, ?2, pack(?3))

-- name: add_text (postgres)
INSERT INTO source_texts (project, source, segment, text) VALUES (:project, ?1, ?2, ?3)

-- name: add_heading_path
INSERT INTO heading_paths (/*pg project,*/ source, number, path) VALUES (/*pg :project,*/ ?1, ?2, ?3)

-- name: add_block
INSERT INTO blocks (/*pg project,*/ source, position, kind, char_start, char_end, heading, level, page, page_label,
  x0, y0, x1, y1, time_start, time_end, speaker, table_cells,
  recognition, corrections)
VALUES (/*pg :project,*/ ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)

-- name: text_segments (sqlite)
SELECT unpack(text) FROM source_texts WHERE source = ?1 AND segment BETWEEN ?2 AND ?3 ORDER BY segment

-- name: text_segments (postgres)
SELECT text FROM source_texts WHERE project = :project AND source = ?1 AND segment BETWEEN ?2 AND ?3 ORDER BY segment

-- name: text_spans (sqlite)
-- The part that each stored segment has of each span: [source, start, end].
SELECT w.key, substr(unpack(t.text),
  max(w.value ->> 1 - t.segment * :segment, 0) + 1,
  w.value ->> 2 - max(w.value ->> 1, t.segment * :segment))
FROM json_each(:spans) w CROSS JOIN source_texts t
WHERE t.source = w.value ->> 0
  AND t.segment BETWEEN (w.value ->> 1) / :segment AND (w.value ->> 2) / :segment
  AND w.value ->> 2 > max(w.value ->> 1, t.segment * :segment)
ORDER BY w.key, t.segment

-- name: text_spans (postgres)
-- The part that each stored segment has of each span: [source, start, end]. OFFSET 0 has each span
-- looked up by key; the planner would read all texts, because it takes a list for a long one.
SELECT (w.key - 1)::integer, substr(t.text,
  (greatest(w.first - t.segment * :segment::bigint, 0) + 1)::integer,
  (w.last - greatest(w.first, t.segment * :segment::bigint))::integer)
FROM (
  SELECT e.key, (e.value ->> 0)::bigint AS source, (e.value ->> 1)::bigint AS first,
    (e.value ->> 2)::bigint AS last
  FROM jsonb_array_elements(:spans::jsonb) WITH ORDINALITY AS e (value, key)) w
CROSS JOIN LATERAL (
  SELECT x.segment, x.text FROM source_texts x WHERE x.project = :project AND x.source = w.source
    AND x.segment BETWEEN w.first / :segment::bigint AND w.last / :segment::bigint OFFSET 0) t
WHERE w.last > greatest(w.first, t.segment * :segment::bigint)
ORDER BY w.key, t.segment

-- name: block_ranges (sqlite)
-- The blocks of each range of positions: [source, first, one after the last].
SELECT w.key, b.kind, b.char_start, b.char_end, h.path, b.level, b.page, b.page_label,
  b.x0, b.y0, b.x1, b.y1, b.time_start, b.time_end, b.speaker, b.table_cells,
  b.recognition, b.corrections
FROM json_each(?1) w CROSS JOIN blocks b
LEFT JOIN heading_paths h ON h.source = b.source AND h.number = b.heading
WHERE b.source = w.value ->> 0
  AND b.position >= w.value ->> 1 AND b.position < w.value ->> 2
ORDER BY w.key, b.position

-- name: block_ranges (postgres)
-- The blocks of each range of positions: [source, first, one after the last]; OFFSET 0 as above.
SELECT (w.key - 1)::integer, b.kind, b.char_start, b.char_end, b.path, b.level, b.page, b.page_label,
  b.x0, b.y0, b.x1, b.y1, b.time_start, b.time_end, b.speaker, b.table_cells, b.recognition,
  b.corrections
FROM jsonb_array_elements(?1::jsonb) WITH ORDINALITY AS w (value, key)
CROSS JOIN LATERAL (
  SELECT k.*, h.path FROM blocks k
  LEFT JOIN heading_paths h ON h.project = :project AND h.source = k.source AND h.number = k.heading
  WHERE k.project = :project AND k.source = (w.value ->> 0)::bigint
    AND k.position >= (w.value ->> 1)::bigint AND k.position < (w.value ->> 2)::bigint OFFSET 0) b
ORDER BY w.key, b.position

-- name: blocks_between
SELECT b.kind, b.char_start, b.char_end, h.path, b.level, b.page, b.page_label,
  b.x0, b.y0, b.x1, b.y1, b.time_start, b.time_end, b.speaker, b.table_cells,
  b.recognition, b.corrections
FROM blocks b LEFT JOIN heading_paths h ON /*pg h.project = :project AND*/ h.source = b.source AND h.number = b.heading
WHERE /*pg b.project = :project AND*/ b.source = ?1 AND b.position >= ?2 AND b.position < ?3
ORDER BY b.position

-- name: put_summary
INSERT INTO source_summaries (/*pg project,*/ source, text, model) VALUES (/*pg :project,*/ ?1, ?2, ?3)
ON CONFLICT (/*pg project,*/ source) DO UPDATE SET text = excluded.text, model = excluded.model

-- name: summaries (sqlite)
SELECT s.id, y.text, y.model FROM source_summaries y JOIN sources s ON s.rowid = y.source
WHERE s.id IN (SELECT value FROM json_each(?1)) AND s.level <= ?2

-- name: summaries (postgres)
SELECT s.id, y.text, y.model
FROM source_summaries y JOIN sources s ON s.project = :project AND s.rowid = y.source
WHERE y.project = :project AND s.id = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb))) AND s.level <= ?2

-- name: abbreviations (sqlite)
SELECT DISTINCT a.key, a.other FROM json_each(:keys) j
CROSS JOIN abbreviations a ON a.key = j.value
JOIN sources s ON s.rowid = a.source AND s.level <= :level
ORDER BY a.key, a.other

-- name: abbreviations (postgres)
SELECT DISTINCT a.key, a.other FROM abbreviations a
JOIN sources s ON s.project = :project AND s.rowid = a.source AND s.level <= :level
WHERE a.project = :project AND a.key = ANY (ARRAY(SELECT jsonb_array_elements_text(:keys::jsonb)))
ORDER BY a.key, a.other

-- name: labels
SELECT about FROM sources WHERE /*pg project = :project AND*/ level <= ?1 ORDER BY path
