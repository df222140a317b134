"""What migrations change that SQL cannot."""

from __future__ import annotations

from foundry.store.relational.database import Transaction
from foundry.store.vector_ranking import shrink
from foundry.store.window_codes import repack_windows

WINDOW_CHANGES = {"small_windows": ("numbers", shrink), "window_codes": ("codes", repack_windows)}
"""By migration: the column of the windows, and what they become."""


def change_windows(db: Transaction, migration: str) -> None:
    """Pack a project's windows as this migration does, a thousand chunks at once."""
    column, change = WINDOW_CHANGES[migration]
    model, chunk = "", 0
    while found := db.run("large_windows", (model, chunk), column=column).fetchall():
        packed = ((name, row, change(data, dimension)) for name, row, data, dimension in found)
        db.run_many("change_windows", packed, column=column)
        model, chunk, *_ = found[-1]
