-- name: count_rows
SELECT count(*) FROM {table} WHERE project = :project

-- name: read_rows
SELECT {columns} FROM {table} WHERE project = :project ORDER BY {order}

-- name: add_row
INSERT INTO {table} (project, {columns}) VALUES (:project, {places})
