"""Extraction tables: the same questions put to every source, and what people decide on the answers."""

from foundry.journeys.extraction.kept import (
    CellDecision,
    count_rows,
    export_table,
    get_table,
    iterate_rows,
    list_tables,
    remove_table,
    review_cell,
)
from foundry.journeys.extraction.run import TableRequest, run_table
