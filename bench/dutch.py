"""Dutch in the text channel: stems, and compounds cut into their parts.

What would change the index (stems, parts of every compound in it) is tried with ``bm25s`` on the
product's chunks; the cut that the product makes, of words of a question that stand in no chunk,
through the product itself.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import bm25s
import numpy as np
import Stemmer

from bench.fusion import apart, difference, load_sets
from bench.rankings import SETS, Asked, Kept, load, load_own, own_project
from foundry.analysis import fold
from foundry.craft.fusion import fuse
from foundry.evaluation.dataset import open_dataset
from foundry.lexicon import load_lexicons
from foundry.records import RetrieverHit
from foundry.workspace import Workspace

DUTCH, ENGLISH = (load_lexicons()[code].general.stop_words for code in ("nl", "en"))
_WORD = re.compile(r"[^\W_]+")
_SHORTEST = 4
_ALWAYS = 10**9
_DUTCH, _ENGLISH = Stemmer.Stemmer("dutch"), Stemmer.Stemmer("english")
Stem = Callable[[str], str]

STEMS: dict[str, Stem] = {
    "Dutch stems (Snowball)": _DUTCH.stemWord,
    "Dutch stems (Porter's, older)": Stemmer.Stemmer("dutch_porter").stemWord,
    "English stems": _ENGLISH.stemWord,
    "no stems": lambda word: word,
}


@dataclass
class Texts:
    """The chunks of a set as words, under one way of stemming."""

    ids: Sequence[str]
    words: Sequence[Sequence[str]]
    stem: Stem
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rows = [[self.stem(word) for word in row] for row in self.words]
        self.counts.update(term for row in self.rows for term in set(row))

    def parts(self, word: str, *, most: int = _ALWAYS) -> tuple[str, ...]:
        """The two parts of a word that at most ``most`` chunks have, each in two chunks or more."""
        if self.counts[self.stem(word)] > most:
            return ()
        cuts = [
            (self.stem(first), self.stem(word[at:]))
            for at in range(_SHORTEST, len(word) - _SHORTEST + 1)
            for joint in ("", "s", "en", "e", "n")
            if word[:at].endswith(joint)
            and len(first := word[:at].removesuffix(joint)) >= _SHORTEST
        ]
        best = max(cuts, key=self._rarer, default=None)
        return best if best and self._rarer(best) >= 2 else ()

    def _rarer(self, cut: tuple[str, str]) -> int:
        return min(self.counts[cut[0]], self.counts[cut[1]])


@dataclass(frozen=True)
class Way:
    """Which words are cut: in the index, and in a question those that few enough chunks have."""

    stem: str = "Dutch stems (Snowball)"
    index: bool = False
    most: int = -1
    weight: float = 1.0


WAYS = {
    **{name: Way(name) for name in STEMS},
    "question: words in no chunk cut": Way(most=0),
    "- in 2 chunks at most": Way(most=2),
    "- in 5 chunks at most": Way(most=5),
    "- all words": Way(most=_ALWAYS),
    "- all words, parts at half weight": Way(most=_ALWAYS, weight=0.5),
    "index cut": Way(index=True),
    "index and question cut": Way(index=True, most=_ALWAYS),
}


def measure(data: Path | None) -> Iterator[str]:
    sets = list(_dutch_sets(data))
    yield "nDCG@10 of `bm25s` alone / merged with the vector channel (RRF), Dutch questions:"
    yield ""
    names = " | ".join(f"{name} ({len(asked)})" for name, _, asked, _ in sets)
    yield f"| way | {names} |"
    yield "|---" * (len(sets) + 1) + "|"
    made: dict[tuple[str, str], Texts] = {}
    for way_name, way in WAYS.items():
        cells = []
        for name, kept, asked, words in sets:
            key = (name, way.stem)
            if key not in made:
                made[key] = Texts([*words], [*words.values()], STEMS[way.stem])
            cells.append(_cell(kept, asked, made[key], way))
        yield f"| {way_name} | " + " | ".join(cells) + " |"
    yield ""
    yield from _product(data)


Loaded = tuple[str, Kept, list[Asked], dict[str, list[str]]]


def _dutch_sets(data: Path | None) -> Iterator[Loaded]:
    if data is not None:
        (run,) = (run for run in SETS if run.name == "nl_algoritmekader")
        kept = load(data, run)
        _, workspace, _ = open_dataset(data / run.name, title="ignore", environment=os.environ)
        with workspace:
            yield run.name, kept, list(kept.questions), _words(workspace)
    own = load_own()
    asked = [q for q in own.questions if q.language == "nl" and q.kind != "cross_language"]
    with own_project() as workspace:
        yield f"{own.name}, one language", own, asked, _words(workspace)


def _words(workspace: Workspace) -> dict[str, list[str]]:
    """Chunk id → its words, the title's twice as the product weighs them; no stop words."""
    found = {}
    for source in workspace.store.list_sources():
        for chunk in workspace.store.source_chunks(source.id):
            headings = [heading for heading in chunk.heading_path if heading != source.title]
            text = "\n".join((source.title, source.title, *headings, chunk.content))
            stops = ENGLISH if chunk.language == "en" else DUTCH
            found[chunk.id] = [w for w in _WORD.findall(fold(text)) if w not in stops]
    return found


