-- name: enter
SELECT set_config('search_path', 'foundry, public', true), set_config('foundry.project', :project, true),
  set_config('foundry.level', :1, true), set_config('lock_timeout', '120s', true)

-- name: take_turn
SELECT pg_advisory_xact_lock(hashtextextended('foundry.write.' || :project, 0))
