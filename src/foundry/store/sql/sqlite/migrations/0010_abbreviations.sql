-- Abbreviations and what sources say they are short for, in both directions: a question may have one
-- and the text the other. Keys are in lower case. Filled from the names of each source.

CREATE TABLE abbreviations (
  source INTEGER NOT NULL REFERENCES sources (rowid) ON DELETE CASCADE,
  key    TEXT NOT NULL,
  other  TEXT NOT NULL,
  PRIMARY KEY (key, source, other)
) STRICT, WITHOUT ROWID;

CREATE INDEX abbreviations_by_source ON abbreviations (source);

CREATE TRIGGER abbreviations_added AFTER INSERT ON sources BEGIN
  INSERT OR IGNORE INTO abbreviations
  SELECT NEW.rowid, lower(a.value), n.value ->> 'name'
  FROM json_each(NEW.names) n, json_each(n.value -> 'aliases') a
  WHERE n.value ->> 'kind' = 'abbreviation'
  UNION SELECT NEW.rowid, lower(n.value ->> 'name'), a.value
  FROM json_each(NEW.names) n, json_each(n.value -> 'aliases') a
  WHERE n.value ->> 'kind' = 'abbreviation';
END;

CREATE TRIGGER abbreviations_changed AFTER UPDATE OF names ON sources BEGIN
  DELETE FROM abbreviations WHERE source = NEW.rowid;
  INSERT OR IGNORE INTO abbreviations
  SELECT NEW.rowid, lower(a.value), n.value ->> 'name'
  FROM json_each(NEW.names) n, json_each(n.value -> 'aliases') a
  WHERE n.value ->> 'kind' = 'abbreviation'
  UNION SELECT NEW.rowid, lower(n.value ->> 'name'), a.value
  FROM json_each(NEW.names) n, json_each(n.value -> 'aliases') a
  WHERE n.value ->> 'kind' = 'abbreviation';
END;

-- Fires the trigger for the sources that are there.
UPDATE sources SET names = names;
