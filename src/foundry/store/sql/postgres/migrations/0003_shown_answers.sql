-- What a reader saw of an answer: JSON object, or NULL.
ALTER TABLE query_log ADD COLUMN shown text;
