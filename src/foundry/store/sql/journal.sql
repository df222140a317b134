-- name: interrupt_runs
UPDATE ingest_runs SET status = 'interrupted' WHERE /*pg project = :project AND*/ status = 'running'

-- name: start_run
INSERT INTO ingest_runs (/*pg project,*/ started, status, details) VALUES (/*pg :project,*/ ?1, 'running', ?2) RETURNING id

-- name: finish_run
UPDATE ingest_runs SET finished = ?1, status = 'finished', report = ?2 WHERE /*pg project = :project AND*/ id = ?3

-- name: remove_runs_like
DELETE FROM ingest_runs WHERE /*pg project = :project AND*/ details = ?1

-- name: add_finished_run
INSERT INTO ingest_runs (/*pg project,*/ started, finished, status, details, report)
VALUES (/*pg :project,*/ ?1, ?2, 'finished', ?3, ?4)

-- name: last_report_like
SELECT report FROM ingest_runs WHERE /*pg project = :project AND*/ details = ?1 ORDER BY id DESC LIMIT 1

-- name: save_unread (sqlite)
INSERT OR REPLACE INTO unread_files (path, level, record) VALUES (?1, ?2, ?3)

-- name: save_unread (postgres)
INSERT INTO unread_files (project, path, level, record) VALUES (:project, ?1, ?2, ?3)
ON CONFLICT (project, path) DO UPDATE SET level = excluded.level, record = excluded.record

-- name: remove_unread
DELETE FROM unread_files WHERE /*pg project = :project AND*/ path = ?1

-- name: list_unread
SELECT record FROM unread_files WHERE /*pg project = :project AND*/ level <= ?1 ORDER BY path

-- name: unread_under
SELECT record FROM unread_files WHERE /*pg project = :project AND*/ level <= :level
  AND (path = :under OR (path > :under || '/' AND path < :under || '0')) ORDER BY path

-- name: visible_query (sqlite)
-- A run may ask as a lower role what a higher one wrote: its rows are for the highest role.
role IN (SELECT value FROM json_each(:roles)) AND (kind <> 'eval' OR :level = 3)

-- name: visible_query (postgres)
-- A run may ask as a lower role what a higher one wrote: its rows are for the highest role.
project = :project AND :roles::jsonb ? role AND (kind <> 'eval' OR :level = 3)

-- name: log_query (sqlite)
INSERT INTO query_log (id, time, moment, project, kind, query, rewritten, role, agent, verdict,
  gate_score, chunks, models, profile, answer, attribution_coverage, shown_coverage, checks, changes,
  timings_ms, usage, error, shown, who, conversation)
VALUES (:id, :time, :moment, :project, :kind, :query, :rewritten, :role, :agent, :verdict,
  :gate_score, :chunks, :models, :profile, :answer, :attribution_coverage, :shown_coverage, :checks,
  :changes, :timings_ms, :usage, :error, :shown, :who, :conversation)

-- name: log_query (postgres)
INSERT INTO query_log (project, id, time, moment, kind, query, rewritten, role, agent, verdict,
  gate_score, chunks, models, profile, answer, attribution_coverage, shown_coverage, checks, changes,
  timings_ms, usage, error, shown, who, conversation)
VALUES (:project, :id, :time, :moment, :kind, :query, :rewritten, :role, :agent, :verdict,
  :gate_score, :chunks, :models, :profile, :answer, :attribution_coverage, :shown_coverage, :checks,
  :changes, :timings_ms, :usage, :error, :shown, :who, :conversation)

-- name: list_queries (sqlite)
SELECT * FROM query_log
WHERE {visible}
  AND (:kind IS NULL OR kind = :kind) AND (:without IS NULL OR kind <> :without)
  AND (:verdict IS NULL OR verdict = :verdict OR (:verdict = 'error' AND error IS NOT NULL))
  AND (:since IS NULL OR moment >= :since)
-- A clock may go back; the numbers do not.
ORDER BY number DESC LIMIT :limit

-- name: list_queries (postgres)
SELECT * FROM query_log
WHERE {visible}
  AND (:kind::text IS NULL OR kind = :kind::text)
  AND (:without::text IS NULL OR kind <> :without::text)
  AND (:verdict::text IS NULL OR verdict = :verdict::text
    OR (:verdict::text = 'error' AND error IS NOT NULL))
  AND (:since::float8 IS NULL OR moment >= :since::float8)
-- A clock may go back; the numbers do not.
ORDER BY number DESC LIMIT :limit

-- name: list_conversations
-- Of one person's latest rows, the latest first, with all that was asked in them.
SELECT g.id, coalesce(nullif(c.title, ''), g.first, l.query) AS title, g.turns, l.moment,
  l.id AS latest, g.words
