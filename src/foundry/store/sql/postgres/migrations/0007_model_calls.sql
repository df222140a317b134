-- Requests to models and what they cost, one row for each.

CREATE TABLE model_calls (
  project           text COLLATE "C" NOT NULL,
  number            bigint NOT NULL DEFAULT nextval('row_numbers'),
  moment            double precision NOT NULL,
  command           text NOT NULL,
  model             text NOT NULL,
  host              text NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  cost              double precision,
  estimated         integer NOT NULL,
  PRIMARY KEY (project, number)
) PARTITION BY LIST (project);

CREATE INDEX model_calls_by_moment ON model_calls (project, moment);

SELECT protect('model_calls', NULL);

-- Adds the partitions of projects that are already there.
SELECT create_project(id) FROM projects;
