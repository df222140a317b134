"""Fit the gate's constants on labelled questions and write ``constants.json``.

    python -m bench.fit_gate --data DIR [--write]

``DIR`` holds ``clapnq``, ``squad2_half``, ``anthropic_docs``, ``nl_algoritmekader`` and
``nl_coronamelder`` in BEIR form. Episodes are (question, collection, answerable or not):
the sets' own labels over their whole collections, and small collections of 2 to 60 passages
with the gold passage in them (answerable), taken out (a near miss) or never there (off topic),
so that the constants hold for a folder of three files as well as for hundreds. Passages of one
article are also joined to the length of the product's chunks. Signals are read by the product's
own code. Figures are cross-validated by question group.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.stats import rankdata

from foundry.analysis import analyse, query_terms
from foundry.config import BUILTIN_EMBEDDING
from foundry.craft.fusion import fuse
from foundry.craft.gate.signals import (
    JUDGED,
    Candidate,
    Question,
    Signals,
    read_signals,
)
from foundry.craft.windows import cut_windows
from foundry.models import ModelSettings, get_embedder
from foundry.records import Block, ChannelHit, Chunk, Source

SHARED = ("cosine", "gap", "coverage", "passage", "saturated", "agreement")
APART = ("cosine", "gap", "coverage")
LEXICAL = ("coverage", "passage", "saturated")
SIZES = (2, 6, 20, 60)
FOLDS = 10
CONSTANTS = Path(__file__).parents[1] / "src/foundry/craft/gate/constants.json"
Array = npt.NDArray[np.float64]


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
    text: str
    vector: npt.NDArray[np.float32]
    language: str
    gold: frozenset[str]
    answerable: bool
    group: str


@dataclass(frozen=True)
class Collection:
    name: str
    passages: list[Passage]
    windows: list[npt.NDArray[np.float32]]
    asks: list[Ask]


@dataclass(frozen=True)
class Episode:
    """One judged question: the signals of its candidates, its label, its set and group."""

    kind: str
    group: str
    answerable: bool
    signals: list[Signals]


def main() -> None:
    arguments = _arguments()
    collections = _load_all(arguments.data, arguments.cache)
    episodes = list(_episodes(collections, random.Random(7)))
    shared = [e for e in episodes if e.signals and e.signals[0].shared]
    apart = [e for e in episodes if e.signals and not e.signals[0].shared]
    fits = {
        "shared": _fit_arm(shared, SHARED),
        "apart": _fit_arm(apart, APART),
        "lexical": _fit_arm(shared, LEXICAL),
    }
    for arm, (_, figures) in fits.items():
        print(arm)
        for kind, row in sorted(figures.items()):
            print("  ", kind, " ".join(f"{k}={v:.3f}" for k, v in row.items()))
    if arguments.write:
        _write(fits)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=Path("bench/results/vectors"))
    parser.add_argument("--write", action="store_true", help="replace constants.json")
    return parser.parse_args()


# Collections


def _load_all(data: Path, cache: Path) -> list[Collection]:
    return [
        _load(data / "clapnq", "en", cache),
        _load(data / "squad2_half", "en", cache, documents=160),
        _joined(_load(data / "squad2_half", "en", cache, documents=160)),
        _load(data / "anthropic_docs", "en", cache, documents=60),
        _load(data / "nl_algoritmekader", "nl", cache, documents=60, titles=False),
        *_by_language(data / "nl_coronamelder", cache),
    ]


def _load(
    folder: Path,
    language: str,
    cache: Path,
    *,
    documents: int | None = None,
    titles: bool = True,
) -> Collection:
    passages = [
        Passage(str(row["id"]), row.get("title", "") if titles else "", row["text"], language)
        for row in _rows(folder / "corpus.jsonl")[:documents]
    ]
    # A question that is a page's own title asks nothing.
    queries = [row for row in _rows(folder / "queries.jsonl") if row.get("kind") != "title"]
    titled = {passage.title for passage in passages}
    queries = [row for row in queries if row.get("article", "") in titled | {""}]
    gold = _qrels(folder / "qrels.tsv")
    windows = _embed_windows(passages, cache / f"{folder.name}-{documents}-w.npy")
    asked = _embed(
        [q["text"] for q in queries], cache / f"{folder.name}-{documents}-q.npy", query=True
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


def _joined(one: Collection, together: int = 4) -> Collection:
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
    """The same questions over Dutch and over English texts alone: languages apart."""
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


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def _qrels(path: Path) -> defaultdict[str, set[str]]:
    gold: defaultdict[str, set[str]] = defaultdict(set)
    for row in csv.reader(path.open(encoding="utf-8"), delimiter="\t"):
        if row[2].lstrip("-").isdigit() and int(row[2]) > 0:
            gold[row[0]].add(row[1])
    return gold


# Episodes


def _episodes(collections: Sequence[Collection], rng: random.Random) -> Iterable[Episode]:
    for one in collections:
        index = _Index(one)
        if any(not ask.answerable for ask in one.asks):
            everything = range(len(one.passages))
            for ask in one.asks:
                yield index.episode(f"{one.name} labelled", ask, everything, ask.answerable)
        strangers = [
            a
            for other in collections
            if other.name.split("-")[0] != one.name.split("-")[0]
            for a in other.asks
        ]
        answerable = [ask for ask in one.asks if ask.answerable and ask.gold]
        for ask in rng.sample(answerable, min(150, len(answerable))):
            for size in SIZES:
                yield from _small(index, ask, rng.choice(strangers), size, rng)


def _small(
    index: _Index, ask: Ask, stranger: Ask, size: int, rng: random.Random
) -> Iterable[Episode]:
    """The gold passage among few others; the same without it; and a question from elsewhere."""
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
    """One collection with its terms, to rank any part of it in both channels."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection
        self.places = {p.id: i for i, p in enumerate(collection.passages)}
        self.terms = [analyse(f"{p.title}\n{p.text}", p.language) for p in collection.passages]
        self.sets = [set(terms) for terms in self.terms]
        self.candidates = [_candidate(p) for p in collection.passages]

    def episode(self, kind: str, ask: Ask, part: Sequence[int], answerable: bool) -> Episode:
        languages = {self.collection.passages[i].language for i in part}
        words = query_terms(ask.text, languages)
        terms = {term for word in words for term in word.terms}
        frequencies = {t: sum(t in self.sets[i] for i in part) for t in terms}
        question = Question(ask.text, ask.language, words, frequencies, len(part))
        cosines = {i: float((self.collection.windows[i] @ ask.vector).max()) for i in part}
        dense = sorted(part, key=lambda i: -cosines[i])[:40]
        scores = {i: self._bm25(i, terms, frequencies, len(part)) for i in part}
        text = [i for i in sorted(part, key=lambda i: -scores[i])[:20] if scores[i] > 0]
        ranking = fuse(_hits(dense, cosines), _hits(text, scores), 60)
        judged = [
            replace(
                self.candidates[int(f.chunk_id)],
                dense=f.dense,
                bm25=f.bm25,
                cosine=cosines[int(f.chunk_id)],
            )
            for f in ranking[:JUDGED]
        ]
        signals = read_signals(question, judged)
        return Episode(kind, f"{self.collection.name}:{ask.group}", answerable, signals)

    def _bm25(self, i: int, terms: set[str], frequencies: dict[str, int], count: int) -> float:
        found = [t for t in terms if t in self.sets[i]]
        score = 0.0
        for term in found:
            times = self.terms[i].count(term)
            idf = np.log(1 + (count - frequencies[term] + 0.5) / (frequencies[term] + 0.5))
            score += (
                float(idf) * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * len(self.terms[i]) / 150))
            )
        return score


