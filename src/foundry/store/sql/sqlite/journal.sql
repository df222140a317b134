-- name: interrupt_runs
UPDATE ingest_runs SET status = 'interrupted' WHERE status = 'running'

-- name: start_run
INSERT INTO ingest_runs (started, status, details) VALUES (?, 'running', ?) RETURNING id

-- name: finish_run
UPDATE ingest_runs SET finished = ?, status = 'finished', report = ? WHERE id = ?

-- name: log_query
INSERT INTO query_log (id, time, moment, kind, query, rewritten, role, agent, verdict, gate_score,
  chunks, models, answer, attribution_coverage, shown_coverage, timings_ms, usage, error)
VALUES (:id, :time, :moment, :kind, :query, :rewritten, :role, :agent, :verdict, :gate_score,
  :chunks, :models, :answer, :attribution_coverage, :shown_coverage, :timings_ms, :usage, :error)

-- name: list_queries
SELECT * FROM query_log ORDER BY moment DESC, number DESC LIMIT ?

-- name: find_query
SELECT * FROM query_log WHERE id = ?

-- name: prune_log
DELETE FROM query_log WHERE moment < ?

-- name: find_response
SELECT reply FROM model_responses WHERE key = ?

-- name: save_response
INSERT INTO model_responses (key, model, reply, saved) VALUES (?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET model = excluded.model, reply = excluded.reply,
  saved = excluded.saved
