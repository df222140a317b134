-- A table's title, unit, header and cells with their labels, as JSON (see store/rows.py).
ALTER TABLE blocks ADD COLUMN table_cells TEXT;
