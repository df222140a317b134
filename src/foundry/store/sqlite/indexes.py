"""What the indexes of SQLite answer: where terms occur (FTS5), and which vectors are near.

Lists of numbers come as one text from SQLite (``group_concat``) and are parsed by numpy: a
row for each of a hundred thousand occurrences takes four times as long. Every vector is
compared, a block of sqlite-vec's table at a time. Vectors are counted in its own row list
(``{table}_rowids``), because counting through the virtual table would read every vector.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import apsw
import numpy as np
import numpy.typing as npt
import sqlite_vec

from foundry.messages import Message
from foundry.ports import Vectors
from foundry.records import Filters, Mention, SearchWays, StoreProblem
from foundry.store.relational.database import Occurrences, Transaction, VectorIndex
from foundry.store.relational.text_index import LENGTHS, read_visible_chunks
from foundry.store.rows import HIGHEST, encode_json
from foundry.store.text_ranking import WEIGHTS, Integers
from foundry.store.vector_ranking import choose_nearest, multiply

CACHED_BYTES = 256 << 20
"""Most memory for whole vectors that a process keeps: 170,000 chunks of the built-in model.

Larger indexes are read from disk for every search, in about four times the time.
"""


def count_mentions(db: Transaction, terms: Sequence[str], level: int) -> list[Mention]:
    """The sources up to ``level`` that have each term, with the share of their chunks that do."""
    sources = list(db.run("source_lengths", (level,)))
    packed = np.frombuffer(b"".join(lengths for _, lengths in sources), dtype=LENGTHS)
    if not len(packed):
        return []
    totals = [len(lengths) // LENGTHS.itemsize for _, lengths in sources]
    chunks = packed["chunk"].astype(np.int64)
    first, last = int(chunks.min()), int(chunks.max())
    homes = np.full(last - first + 1, len(sources))
    homes[chunks - first] = np.repeat(np.arange(len(sources)), totals)

    def count(rows: Integers) -> Integers:
        near = rows[(rows >= first) & (rows <= last)]
        return np.bincount(homes[near - first], minlength=len(sources) + 1)[:-1]

    quoted = _quote(terms)
    everywhere = _find_chunks(db, quoted)
    labels = _find_chunks(db, [f"title : {term}" for term in quoted])
    return [
        Mention(term, sources[place][0], int(number), int(number) / totals[place], bool(label))
        for term, rows, titled in zip(terms, everywhere, labels, strict=True)
        for place, (number, label) in enumerate(zip(count(rows), count(titled), strict=True))
        if number
    ]


def _quote(terms: Sequence[str]) -> list[str]:
    """The terms as FTS5 queries."""
    return ['"' + term.replace('"', '""') + '"' for term in terms]


def read_documents(db: Transaction, terms: Sequence[str]) -> list[Integers]:
    """The row numbers of the chunks that have each term."""
    return _find_chunks(db, _quote(terms))


def _find_chunks(db: Transaction, queries: Sequence[str]) -> list[Integers]:
    """The row numbers of the chunks that each FTS5 query finds."""
    found = db.run("chunks_with_term", (encode_json(list(queries)),))
    return [_parse(rows) for (rows,) in found]


def read_occurrences(db: Transaction, terms: Sequence[str]) -> list[Occurrences]:
    """Where each term occurs: a row number for every occurrence."""
    found = db.run("postings", (encode_json(list(terms)),))
    codes = [_parse(text) for (text,) in found]
    return [Occurrences(numbers >> 2, WEIGHTS[numbers & 3]) for numbers in codes]


def _parse(numbers: str | None) -> Integers:
    return np.fromstring(numbers or "", dtype=np.int64, sep=",")


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """A block of sqlite-vec: row numbers, whether each is in use, and vectors as rows."""

    rows: Integers
    used: npt.NDArray[np.bool_]
    vectors: Vectors


class VectorCache:
    """Keeps an index's blocks in memory from its second search on, up to ``most_bytes``.

    One search does not pay for it, and a process that searches again saves reading them. They
    are the blocks that a search reads, so that results are the same to the last bit.
    """

    def __init__(self, most_bytes: int = CACHED_BYTES) -> None:
        self._most_bytes = most_bytes
        self._seen: VectorIndex | None = None
        self._kept: tuple[VectorIndex, list[VectorBlock]] | None = None

    def read(self, db: Transaction, index: VectorIndex) -> Iterator[VectorBlock]:
        """The blocks of the index as the transaction sees them."""
        kept = self._kept
        if kept and kept[0] == index:
            yield from kept[1]
        elif self._seen == index:
            yield from self._keep(index, _read_blocks(db, index))
        else:
            self._seen, self._kept = index, None
            yield from _read_blocks(db, index)

    def _keep(self, index: VectorIndex, blocks: Iterator[VectorBlock]) -> Iterator[VectorBlock]:
        kept: list[VectorBlock] = []
        size = 0
        for block in blocks:
            size += block.vectors.nbytes
            if size <= self._most_bytes:
                kept.append(block)
            yield block
        if size <= self._most_bytes:
            self._kept = (index, kept)


def _read_blocks(db: Transaction, index: VectorIndex) -> Iterator[VectorBlock]:
    for rows, used, vectors in db.run("vector_blocks", vectors=index.table):
        yield VectorBlock(
            np.frombuffer(rows, dtype=np.int64),
            np.unpackbits(np.frombuffer(used, dtype=np.uint8), bitorder="little").astype(np.bool_),
            np.frombuffer(vectors, dtype=np.float32).reshape(-1, index.dimension),
        )


def find_nearest(
    db: Transaction,
    index: VectorIndex,
    query: Vectors,
    count: int,
    *,
    filters: Filters,
    level: int,
    cache: VectorCache,
) -> Integers:
    """The row numbers of the nearest chunks among the visible ones, ascending."""
    allowed = None
    if filters != Filters() or level != HIGHEST:
        allowed = read_visible_chunks(db, filters, level).list_allowed()
    rows, cosines = [], []
    for block in cache.read(db, index):
        rows.append(block.rows)
        cosines.append(np.where(block.used, multiply(block.vectors, query), -np.inf))
    if not rows:
        return np.zeros(0, dtype=np.int64)
    numbers, near = np.concatenate(rows), np.concatenate(cosines)
    if allowed is not None:
        near[~np.isin(numbers, allowed)] = -np.inf
    return np.sort(numbers[choose_nearest(near, count)])


def describe_ways() -> SearchWays:
    """How a search finds words and vectors, with versions."""
    text = Message("index-words-fts5", version=apsw.sqlite_lib_version())
    version = sqlite_vec.__version__
    return SearchWays(text, Message("index-vectors-compared", name="sqlite-vec", version=version))


# Checks


def check_file(db: Transaction) -> Iterator[StoreProblem]:
    """What SQLite itself finds wrong with the file."""
    for (line,) in db.run("check_file"):
        if line == "ok":
            continue
        is_text_index = "fts5" in str(line).lower()
        code = "store-text-index-damaged" if is_text_index else "store-database-damaged"
        yield StoreProblem(Message(code, cause=str(line)))


def count_searchable(db: Transaction, index: VectorIndex) -> int:
    """How many vectors a search can reach."""
    slots = db.run("vector_slots", vectors=index.table)
    return sum(int.from_bytes(bits).bit_count() for (bits,) in slots if bits)
