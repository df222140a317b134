"""What the indexes of PostgreSQL answer: where terms occur, which chunks have them, which vectors are near.

Postings in plain tables are exact on any server. Where the server has pg_textsearch, its index
finds candidates in a hundredth of the time; they are scored from the postings, so both ways give
a chunk the same score. Its own order is approximate: it counts a title's words twice in a chunk's
length, rounds lengths, and counts removed chunks until PostgreSQL cleans up.

Vectors are compared one by one where few are visible, and found by pgvector's HNSW index otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pgvector import HalfVector

from foundry.messages import Message
from foundry.ports import Vectors
from foundry.records import Filters, Mention, SearchWays
from foundry.store.relational.database import ChunkCounts, Transaction, VectorIndex
from foundry.store.rows import HIGHEST, build_filter_values, encode_json
from foundry.store.text_ranking import (
    WEIGHTS,
    Corpus,
    Integers,
    Numbers,
    Postings,
    choose_best,
    choose_terms,
    compute_scores,
    is_text,
    needs_all_terms,
    rank,
)

_PLACES = np.dtype([("chunk", ">i8"), ("fields", ">i2", (3,)), ("length", ">i4")])
"""An entry of ``postings.places``."""

_MOST_COUNTED = 32_767
"""Most occurrences of a term in one field of a chunk that count."""

FEW_ROWS = 5_000
"""A project of so many chunks gets no index of vectors, and every one is compared. So are twice as
many that filters leave of a larger one, where an index scan passes over most of what it finds: of
100,000 chunks, 10,000 are compared in 36 to 45 ms, and the index takes 59 to 93 (2 cores)."""

WORD_CANDIDATES = 400
"""At least so many chunks that pg_textsearch finds are scored exactly: as many as have their windows
compared. Decision 38 says how the hits compare with those of the postings."""

MOST_EXPLORED = 1000
"""The largest ``hnsw.ef_search`` that pgvector allows."""

_MOST_SCANNED = 100_000
"""Most rows that an index scan visits for a filter: a guess, five times pgvector's own."""

_LETTERS = str.maketrans("0123456789", "ghijklmnop")


# Words


def build_postings(chunks: Sequence[tuple[int, int, str, str, str]]) -> dict[str, object]:
    """The values of the statement ``add_postings`` from a source's chunks.

    A chunk has its row number, its number of terms, and the terms of its title, headings and body.
    """
    numbers: dict[str, int] = {}
    found: list[int] = []
    counts: list[int] = []
    for _, _, *fields in chunks:
        for text in fields:
            terms = [numbers.setdefault(term, len(numbers)) for term in text.split(" ") if term]
            found += terms
            counts.append(len(terms))
    order = sorted(numbers)
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[[numbers[term] for term in order]] = np.arange(len(order))
    cells = np.repeat(np.arange(len(counts)), counts)
    keys = ranks[np.array(found, dtype=np.int64)] * len(chunks) + cells // 3
    known, places = np.unique(keys, return_inverse=True)
    packed = np.zeros(len(known), dtype=_PLACES)
    for field in range(3):
        number = np.bincount(places[cells % 3 == field], minlength=len(known))
        packed["fields"][:, field] = np.minimum(number, _MOST_COUNTED)
    term, chunk = np.divmod(known, max(len(chunks), 1))
    packed["chunk"] = np.array([row for row, *_ in chunks], dtype=np.int64)[chunk]
    packed["length"] = np.array([length for _, length, *_ in chunks], dtype=np.int64)[chunk]
    titled = np.bincount(term[packed["fields"][:, 0] > 0], minlength=len(order)) > 0
    return {
        "terms": " ".join(order),
        "chunks": " ".join(map(str, np.bincount(term, minlength=len(order)).tolist())),
        "titled": " ".join("ft"[flag] for flag in titled.tolist()),
        "places": packed.tobytes(),
    }


def count_mentions(db: Transaction, terms: Sequence[str], level: int) -> list[Mention]:
    """The sources up to ``level`` that have each term, with the share of their chunks that do."""
    found = db.run("mentions", {"terms": encode_json(list(terms)), "level": level}).fetchall()
    order = {term: place for place, term in enumerate(terms)}
    found.sort(key=lambda row: (order[row[0]], row[1]))
    return [
        Mention(term, source, chunks, chunks / total, titled)
        for term, source, chunks, total, titled in found
    ]


