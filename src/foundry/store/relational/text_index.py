"""What saving a source writes of the text index: the terms of its chunks, and its statistics.

The index has the terms that ``foundry.analysis`` derives from a chunk, not its text. Queries come
analysed, because only the caller knows their languages. No database's own ranking is used: its
statistics cover all chunks, and would show a role what it may not see.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from foundry.store.relational.database import Transaction
from foundry.store.text_ranking import Terms

LENGTHS = np.dtype([("chunk", ">i8"), ("length", ">i4")])
"""An entry of ``source_statistics.lengths``."""


def put_terms(
    db: Transaction, rows: Sequence[tuple[int, Terms]], counted: Collection[int] = ()
) -> None:
    """Write or replace chunks' terms in the text index; ``update_statistics`` must follow.

    The rows of ``counted`` have their numbers of terms already.
    """
    db.put_terms(rows)
    lengths = ((terms.count(), row) for row, terms in rows if row not in counted)
    db.run_many("set_length", lengths)


def update_statistics(db: Transaction, source: int) -> None:
    """Bring the statistics of a source up to date with its chunks."""
    db.run("delete_statistics", (source,))
    db.run("add_statistics", (source,), statistics=db.sql("source_statistics"))
    db.add_postings(source)
