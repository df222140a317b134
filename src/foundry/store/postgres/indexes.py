"""Searches of words with the indexes of PostgreSQL, and what a process keeps between searches.

Words are found by the postings, as in SQLite (see ``relational.words``), with the state of the latest
commit that a process keeps. If the server has pg_textsearch, its index finds candidates, which are
scored from the postings, so both ways give a chunk the same score. Its own order is approximate: it
counts a title's words twice in a chunk's length, rounds lengths, and counts removed chunks until
PostgreSQL cleans up.
"""

from __future__ import annotations

import itertools
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foundry.messages import Message
from foundry.records import Filters, SearchWays
from foundry.store.relational.database import Transaction
from foundry.store.relational.segments import SegmentPostings, unpack_postings
from foundry.store.relational.vectors import BlockCache, VectorCache, describe_vectors
from foundry.store.relational.words import (
    PostingReader,
    TextState,
    noticing_damage,
    read_state,
    search,
)
from foundry.store.rows import build_filter_values, encode_json
from foundry.store.text_ranking import choose_terms

_MOST_PACKED = 64
"""Segments that stay in memory though no search needs them, plus as many as are in use: a guess."""

_MOST_ALIKE = 64
"""Snapshots known to show the same texts and vectors: a guess, more than transactions overlap."""

FEW_ROWS = 5_000
"""If filters allow at most so many chunks, pg_textsearch is not asked: scoring all takes less time."""

WORD_CANDIDATES = 400
"""At least so many chunks that pg_textsearch finds are scored exactly: as many as have their windows
compared. For how the hits compare with those of the postings, see decision 38."""

_LETTERS = str.maketrans("0123456789", "ghijklmnop")


# Words

Statistics = tuple[int, str, int, bytes | None, str | None]
"""A source's row number, id, level, and statistics."""


@dataclass(frozen=True, slots=True)
class _KeptTexts:
    """The texts that a level sees in a state with a number, and the statistics they are made from."""

    number: int
    snapshot: str
    table: int
    listed: dict[int, Statistics]
    state: TextState


class SearchCaches:
    """Keeps what the latest search of each level read of the indexes of words and vectors."""

    def __init__(self) -> None:
        self._state: tuple[str, int, int, deque[str]] = "", 0, 0, deque()
        self._numbers = itertools.count(1)
        self._kept: dict[int, _KeptTexts] = {}
        self._packed: dict[bytes, SegmentPostings] = {}
        blocks = BlockCache()
        self.vectors: dict[int, VectorCache] = defaultdict(lambda: VectorCache(blocks))

    @property
    def latest(self) -> int:
        """The number of the latest state."""
        return self._state[2]

    def number(self, db: Transaction) -> int:
        """Return a number of the state that the transaction sees: another one after each change."""
        own = _read_snapshot(db)
        first, table, number, alike = self._state
        if own not in alike:
            if not number or db.value("texts_changed", (first, table)):
                number, alike = next(self._numbers), deque(maxlen=_MOST_ALIKE)
                self._state = own, _find_table(db), number, alike
            alike.append(own)
        return number

    def read_texts(self, db: Transaction, level: int) -> TextState:
        """Return the state of the text index as a transaction of that level sees it."""
        number, kept = self.number(db), self._kept.get(level)
        if kept and kept.number == number:
            return kept.state
        # First: what others change while this reads, as far as a transaction sees that, is read again.
        snapshot, table = _read_snapshot(db), _find_table(db)
        listed = _list_statistics(db, kept)
        state = read_state(db, self._read_packed(db), [*listed.values()], is_whole=True)
        self._kept[level] = _KeptTexts(number, snapshot, table, listed, state)
        return state

    def _read_packed(self, db: Transaction) -> dict[int, SegmentPostings]:
        """Return the segments that may still be merged; only new ones are fetched."""
        known = self._packed
        found = db.run("packed_segments", (encode_json([key.hex() for key in known]),)).fetchall()
        with noticing_damage():
            packed = {
                number: (digest, known[digest] if whole is None else unpack_postings(whole))
                for number, digest, whole in found
            }
        self._packed = known | dict(packed.values())
        if len(self._packed) > 2 * len(packed) + _MOST_PACKED:
            self._packed = dict(packed.values())
        return {number: postings for number, (_, postings) in packed.items()}


