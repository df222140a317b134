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
from typing import Any

import numpy as np

from foundry.messages import Message
from foundry.ports import Vectors
from foundry.records import Filters, Mention, SearchWays
from foundry.store.relational.database import Occurrences, Transaction, VectorIndex
from foundry.store.rows import build_filter_values, encode_json
from foundry.store.text_ranking import (
    WEIGHTS,
    Corpus,
    Integers,
    Postings,
    choose_best,
    choose_terms,
    compute_scores,
    is_text,
    needs_all_terms,
    rank,
)

_PLACES = np.dtype([("chunk", ">i8"), ("fields", ">i2", (3,))])
"""An entry of ``postings.places``."""

FEW_ROWS = 5_000
"""Up to so many chunks, every one is compared: an index scan passes over most of what it finds
where filters leave little."""

WORD_CANDIDATES = 400
"""At least so many chunks that pg_textsearch finds are scored exactly: as many as have their windows
compared. Decision 38 says how the hits compare with those of the postings."""

MOST_EXPLORED = 1000
"""The largest ``hnsw.ef_search`` that pgvector allows."""

_MOST_SCANNED = 100_000
"""Most rows that an index scan visits for a filter: a guess, five times pgvector's own."""

_LETTERS = str.maketrans("0123456789", "ghijklmnop")


# Words


def count_mentions(db: Transaction, terms: Sequence[str], level: int) -> list[Mention]:
    """The sources up to ``level`` that have each term, with the share of their chunks that do."""
    found = db.run("mentions", {"terms": encode_json(list(terms)), "level": level}).fetchall()
    order = {term: place for place, term in enumerate(terms)}
    found.sort(key=lambda row: (order[row[0]], row[1]))
    return [
        Mention(term, source, chunks, chunks / total, titled)
        for term, source, chunks, total, titled in found
    ]


def read_occurrences(db: Transaction, terms: Sequence[str]) -> list[Occurrences]:
    """Where each term occurs, of all sources."""
    return _unpack(db.run("postings", (encode_json(list(terms)),)).fetchall(), terms)


def _unpack(found: Sequence[Any], terms: Sequence[str]) -> list[Occurrences]:
    by_term = dict(found)
    packed = [np.frombuffer(by_term.get(term, b""), dtype=_PLACES) for term in terms]
    return [
        Occurrences(places["chunk"].astype(np.int64), places["fields"] @ WEIGHTS)
        for places in packed
    ]


def search_words(
    db: Transaction, terms: Sequence[str], limit: int, *, filters: Filters, level: int
) -> list[tuple[str, float]] | None:
    """Ids and BM25 scores of the best visible chunks; None where pg_textsearch is not used."""
    indexes: dict[int, str] = dict(db.run("word_indexes").fetchall())
    if not indexes:
        return None
    asked = [term for term in dict.fromkeys(terms) if is_text(term)]
    number, length, levels = db.run("text_totals", {"level": level}).fetchone()
    values = {"terms": encode_json(asked), "level": level}
    found = dict(db.run("document_frequencies", values).fetchall())
    if needs_all_terms(terms, number):
        chosen = [term for term in asked if term in found]
    else:
        chosen = choose_terms(found, number)
    if not chosen or limit < 1:
        return []
    wanted = Counter(terms)
    allowed = build_filter_values(filters, max(levels))
    candidates = None
    # Where few chunks are allowed, scoring all of them takes less time.
    if (number if filters == Filters() else _count_visible(db, allowed)) > FEW_ROWS:
        asked = [term for term in chosen for _ in range(wanted[term])]
        seen = {at: indexes[at] for at in levels}
        # The postings know these terms: an index that finds none of them is not believed.
        count = max(WORD_CANDIDATES, 4 * limit)
        candidates = _find_candidates(db, asked, count, allowed, seen) or None
    places = _read_places(db, chosen, allowed, candidates)
    rows = np.unique(np.concatenate([place.rows for place in places]))
    described = db.run("chunk_lengths", {"rows": encode_json(rows.tolist())}).fetchall()
    postings = [
        Postings(_sum_up(rows, place), wanted[term], found[term])
        for term, place in zip(chosen, places, strict=True)
    ]
    postings.sort(key=lambda term: term.frequency or 0)
    lengths = np.array([terms for *_, terms in described], dtype=np.int64)
    scores = compute_scores(lengths, postings, Corpus(number, length))
    best = choose_best(scores, limit)
    return rank({described[place][1]: float(scores[place]) for place in best}, limit)


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
) -> list[Occurrences]:
    """Where each term occurs among the candidates, or among all allowed chunks if they are None."""
    values = {**allowed, "terms": encode_json(list(terms))}
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


def _select(place: Occurrences, rows: Integers) -> Occurrences:
    among = np.isin(place.rows, rows)
    return Occurrences(place.rows[among], place.weights[among])


def _sum_up(rows: Integers, place: Occurrences) -> Any:
    """The weight in each of ``rows``, which are in ascending order."""
    return np.bincount(np.searchsorted(rows, place.rows), place.weights, minlength=len(rows))


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
) -> Integers:
    """The row numbers of the nearest chunks among the visible ones, ascending."""
    values = build_filter_values(filters, level)
    few = _count_visible(db, values) <= FEW_ROWS
    values |= {"query": db.encode_vector(query.tobytes()), "count": count}
    names = {"visible": db.sql("visible_sources"), "vectors": index.table}
    if few:
        rows = db.run("nearest_of_few", values, **names)
    else:
        db.run("use_order", (str(min(count, MOST_EXPLORED)), str(_MOST_SCANNED)))
        rows = db.run("nearest", values, dimension=index.dimension, **names)
    return np.sort(np.array([row for (row,) in rows], dtype=np.int64))


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
    code = "index-vectors-compared" if chunks <= FEW_ROWS else "index-vectors-hnsw"
    return SearchWays(text, Message(code, name="pgvector", version=versions.get("vector", "")))
