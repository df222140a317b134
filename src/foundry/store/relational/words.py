"""BM25: exact scores without reading the postings of frequent terms one by one.

Terms are scored from the rarest on. Once the remaining terms alone cannot bring a chunk among the
best, they are only looked up for the chunks found so far (MaxScore).

What every search needs to know of all chunks (their lengths, sources and places) stays in memory until
a commit changes it. All statistics count visible chunks only, so that scores reveal nothing about
chunks that a role may not see.
"""

from __future__ import annotations

import json
import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from foundry.errors import StoreCorrupt
from foundry.messages import Message
from foundry.records import Filters, Mentions, StoreProblem, TermSpread
from foundry.store.relational.database import ChunkCounts, Transaction
from foundry.store.relational.segments import (
    TITLED,
    Codes,
    Flags,
    Packed,
    SegmentPostings,
    find_heavy,
    find_weights,
    place_segments,
    read,
    read_codes,
    unpack_weights,
)
from foundry.store.relational.text_index import LENGTHS
from foundry.store.rows import HIGHEST, build_filter_values, encode_json
from foundry.store.text_ranking import (
    AskedTerm,
    Corpus,
    Integers,
    Numbers,
    choose_best,
    choose_terms,
    compute_idf,
    compute_norms,
    is_text,
    rank,
)

_MOST_CHOSEN = 100
"""Most filters whose sources are kept in memory: a guess, more than users apply between commits."""

_MOST_KEPT = 1 << 23
"""Most postings in memory, of some 5 bytes each. A guess: those of the most frequent terms of a million chunks."""

_FEW_TERMS = 16
"""The postings of no more terms are read in order to count them: a search needs them anyway."""

_ROUNDING = 1e-9
"""How much a sum of scores may differ from the same sum in another order, as a share."""


@dataclass(frozen=True)
class TermPostings:
    """Four times the slot plus the kind of each posting of a term, ascending, and weights stored apart."""

    keys: Packed
    apart: Codes

    @cached_property
    def heavy(self) -> Integers:
        """The places of the postings whose weight is stored apart."""
        return find_heavy(self.keys)


class PostingCache:
    """Keeps the postings of the terms that were read last, up to ``_MOST_KEPT`` in all."""

    def __init__(self) -> None:
        self._kept: dict[str, TermPostings] = {}
        self._number = 0
        self._lock = threading.Lock()

    def find(self, term: str) -> TermPostings | None:
        """Return the postings of a term, if they are kept."""
        return self._kept.get(term)

    def keep(self, term: str, postings: TermPostings) -> None:
        """Keep the postings of a term in place of those kept longest."""
        with self._lock:
            if term not in self._kept:
                self._kept[term] = postings
                self._number += len(postings.keys)
            while self._number > _MOST_KEPT:
                self._number -= len(self._kept.pop(next(iter(self._kept))).keys)


@dataclass(frozen=True, slots=True)
class ListedSources:
    """Sources in the order of their ids: their places in ``TextState.sources``, and how many chunks each has."""

    places: Integers
    ids: npt.NDArray[np.object_]
    sizes: Integers