def count_documents(db: Transaction, terms: Sequence[str], level: int) -> dict[str, int]:
    """Term → number of chunks up to ``level`` that contain it, 0 included."""
    values = {"terms": encode_json([term for term in terms if is_text(term)]), "level": level}
    counts = "frequencies_of_all" if level == HIGHEST else "document_frequencies"
    return dict.fromkeys(terms, 0) | dict(db.run(counts, values).fetchall())


def count_chunks(db: Transaction, level: int) -> ChunkCounts:
    """How many sources and chunks there are up to ``level``."""
    sources, chunks, every, indexed = db.run("count_chunks", (level, level)).fetchone()
    # Counting by level reads every row. A complete index has what there are chunks.
    if indexed == every:
        return ChunkCounts(sources, chunks, chunks, every)
    rows = int(db.value("count_visible_text_rows", (level,)))
    return ChunkCounts(sources, chunks, rows, every)


def count_languages(db: Transaction, level: int) -> dict[str, int]:
    """Language → number of chunks up to ``level``, the most frequent first."""
    return dict(db.run("languages", (level,)).fetchall())


@dataclass(frozen=True, slots=True)
class _Places:
    """Where a term occurs: row numbers of chunks, what it weighs there, and their numbers of terms."""

    rows: Integers
    weights: Numbers
    lengths: Integers


def _unpack(found: Sequence[Any], terms: Sequence[str]) -> list[_Places]:
    by_term = dict(found)
    unpacked = []
    for term in terms:
        places = np.frombuffer(by_term.get(term, b""), dtype=_PLACES)
        rows, lengths = places["chunk"].astype(np.int64), places["length"].astype(np.int64)
        unpacked.append(_Places(rows, places["fields"] @ WEIGHTS, lengths))
    return unpacked


def search_words(
    db: Transaction, terms: Sequence[str], limit: int, *, filters: Filters, level: int
) -> list[tuple[str, float]]:
    """Ids and BM25 scores of the best visible chunks."""
    times = Counter(terms)
    number, length, levels, extended = db.run("text_totals", {"level": level}).fetchone()
    counts = count_documents(db, list(times), level)
    found = {term: frequency for term, frequency in counts.items() if frequency}
    chosen = list(found) if needs_all_terms(terms, number) else choose_terms(found, number)
    if not chosen or limit < 1:
        return []
    allowed = build_filter_values(filters, max(levels))
    every = level == HIGHEST and filters == Filters()
    candidates = None
    # Where few chunks are allowed, scoring all of them takes less time.
    if extended and (number if every else _count_visible(db, allowed)) > FEW_ROWS:
        indexes: dict[int, str] = dict(db.run("word_indexes").fetchall())
        repeated = [term for term in chosen for _ in range(times[term])]
        seen = {at: indexes[at] for at in levels if indexes.keys() >= set(levels)}
        # The postings know these terms: an index that finds none of them is not believed.
        count = max(WORD_CANDIDATES, 4 * limit)
        candidates = _find_candidates(db, repeated, count, allowed, seen) or None
    places = _read_places(db, chosen, allowed, candidates, every=every)
    frequencies = [found[term] for term in chosen]
    rows, scores = _score(
        places, [times[term] for term in chosen], frequencies, Corpus(number, length)
    )
    best = choose_best(scores, limit)
    scored = {int(rows[place]): float(scores[place]) for place in best}
    named = db.run("chunk_ids", (encode_json(list(scored)),)).fetchall()
    return rank({str(chunk): scored[row] for row, chunk in named}, limit)


def _find_candidates(
    db: Transaction,
    terms: Sequence[str],
    count: int,
    allowed: dict[str, Any],
    indexes: Mapping[int, str],
) -> list[tuple[int, int]]:
    """Row numbers of chunks and their sources, the first ``count`` of each level.

    ``indexes`` has the name of each visible level's index.
    """
    db.run("use_order", ("40", "20000"))
    words = " ".join(map(_encode, terms))
    found: list[tuple[int, int]] = []
    for level, index in indexes.items():
        values = {**allowed, "at": level, "index": index, "words": words, "count": count}
        found += db.run("chunks_by_words", values, visible=db.sql("visible_sources")).fetchall()
    return found


