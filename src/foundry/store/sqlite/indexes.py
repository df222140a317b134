"""What the indexes of SQLite answer: where terms occur (FTS5), and which vectors are near.

Lists of numbers come as one text from SQLite (``group_concat``) and are parsed by numpy: a
row for each of a hundred thousand occurrences takes four times as long. Vectors are
counted in the row list of sqlite-vec (``{table}_rowids``), because counting through the virtual table would
read every vector.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import apsw
import numpy as np
import sqlite_vec

from foundry.messages import Message
from foundry.ports import Vectors
from foundry.records import Filters, Mention, SearchWays, StoreProblem
from foundry.store.relational.database import Occurrences, Transaction, VectorIndex
from foundry.store.relational.text_index import LENGTHS, read_visible_chunks
from foundry.store.rows import HIGHEST, encode_json
from foundry.store.sqlite.vectors import LARGE, VectorCache, find_nearest_rows
from foundry.store.text_ranking import WEIGHTS, Integers
from foundry.store.vector_codes import count_compared
from foundry.store.vector_ranking import CANDIDATES


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


def find_nearest(
    db: Transaction,
    index: VectorIndex,
    query: Vectors,
    count: int,
    *,
    filters: Filters,
    level: int,
    exact: bool,
    cache: VectorCache,
) -> Integers:
    """The row numbers of the nearest chunks among the visible ones, ascending."""
    allowed = None
    if filters != Filters() or level != HIGHEST:
        allowed = read_visible_chunks(db, filters, level).list_allowed()
    kept = cache.read(db, index)
    return find_nearest_rows(kept, query, count, allowed=allowed, exact=exact)


def describe_ways(chunks: int) -> SearchWays:
    """How a search among so many chunks finds words and vectors, with versions."""
    text = Message("index-words-fts5", version=apsw.sqlite_lib_version())
    named = {"name": "sqlite-vec", "version": sqlite_vec.__version__}
    if chunks < LARGE:
        return SearchWays(text, Message("index-vectors-compared", **named))
    return SearchWays(
        text, Message("index-vectors-codes", n=count_compared(chunks, CANDIDATES), **named)
    )


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
    """How many vectors a search can reach: none of a block of another size."""
    return sum(
        int.from_bytes(bits or b"").bit_count()
        for _, rows, bits, size in db.run("vector_slots", vectors=index.table)
        if size == len(rows) // 8 * index.dimension
    )