def _candidate(passage: Passage) -> Candidate:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    source = Source(passage.id, passage.id, "", passage.title, "txt", passage.language, 0, now, now)
    return Candidate(passage.chunk(), source, 0.0)


def _hits(order: Sequence[int], scores: dict[int, float]) -> list[ChannelHit]:
    return [ChannelHit(str(i), rank, scores[i]) for rank, i in enumerate(order, start=1)]


# Fitting


Fit = tuple[dict[str, object], dict[str, dict[str, float]]]


def _fit_arm(episodes: Sequence[Episode], names: Sequence[str]) -> Fit:
    """Weights on all episodes, and figures per set from cross-validation by group."""
    groups = sorted({episode.group for episode in episodes})
    random.Random(3).shuffle(groups)
    fold = {group: i % FOLDS for i, group in enumerate(groups)}
    scores = np.zeros(len(episodes))
    for held in range(FOLDS):
        train = [e for e in episodes if fold[e.group] != held]
        beta = _fit(train, names)
        for i, episode in enumerate(episodes):
            if fold[episode.group] == held:
                scores[i] = _score(episode, names, beta)
    beta = _fit(episodes, names)
    row = {
        "intercept": round(float(beta[0]), 4),
        "weights": {name: round(float(b), 4) for name, b in zip(names, beta[1:], strict=True)},
    }
    return row, _figures(episodes, scores)


def _fit(episodes: Sequence[Episode], names: Sequence[str], rounds: int = 4) -> Array:
    """Logistic regression on each episode's best candidate, chosen anew in every round."""
    label = np.array([float(e.answerable) for e in episodes])
    weight = _weights(episodes)
    beta = np.array([0.0] + [1.0] * len(names))
    for _ in range(rounds):
        best = [
            max((_row(s, names) for s in e.signals), key=lambda r: float(r @ beta))
            for e in episodes
        ]
        beta = _logistic(np.stack(best), label, weight)
    return beta