def _read_places(
    db: Transaction,
    terms: Sequence[str],
    allowed: dict[str, Any],
    candidates: Sequence[tuple[int, int]] | None,
    *,
    every: bool,
) -> list[_Places]:
    """Where each term occurs among the candidates; if they are None, among all allowed chunks.

    ``every`` says that no chunk is hidden or left out.
    """
    values = {**allowed, "terms": encode_json(list(terms))}
    if candidates is None and every:
        return _unpack(db.run("postings", (values["terms"],)).fetchall(), terms)
    if candidates is None:
        found = db.run("source_postings", values, wanted=db.sql("visible_sources"))
        return _unpack(found.fetchall(), terms)
    values["sources"] = encode_json(sorted({source for _, source in candidates}))
    found = db.run("source_postings", values, wanted=db.sql("listed_sources"))
    kept = np.array([chunk for chunk, _ in candidates], dtype=np.int64)
    return [_select(place, kept) for place in _unpack(found.fetchall(), terms)]


def _encode(term: str) -> str:
    """A term as the SQL function ``encode_words`` writes it."""
    return term.encode().hex().translate(_LETTERS)


def _select(place: _Places, rows: Integers) -> _Places:
    among = np.isin(place.rows, rows)
    return _Places(place.rows[among], place.weights[among], place.lengths[among])


def _score(
    places: Sequence[_Places], repeats: Sequence[int], frequencies: Sequence[int], corpus: Corpus
) -> tuple[Integers, Numbers]:
    """The row numbers of all chunks with any of the terms, and their scores."""
    if not any(len(place.lengths) for place in places):
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    # The projects of a database share one sequence of row numbers, so that they may lie far apart.
    matched, order = np.unique(
        np.concatenate([place.rows for place in places]), return_inverse=True
    )
    lengths = np.zeros(len(matched), dtype=np.int64)
    lengths[order] = np.concatenate([place.lengths for place in places])
    ends = np.cumsum([len(place.lengths) for place in places])
    postings = []
    for place, among, number, frequency in zip(
        places, np.split(order, ends[:-1]), repeats, frequencies, strict=True
    ):
        summed = np.bincount(among, place.weights, minlength=len(matched))
        postings.append(Postings(summed.astype(np.float64, copy=False), number, frequency))
    # The rarest first, as in every store: a sum's last digits depend on the order.
    postings.sort(key=lambda term: term.frequency or 0)
    return matched, compute_scores(lengths, postings, corpus)


def _count_visible(db: Transaction, values: dict[str, Any]) -> int:
    return int(db.value("count_visible_chunks", values, visible=db.sql("visible_sources")))


# Vectors


def find_nearest(
    db: Transaction,
    index: VectorIndex,
    query: Vectors,
    count: int,
    *,
    filters: Filters,
    level: int,
    exact: bool,
) -> Integers:
    """The row numbers of the nearest chunks among the visible ones, ascending."""
    values = build_filter_values(filters, level)
    every = level == HIGHEST and filters == Filters()
    few = exact or not db.value("find_graph", vectors=index.table)
    if not few and not every:
        few = _count_visible(db, values) <= 2 * FEW_ROWS
    values |= {"query": encode_vector(query.tobytes()), "count": count}
    names = {"visible": db.sql("visible_sources"), "vectors": index.table}
    if few:
        rows = db.run("nearest_of_few", values, **names)
    else:
        db.run("use_order", (str(min(count, MOST_EXPLORED)), str(_MOST_SCANNED)))
        nearest = "nearest_of_all" if every else "nearest"
        rows = db.run(nearest, values, **names)
    return np.sort(np.array([row for (row,) in rows], dtype=np.int64))


def encode_vector(packed: bytes) -> HalfVector:
    """A vector in single precision as pgvector takes it, in half precision."""
    return HalfVector(np.frombuffer(packed, dtype=np.float32))


def describe_ways(db: Transaction, chunks: int) -> SearchWays:
    """How a search among so many chunks finds words and vectors, with the extensions' versions."""
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
    graph = chunks > FEW_ROWS and db.value("has_graph")
    code = "index-vectors-hnsw" if graph else "index-vectors-compared"
    return SearchWays(text, Message(code, name="pgvector", version=versions.get("vector", "")))
