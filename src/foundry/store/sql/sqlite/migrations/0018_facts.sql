-- What a source says of itself, each with its origin, as JSON (see store/rows.py).
ALTER TABLE sources ADD COLUMN facts TEXT NOT NULL DEFAULT '[]';
