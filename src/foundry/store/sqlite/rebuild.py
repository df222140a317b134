"""Checking the segments of the text index, and rebuilding them while searches go on."""

from __future__ import annotations

from foundry.store.relational.database import Transaction
from foundry.store.relational.text_index import put_terms, update_statistics
from foundry.store.relational.words import read_state
from foundry.store.rows import Row, encode_json, read_chunks
from foundry.store.sqlite.connections import Connections
from foundry.store.text_ranking import Terms, hash_terms, make_terms

_PAGE = 500

Analysed = list[tuple[Row, str, Terms]]
"""Rows of chunks with the hash of their terms, and these."""


def rebuild(connections: Connections) -> int:
    """Write every chunk to new segments, and remove the earlier ones at the end.

    Chunks are analysed without a lock. Of two segments the newer one counts, so that the index is
    sound at every moment, and so it is if the rebuild is stopped.
    """
    with connections.writing() as db:
        newest = int(db.value("newest_segment"))
        # Damaged ones must not be merged.
        db.run("set_segments_aside")
    after = 0
    while True:
        with connections.reading() as db:
            rows = db.rows("chunks_after", (after, _PAGE))
            analysed = _analyse(db, rows)
        if not rows:
            break
        with connections.writing() as db:
            _put(db, analysed)
        after = rows[-1]["rowid"]
    with connections.writing() as db:
        return _finish(db, newest)


def _analyse(db: Transaction, rows: list[Row]) -> Analysed:
    found = zip(rows, read_chunks(db, rows), strict=True)
    return [
        (row, hash_terms(row["source_about"], chunk), make_terms(row["source_about"], chunk))
        for row, chunk in found
    ]


def _put(db: Transaction, analysed: Analysed) -> None:
    """Write the chunks that nobody changed since they were read."""
    numbers = encode_json([row["rowid"] for row, *_ in analysed])
    hashes = dict(db.run("terms_hashes", (numbers,)).fetchall())
    same = [one for one in analysed if hashes.get(one[0]["rowid"]) == one[0]["terms_hash"]]
    put_terms(db, [(row["rowid"], terms) for row, _, terms in same])
    changed = ((new, row["rowid"]) for row, new, _ in same if new != row["terms_hash"])
    db.run_many("set_terms_hash", changed)
    for source in dict.fromkeys(row["source"] for row, *_ in same):
        update_statistics(db, source)


def _finish(db: Transaction, newest: int) -> int:
    """Remove the segments up to ``newest``; returns the number of chunks in the index."""
    db.run("remove_older_segments", (newest,))
    db.run("sweep_postings")
    db.run("clear_statistics")
    db.run("rebuild_statistics", statistics=db.sql("source_statistics"))
    state = read_state(db)
    missing = state.rows[state.slots < 0].tolist()
    if missing:
        _put(db, _analyse(db, db.rows("listed_chunks", (encode_json(missing),))))
    return len(state.rows)