FROM (
  SELECT conversation AS id, max(number) AS number, count(*) AS turns,
    max(CASE WHEN id = conversation THEN query END) AS first, string_agg(query, ' ') AS words
  FROM query_log WHERE {visible} AND who = :who AND conversation IN (SELECT conversation FROM (
    SELECT conversation FROM query_log
    WHERE {visible} AND who = :who AND conversation IS NOT NULL ORDER BY number DESC LIMIT :rows
  ) latest) GROUP BY conversation
) g
JOIN query_log l ON /*pg l.project = :project AND*/ l.number = g.number
LEFT JOIN conversations c ON /*pg c.project = :project AND*/ c.id = g.id
WHERE coalesce(c.removed, 0) = 0 ORDER BY g.number DESC LIMIT :limit

-- name: keep_conversation
INSERT INTO conversations (/*pg project,*/ id, title, removed) VALUES (/*pg :project,*/ :id, :title, :removed)
ON CONFLICT (/*pg project,*/ id) DO UPDATE SET
  title = coalesce(nullif(excluded.title, ''), conversations.title), removed = excluded.removed

-- name: count_queries
SELECT verdict, error IS NOT NULL AS failed, count(*) AS n FROM query_log
WHERE {visible} AND kind <> 'eval' AND moment >= :since GROUP BY verdict, error IS NOT NULL

-- name: query_figures (sqlite)
SELECT moment, kind, verdict, error IS NOT NULL, attribution_coverage, checks,
  json_extract(timings_ms, '$.total'),
  json_extract(usage, '$.prompt_tokens') + json_extract(usage, '$.completion_tokens'),
  json_extract(usage, '$.cost'),
  json_extract(models, '$.generator')
FROM query_log
WHERE {visible}
  AND (:since IS NULL OR moment >= :since) AND (:until IS NULL OR moment < :until)
ORDER BY number

-- name: query_figures (postgres)
SELECT moment, kind, verdict, error IS NOT NULL, attribution_coverage, checks,
  (timings_ms::jsonb ->> 'total')::float8,
  (usage::jsonb ->> 'prompt_tokens')::bigint + (usage::jsonb ->> 'completion_tokens')::bigint,
  (usage::jsonb ->> 'cost')::float8,
  models::jsonb ->> 'generator'
FROM query_log
WHERE {visible}
  AND (:since::float8 IS NULL OR moment >= :since::float8)
  AND (:until::float8 IS NULL OR moment < :until::float8)
ORDER BY number

-- name: find_query
SELECT * FROM query_log WHERE id = :id AND {visible}

-- name: prune_log
DELETE FROM query_log WHERE /*pg project = :project AND*/ moment < ?1

-- name: prune_conversations
DELETE FROM conversations WHERE /*pg project = :project AND*/ id NOT IN (
  SELECT conversation FROM query_log WHERE /*pg project = :project AND*/ conversation IS NOT NULL)

-- name: find_response
SELECT reply FROM model_responses WHERE /*pg project = :project AND*/ key = ?1

-- name: save_response
INSERT INTO model_responses (/*pg project,*/ key, model, reply, saved) VALUES (/*pg :project,*/ ?1, ?2, ?3, ?4)
ON CONFLICT (/*pg project,*/ key) DO UPDATE SET model = excluded.model, reply = excluded.reply,
  saved = excluded.saved

-- name: save_call
INSERT INTO model_calls (/*pg project,*/ moment, command, model, host, prompt_tokens, completion_tokens, cost, estimated)
VALUES (/*pg :project,*/ :moment, :command, :model, :host, :prompt_tokens, :completion_tokens, :cost, :estimated)
RETURNING number

-- name: settle_call
UPDATE model_calls SET prompt_tokens = :prompt_tokens, completion_tokens = :completion_tokens,
  cost = :cost, estimated = :estimated
WHERE /*pg project = :project AND*/ number = :number

-- name: sum_calls (sqlite)
-- By quarters of an hour, by which the zones of the world differ.
SELECT CAST(moment / 900 AS INTEGER) AS quarter, command, model, count(*), sum(prompt_tokens),
  sum(completion_tokens), sum(cost), sum(cost IS NULL)
FROM model_calls
WHERE (:since IS NULL OR moment >= :since) AND (:until IS NULL OR moment < :until)
GROUP BY quarter, command, model ORDER BY quarter, command, model

-- name: sum_calls (postgres)
-- By quarters of an hour, by which the zones of the world differ.
SELECT floor(moment / 900)::bigint AS quarter, command, model, count(*), sum(prompt_tokens)::bigint,
  sum(completion_tokens)::bigint, sum(cost), count(*) - count(cost)
FROM model_calls
WHERE project = :project AND (:since::float8 IS NULL OR moment >= :since::float8) AND (:until::float8 IS NULL OR moment < :until::float8)
GROUP BY quarter, command, model ORDER BY quarter, command, model
