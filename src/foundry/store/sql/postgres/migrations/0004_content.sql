-- A file that was moved is found by its bytes, without a look at every source.
CREATE INDEX sources_by_content ON sources (project, content_hash);
