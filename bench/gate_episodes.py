"""Episodes to fit and measure the gate on: (question, collection, answerable or not), with signals.

Sets in BEIR form give episodes twice: their own labels over the whole collection, and small
collections of 2 to 60 passages with the gold passage in them (answerable), taken out (a near miss)
or never there (off topic), so that constants hold for a folder of three files as well as for
hundreds. Passages of one article are also joined to the length of the product's chunks. Signals
are read by the product's own code.
"""

from __future__ import annotations

import csv
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench import written
from bench.example import QUESTIONS, open_example
from bench.tables import read_rows
from foundry.analysis import analyse, analyse_query
from foundry.config import BUILTIN_EMBEDDING
from foundry.craft.fusion import fuse
from foundry.craft.gate import (
    MAX_JUDGED,
    Candidate,
    CandidateSignals,
    compute_signals,
    extract_features,
    find_absent_identifier,
    find_unmentioned,
)
from foundry.craft.question import read_question
from foundry.craft.windows import cut_windows
from foundry.journeys.search import Retrieval
from foundry.models import ModelSettings, get_embedder
from foundry.records import Block, Chunk, RetrieverHit, Source

SIZES = (2, 6, 20, 60)
SQUAD_QUESTIONS = 1500
"""Drawn from SQuAD's 4,240 to save half an hour of embedding."""


@dataclass(frozen=True)
class Passage:
    id: str
    title: str
    text: str
    language: str

    def chunk(self) -> Chunk:
        spans = [(m.start(), m.end()) for m in re.finditer(r"\S(?:.|\n(?!\s*\n))*", self.text)]
        blocks = tuple(Block("paragraph", start, end) for start, end in spans)
        return Chunk(
            self.id, self.id, 0, 0, len(self.text), self.text, self.text, 0, self.language,
            blocks=blocks,
        )  # fmt: skip


@dataclass(frozen=True)
class Ask:
    """``across``: its answer is in another language, or None if there is none."""

    text: str
    vector: npt.NDArray[np.float32]
    language: str
    gold: frozenset[str]
    answerable: bool
    group: str
    across: bool | None = False


@dataclass(frozen=True)
class Collection:
    name: str
    passages: list[Passage]
    windows: list[npt.NDArray[np.float32]]
    asks: list[Ask]
    candidates: list[Candidate] | None = None


@dataclass(frozen=True)
class Episode:
    """One judged question: the signals of its candidates, its label, its set and group.

    ``absent`` is the identifier that it is about and no source has: the gate refuses for it alone.
    """

    kind: str
    group: str
    answerable: bool
    signals: list[CandidateSignals]
    absent: str | None = None


def load_collections(data: Path, cache: Path) -> list[Collection]:
    """The sets under ``data``, with vectors kept under ``cache``."""
    squad = _load(data / "squad2_half", "en", cache, questions=SQUAD_QUESTIONS)
    return [
        _load(data / "clapnq", "en", cache),
        squad,
        _join(squad),
        _load(data / "anthropic_docs", "en", cache, documents=60),
        _load(data / "nl_algoritmekader", "nl", cache, documents=60, titles=False),
        *_by_language(data / "nl_coronamelder", cache),
    ]


def load_own(cache: Path) -> Collection:
    """The example project's chunks and its questions, as the product has them.

    A development set that has been looked at: figures say whether it was fitted on.
    """
    with open_example() as workspace:
        store = workspace.maintenance()
        found = [(s, c) for s in store.list_sources() for c in store.source_chunks(s.id)]
        vectors = store.get_vectors(BUILTIN_EMBEDDING, [chunk.id for _, chunk in found])
    rows = read_rows(QUESTIONS)
    asked = _embed([row["text"] for row in rows], cache / "own-q.npy", query=True)
    asks = [
        Ask(
            row["text"], vector, row["language"], frozenset(), row["answerable"],
            row.get("source") or row["id"],
            across=row["kind"] == "cross_language" if row["answerable"] else None,
        )
        for row, vector in zip(rows, asked, strict=True)
    ]  # fmt: skip
    passages = [
        Passage(c.id, s.title, "\n".join((*c.heading_path, c.content)), c.language)
        for s, c in found
    ]
    windows = [vectors[chunk.id].windows for _, chunk in found]
    candidates = [Candidate(chunk, source, 0.0) for source, chunk in found]
    return Collection("own", passages, windows, asks, candidates)


def own_episodes(own: Collection) -> list[Episode]:
    """The example project's questions over passages in their language, and those across over others.

    Questions without an answer are judged over both.
    """
    index, everything = _Index(own), range(len(own.passages))
    episodes: list[Episode] = []
    for ask in own.asks:
        found = index.episode("own labelled", ask, everything, ask.answerable)
        for shared in (True, False):
            if ask.across in (None, not shared):
                alone = [one for one in found.signals if one.shared == shared]
                absent = found.absent if shared else None
                episodes += [replace(found, signals=alone, absent=absent)] if alone else []
    return episodes


