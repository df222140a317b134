"""BM25 over the chunks that a role sees; the database supplies where each term occurs.

It indexes the terms that ``foundry.analysis`` derives from a chunk, not its text. Queries come
analysed, because only the caller knows their languages. No database's own ranking is used: its
statistics cover all chunks, and would show a role what it may not see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from foundry.records import Filters, Mention, RetrieverHit
from foundry.store.relational.database import Database, Occurrences, Transaction
from foundry.store.rows import HIGHEST, build_filter_values, encode_json
from foundry.store.text_ranking import (
    Corpus,
    Integers,
    Numbers,
    Postings,
    Terms,
    choose_best,
    choose_terms,
    compute_scores,
    is_text,
    needs_all_terms,
    rank,
)

Flags = npt.NDArray[np.bool_]

LENGTHS = np.dtype([("chunk", ">i8"), ("length", ">i4")])
"""An entry of ``source_statistics.lengths``."""


@dataclass(frozen=True)
class VisibleChunks:
    """The chunks of the sources up to a level, by row number.

    ``allowed`` tells for each whether the filters allow it, and is None if they allow all.
    ``all`` is True if no source is above the level.
    """

    rows: Integers
    lengths: Integers
    allowed: Flags | None
    all: bool

    def find(self, found: Occurrences) -> Occurrences:
        """The visible ones, with places in ``rows`` instead of row numbers."""
        if not len(self.rows):
            return Occurrences(self.rows, np.zeros(0))
        first, last = int(self.rows[0]), int(self.rows[-1])
        near = (found.rows >= first) & (found.rows <= last)
        places = self.places[found.rows[near] - first]
        seen = places >= 0
        return Occurrences(places[seen], found.weights[near][seen])

    @cached_property
    def places(self) -> Integers:
        """By row number, from the first visible one on: its place in ``rows``, or -1."""
        places = np.full(self.rows[-1] - self.rows[0] + 1, -1)
        places[self.rows - self.rows[0]] = np.arange(len(self.rows))
        return places

    def mark(self, places: Integers) -> Flags:
        """Whether each visible chunk is among these."""
        flags = np.zeros(len(self.rows), dtype=np.bool_)
        flags[places] = True
        return flags

    def list_allowed(self) -> Integers:
        """The row numbers that the filters allow."""
        return self.rows if self.allowed is None else self.rows[self.allowed]


def read_visible_chunks(db: Transaction, filters: Filters, level: int) -> VisibleChunks:
    """The chunks up to ``level``, and which of them the filters allow."""
    values = build_filter_values(filters, level)
    cursor = db.run("read_lengths", values, visible=db.sql("visible_sources"))
    sources: list[tuple[Any, ...]] = cursor.fetchall()
    packed = np.frombuffer(b"".join(lengths for lengths, *_ in sources), dtype=LENGTHS)
    rows = packed["chunk"].astype(np.int64)
    order = np.argsort(rows, kind="stable")
    allowed = None
    if not all(allows for _, allows, _ in sources):
        counts = [len(lengths) // LENGTHS.itemsize for lengths, *_ in sources]
        allowed = np.repeat([bool(allows) for _, allows, _ in sources], counts)[order]
    lengths = packed["length"].astype(np.int64)[order]
    every = bool(sources) and not any(hides for *_, hides in sources)
    return VisibleChunks(rows[order], lengths, allowed, every)


# Statistics and search


class TextIndex:
    """The searches of a database's text index, up to a role's level."""

    def __init__(self, database: Database, level: int) -> None:
        self._database = database
        self._level = level

    def count_documents(self, db: Transaction, terms: Sequence[str]) -> dict[str, int]:
        """Term → number of visible chunks that contain it, 0 included."""
        highest = self._level == HIGHEST
        chunks = None if highest else read_visible_chunks(db, Filters(), self._level)
        return self._count_documents(db, terms, None if chunks is None or chunks.all else chunks)

    def _count_documents(
        self, db: Transaction, terms: Sequence[str], chunks: VisibleChunks | None
    ) -> dict[str, int]:
        """The counts among ``chunks``, or among all chunks, which takes a tenth of the time."""
        counts = dict.fromkeys(terms, 0)
        asked = [term for term in counts if is_text(term)]
        if chunks is None:
            values = {"terms": encode_json(asked), "level": self._level}
            found = db.run("document_frequencies", values)
            return counts | {term: int(number) for term, number in found}
        documents = self._database.read_documents(db, asked)
        for term, rows in zip(asked, documents, strict=True):
            seen = chunks.find(Occurrences(rows, np.ones(len(rows)))).rows
            counts[term] = int(np.count_nonzero(chunks.mark(seen)))
        return counts

    def count_mentions(self, db: Transaction, terms: Sequence[str]) -> list[Mention]:
        """The visible sources that have each term, with the share of their chunks that do."""
        asked = [term for term in dict.fromkeys(terms) if is_text(term)]
        return self._database.count_mentions(db, asked, self._level)

    def search(
        self, db: Transaction, terms: Sequence[str], limit: int, filters: Filters
    ) -> list[RetrieverHit]:
        """BM25 over the visible chunks; a term given twice counts twice."""
        ranked = self._database.search_words(db, terms, limit, filters=filters, level=self._level)
        if ranked is None:
            ranked = self._compare_all(db, terms, limit, filters)
        return [RetrieverHit(chunk, place, score) for place, (chunk, score) in enumerate(ranked, 1)]

    def _compare_all(
        self, db: Transaction, terms: Sequence[str], limit: int, filters: Filters
    ) -> list[tuple[str, float]]:
        """Ids and scores, from the postings of every visible chunk."""
        chunks = read_visible_chunks(db, filters, self._level)
        chosen = self._choose_terms(db, terms, chunks)
        if not chosen or limit < 1:
            return []
        found = self._database.read_occurrences(db, chosen)
        times = Counter(terms)
        matched, scores = _score(
            chunks, [chunks.find(term) for term in found], [times[term] for term in chosen]
        )
        best = choose_best(scores, limit)
        rows = {int(chunks.rows[matched[place]]): float(scores[place]) for place in best}
        named = db.run("chunk_ids", (encode_json(list(rows)),))
        return rank({str(chunk): rows[row] for row, chunk in named}, limit)

    def _choose_terms(
        self, db: Transaction, terms: Sequence[str], chunks: VisibleChunks
    ) -> list[str]:
        """The terms to search; where all will do, they are not counted."""
        total = len(chunks.rows)
        if needs_all_terms(terms, total):
            return [term for term in dict.fromkeys(terms) if is_text(term)]
        return choose_terms(self._count_documents(db, terms, None if chunks.all else chunks), total)


def _score(
    chunks: VisibleChunks, terms: Sequence[Occurrences], repeats: Sequence[int]
) -> tuple[Integers, Numbers]:
    """The places of the allowed chunks that have any of the terms, and their scores.

    Most chunks have none of a question's terms, so that this takes a third of the time that all take.
    """
    marked = [chunks.mark(term.rows) for term in terms]
    matching = np.logical_or.reduce(marked)
    if chunks.allowed is not None:
        matching &= chunks.allowed
    matched = np.flatnonzero(matching)
    order = np.cumsum(matching) - 1
    postings = []
    for term, flags, number in zip(terms, marked, repeats, strict=True):
        kept = slice(None) if chunks.allowed is None else matching[term.rows]
        places, weights = order[term.rows[kept]], term.weights[kept]
        summed = np.bincount(places, weights, minlength=len(matched)).astype(np.float64, copy=False)
        postings.append(Postings(summed, number, int(np.count_nonzero(flags))))
    # The rarest first, so that a sum's last digits do not depend on the order of the query.
    postings.sort(key=lambda term: term.frequency or 0)
    corpus = Corpus(len(chunks.rows), int(chunks.lengths.sum()))
    return matched, compute_scores(chunks.lengths[matched], postings, corpus)


# Writing


def put_terms(db: Transaction, rows: Sequence[tuple[int, Terms]]) -> None:
    """Write or replace chunks' rows in the text index; ``update_statistics`` must follow."""
    db.run_many("put_text_row", ((row, t.title, t.headings, t.body) for row, t in rows))


def set_lengths(db: Transaction, rows: Sequence[tuple[int, Terms]]) -> None:
    """Save the numbers of terms of chunks that had others; a new chunk's row has it already."""
    db.run_many("set_length", ((terms.count(), row) for row, terms in rows))


def update_statistics(db: Transaction, source: int) -> None:
    """Bring the statistics of a source up to date with its chunks."""
    db.run("delete_statistics", (source,))
    db.run("add_statistics", (source,), statistics=db.sql("source_statistics"))
    db.add_postings(source)
