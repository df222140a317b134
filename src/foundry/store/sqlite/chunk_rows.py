"""Reading whole chunks: rows joined with their slice of the source text and their blocks."""

from __future__ import annotations

from collections.abc import Iterable

from foundry.records import Block, Chunk
from foundry.store.sqlite.connections import Row, Transaction
from foundry.store.sqlite.rows import SEGMENT, read_block, read_chunk


def read_chunks(db: Transaction, rows: Iterable[Row]) -> list[Chunk]:
    """The chunks of ``rows``, in their order."""
    texts = _Texts(db)
    chunks = []
    for row in rows:
        text = texts.cut(row["source"], row["char_start"], row["char_end"])
        blocks = read_blocks(db, row["source"], row["first_block"], row["last_block"])
        chunks.append(read_chunk(row, text, tuple(blocks)))
    return chunks


def read_blocks(db: Transaction, source: int, first: int, last: int) -> list[Block]:
    """The blocks of a source from position ``first`` up to, not including, ``last``."""
    return [read_block(row) for row in db.run("blocks_between", (source, first, last))]


class _Texts:
    """Cuts spans out of source texts, reading only the pieces that they touch."""

    def __init__(self, db: Transaction) -> None:
        self._db = db
        self._source = -1
        self._pieces: dict[int, str] = {}

    def cut(self, source: int, start: int, end: int) -> str:
        """The text of a source from ``start`` to ``end``, in code points."""
        if end <= start:
            return ""
        if source != self._source:
            self._source, self._pieces = source, {}
        first, last = start // SEGMENT, (end - 1) // SEGMENT
        pieces = "".join(self._piece(number) for number in range(first, last + 1))
        return pieces[start - first * SEGMENT : end - first * SEGMENT]

    def _piece(self, number: int) -> str:
        if number not in self._pieces:
            values = (self._source, number, number)
            self._pieces[number] = self._db.value("text_segments", values) or ""
        return self._pieces[number]
