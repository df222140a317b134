-- What searches ask for, where it is not the model: a rebuild writes beside the index in use, and
-- takes its name at the end.
ALTER TABLE vector_indexes ADD COLUMN name TEXT;