@dataclass(frozen=True)
class TextState:
    """The chunks of one commit, by place in the order of row numbers, and the segments with them.

    A slot is a chunk's place in all segments, one after the other. ``at`` has the place of each slot
    that counts, else -1; ``homes`` are places in ``sources``, ``languages`` counts by level,
    ``volumes`` are numbers as JSON, and ``packed`` are the postings that are in no volume.
    ``chosen`` keeps the sources that filters allow, by the last change of a source; it need not be asked
    for if the state ``is_whole``, that is if every change of a source makes a new one.
    """

    rows: Integers
    lengths: Integers
    homes: Integers
    sources: Integers
    ids: Sequence[str]
    levels: Integers
    languages: Sequence[Counter[str]]
    segments: Mapping[int, int]
    volumes: str
    at: Packed
    packed: Mapping[int, SegmentPostings] = field(default_factory=dict)
    is_whole: bool = False
    chosen: dict[tuple[Filters, int, int], Integers] = field(default_factory=dict)
    masks: dict[int, Flags | None] = field(default_factory=dict)
    sizes: dict[int, Corpus] = field(default_factory=dict)
    gone: dict[int, Packed] = field(default_factory=dict)
    listed: dict[int, ListedSources] = field(default_factory=dict)
    norms: dict[int, Numbers] = field(default_factory=dict)
    counts: dict[int, ChunkCounts] = field(default_factory=dict)
    postings: PostingCache = field(default_factory=PostingCache)

    @cached_property
    def slots(self) -> Packed:
        """By place: the chunk's slot, or -1 if it is in no segment."""
        slots = np.full(len(self.rows), -1, dtype=np.int32)
        known = np.flatnonzero(self.at >= 0)
        slots[self.at[known]] = known
        return slots

    def find_gone(self, level: int) -> Packed:
        """Return the slots whose postings do not count, ascending."""
        if level not in self.gone:
            counts = self.at >= 0
            seen = self.find_visible(level)
            if seen is not None:
                counts &= seen[self.at]
            self.gone[level] = np.flatnonzero(~counts)
        return self.gone[level]

    def find_visible(self, level: int) -> Flags | None:
        """Return which chunks are up to a level; None if all are."""
        if level not in self.masks:
            seen = self.levels <= level
            self.masks[level] = None if seen.all() else seen[self.homes]
        return self.masks[level]

    def find_allowed(self, db: Transaction, filters: Filters, level: int) -> Flags | None:
        """Return which chunks are up to a level and allowed by the filters; None if all are."""
        if filters == Filters():
            return self.find_visible(level)
        wanted = self.list_sources(db, filters, level)
        allowed: Flags = np.isin(self.sources, wanted)[self.homes]
        return allowed

    def list_sources(self, db: Transaction, filters: Filters, level: int) -> Integers:
        """Return the row numbers of the sources up to a level that the filters allow."""
        change = 0 if self.is_whole else int(db.value("last_change"))
        known = self.chosen.get((filters, level, change))
        if known is not None:
            return known
        found = db.run(
            "list_visible", build_filter_values(filters, level), visible=db.sql("visible_sources")
        )
        wanted = np.array([row for (row,) in found], dtype=np.int64)
        if len(self.chosen) >= _MOST_CHOSEN:
            self.chosen.clear()
        self.chosen[filters, level, change] = wanted
        return wanted

    @cached_property
    def slot_homes(self) -> Packed:
        """By slot: the place in ``sources`` of its chunk's source, or their number if it does not count."""
        return np.append(self.homes, len(self.sources)).astype(np.int32)[self.at]

    def list_sources_by_id(self, level: int) -> ListedSources:
        """Return the sources up to a level that have chunks, in the order of their ids."""
        if level not in self.listed:
            sizes = np.bincount(self.homes, minlength=len(self.sources))
            wanted = np.flatnonzero((sizes > 0) & (self.levels <= level))
            places = np.array(sorted(wanted.tolist(), key=self.ids.__getitem__), dtype=np.int64)
            ids = np.array(self.ids, dtype=np.object_)[places]
            self.listed[level] = ListedSources(places, ids, sizes[places])
        return self.listed[level]

    def measure(self, level: int) -> Corpus:
        """Return the number of visible chunks and of their terms."""
        if level not in self.sizes:
            seen = self.find_visible(level)
            lengths = self.lengths if seen is None else self.lengths[seen]
            self.sizes[level] = Corpus(len(lengths), int(lengths.sum()))
        return self.sizes[level]

    def list_norms(self, level: int) -> Numbers:
        """Return by slot what BM25 adds to the weights in the chunk."""
        if level not in self.norms:
            lengths = np.append(self.lengths, 0)[self.at]
            self.norms[level] = compute_norms(lengths, self.measure(level))
        return self.norms[level]

    def count_chunks(self, level: int) -> ChunkCounts:
        """Return the numbers of visible sources, visible chunks, indexed ones, and all chunks."""
        if level not in self.counts:
            sources = int(np.count_nonzero(self.levels <= level))
            indexed = len(self.at) - len(self.find_gone(level))
            chunks = self.measure(level).chunks
            self.counts[level] = ChunkCounts(sources, chunks, indexed, len(self.rows))
        return self.counts[level]

    def count_languages(self, level: int) -> dict[str, int]:
        """Return language → number of visible chunks, the most frequent first."""
        counts = sum(self.languages[: level + 1], Counter())
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