def written_episodes(data: Path) -> list[Episode]:
    """The written questions over all their documents, as the product retrieves them.

    A set each group of documents; a group each question's source, else its best hit's.
    """
    with written.open_project(data) as workspace:
        return [
            _written_episode(question, written.retrieve_written(workspace, question))
            for question in written.load_questions(data)
        ]


def _written_episode(question: written.WrittenQuestion, found: Retrieval) -> Episode:
    features = extract_features(found.question, found.candidates)
    path = question.path or found.candidates[0].source.path
    across = question.kind == "cross_language" or not features.signals[0].shared
    return Episode(
        f"written_{written.find_group(path)} labelled",
        path,
        question.answerable,
        [one for one in features.signals if one.shared != across],
        (features.missing_across if across else features.missing).absent,
    )


def _load(
    folder: Path,
    language: str,
    cache: Path,
    *,
    documents: int | None = None,
    questions: int | None = None,
    titles: bool = True,
) -> Collection:
    passages = [
        Passage(str(row["id"]), row.get("title", "") if titles else "", row["text"], language)
        for row in read_rows(folder / "corpus.jsonl")[:documents]
    ]
    # A question equal to the page's title asks nothing.
    queries = [row for row in read_rows(folder / "queries.jsonl") if row.get("kind") != "title"]
    if documents is not None:
        titled = {passage.title for passage in passages}
        queries = [row for row in queries if row.get("article", "") in titled | {""}]
    if questions is not None and len(queries) > questions:
        queries = random.Random(5).sample(queries, questions)
    gold = _qrels(folder / "qrels.tsv")
    windows = _embed_windows(passages, cache / f"{folder.name}-{documents}-w.npy")
    asked = _embed(
        [q["text"] for q in queries],
        cache / f"{folder.name}-{documents}-{len(queries)}-q.npy",
        query=True,
    )
    known = {passage.id for passage in passages}
    asks = [
        Ask(
            q["text"],
            vector,
            q.get("lang", language),
            frozenset(gold[str(q["id"])] & known),
            q.get("answerable", True),
            q.get("article") or min(gold[str(q["id"])], default=str(q["id"])),
        )
        for q, vector in zip(queries, asked, strict=True)
    ]
    return Collection(folder.name, passages, windows, asks)


def _join(one: Collection, together: int = 4) -> Collection:
    """Consecutive passages of one article as one: the length of the product's chunks."""
    joined: list[Passage] = []
    home: dict[str, str] = {}
    for start in range(0, len(one.passages), together):
        parts = one.passages[start : start + together]
        name = f"joined-{start}"
        home |= {part.id: name for part in parts}
        text = "\n\n".join(part.text for part in parts)
        joined.append(Passage(name, parts[0].title, text, parts[0].language))
    windows = [
        np.concatenate(one.windows[start : start + together])
        for start in range(0, len(one.passages), together)
    ]
    asks = [replace(ask, gold=frozenset(home[g] for g in ask.gold)) for ask in one.asks]
    return Collection(f"{one.name}-joined", joined, windows, asks)


def _by_language(folder: Path, cache: Path) -> list[Collection]:
    """The same questions over Dutch and over English texts alone, so that languages differ."""
    whole = _load(folder, "und", cache)
    collections = []
    for language in ("nl", "en"):
        keep = [i for i, p in enumerate(whole.passages) if p.id.startswith(f"{language}/")]
        asks = [
            replace(ask, gold=frozenset(g for g in ask.gold if g.startswith(f"{language}/")))
            for ask in whole.asks
        ]
        passages = [replace(whole.passages[i], language=language) for i in keep]
        asks = [ask for ask in asks if ask.gold and ask.language != language]
        collections.append(
            Collection(f"{whole.name}-{language}", passages, [whole.windows[i] for i in keep], asks)
        )
    return collections


def _embed_windows(passages: Sequence[Passage], path: Path) -> list[npt.NDArray[np.float32]]:
    """The windows of each passage, as the product cuts and embeds them."""
    parts = [[window.text for window in cut_windows(p.chunk())] for p in passages]
    vectors = _embed([text for part in parts for text in part], path)
    ends = np.cumsum([len(part) for part in parts])
    return list(np.split(vectors, ends[:-1]))


def _embed(texts: Sequence[str], path: Path, *, query: bool = False) -> npt.NDArray[np.float32]:
    if path.exists():
        kept: npt.NDArray[np.float32] = np.load(path)
        if len(kept) == len(texts):
            return kept
    embedder = get_embedder(BUILTIN_EMBEDDING, ModelSettings(environment={}))
    if query:
        vectors = np.stack([embedder.embed_query(text) for text in texts])
    else:
        vectors = embedder.embed_passages(list(texts))
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, vectors)
    return vectors


