"""Tables in words: what cells say, and tables in plain texts."""

from foundry.text.tables.cells import (
    add_unit,
    describe_cell,
    describe_row,
    find_cells,
    find_lines,
    label_row,
    list_missing_lines,
    read_table_unit,
    spread_signs,
)
