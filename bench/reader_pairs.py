"""Pairs of a question or statement with a window of a passage, for ``python -m bench.train_reader``.

Windows come from one grid over the whole passage, cut without regard to the answer, and the
nearest ones are chosen by the question alone: a window's shape must not give its label away.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from bench.written import WrittenQuestion, find_group
from foundry.craft.gate.question import Candidate
from foundry.models.e5.tokenizer import PieceTokenizer
from foundry.models.e5.weights import E5Weights, Floats

WINDOW = 96
"""Tokens of the passage in a pair; title and question come on top."""
_TITLE, _QUESTION = 14, 40
_HITS = 2
_COVERED, _UNCOVERED = 0.8, 0.3
"""Share of a quote's words in a window from which it has the answer, or up to which it has not."""
_SWAPPED, _CLAIMS, _CLAIMS_SWAPPED = 0.6, 0.45, 0.25
"""Shares: questions also paired with another passage, statements used, statements so paired."""
_UNITS = re.compile(r"\n+|(?<=[.!?;])\s+(?=[A-Z0-9“\"'(])")
_SAMPLED = range(1000, 250_000, 50)
"""Words whose mean vector is taken away from all."""

NO = -1
"""A label that is not known."""


@dataclass(frozen=True)
class Searched:
    """A question with what was found for it, and what the product makes of it."""

    question: WrittenQuestion
    group: str
    candidates: Sequence[Candidate]
    gate: float


@dataclass(frozen=True)
class Pair:
    """``answer``, ``support``, ``relevant``: 1, 0 or ``NO``; ``use`` says what measures read.

    ``truth`` is that of the question or statement, whatever the window has.
    """

    item: str
    group: str
    language: str
    kind: str
    use: str
    asked: tuple[int, ...]
    passage: tuple[int, ...]
    truth: int = NO
    answer: int = NO
    support: int = NO
    relevant: int = NO


@dataclass(frozen=True)
class Passage:
    """A text cut into the grid's windows, as tokens."""

    title: tuple[int, ...]
    windows: tuple[tuple[int, ...], ...]
    texts: tuple[str, ...]


class PairWriter:
    """Cuts texts into windows and pairs them; remembers passages."""

    def __init__(self, weights: E5Weights, tokenizer: PieceTokenizer) -> None:
        self._tokenizer, self._weights = tokenizer, weights
        self._rows: dict[int, Floats] = {}
        self._passages: dict[str, Passage] = {}
        self._units: dict[tuple[int, ...], Floats] = {}

    def split(self, text: str) -> tuple[int, ...]:
        """The tokens of a text."""
        return tuple(self._tokenizer.split_text(text.replace("\0", " ")))

    def cut(self, title: str | None, text: str) -> Passage:
        """The windows of a passage: whole units up to ``WINDOW`` tokens, each half overlapping."""
        key = f"{title} {text}"
        if key not in self._passages:
            units = [one for one in _UNITS.split(text) if one.strip()]
            sizes = [min(len(self.split(one)), WINDOW) for one in units]
            texts = [" ".join(units[start:end]) for start, end in _divide(sizes)]
            # Each window is tokenised whole, so that its edges look alike wherever it was cut.
            windows = tuple(self.split(one)[: WINDOW + 8] for one in texts)
            self._passages[key] = Passage(self.split(title or "")[:_TITLE], windows, tuple(texts))
        return self._passages[key]

    def rank(self, asked: str, passage: Passage) -> list[int]:
        """The windows by how near their word vectors are to the question's, best first."""
        tokens = self.split(asked)
        question, weights = self._look_up(tokens), -self._weights.scores[list(tokens)]
        scores = [(question @ self._look_up(one).T).max(axis=1) @ weights
                  for one in passage.windows]  # fmt: skip
        return np.argsort(-np.array(scores), kind="stable").tolist()

    def pair(
        self, places: tuple[str, str, str, str], use: str, asked: str, passage: Passage,
        window: int | None = None, **labels: int,
    ) -> Pair:  # fmt: skip
        """A pair with a window, or with the nearest."""
        number = self.rank(asked, passage)[0] if window is None else window
        text = passage.title + passage.windows[number]
        return Pair(*places, use, self.split(asked)[:_QUESTION], text, **labels)

    def _look_up(self, tokens: tuple[int, ...]) -> Floats:
        if tokens not in self._units:
            new = sorted(set(tokens) - self._rows.keys())
            if new:
                rows = self._read_words(new)
                rows = rows - self._centre
                rows /= np.linalg.norm(rows, axis=1, keepdims=True)
                self._rows.update(zip(new, rows, strict=True))
            self._units[tokens] = np.stack([self._rows[one] for one in tokens])
        return self._units[tokens]

    def _read_words(self, tokens: Iterable[int]) -> Floats:
        # Each as the first token: the position they share goes with the centre.
        return np.stack([self._weights.read_rows([one])[0] for one in tokens])

    @cached_property
    def _centre(self) -> Floats:
        return self._read_words(_SAMPLED).mean(axis=0)


