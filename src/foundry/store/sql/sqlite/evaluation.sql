-- name: save_question
INSERT INTO eval_questions (key, set_name, record) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET set_name = excluded.set_name, record = excluded.record

-- name: list_questions
SELECT record FROM eval_questions WHERE :set_name IS NULL OR set_name = :set_name
ORDER BY set_name, key

-- name: remove_questions
DELETE FROM eval_questions WHERE key IN (SELECT value FROM json_each(?))

-- name: start_eval
INSERT INTO eval_runs (name, record) VALUES (?, ?) RETURNING id

-- name: update_eval
UPDATE eval_runs SET name = ?, record = ? WHERE id = ?

-- name: find_eval
SELECT id, record FROM eval_runs WHERE CAST(id AS TEXT) = :key OR name = :key
ORDER BY CAST(id AS TEXT) = :key DESC, id DESC LIMIT 1

-- name: list_evals
SELECT id, record FROM eval_runs ORDER BY id DESC

-- name: remove_eval
DELETE FROM eval_runs WHERE id = ?

-- name: save_eval_result
INSERT INTO eval_results (run, question, record) VALUES (?, ?, ?)
ON CONFLICT (run, question) DO UPDATE SET record = excluded.record

-- name: eval_results
SELECT record FROM eval_results WHERE run = ? ORDER BY question

-- name: save_feedback
INSERT INTO feedback (query_id, correct, note, time) VALUES (?, ?, ?, ?)

-- name: list_feedback
SELECT query_id, correct, note, time FROM feedback ORDER BY id

-- name: save_fitted
INSERT INTO fitted_constants (model, record) VALUES (?, ?)
ON CONFLICT (model) DO UPDATE SET record = excluded.record

-- name: find_fitted
SELECT record FROM fitted_constants WHERE model = ?

-- name: list_fitted
SELECT record FROM fitted_constants ORDER BY model

-- name: remove_fitted
DELETE FROM fitted_constants WHERE model = ?
