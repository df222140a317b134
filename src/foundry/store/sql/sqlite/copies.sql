-- name: count_rows
SELECT count(*) FROM {table}

-- name: read_rows
SELECT {columns} FROM {table} ORDER BY {order}

-- name: add_row
INSERT INTO {table} ({columns}) VALUES ({places})