def _read_snapshot(db: Transaction) -> str:
    return db.snapshot or str(db.value("text_snapshot"))


def _find_table(db: Transaction) -> int:
    return int(db.value("texts_table") or 0)


def _list_statistics(db: Transaction, kept: _KeptTexts | None) -> dict[int, Statistics]:
    """Return the statistics of all sources, in order; only those that changed are read again."""
    known = (kept.snapshot, kept.table) if kept else None
    changed = {row for (row,) in db.run("sources_changed", known)} if known else {None}
    if kept is None or None in changed:
        return {row[0]: row for row in db.run("list_statistics")}
    found = db.run("some_statistics", (encode_json([*changed]),))
    left = {row: one for row, one in kept.listed.items() if row not in changed}
    return dict(sorted((left | {row[0]: row for row in found}).items()))


def search_words(
    db: Transaction,
    state: TextState,
    terms: Sequence[str],
    limit: int,
    *,
    filters: Filters,
    level: int,
) -> list[tuple[str, float]]:
    """Return ids and BM25 scores of the best visible chunks."""
    allowed = state.find_allowed(db, filters, level)
    number = len(state.rows) if allowed is None else int(np.count_nonzero(allowed))
    among = None
    if number > FEW_ROWS and db.value("uses_words"):
        repeated = _choose_repeated(db, state, terms, level)
        values = build_filter_values(filters, level)
        # If the index finds none of the words, the postings are searched: they know all words.
        among = _find_candidates(db, repeated, max(WORD_CANDIDATES, 4 * limit), values) or None
    return search(db, state, terms, limit, filters=filters, level=level, among=among)


def _choose_repeated(
    db: Transaction, state: TextState, terms: Sequence[str], level: int
) -> list[str]:
    counts = PostingReader(db, state, level).count(list(dict.fromkeys(terms)))
    chosen = choose_terms(counts, state.measure(level).chunks)
    return [term for term in chosen for _ in range(terms.count(term))]


def _find_candidates(
    db: Transaction, terms: Sequence[str], count: int, allowed: dict[str, Any]
) -> list[int]:
    """Return row numbers of chunks, the first ``count`` of each level."""
    db.run("use_order")
    words = " ".join(map(_encode, terms))
    found: list[int] = []
    for level, index in db.run("word_indexes").fetchall():
        if level <= allowed["level"]:
            values = {**allowed, "at": level, "index": index, "words": words, "count": count}
            rows = db.run("chunks_by_words", values, visible=db.sql("visible_sources"))
            found += [row for (row,) in rows]
    return found


def _encode(term: str) -> str:
    """Return a term as the SQL function ``encode_words`` writes it."""
    return term.encode().hex().translate(_LETTERS)


def describe_ways(db: Transaction, chunks: int) -> SearchWays:
    """Return how a search among so many chunks finds words and vectors, with versions."""
    versions = dict(db.run("extension_versions").fetchall())
    usable, oldest = db.run("textsearch_use").fetchone()
    found = {
        "version": versions.get("pg_textsearch", ""),
        "server": str(db.value("server_version")),
    }
    if not found["version"]:
        text = Message("index-words-postings", server=found["server"])
    elif not usable:
        text = Message("index-words-not-used", oldest=oldest, **found)
    elif db.value("word_indexes") is None:
        text = Message("index-words-not-built", **found)
    else:
        text = Message("index-words-textsearch", **found)
    return SearchWays(text, describe_vectors(chunks))