def _cell(kept: Kept, asked: Sequence[Asked], texts: Texts, way: Way) -> str:
    rows = texts.rows
    if way.index:
        cut = {word: texts.parts(word) for row in texts.words for word in set(row)}
        rows = [
            [*row, *(part for word in words for part in cut[word])]
            for row, words in zip(texts.rows, texts.words, strict=True)
        ]
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index(rows, show_progress=False)
    text = {q.id: _search(index, texts, way, q) for q in asked}
    merged = {
        q.id: [f.chunk_id for f in fuse(q.dense, text[q.id], 60, apart(kept, q))] for q in asked
    }
    alone = {q: [hit.chunk_id for hit in hits] for q, hits in text.items()}
    return " / ".join(_mean(list(kept.measure(found).values())) for found in (alone, merged))


def _mean(found: Sequence[dict[str, float]]) -> str:
    return f"{float(np.mean([one['ndcg@10'] for one in found])):.4f}"


def _search(index: bm25s.BM25, texts: Texts, way: Way, asked: Asked) -> list[RetrieverHit]:
    words = [w for w in dict.fromkeys(_WORD.findall(fold(asked.text))) if w not in DUTCH]
    terms = list(dict.fromkeys(texts.stem(word) for word in words))
    extra = [part for word in words for part in texts.parts(word, most=way.most)]
    scores = _scores(index, terms, len(texts.ids))
    scores += way.weight * _scores(
        index, [e for e in dict.fromkeys(extra) if e not in terms], len(texts.ids)
    )
    best = np.argsort(-scores, kind="stable")[:100]
    return [
        RetrieverHit(texts.ids[place], rank, float(scores[place]))
        for rank, place in enumerate(best, 1)
        if scores[place] > 0
    ]


def _scores(index: bm25s.BM25, terms: Sequence[str], chunks: int) -> np.ndarray:
    known = [term for term in terms if term in index.vocab_dict]
    found: np.ndarray = index.get_scores(known) if known else np.zeros(chunks)
    return found


def _product(data: Path | None) -> Iterator[str]:
    """What the product's cut gives on every set: the rest must not lose by it."""
    yield "Through the product: a word that stands in no chunk is cut. nDCG@10 without / with:"
    yield ""
    yield "| set | questions with such a word | text channel | difference | merged (RRF) | difference |"
    yield "|---|---|---|---|---|---|"
    for kept in load_sets(data):
        cut = sum(bool(q.parts) for q in kept.questions)
        cells = []
        for merged in (False, True):
            first, second = (_values(kept, parts, merged) for parts in (False, True))
            cells.append(
                f"{math.fsum(first) / len(first):.4f} / {math.fsum(second) / len(second):.4f}"
            )
            cells.append(difference(first, second))
        yield f"| {kept.name} | {cut} of {len(kept.questions)} | " + " | ".join(cells) + " |"


def _values(kept: Kept, parts: bool, merged: bool) -> list[float]:
    rankings = {}
    for q in kept.questions:
        text = q.bm25_parts if parts else q.bm25
        found = fuse(q.dense, text, 60, apart(kept, q)) if merged else fuse([], text, 60)
        rankings[q.id] = [one.chunk_id for one in found]
    figures = kept.measure(rankings)
    return [figures[q.id]["ndcg@10"] for q in kept.questions]