def _weights(episodes: Sequence[Episode]) -> Array:
    """Every set counts alike, and within it every kind of episode, and both labels."""
    counts: dict[tuple[str, bool], int] = defaultdict(int)
    for episode in episodes:
        counts[episode.kind, episode.answerable] += 1
    kinds: dict[tuple[str, bool], int] = defaultdict(int)
    for kind, answerable in counts:
        kinds[kind.split(" ")[0], answerable] += 1
    raw = np.array(
        [
            _importance(e)
            / counts[e.kind, e.answerable]
            / kinds[e.kind.split(" ")[0], e.answerable]
            for e in episodes
        ]
    )
    return np.asarray(raw / raw.sum() * len(episodes))


def _importance(episode: Episode) -> float:
    """How much an episode teaches about real questions.

    SQuAD's are written to fool, and a passage taken out leaves others that tell as much: both
    count less. Across languages a refused question is the worse error, and the only set with
    such pairs is kinder than real manuals: those that have an answer count more.
    """
    if "squad" in episode.kind and "labelled" in episode.kind:
        return 0.3
    if "gold out" in episode.kind:
        return 0.4
    apart = bool(episode.signals) and not episode.signals[0].shared
    return 2.5 if apart and episode.answerable else 1.0


def _logistic(rows: Array, label: Array, weight: Array, ridge: float = 1.0) -> Array:
    mean = np.r_[0.0, rows[:, 1:].mean(0)]
    spread = np.r_[1.0, rows[:, 1:].std(0) + 1e-9]
    scaled = (rows - mean) / spread

    def loss(beta: Array) -> tuple[float, Array]:
        margin = scaled @ beta
        p = 1 / (1 + np.exp(-np.clip(margin, -50, 50)))
        penalty = ridge * np.r_[0.0, beta[1:]]
        value = -(weight * (label * np.log(p + 1e-12) + (1 - label) * np.log(1 - p + 1e-12))).sum()
        return float(value + 0.5 * (penalty * beta).sum()), scaled.T @ (
            weight * (p - label)
        ) + penalty

    # More of any signal must never mean less relevance: weights are bounded below by 0.
    bounds = [(None, None)] + [(0.0, None)] * (rows.shape[1] - 1)
    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds).x
    beta = found / spread
    beta[0] = found[0] - (found[1:] * mean[1:] / spread[1:]).sum()
    return np.asarray(beta)


def _row(signals: Signals, names: Sequence[str]) -> Array:
    return np.array([1.0, *(float(getattr(signals, name)) for name in names)])


def _score(episode: Episode, names: Sequence[str], beta: Array) -> float:
    margin = max(float(_row(s, names) @ beta) for s in episode.signals)
    return float(1 / (1 + np.exp(-np.clip(margin, -50, 50))))


def _figures(episodes: Sequence[Episode], scores: Array) -> dict[str, dict[str, float]]:
    """Per set: AUROC, and at the shipped threshold .20 false refusals and refusals."""
    sets: dict[str, list[int]] = defaultdict(list)
    for i, episode in enumerate(episodes):
        name, _, kind = episode.kind.partition(" ")
        sets[f"{name} {kind.split(' ')[0] if kind == 'labelled' else 'small'}"].append(i)
        sets["all"].append(i)
    return {name: _row_of_figures(episodes, scores, where) for name, where in sets.items()}


def _row_of_figures(
    episodes: Sequence[Episode], scores: Array, where: Sequence[int]
) -> dict[str, float]:
    label = np.array([episodes[i].answerable for i in where])
    found = scores[list(where)]
    ranks = rankdata(found)
    good, bad = int(label.sum()), int((~label).sum())
    auroc = (ranks[label].sum() - good * (good + 1) / 2) / (good * bad) if good and bad else np.nan
    far = np.array(["off topic" in episodes[i].kind for i in where])
    return {
        "n": float(len(where)),
        "auroc": float(auroc),
        "false_refusals": float((found[label] < 0.2).mean()) if good else np.nan,
        "refused": float((found[~label] < 0.2).mean()) if bad else np.nan,
        "refused_off_topic": float((found[far] < 0.2).mean()) if far.any() else np.nan,
    }


def _write(fits: dict[str, Fit]) -> None:
    figures = {
        arm: {
            kind: {k: round(v, 3) for k, v in row.items() if not np.isnan(v)}
            for kind, row in rows.items()
        }
        for arm, (_, rows) in fits.items()
    }
    content = {
        "made_by": "bench/fit_gate.py",
        "figures": figures,
        "models": {
            BUILTIN_EMBEDDING: {"shared": fits["shared"][0], "apart": fits["apart"][0]},
            "lexical": {"shared": fits["lexical"][0]},
        },
    }
    CONSTANTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
