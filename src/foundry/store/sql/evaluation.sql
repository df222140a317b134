-- name: save_question
INSERT INTO eval_questions (/*pg project,*/ key, set_name, record) VALUES (/*pg :project,*/ ?1, ?2, ?3)
ON CONFLICT (/*pg project,*/ key) DO UPDATE SET set_name = excluded.set_name, record = excluded.record

-- name: list_questions (sqlite)
-- A source that is not in the project may have been secret: only the highest role sees such questions.
SELECT record FROM eval_questions q WHERE (:set_name IS NULL OR set_name = :set_name)
  AND (:level = 3 OR NOT EXISTS (
    SELECT 1 FROM json_each(q.record, '$.expected') place WHERE NOT EXISTS (
      SELECT 1 FROM sources s WHERE s.path = place.value ->> '$.source' AND s.level <= :level)))
ORDER BY set_name, key

-- name: list_questions (postgres)
-- A source that is not in the project may have been secret: only the highest role sees such questions.
SELECT record FROM eval_questions q
WHERE q.project = :project AND (:set_name::text IS NULL OR set_name = :set_name::text)
  AND (:level = 3 OR NOT EXISTS (
    SELECT 1 FROM jsonb_array_elements(q.record::jsonb -> 'expected') place WHERE NOT EXISTS (
      SELECT 1 FROM sources s WHERE s.project = :project
        AND s.path = place.value ->> 'source' AND s.level <= :level)))
ORDER BY set_name, key

-- name: remove_questions (sqlite)
DELETE FROM eval_questions WHERE key IN (SELECT value FROM json_each(?1))

-- name: remove_questions (postgres)
DELETE FROM eval_questions
WHERE project = :project AND key = ANY (ARRAY(SELECT jsonb_array_elements_text(?1::jsonb)))

-- name: visible_run (sqlite)
-- A run of an earlier version has no role: it may have asked about everything.
coalesce(r.record ->> '$.role', 'secret') IN (SELECT value FROM json_each(:roles))

-- name: visible_run (postgres)
-- A run of an earlier version has no role: it may have asked about everything.
r.project = :project AND :roles::jsonb ? coalesce(r.record::jsonb ->> 'role', 'secret')

-- name: start_eval
-- Each role counts its own runs: a gap in the numbers would show that a higher role made some.
INSERT INTO eval_runs (/*pg project,*/ id, name, record)
SELECT /*pg :project,*/ coalesce(max(id), :base/*pg ::bigint*/) + 1, :name, :record FROM eval_runs
WHERE /*pg project = :project AND*/ id > :base/*pg ::bigint*/ AND id < :base/*pg ::bigint*/ + :room/*pg ::bigint*/ RETURNING id

-- name: update_eval
UPDATE eval_runs AS r SET name = :name, record = :record WHERE id = :id AND {visible}

-- name: find_eval (sqlite)
SELECT id, record FROM eval_runs r
WHERE (CAST(id AS TEXT) = :key OR name = :key) AND {visible}
ORDER BY CAST(id AS TEXT) = :key DESC, id DESC LIMIT 1

-- name: find_eval (postgres)
SELECT id, record FROM eval_runs r WHERE (id::text = :key OR name = :key) AND {visible}
ORDER BY (id::text = :key) DESC, id DESC LIMIT 1

-- name: list_evals
SELECT id, record FROM eval_runs r WHERE {visible} ORDER BY id DESC

-- name: remove_eval
DELETE FROM eval_runs AS r WHERE id = :id AND {visible}

-- name: save_eval_result
INSERT INTO eval_results (/*pg project,*/ run, question, record) VALUES (/*pg :project,*/ ?1, ?2, ?3)
ON CONFLICT (/*pg project,*/ run, question) DO UPDATE SET record = excluded.record

-- name: eval_results
SELECT e.record FROM eval_results e JOIN eval_runs r ON /*pg r.project = :project AND*/ r.id = e.run
WHERE /*pg e.project = :project AND*/ e.run = :id AND {visible} ORDER BY e.question

-- name: save_feedback
INSERT INTO feedback (/*pg project,*/ query_id, correct, note, time, kind)
VALUES (/*pg :project,*/ :query_id, :correct, :note, :time, :kind)

-- name: find_feedback
SELECT query_id, correct, note, time, kind FROM feedback
WHERE /*pg project = :project AND*/ query_id = :id AND EXISTS (SELECT 1 FROM query_log WHERE id = :id AND {visible})
ORDER BY id DESC LIMIT 1

-- name: list_feedback
SELECT query_id, correct, note, time, kind FROM feedback /*pg WHERE project = :project*/ ORDER BY id

-- name: save_fitted
INSERT INTO fitted_constants (/*pg project,*/ model, record) VALUES (/*pg :project,*/ ?1, ?2)
ON CONFLICT (/*pg project,*/ model) DO UPDATE SET record = excluded.record

-- name: find_fitted
SELECT record FROM fitted_constants WHERE /*pg project = :project AND*/ model = ?1 AND ?2 = 3

-- name: list_fitted
-- Fitted on all sources, so only for the level that sees them all.
SELECT record FROM fitted_constants WHERE /*pg project = :project AND*/ ?1 = 3 ORDER BY model

-- name: remove_fitted
DELETE FROM fitted_constants WHERE /*pg project = :project AND*/ model = ?1
