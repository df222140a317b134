"""The text index in FTS5, which supplies the postings for BM25.

It contains the terms that ``foundry.analysis`` derives from a chunk, not its text. Queries
come analysed, because only the caller knows their languages. FTS5's own ``bm25`` is not
used: its statistics cover all chunks, and would show a role what it may not see.

Lists of numbers come as one text from SQLite (``group_concat``) and are parsed by numpy: a
row for each of a hundred thousand occurrences takes four times as long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from foundry.records import Chunk, Filters, Mention, RetrieverHit
from foundry.store.rows import HIGHEST, Row, build_filter_values, encode_json
from foundry.store.sqlite.chunks import read_chunks
from foundry.store.sqlite.connections import Connections, Transaction
from foundry.store.text_ranking import (
    BODY_WEIGHT,
    HEADING_WEIGHT,
    TITLE_WEIGHT,
    Integers,
    Numbers,
    Postings,
    Terms,
    choose_best,
    choose_terms,
    compute_scores,
    hash_terms,
    is_text,
    make_terms,
    needs_all_terms,
    rank,
)

Flags = npt.NDArray[np.bool_]

_WEIGHTS = np.array([TITLE_WEIGHT, HEADING_WEIGHT, BODY_WEIGHT])
_LENGTHS = np.dtype([("chunk", ">i8"), ("length", ">i4")])
"""An entry of ``source_statistics.lengths``."""

_PAGE = 500


@dataclass(frozen=True, slots=True)
class VisibleChunks:
    """The chunks of the sources up to a level, by row number.

    ``allowed`` tells for each whether the filters allow it, and is None if they allow all.
    ``all`` is True if no source is above the level.
    """

    rows: Integers
    lengths: Integers
    allowed: Flags | None
    all: bool

    def sum_up(self, rows: Integers, weights: Numbers) -> Numbers:
        """The sum of the weights of each visible chunk, from weights by row number."""
        if not len(self.rows):
            return np.zeros(0)
        first, last = int(self.rows[0]), int(self.rows[-1])
        near = (rows >= first) & (rows <= last)
        sums = np.bincount(rows[near] - first, weights[near], minlength=last - first + 1)
        return sums[self.rows - first].astype(np.float64, copy=False)

    def list_allowed(self) -> Integers:
        """The row numbers that the filters allow."""
        return self.rows if self.allowed is None else self.rows[self.allowed]


def read_visible_chunks(db: Transaction, filters: Filters, level: int) -> VisibleChunks:
    """The chunks up to ``level``, and which of them the filters allow."""
    values = build_filter_values(filters, level)
    cursor = db.run("read_lengths", values, visible=db.sql("visible_sources"))
    sources: list[tuple[Any, ...]] = cursor.fetchall()
    packed = np.frombuffer(b"".join(lengths for lengths, *_ in sources), dtype=_LENGTHS)
    rows = packed["chunk"].astype(np.int64)
    order = np.argsort(rows, kind="stable")
    allowed = None
    if not all(allows for _, allows, _ in sources):
        counts = [len(lengths) // _LENGTHS.itemsize for lengths, *_ in sources]
        allowed = np.repeat([bool(allows) for _, allows, _ in sources], counts)[order]
    lengths = packed["length"].astype(np.int64)[order]
    every = bool(sources) and not any(hides for *_, hides in sources)
    return VisibleChunks(rows[order], lengths, allowed, every)


# Statistics and search


def count_documents(db: Transaction, terms: Sequence[str], level: int) -> dict[str, int]:
    """Term → number of chunks up to ``level`` that contain it, 0 included."""
    chunks = None if level == HIGHEST else read_visible_chunks(db, Filters(), level)
    return _count_documents(db, terms, None if chunks is None or chunks.all else chunks)


def _count_documents(
    db: Transaction, terms: Sequence[str], chunks: VisibleChunks | None
) -> dict[str, int]:
    """The counts among ``chunks``, or among all chunks, which takes a tenth of the time."""
    counts = dict.fromkeys(terms, 0)
    asked = [term for term in counts if is_text(term)]
    if chunks is None:
        return counts | dict(db.run("document_frequencies", (encode_json(asked),)))
    found = db.run("chunks_with_term", (encode_json(_quote(asked)),))
    for term, (rows,) in zip(asked, found, strict=True):
        numbers = _parse(rows)
        counts[term] = int(np.count_nonzero(chunks.sum_up(numbers, np.ones(len(numbers)))))
    return counts


def count_mentions(db: Transaction, terms: Sequence[str], level: int) -> list[Mention]:
    """The sources up to ``level`` that have each term, with the share of their chunks that do."""
    asked = [term for term in dict.fromkeys(terms) if is_text(term)]
    quoted = _quote(asked)
    queries = [*quoted, *(f"title : {term}" for term in quoted)]
    rows = list(db.run("mentions", {"terms": encode_json(queries), "level": level}))
    labelled = {(key - len(asked), source) for key, source, *_ in rows if key >= len(asked)}
    return [
        Mention(asked[key], source, chunks, chunks / total, (key, source) in labelled)
        for key, source, chunks, total in rows
        if key < len(asked)
    ]


def _quote(terms: Sequence[str]) -> list[str]:
    """The terms as FTS5 queries."""
    return ['"' + term.replace('"', '""') + '"' for term in terms]


def search(
    db: Transaction,
    terms: Sequence[str],
    limit: int,
    filters: Filters,
    *,
    level: int,
) -> list[RetrieverHit]:
    """BM25 over the chunks up to ``level``; a term given twice counts twice."""
    chunks = read_visible_chunks(db, filters, level)
    chosen = _choose_terms(db, terms, chunks)
    if not chosen or limit < 1:
        return []
    scores = compute_scores(chunks.lengths, _read_postings(db, chosen, Counter(terms), chunks))
    if chunks.allowed is not None:
        scores[~chunks.allowed] = 0
    best = choose_best(scores, limit)
    rows = {int(chunks.rows[place]): float(scores[place]) for place in best}
    named = db.run("chunk_ids", (encode_json(list(rows)),))
    ranked = rank({str(chunk): rows[row] for row, chunk in named}, limit)
    return [RetrieverHit(chunk, place, score) for place, (chunk, score) in enumerate(ranked, 1)]


def _choose_terms(db: Transaction, terms: Sequence[str], chunks: VisibleChunks) -> list[str]:
    """The terms to search; where all will do, they are not counted."""
    total = len(chunks.rows)
    if needs_all_terms(terms, total):
        return [term for term in dict.fromkeys(terms) if is_text(term)]
    return choose_terms(_count_documents(db, terms, None if chunks.all else chunks), total)


def _read_postings(
    db: Transaction, terms: Sequence[str], wanted: Counter[str], chunks: VisibleChunks
) -> list[Postings]:
    found = db.run("postings", (encode_json(list(terms)),))
    postings = []
    for term, (text,) in zip(terms, found, strict=True):
        codes = _parse(text)
        weights = chunks.sum_up(codes >> 2, _WEIGHTS[codes & 3])
        postings.append(Postings(weights, wanted[term]))
    # The rarest first, so that the last digits of a sum do not depend on the order of the query.
    return sorted(postings, key=lambda found: np.count_nonzero(found.weights))


def _parse(numbers: str | None) -> Integers:
    return np.fromstring(numbers or "", dtype=np.int64, sep=",")


# Writing


def put_terms(db: Transaction, rowid: int, terms: Terms) -> None:
    """Write or replace a chunk's row in the text index; ``update_statistics`` must follow."""
    db.run("put_text_row", (rowid, terms.title, terms.headings, terms.body))
    db.run("set_length", (terms.count(), rowid))


