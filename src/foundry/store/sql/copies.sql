-- name: count_rows
SELECT count(*) FROM {table} /*pg WHERE project = :project*/

-- name: read_rows
SELECT {columns} FROM {table} /*pg WHERE project = :project*/ ORDER BY {order}

-- name: add_row
INSERT INTO {table} (/*pg project,*/ {columns}) VALUES (/*pg :project,*/ {places})