def _divide(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    start = end = 0
    while end < len(sizes):
        end, size = start, 0
        while end < len(sizes) and size + sizes[end] <= WINDOW:
            size, end = size + sizes[end], end + 1
        yield start, end
        start += max(1, (end - start) // 2)


def measure_cover(quote: str, window: str) -> float:
    """Share of a quote's words that a window has; 1 where it has the quote itself."""
    words = _words(quote)
    if not words:
        return 0.0
    if "".join(words) in "".join(_words(window)):
        return 1.0
    return len(set(words) & set(_words(window))) / len(set(words))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def write_questions(writer: PairWriter, data: Path, searched: Iterable[Searched]) -> Iterator[Pair]:
    """The written questions: with windows of the gold passage, of the best hits and of another."""
    chunks = {row["id"]: row for row in read_rows(data / "written/passages.jsonl")}
    gold = {row["id"]: row["chunk"] for row in read_rows(data / "written/questions.jsonl")}
    others, chance = group_passages(chunks.values()), random.Random(7)
    for found in searched:
        question, truth = found.question, int(found.question.answerable)
        places = (question.id, found.group, question.language, question.kind)
        if truth:
            row = chunks[gold[question.id]]
            passage = writer.cut(row["title"], row["text"])
            ranked = writer.rank(question.text, passage)
            for window in [one for one in ranked if label(found, passage.texts[one]) == 1][:1]:
                yield writer.pair(places, "gold", question.text, passage, window,
                                  truth=1, answer=1, relevant=1)  # fmt: skip
        for number, candidate in enumerate(found.candidates[:_HITS]):
            passage = writer.cut(candidate.source.title, candidate.chunk.content)
            window = writer.rank(question.text, passage)[0]
            answer = label(found, passage.texts[window])
            about = answer == 1 or (not truth and number == 0)
            yield writer.pair(places, "hit", question.text, passage, window,
                              truth=truth, answer=answer, relevant=1 if about else NO)  # fmt: skip
        if chance.random() <= _SWAPPED:
            names = {question.path, *(one.source.path for one in found.candidates[:_HITS])}
            group = others[found.group]
            row = chance.choice([one for one in group if one["file"] not in names] or group)
            yield writer.pair(places, "swapped", question.text,
                              writer.cut(row["title"], row["text"]),
                              truth=truth, answer=0, relevant=0)  # fmt: skip


def label(found: Searched, window: str) -> int:
    """Whether a window has the answer of a question, by the quote."""
    if not found.question.answerable:
        return 0
    cover = measure_cover(found.question.quote, window)
    return 1 if cover >= _COVERED else 0 if cover <= _UNCOVERED else NO


def write_claims(writer: PairWriter, data: Path) -> Iterator[Pair]:
    """Some of the written statements with their cited passage, a quarter also with another."""
    chunks = {row["id"]: row for row in read_rows(data / "written/passages.jsonl")}
    others, chance = group_passages(chunks.values()), random.Random(8)
    for row in read_rows(data / "written/claims.jsonl"):
        if chance.random() > _CLAIMS:
            continue
        cited, truth = chunks[row["cited"]], int(row["supported"])
        group = find_group(cited["file"])
        places = (row["id"], group, row["language"], row["kind"])
        passage = writer.cut(cited["title"], cited["text"])
        yield writer.pair(places, "claim", row["sentence"], passage,
                          truth=truth, support=truth, relevant=1)  # fmt: skip
        if chance.random() < _CLAIMS_SWAPPED:
            far = chance.choice([o for o in others[group] if o["id"] not in row["passages"]])
            yield writer.pair(places, "claim swapped", row["sentence"],
                              writer.cut(far["title"], far["text"]),
                              truth=truth, support=0, relevant=0)  # fmt: skip


def write_halves(writer: PairWriter, data: Path, name: str, most: int) -> Iterator[Pair]:
    """Questions of a published half with the passage they were written for; never trained on."""
    texts = {row["id"]: row for row in read_rows(data / name / "corpus.jsonl")}
    lines = (data / name / "qrels.tsv").read_text(encoding="utf-8").splitlines()
    gold = {line.split("\t")[0]: line.split("\t")[1] for line in lines[1:]}
    queries = read_rows(data / name / "queries.jsonl")
    random.Random(9).shuffle(queries)
    for row in queries[:most]:
        text = texts[row.get("distractor_doc") or gold[row["id"]]]
        yield writer.pair((row["id"], name, "en", ""), "hit", row["text"],
                          writer.cut(text["title"], text["text"]),
                          truth=int(row["answerable"]))  # fmt: skip


def group_passages(rows: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The passages of each group of documents."""
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        found[find_group(row["file"])].append(row)
    return found


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