def _qrels(path: Path) -> defaultdict[str, set[str]]:
    gold: defaultdict[str, set[str]] = defaultdict(set)
    for row in csv.reader(path.open(encoding="utf-8"), delimiter="\t"):
        if row[2].lstrip("-").isdigit() and int(row[2]) > 0:
            gold[row[0]].add(row[1])
    return gold


def make_episodes(collections: Sequence[Collection], rng: random.Random) -> Iterable[Episode]:
    """Every set's own labels, then small collections drawn from it."""
    for collection in collections:
        index = _Index(collection)
        if any(not ask.answerable for ask in collection.asks):
            everything = range(len(collection.passages))
            for ask in collection.asks:
                yield index.episode(f"{collection.name} labelled", ask, everything, ask.answerable)
        strangers = [
            a
            for other in collections
            if other.name.split("-")[0] != collection.name.split("-")[0]
            for a in other.asks
        ]
        answerable = [ask for ask in collection.asks if ask.answerable and ask.gold]
        for ask in rng.sample(answerable, min(150, len(answerable))):
            for size in SIZES:
                yield from _small(index, ask, rng.choice(strangers), size, rng)


def _small(
    index: _Index, ask: Ask, stranger: Ask, size: int, rng: random.Random
) -> Iterable[Episode]:
    """A question with its gold passage among a few others, without it, and a foreign question."""
    name = index.collection.name
    gold = [index.places[g] for g in ask.gold if g in index.places]
    others = [i for i in range(len(index.collection.passages)) if i not in gold]
    if not gold or not others:
        return
    drawn = rng.sample(others, min(size, len(others)))
    yield index.episode(f"{name} gold in {size}", ask, [gold[0], *drawn[:-1]], True)
    yield index.episode(f"{name} gold out of {size}", ask, drawn, False)
    yield index.episode(f"{name} off topic in {size}", stranger, drawn, False)


class _Index:
    """One collection with its terms, to rank any part of it with both retrievers."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection
        self.places = {p.id: i for i, p in enumerate(collection.passages)}
        self.terms = [
            Counter(analyse(f"{p.title}\n{p.text}", p.language)) for p in collection.passages
        ]
        self.lengths = [terms.total() for terms in self.terms]
        self.candidates = collection.candidates or [_candidate(p) for p in collection.passages]

    def episode(self, kind: str, ask: Ask, part: Sequence[int], answerable: bool) -> Episode:
        languages = {self.collection.passages[i].language for i in part}
        words = analyse_query(ask.text, languages)
        terms = {term for word in words for term in word.terms}
        frequencies = {t: sum(t in self.terms[i] for i in part) for t in terms}
        question = replace(
            read_question(ask.text, ask.language),
            words=words,
            frequencies=frequencies,
            chunks=len(part),
            languages=frozenset(languages),
        )
        cosines = {i: float((self.collection.windows[i] @ ask.vector).max()) for i in part}
        dense = sorted(part, key=lambda i: -cosines[i])[:40]
        scores = {i: self._bm25(i, terms, frequencies, len(part)) for i in part}
        text = [i for i in sorted(part, key=lambda i: -scores[i])[:20] if scores[i] > 0]
        alike = ("und", ask.language) if ask.language != "und" else languages
        apart = {str(i) for i in dense if self.collection.passages[i].language not in alike}
        ranking = fuse(_hits(dense, cosines), _hits(text, scores), 60, apart)
        judged = [
            replace(
                self.candidates[int(f.chunk_id)],
                dense=f.dense,
                bm25=f.bm25,
                cosine=cosines[int(f.chunk_id)],
            )
            for f in ranking[:MAX_JUDGED]
        ]
        signals = compute_signals(question, judged)
        across = bool(signals) and not any(found.shared for found in signals)
        names = find_unmentioned(question, judged, across=across)
        absent = find_absent_identifier(question, names)
        return Episode(kind, f"{self.collection.name}:{ask.group}", answerable, signals, absent)

    def _bm25(self, i: int, terms: set[str], frequencies: dict[str, int], count: int) -> float:
        score, length = 0.0, self.lengths[i]
        for term in terms & self.terms[i].keys():
            times = self.terms[i][term]
            idf = np.log(1 + (count - frequencies[term] + 0.5) / (frequencies[term] + 0.5))
            score += float(idf) * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / 150))
        return score


def _candidate(passage: Passage) -> Candidate:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    source = Source(passage.id, passage.id, "", passage.title, "txt", passage.language, 0, now, now)
    return Candidate(passage.chunk(), source, 0.0)


def _hits(order: Sequence[int], scores: dict[int, float]) -> list[RetrieverHit]:
    return [RetrieverHit(str(i), rank, scores[i]) for rank, i in enumerate(order, start=1)]
