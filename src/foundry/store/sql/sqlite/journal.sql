-- name: interrupt_runs
UPDATE ingest_runs SET status = 'interrupted' WHERE status = 'running'

-- name: start_run
INSERT INTO ingest_runs (started, status, details) VALUES (?, 'running', ?) RETURNING id

-- name: finish_run
UPDATE ingest_runs SET finished = ?, status = 'finished', report = ? WHERE id = ?

-- name: save_unread
INSERT OR REPLACE INTO unread_files (path, level, record) VALUES (?, ?, ?)

-- name: remove_unread
DELETE FROM unread_files WHERE path = ?

-- name: list_unread
SELECT record FROM unread_files WHERE level <= ? ORDER BY path

-- name: unread_under
SELECT record FROM unread_files WHERE level <= :level
  AND (path = :under OR (path > :under || '/' AND path < :under || '0')) ORDER BY path

-- name: visible_query
-- A run may ask as a lower role what a higher one wrote: its rows are for the highest role.
role IN (SELECT value FROM json_each(:roles)) AND (kind <> 'eval' OR :level = 3)

-- name: log_query
INSERT INTO query_log (id, time, moment, project, kind, query, rewritten, role, agent, verdict,
  gate_score, chunks, models, profile, answer, attribution_coverage, shown_coverage, checks, changes,
  timings_ms, usage, error, shown)
VALUES (:id, :time, :moment, :project, :kind, :query, :rewritten, :role, :agent, :verdict,
  :gate_score, :chunks, :models, :profile, :answer, :attribution_coverage, :shown_coverage, :checks,
  :changes, :timings_ms, :usage, :error, :shown)

-- name: list_queries
SELECT * FROM query_log
WHERE {visible}
  AND (:kind IS NULL OR kind = :kind) AND (:without IS NULL OR kind <> :without)
  AND (:verdict IS NULL OR verdict = :verdict OR (:verdict = 'error' AND error IS NOT NULL))
  AND (:since IS NULL OR moment >= :since)
-- A clock may go back; the numbers do not.
ORDER BY number DESC LIMIT :limit

-- name: query_figures
SELECT moment, kind, verdict, error IS NOT NULL, attribution_coverage, checks,
  json_extract(timings_ms, '$.total'),
  json_extract(usage, '$.prompt_tokens') + json_extract(usage, '$.completion_tokens'),
  json_extract(usage, '$.cost'),
  json_extract(models, '$.generator')
FROM query_log
WHERE {visible}
  AND (:since IS NULL OR moment >= :since) AND (:until IS NULL OR moment < :until)
ORDER BY number

-- name: find_query
SELECT * FROM query_log WHERE id = :id AND {visible}

-- name: prune_log
DELETE FROM query_log WHERE moment < ?

-- name: find_response
SELECT reply FROM model_responses WHERE key = ?

-- name: save_response
INSERT INTO model_responses (key, model, reply, saved) VALUES (?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET model = excluded.model, reply = excluded.reply,
  saved = excluded.saved

-- name: save_call
INSERT INTO model_calls (moment, command, model, host, prompt_tokens, completion_tokens, cost, estimated)
VALUES (:moment, :command, :model, :host, :prompt_tokens, :completion_tokens, :cost, :estimated)
RETURNING number

-- name: settle_call
UPDATE model_calls SET prompt_tokens = :prompt_tokens, completion_tokens = :completion_tokens,
  cost = :cost, estimated = :estimated
WHERE number = :number

-- name: sum_calls
-- By quarters of an hour, by which the zones of the world differ.
SELECT CAST(moment / 900 AS INTEGER) AS quarter, command, model, count(*), sum(prompt_tokens),
  sum(completion_tokens), sum(cost), sum(cost IS NULL)
FROM model_calls
WHERE (:since IS NULL OR moment >= :since) AND (:until IS NULL OR moment < :until)
GROUP BY quarter, command, model ORDER BY quarter, command, model
