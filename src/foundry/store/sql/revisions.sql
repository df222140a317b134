-- name: set_chain
UPDATE sources SET chain = ?1, chain_place = ?2 WHERE /*pg project = :project AND*/ id = ?3

-- name: chained_sources
-- The sources of one chain, or of all.
SELECT s.*, (SELECT count(*) FROM chunks c WHERE /*pg c.project = :project AND*/ c.source = s.rowid) AS chunks
FROM sources s WHERE /*pg s.project = :project AND*/ s.chain <> '' AND (:chain = '' OR s.chain = :chain)
  AND s.level <= :level
ORDER BY s.path

-- name: superseded
-- Each source of which the level sees a later revision, and the latest.
SELECT path, latest FROM (
  SELECT path, chain_place,
    max(chain_place) OVER (PARTITION BY chain) AS last_place,
    first_value(path) OVER (PARTITION BY chain ORDER BY chain_place DESC, path) AS latest
  FROM sources WHERE /*pg project = :project AND*/ chain <> '' AND level <= ?1) AS seen
WHERE chain_place < last_place
ORDER BY path

-- name: put_sketch
INSERT INTO source_sketches (/*pg project,*/ source, sketch) VALUES (/*pg :project,*/ ?1, ?2)
ON CONFLICT (/*pg project,*/ source) DO UPDATE SET sketch = excluded.sketch

-- name: list_sketches (sqlite)
SELECT s.id, k.sketch FROM source_sketches k JOIN sources s ON s.rowid = k.source
WHERE s.level <= ?1 AND (?2 IS NULL OR s.id IN (SELECT value FROM json_each(?2)))

-- name: list_sketches (postgres)
SELECT s.id, k.sketch FROM source_sketches k JOIN sources s ON s.project = :project AND s.rowid = k.source
WHERE k.project = :project AND s.level <= ?1 AND (?2::jsonb IS NULL OR ?2::jsonb ? s.id)

-- name: sources_without_sketch
SELECT s.id FROM sources s WHERE /*pg s.project = :project AND*/ NOT EXISTS (
  SELECT 1 FROM source_sketches k WHERE /*pg k.project = :project AND*/ k.source = s.rowid)

-- name: put_revision_link
INSERT INTO revision_links (/*pg project,*/ newer, older, record) VALUES (/*pg :project,*/ ?1, ?2, ?3)
ON CONFLICT (/*pg project,*/ newer, older) DO UPDATE SET record = excluded.record

-- name: remove_revision_link
DELETE FROM revision_links WHERE /*pg project = :project AND*/ newer = ?1 AND older = ?2

-- name: list_revision_links
SELECT r.record FROM revision_links r
JOIN sources n ON /*pg n.project = :project AND*/ n.path = r.newer AND n.level <= ?1
JOIN sources o ON /*pg o.project = :project AND*/ o.path = r.older AND o.level <= ?1
/*pg WHERE r.project = :project*/
ORDER BY r.newer, r.older
