-- Requests to models and what they cost, one row for each.

CREATE TABLE model_calls (
  number            INTEGER PRIMARY KEY AUTOINCREMENT,
  moment            REAL NOT NULL,      -- seconds since 1970
  command           TEXT NOT NULL,
  model             TEXT NOT NULL,
  host              TEXT NOT NULL,
  prompt_tokens     INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  cost              REAL,               -- US dollars; NULL if the price is not known
  estimated         INTEGER NOT NULL    -- 1 before the reply, or if it has no count
) STRICT;

CREATE INDEX model_calls_by_moment ON model_calls (moment);
