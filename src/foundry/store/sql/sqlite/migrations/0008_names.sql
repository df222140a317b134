-- The names that a source is about or defines, as JSON (see store/rows.py).
ALTER TABLE sources ADD COLUMN names TEXT NOT NULL DEFAULT '[]';

-- What the text index has of a source in each of its chunks: title, file name and names.
ALTER TABLE sources ADD COLUMN about TEXT NOT NULL DEFAULT '';

UPDATE sources SET about = title;
