"""BM25 as every store computes it: which terms are indexed and asked, and what they score.

A store supplies the postings of each term and the length of each chunk, as arrays, for the
chunks that the caller may see; nothing here knows a database. All statistics (number of
chunks, document frequencies, average length) follow from these arrays, so that chunks that
are not in them cannot change a score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np
import numpy.typing as npt

from foundry.analysis import ANALYSIS_VERSION, analyse, fold
from foundry.ids import hash_text
from foundry.records import Chunk, Source

Integers = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]

K1 = 1.2
B = 0.75
"""The constants of BM25 as in Lucene and FTS5."""

BODY_WEIGHT = 1.0
TITLE_WEIGHT = 2.0
"""Of the weights 1 to 3, best or within .001 of the best in nDCG@10 on six data sets in Dutch
and English; the measurement was made once and has no command in ``bench``."""
HEADING_WEIGHT = 1.0
"""Not more, because a heading is also in the body of the first chunk under it."""

WEIGHTS = np.array([TITLE_WEIGHT, HEADING_WEIGHT, BODY_WEIGHT])
"""By the number of the field: title, headings, body."""

LARGE_INDEX = 5_000
"""From this many chunks on, a query ignores terms that occur in more than half of them.

Such terms take the most time and decide the least; they count if a query has no others.
The number is a guess: in smaller indexes every search is fast enough.
"""

MOST_TERMS = 256
"""Most distinct terms in one query; the rarest are kept. A guess, far above any question."""


# What is indexed


@dataclass(frozen=True, slots=True)
class Terms:
    """A chunk's fields in the text index: terms separated by spaces."""

    title: str
    headings: str
    body: str

    def count(self) -> int:
        """The chunk's length: its number of terms in all fields."""
        fields = filter(None, (self.title, self.headings, self.body))
        return sum(field.count(" ") + 1 for field in fields)


def describe_source(source: Source) -> str:
    """What the index has of a source in each of its chunks: title, file name, names on its front.

    One line each, every word once: a name that the title has counts no more for standing elsewhere.
    """
    shown = [source.title, PurePosixPath(source.path).stem.replace("_", " ")]
    for name in source.names:
        if name.place == "front":
            shown += [name.name, *(alias for alias in name.aliases if _is_shaped(alias))]
    known: set[str] = set()
    lines: list[str] = []
    for text in shown:
        words = [word for word in text.split() if fold(word).strip(".,:;()") not in known]
        known.update(fold(word).strip(".,:;()") for word in words)
        lines.append(" ".join(words) if lines else text)
    return "\n".join(filter(None, lines))


def _is_shaped(alias: str) -> bool:
    # "AMD" and "TS485" name something; "Company" is said of many.
    return sum(char.isupper() or char.isdigit() for char in alias) > 1


def hash_terms(about: str, chunk: Chunk) -> str:
    """A hash of everything that ``make_terms`` depends on."""
    headings = _join_headings(about, chunk)
    parts = (str(ANALYSIS_VERSION), chunk.language, about, headings, chunk.content)
    return hash_text("\x1f".join(parts))[:32]


def make_terms(about: str, chunk: Chunk) -> Terms:
    """A chunk's row in the text index; takes about a millisecond per page.

    ``about`` is what ``describe_source`` says of its source.
    """
    return Terms(
        " ".join(analyse(about, chunk.language)),
        " ".join(analyse(_join_headings(about, chunk), chunk.language)),
        " ".join(analyse(chunk.content, chunk.language)),
    )


def _join_headings(about: str, chunk: Chunk) -> str:
    # A top heading that repeats the title would count twice.
    title = about.partition("\n")[0]
    return "\n".join(heading for heading in chunk.heading_path if heading != title)


# What is asked


def choose_terms(frequencies: Mapping[str, int], total: int) -> list[str]:
    """The terms of a query that are searched, rarest first; ``total`` is the number of chunks."""
    known = sorted((term for term, n in frequencies.items() if n), key=frequencies.__getitem__)
    if total >= LARGE_INDEX:
        known = [term for term in known if frequencies[term] <= total / 2] or known
    return known[:MOST_TERMS]


def is_text(term: str) -> bool:
    """False for what no chunk contains: lone surrogates (of a damaged command line) and zeros."""
    return not any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in term)


# Scores


def compute_idf(total: int, frequency: int) -> float:
    """Lucene's idf, ln(1 + (N - n + ½) / (n + ½)): above 0 for a term in every chunk.

    Robertson's drops to zero for a term in half of the chunks; in a small project that is
    every product name.
    """
    return math.log1p((total - frequency + 0.5) / (frequency + 0.5))


@dataclass(frozen=True, slots=True)
class Postings:
    """Where a term occurs: for every chunk the sum of the weights of its occurrences, or 0.

    ``repeats`` says how often the query has the term, ``frequency`` how many chunks of the corpus
    have it: None counts the weights.
    """

    weights: Numbers
    repeats: int = 1
    frequency: int | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """What scores are relative to: the number of chunks, and of terms in all of them."""

    chunks: int
    terms: int


@dataclass(frozen=True, slots=True)
class AskedTerm:
    """A term of a query: how often the query has it, and its idf."""

    repeats: int
    idf: float

    def score(self, weights: Numbers, norms: Numbers) -> Numbers:
        """What it adds to the scores of chunks in which its occurrences have these weights."""
        raised: Numbers = self.bound() * weights
        added: Numbers = raised / (weights + norms)
        return added

    def bound(self) -> float:
        """More than it adds to any score."""
        return self.repeats * self.idf * (K1 + 1)


def compute_norms(lengths: Integers, corpus: Corpus) -> Numbers:
    """What BM25 adds to the weights of terms in chunks of these lengths."""
    norms = K1 * (1 - B + B * lengths / (corpus.terms / corpus.chunks or 1.0))
    return np.asarray(norms, dtype=np.float64)


def compute_scores(
    lengths: Integers, postings: Sequence[Postings], corpus: Corpus | None = None
) -> Numbers:
    """The BM25 score of each chunk, 0 for those without any of the terms.

    The corpus is the chunks themselves, unless another is given.
    """
    scores = np.zeros(len(lengths))
    if not len(lengths):
        return scores
    corpus = corpus or Corpus(len(lengths), int(lengths.sum()))
    norms = compute_norms(lengths, corpus)
    for term in postings:
        known = term.frequency
        frequency = int(np.count_nonzero(term.weights)) if known is None else known
        asked = AskedTerm(term.repeats, compute_idf(corpus.chunks, frequency))
        scores += asked.score(term.weights, norms)
    return scores


def choose_best(scores: Numbers, limit: int) -> Integers:
    """The places of the ``limit`` highest scores above 0 and of those equal to the last."""
    places = np.flatnonzero(scores)
    if len(places) > limit:
        found = scores[places]
        places = places[found >= np.partition(found, -limit)[-limit]]
    return places


def rank(scored: Mapping[str, float], limit: int) -> list[tuple[str, float]]:
    """Chunk ids with scores, best first, ties by id."""
    return sorted(scored.items(), key=lambda item: (-item[1], item[0]))[:limit]