class TextVerbs(ABC):
    """The verbs of a ``relational.Database`` that searches of words need."""

    @abstractmethod
    def read_texts(self, db: Transaction) -> TextState:
        """Return the state as the transaction sees it; the transaction must not have written."""

    def count_mentions(self, db: Transaction, terms: Sequence[str], level: int) -> Mentions:
        return count_mentions(db, self.read_texts(db), terms, level)

    def count_documents(self, db: Transaction, terms: Sequence[str], level: int) -> dict[str, int]:
        return PostingReader(db, self.read_texts(db), level).count(terms)

    def count_chunks(self, db: Transaction, level: int) -> ChunkCounts:
        return self.read_texts(db).count_chunks(level)

    def count_languages(self, db: Transaction, level: int) -> dict[str, int]:
        return self.read_texts(db).count_languages(level)

    def search_words(
        self, db: Transaction, terms: Sequence[str], limit: int, /, *, filters: Filters, level: int
    ) -> list[tuple[str, float]]:
        return search(db, self.read_texts(db), terms, limit, filters=filters, level=level)


def read_state(
    db: Transaction,
    packed: Mapping[int, SegmentPostings] | None = None,
    found: Sequence[Any] | None = None,
    *,
    is_whole: bool = False,
) -> TextState:
    """Return the state as the transaction sees it; see there for ``is_whole``.

    ``found`` are the rows of the statement ``list_statistics``, if they were read before.
    """
    found = db.run("list_statistics").fetchall() if found is None else found
    sources, ids, levels, lengths, languages = zip(*found, strict=True) if found else ((),) * 5
    known = np.frombuffer(b"".join(filter(None, lengths)), dtype=LENGTHS)
    counts = [len(part or b"") // LENGTHS.itemsize for part in lengths]
    rows = known["chunk"].astype(np.int64)
    order = np.argsort(rows, kind="stable")
    rows = rows[order]
    segments, at = place_segments(db, rows)
    volumes = [volume for (volume,) in db.run("list_volumes")]
    return TextState(
        rows=rows,
        lengths=known["length"].astype(np.int64)[order],
        homes=np.repeat(np.arange(len(sources)), counts)[order],
        sources=np.array(sources, dtype=np.int64),
        ids=ids,
        levels=np.array(levels, dtype=np.int64),
        languages=_count_languages(levels, languages),
        segments=segments,
        volumes=encode_json(volumes),
        at=at,
        packed=packed or {},
        is_whole=is_whole,
    )


def _count_languages(levels: Sequence[int], found: Sequence[str | None]) -> list[Counter[str]]:
    """Return how many chunks of each level are in each language, given each source's JSON."""
    counts = [Counter[str]() for _ in range(HIGHEST + 1)]
    for (level, text), number in Counter(zip(levels, found, strict=True)).items():
        for language, chunks in json.loads(text or "{}").items():
            counts[level][language] += number * chunks
    return counts


# Postings


class PostingReader:
    """The postings of the chunks up to a level."""

    def __init__(self, db: Transaction, state: TextState, level: int) -> None:
        self._db = db
        self._state = state
        self._seen = state.find_visible(level)
        self._gone = state.find_gone(level)
        self._known: dict[str, TermPostings] = {}

    def count(self, terms: Sequence[str]) -> dict[str, int]:
        """Return term → number of visible chunks that have it."""
        asked = [term for term in dict.fromkeys(terms) if is_text(term)]
        if len(self._gone) or len(asked) <= _FEW_TERMS:
            self._fetch(asked)
            counts = {term: self._count(term) for term in asked}
        else:
            found = self._db.run("count_postings", (encode_json(asked), self._state.volumes))
            counts = Counter(dict(found))
            for postings in self._state.packed.values():
                counts.update({term: len(postings.find(term)[0]) // 2 for term in asked})
        return dict.fromkeys(terms, 0) | counts

    def is_long(self, term: str, chunks: int) -> bool:
        """Return whether looking up so many chunks is faster than reading all postings of the term."""
        # Looking up one chunk takes some 10 times as long as reading it in sequence.
        return chunks < len(self._read(term).keys) / 10

    def _count(self, term: str) -> int:
        keys = self._read(term).keys
        if not len(self._gone):
            return len(keys)
        if not self.is_long(term, len(self._gone)):
            return len(self.find(term)[0])
        return len(keys) - int(np.count_nonzero(self.look_up(term, self._gone)))

    def find(self, term: str) -> tuple[Packed, Numbers]:
        """Return the slots of the visible chunks that have the term, and its weight in each."""
        postings = self._read(term)
        with noticing_damage():
            slots = postings.keys >> 2
            weights = unpack_weights(postings.keys, postings.apart, postings.heavy)
            if len(self._gone):
                places = self._state.at[slots]
                kept = places >= 0
                if self._seen is not None:
                    kept &= self._seen[places]
                slots, weights = slots[kept], weights[kept]
        return slots, weights

    def find_homes(self, term: str) -> tuple[Packed, Packed]:
        """Return the place of each posting's source, hidden ones too, and of those with the term in the title."""
        keys = self._read(term).keys
        with noticing_damage():
            homes = self._state.slot_homes.take(keys >> 2)
        return homes, homes[np.flatnonzero((keys & 3) == TITLED)]

    def look_up(self, term: str, slots: Packed) -> Numbers:
        """Return the weights of a term in the chunks at these slots; 0 for those without it."""
        postings = self._read(term)
        keys = postings.keys
        if not len(keys):
            return np.zeros(len(slots))
        near = np.searchsorted(keys, slots * 4)
        near[near == len(keys)] = 0
        having = np.flatnonzero(keys[near] >> 2 == slots)
        weights = np.zeros(len(slots))
        with noticing_damage():
            weights[having] = find_weights(keys, postings.apart, postings.heavy, near[having])
        return weights

    def _read(self, term: str) -> TermPostings:
        self._fetch([term])
        return self._known[term]

    def _fetch(self, terms: Sequence[str]) -> None:
        """Read the postings of the terms that are not known yet, in one statement."""
        kept = {term: self._state.postings.find(term) for term in terms if term not in self._known}
        self._known |= {term: postings for term, postings in kept.items() if postings}
        missing = [term for term in kept if term not in self._known]
        found: dict[str, list[tuple[int, bytes, bytes | None]]] = {term: [] for term in missing}
        if asked := list(filter(is_text, missing)):
            values = (encode_json(asked), self._state.volumes)
            for term, *row in self._db.run("term_postings", values).fetchall():
                found[term].append(tuple(row))
        for term, rows in found.items():
            self._known[term] = self._join(term, rows)
            self._state.postings.keep(term, self._known[term])

    def _join(self, term: str, rows: Sequence[tuple[int, bytes, bytes | None]]) -> TermPostings:
        packed = ((number, *one.find(term)) for number, one in self._state.packed.items())
        rows = sorted([*rows, *(row for row in packed if row[1])])
        numbers, codes, apart = zip(*rows, strict=True) if rows else ((), (), ())
        with noticing_damage():
            firsts = [4 * self._state.segments[number] for number in numbers]
            sizes = [len(part) // 2 for part in codes]
            keys = np.repeat(np.array(firsts, dtype=np.int32), sizes)
            keys += read_codes(codes)
            return TermPostings(keys, read_codes(apart))


@contextmanager
def noticing_damage() -> Iterator[None]:
    """Turn errors from numbers that do not fit each other into ``StoreCorrupt``."""
    try:
        yield
    except (ValueError, LookupError) as error:
        raise StoreCorrupt("store-text-index-damaged", cause=str(error)) from error


# Searches


def search(
    db: Transaction,
    state: TextState,
    terms: Sequence[str],
    limit: int,
    *,
    filters: Filters,
    level: int,
    among: Sequence[int] | None = None,
) -> list[tuple[str, float]]:
    """Return ids and BM25 scores of the best chunks that the filters allow; repeated terms count again.

    With ``among``, only the chunks with these row numbers are scored.
    """
    times, corpus = Counter(terms), state.measure(level)
    reader = PostingReader(db, state, level)
    counts = reader.count(list(times))
    chosen = choose_terms(counts, corpus.chunks)
    if not chosen or limit < 1:
        return []
    asked = {
        term: AskedTerm(times[term], compute_idf(corpus.chunks, counts[term])) for term in chosen
    }
    allowed = state.find_allowed(db, filters, level) if among is None else None
    scoring = _Scoring(state, reader, state.list_norms(level), allowed)
    with noticing_damage():
        if among is None:
            slots, scores = scoring.score(asked, limit)
        else:
            slots = state.slots[np.isin(state.rows, among)]
            slots = np.sort(slots[slots >= 0])
            scores = scoring.add(asked, slots)
        best = choose_best(scores, limit)
        rows = state.rows[state.at[slots[best]]].tolist()
    scored = dict(zip(rows, scores[best].tolist(), strict=True))
    named = db.run("chunk_ids", (encode_json(rows),))
    return rank({str(chunk): scored[row] for row, chunk in named}, limit)


@dataclass(frozen=True, slots=True)
class _Scoring:
    """Computes scores by slot, for the places that the filters allow (None: all visible ones)."""

    state: TextState
    reader: PostingReader
    norms: Numbers
    allowed: Flags | None

    def score(self, terms: Mapping[str, AskedTerm], limit: int) -> tuple[Packed, Numbers]:
        """Return slots and scores of all chunks that can be among the best; rarest term first."""
        scores = np.zeros(len(self.norms))
        found, is_all = np.zeros(0, dtype=np.int32), False
        most = total = sum(term.bound() for term in terms.values())
        for name, term in terms.items():
            candidates = None
            if most < total / 2:
                candidates = _find_candidates(scores, found, limit, most)
            if candidates is not None:
                found, is_all = candidates, True
            if is_all and self.reader.is_long(name, len(found)):
                scores[found] += self._look_up(name, term, found)
            else:
                slots, weights = self._find(name)
                known = scores.take(slots)
                if is_all:
                    among = np.flatnonzero(known)
                    slots, weights, known = slots[among], weights[among], known[among]
                else:
                    found = np.concatenate([found, slots[known == 0]])
                scores[slots] = known + term.score(weights, self.norms.take(slots))
            most -= term.bound()
        return found, scores.take(found)

    def add(self, terms: Mapping[str, AskedTerm], slots: Packed) -> Numbers:
        """Return the scores of the chunks at some slots."""
        scores = np.zeros(len(slots))
        for name, term in terms.items():
            scores += self._look_up(name, term, slots)
        return scores

    def _find(self, name: str) -> tuple[Packed, Numbers]:
        slots, weights = self.reader.find(name)
        if self.allowed is None:
            return slots, weights
        among = self.allowed[self.state.at[slots]]
        return slots[among], weights[among]

    def _look_up(self, name: str, term: AskedTerm, slots: Packed) -> Numbers:
        return term.score(self.reader.look_up(name, slots), self.norms.take(slots))


def _find_candidates(scores: Numbers, found: Packed, limit: int, most: float) -> Packed | None:
    """Return the slots of chunks that can still be among the best, ascending; None if others can too.

    ``most`` is the most that the terms not scored yet can add.
    """
    known = scores.take(found)
    high = known[known > most]
    if len(high) < limit:
        return None
    # A sum of scores can be a little less in another order.
    least = np.partition(high, -limit)[-limit] * (1 - _ROUNDING)
    return np.sort(found[known + most >= least], kind="stable")


def count_mentions(db: Transaction, state: TextState, terms: Sequence[str], level: int) -> Mentions:
    """Return how many chunks of each source up to ``level`` have each term."""
    reader = PostingReader(db, state, level)
    listed = state.list_sources_by_id(level)
    number = len(state.sources)
    spread = {}
    for term in terms:
        homes, titled = reader.find_homes(term)
        counts = np.bincount(homes, minlength=number + 1)
        labelled = np.zeros(number + 1, dtype=np.bool_)
        labelled[titled] = True
        spread[term] = TermSpread(counts[listed.places], labelled[listed.places])
    return Mentions(listed.ids, listed.sizes, spread)


def check_segments(db: Transaction) -> Iterator[StoreProblem]:
    """Yield what is wrong with the text index; reads all of it."""
    lengths: dict[int, int] = {}
    for (number,) in db.run("segment_numbers").fetchall():
        try:
            segment = read(db, number)
        except StoreCorrupt as error:
            yield StoreProblem(error.problem)
        else:
            lengths |= dict(zip(segment.rows.tolist(), segment.lengths.tolist(), strict=True))
    known = dict(db.run("chunk_lengths").fetchall())
    missing = len(known.keys() - lengths.keys())
    if missing:
        yield StoreProblem(Message("store-chunks-without-text-row", n=missing))
    strays = int(db.value("stray_postings"))
    if strays:
        yield StoreProblem(Message("store-text-rows-without-chunk", n=strays))
    differs = sum(abs(lengths.get(row, number) - number) for row, number in known.items())
    if differs:
        yield StoreProblem(Message("store-lengths-differ", n=differs))
