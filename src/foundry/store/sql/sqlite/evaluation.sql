-- name: save_question
INSERT INTO eval_questions (key, set_name, record) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET set_name = excluded.set_name, record = excluded.record

-- name: list_questions
-- A source that is not in the project may have been secret: only the highest role sees such questions.
SELECT record FROM eval_questions q WHERE (:set_name IS NULL OR set_name = :set_name)
  AND (:level = 3 OR NOT EXISTS (
    SELECT 1 FROM json_each(q.record, '$.expected') place WHERE NOT EXISTS (
      SELECT 1 FROM sources s WHERE s.path = place.value ->> '$.source' AND s.level <= :level)))
ORDER BY set_name, key

-- name: remove_questions
DELETE FROM eval_questions WHERE key IN (SELECT value FROM json_each(?))

-- name: visible_run
-- A run of an earlier version has no role: it may have asked about everything.
coalesce(r.record ->> '$.role', 'secret') IN (SELECT value FROM json_each(:roles))

-- name: start_eval
-- Each role counts its own runs: a gap in the numbers would show that a higher role made some.
INSERT INTO eval_runs (id, name, record)
SELECT coalesce(max(id), :base) + 1, :name, :record FROM eval_runs
WHERE id > :base AND id < :base + :room RETURNING id

-- name: update_eval
UPDATE eval_runs AS r SET name = :name, record = :record WHERE id = :id AND {visible}

-- name: find_eval
SELECT id, record FROM eval_runs r
WHERE (CAST(id AS TEXT) = :key OR name = :key) AND {visible}
ORDER BY CAST(id AS TEXT) = :key DESC, id DESC LIMIT 1

-- name: list_evals
SELECT id, record FROM eval_runs r WHERE {visible} ORDER BY id DESC

-- name: remove_eval
DELETE FROM eval_runs AS r WHERE id = :id AND {visible}

-- name: save_eval_result
INSERT INTO eval_results (run, question, record) VALUES (?, ?, ?)
ON CONFLICT (run, question) DO UPDATE SET record = excluded.record

-- name: eval_results
SELECT e.record FROM eval_results e JOIN eval_runs r ON r.id = e.run
WHERE e.run = :id AND {visible} ORDER BY e.question

-- name: save_feedback
INSERT INTO feedback (query_id, correct, note, time, kind)
VALUES (:query_id, :correct, :note, :time, :kind)

-- name: find_feedback
SELECT query_id, correct, note, time, kind FROM feedback
WHERE query_id = :id AND EXISTS (SELECT 1 FROM query_log WHERE id = :id AND {visible})
ORDER BY id DESC LIMIT 1

-- name: list_feedback
SELECT query_id, correct, note, time, kind FROM feedback ORDER BY id

-- name: save_fitted
INSERT INTO fitted_constants (model, record) VALUES (?, ?)
ON CONFLICT (model) DO UPDATE SET record = excluded.record

-- name: find_fitted
SELECT record FROM fitted_constants WHERE model = ? AND ? = 3

-- name: list_fitted
-- Fitted on all sources, so only for the level that sees them all.
SELECT record FROM fitted_constants WHERE ? = 3 ORDER BY model

-- name: remove_fitted
DELETE FROM fitted_constants WHERE model = ?
