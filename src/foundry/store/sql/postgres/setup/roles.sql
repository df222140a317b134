-- What the application's user may do: run once as the owner of the tables, for a user who is neither
-- superuser nor owner and has no BYPASSRLS. With psql: -v app=foundry_app.
--
-- Row-level security shows this user the rows of the project that a transaction names, of every table:
-- foundry.projects has one row for it. The server's own catalogue shows the ids of all projects to
-- everybody, in the bounds of their partitions: an id is a random name, not a secret.

GRANT USAGE ON SCHEMA foundry TO :app;
GRANT SELECT ON foundry.schema_version, foundry.projects TO :app;
GRANT USAGE ON SEQUENCE foundry.row_numbers TO :app;
GRANT SELECT, INSERT, UPDATE, DELETE ON foundry.sources, foundry.source_texts,
  foundry.heading_paths, foundry.blocks, foundry.source_summaries, foundry.abbreviations,
  foundry.chunks, foundry.chunk_terms, foundry.segments, foundry.postings, foundry.moved_sources, foundry.source_statistics,
  foundry.vector_indexes, foundry.window_vectors, foundry.spare_vectors, foundry.ingest_runs,
  foundry.unread_files, foundry.query_log, foundry.feedback, foundry.drafts,
  foundry.draft_sections, foundry.eval_questions, foundry.eval_runs, foundry.eval_results,
  foundry.fitted_constants, foundry.model_responses, foundry.jobs, foundry.workers, foundry.tokens,
  foundry.model_calls, foundry.corrections, foundry.source_readings, foundry.source_sketches, foundry.revision_links, foundry.conversations, foundry.extraction_tables, foundry.extraction_cells, foundry.kept_texts, foundry.source_changes, foundry.project_roles TO :app;
-- Append-only; a trigger refuses changes too.
GRANT SELECT, INSERT ON foundry.audit_events TO :app;
-- The tables that were made for models and pg_textsearch; those made later get these rights at once.
-- No rights on partitions: row-level security is that of the tables above them.
SELECT foundry.copy_grants();