def update_statistics(db: Transaction, source: int) -> None:
    """Bring the statistics of a source up to date with its chunks."""
    db.run("delete_statistics", (source,))
    db.run("add_statistics", (source,), statistics=db.sql("source_statistics"))


def analyse_all(connections: Connections) -> None:
    """Write the terms of every chunk to a temporary table; slow, so without a lock."""
    with connections.scratch() as db:
        db.run("drop_analysed")
        db.run("make_analysed")
    after = 0
    while True:
        with connections.reading() as db:
            rows = db.rows("chunks_after", (after, _PAGE))
            chunks = read_chunks(db, rows)
        if not rows:
            return
        analysed = [_analyse_row(row, chunk) for row, chunk in zip(rows, chunks, strict=True)]
        with connections.scratch() as db:
            db.run_many("add_analysed", analysed)
        after = rows[-1]["rowid"]


def _analyse_row(row: Row, chunk: Chunk) -> tuple[object, ...]:
    about = row["source_about"]
    terms = make_terms(about, chunk)
    hashed = hash_terms(about, chunk)
    return row["rowid"], hashed, terms.title, terms.headings, terms.body, terms.count()


def rebuild(db: Transaction) -> int:
    """Refill the text index from the table of ``analyse_all``; returns its number of rows.

    The few chunks that were added or changed since are analysed in the transaction.
    """
    db.run("clear_text_index")
    db.run("copy_analysed")
    db.run("copy_lengths")
    missing = db.rows("chunks_without_text_row")
    for row, chunk in zip(missing, read_chunks(db, missing), strict=True):
        put_terms(db, row["rowid"], make_terms(row["source_about"], chunk))
        db.run("set_terms_hash", (hash_terms(row["source_about"], chunk), row["rowid"]))
    db.run("clear_statistics")
    db.run("rebuild_statistics", statistics=db.sql("source_statistics"))
    db.run("optimize_text_index")
    db.run("drop_analysed")
    return int(db.value("count_text_rows"))
