"""Which words of a question the text channel asks for: rare ones, frequent ones, stop words.

The product's own BM25, term by term: a question's score is the sum of its terms' shares, so any
choice of them is a sum. Then how long the text channel takes over 100,000 generated chunks.
"""

from __future__ import annotations

import contextlib
import math
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import apsw
import numpy as np

from bench.fusion import apart, difference, load_sets
from bench.rankings import DEPTH, Asked, Kept, in_development
from foundry.craft.fusion import fuse, fuse_by_scores
from foundry.records import Filters, RetrieverHit
from foundry.workspace import Workspace, open_workspace

Weight = Callable[[Kept, str], float]


@dataclass(frozen=True)
class Choice:
    """``weight`` of a term, ``covering`` the power of the share of the question that a chunk has,
    ``needed`` of how many of the rarest terms one must stand in a chunk, ``near`` what two words
    that follow each other in the question earn where they do so in the chunk (times the lesser idf)."""

    weight: Weight = lambda _kept, _term: 1.0
    covering: float = 0.0
    needed: int = 0
    near: float = 0.0


def _idf(kept: Kept, term: str) -> float:
    found = kept.frequencies.get(term, 0)
    return math.log(1 + (kept.chunks - found + 0.5) / (found + 0.5))


def _at_most(share: float) -> Choice:
    return Choice(lambda kept, term: float(kept.frequencies[term] <= share * kept.chunks))


CHOICES: Mapping[str, Choice] = {
    "as it is": Choice(),
    "without terms in over 50 % of the chunks": _at_most(0.5),
    "- over 20 %": _at_most(0.2),
    "- over 10 %": _at_most(0.1),
    "- over 5 %": _at_most(0.05),
    "rare terms heavier (idf to the power of 1.25)": Choice(lambda k, t: _idf(k, t) ** 0.25),
    "- of 1.5": Choice(lambda k, t: _idf(k, t) ** 0.5),
    "frequent terms lighter (idf − .5)": Choice(lambda k, t: max(0.0, 1 - 0.5 / _idf(k, t))),
    "times the share of the question covered": Choice(covering=1.0),
    "- its square root": Choice(covering=0.5),
    "the rarest term must be there": Choice(needed=1),
    "- one of the three rarest": Choice(needed=3),
    "words that follow each other there too earn .25": Choice(near=0.25),
    "- .5": Choice(near=0.5),
    "- 1": Choice(near=1.0),
}


def rank(kept: Kept, asked: Asked, choice: Choice) -> list[RetrieverHit]:
    """The text channel's hits under a choice of terms."""
    terms = [term for term in asked.terms if kept.frequencies.get(term, 0)]
    weights = {term: choice.weight(kept, term) for term in terms}
    if not any(weights.values()):
        weights = dict.fromkeys(terms, 1.0)
    scores: dict[str, float] = {}
    covered: dict[str, float] = {}
    for term, weight in weights.items():
        for chunk, part in kept.parts[term].items() if weight else ():
            scores[chunk] = scores.get(chunk, 0.0) + weight * part
            covered[chunk] = covered.get(chunk, 0.0) + _idf(kept, term)
    if choice.covering:
        total = sum(_idf(kept, term) for term in terms)
        scores = {c: s * (covered[c] / total) ** choice.covering for c, s in scores.items()}
    if choice.needed:
        rarest = sorted(terms, key=kept.frequencies.__getitem__)[: choice.needed]
        wanted = set().union(*(kept.parts[term] for term in rarest))
        scores = {chunk: score for chunk, score in scores.items() if chunk in wanted}
    best = sorted(scores.items(), key=lambda found: (-found[1], found[0]))[:DEPTH]
    if choice.near:
        near = [(c, s + choice.near * _following(kept, asked, c)) for c, s in best]
        best = sorted(near, key=lambda found: (-found[1], found[0]))
    return [RetrieverHit(chunk, place, score) for place, (chunk, score) in enumerate(best, 1)]


def _following(kept: Kept, asked: Asked, chunk: str) -> float:
    """The lesser idf of every two neighbouring words of the question that are neighbours here."""
    row = kept.places[chunk].terms
    pairs = set(pairwise(row)) | set(zip(row, row[2:], strict=False))
    neighbours = pairwise(asked.words)
    return sum(
        max(
            (
                min(_idf(kept, a), _idf(kept, b))
                for a in x.terms
                for b in y.terms
                if (a, b) in pairs
            ),
            default=0.0,
        )
        for x, y in neighbours
    )


def measure(data: Path | None) -> Iterator[str]:
    sets = list(load_sets(data))
    yield "nDCG@10 of the text channel alone / merged with the vector channel (RRF):"
    yield ""
    yield "| terms of the question | " + " | ".join(kept.name for kept in sets) + " |"
    yield "|---" * (len(sets) + 1) + "|"
    for name, choice in CHOICES.items():
        yield f"| {name} | " + " | ".join(_cell(kept, choice) for kept in sets) + " |"
    yield ""
    yield from _near(sets)
    yield ""
    yield from speed()


NEAR = "- .5"


def _near(sets: Sequence[Kept]) -> Iterator[str]:
    """The one choice that gains somewhere, on the half of the questions that chose nothing."""
    yield "Words that follow each other earn .5: nDCG@10, after − before, held-back half:"
    yield ""
    yield "| set | text channel | merged by ranks | merged by scores |"
    yield "|---|---|---|---|"
    for kept in sets:
        before, after = (_rankings(kept, CHOICES[name]) for name in ("as it is", NEAR))
        cells = []
        for first, second in zip(before, after, strict=True):
            one, two = kept.measure(first), kept.measure(second)
            held = [query for query in one if not in_development(query)]
            cells.append(
                difference([one[q]["ndcg@10"] for q in held], [two[q]["ndcg@10"] for q in held])
            )
        yield f"| {kept.name} | " + " | ".join(cells) + " |"


def _rankings(kept: Kept, choice: Choice) -> list[dict[str, list[str]]]:
    """Of the text channel alone, merged by ranks, and merged by scores."""
    text = {q.id: rank(kept, q, choice) for q in kept.questions}
    by_scores = {
        q.id: fuse_by_scores(q.dense, text[q.id], q.share, apart(kept, q)) for q in kept.questions
    }
    by_ranks = {q.id: fuse(q.dense, text[q.id], 60, apart(kept, q)) for q in kept.questions}
    merged = [{q: [f.chunk_id for f in one] for q, one in m.items()} for m in (by_ranks, by_scores)]
    return [{q: [hit.chunk_id for hit in hits] for q, hits in text.items()}, *merged]


def _cell(kept: Kept, choice: Choice) -> str:
    alone, merged, _ = _rankings(kept, choice)
    return " / ".join(_mean(kept.measure(found)) for found in (alone, merged))


def _mean(found: Mapping[str, Mapping[str, float]]) -> str:
    return f"{float(np.mean([one['ndcg@10'] for one in found.values()])):.3f}"


CHUNKS = 100_000
_WORDS, _LENGTH, _QUESTIONS = 60_000, 120, 100


def speed() -> Iterator[str]:
    """Words drawn by Zipf's law; questions of 4 to 12 words drawn from chunks, frequent ones too."""
    drawn = random.Random(7)
    weights = np.cumsum(1 / np.arange(3, _WORDS + 3))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "foundry.yaml").write_text("project: {id: speed}\n", encoding="utf-8")
        with open_workspace(root, environment={}, cwd=root) as workspace:
            chunks = _fill(root / ".foundry" / "foundry.db", drawn, weights)
            asked = [
                drawn.sample(drawn.choice(chunks), drawn.randint(4, 12)) for _ in range(_QUESTIONS)
            ]
            yield f"The text channel over {CHUNKS:,} generated chunks of {_LENGTH} words, ms a question:"
            yield ""
            yield "| terms asked for | p50 | p95 | most | first hit the same | first 20 the same |"
            yield "|---|---|---|---|---|---|"
            yield from _times(workspace, asked)


def _fill(database: Path, drawn: random.Random, weights: np.ndarray) -> list[list[str]]:
    """Rows straight into the tables: no source is read, so nothing but the search is timed."""
    numbers = np.random.default_rng(7).random((CHUNKS, _LENGTH)) * weights[-1]
    rows = [[f"w{place}" for place in chunk] for chunk in np.searchsorted(weights, numbers)]
    with contextlib.closing(apsw.Connection(str(database))) as db, db:
        db.execute(
            "INSERT INTO sources VALUES (1, 'src_1', 'a.txt', '', '', 'text', 'und', 0, '', '', NULL,"
            " '[]', 'public', 0, NULL, NULL, '', '[]', '')"
        )
        db.executemany(
            "INSERT INTO chunks (rowid, id, source, position, char_start, char_end, first_block,"
            " last_block, tokens, language, heading_path, headings, prefix, content, text_hash,"
            " terms_hash, embedded_hash) VALUES (?, 'chk_' || ?, 1, ?, 0, 0, 0, 0, 0, 'und', '[]', '',"
            " '', '', '', '', '')",
            ((number, number, number) for number in range(1, CHUNKS + 1)),
        )
        db.executemany(
            "INSERT INTO chunks_fts (rowid, title, headings, body) VALUES (?, '', '', ?)",
            ((number, " ".join(row)) for number, row in enumerate(rows, 1)),
        )
        db.execute("INSERT INTO chunks_fts (chunks_fts) VALUES ('optimize')")
    return drawn.sample(rows, 1000)


def _times(workspace: Workspace, questions: Sequence[Sequence[str]]) -> Iterator[str]:
    store = workspace.store
    whole = [[hit.chunk_id for hit in store.search_text(q, 20, Filters())] for q in questions]
    for name, share in (
        ("all (over half left out)", 0.5),
        ("in at most 20 %", 0.2),
        ("10 %", 0.1),
        ("5 %", 0.05),
    ):
        times, first, all_same = [], 0, 0.0
        for question, before in zip(questions, whole, strict=True):
            counts = store.document_frequencies(question)
            kept = [t for t in question if counts[t] <= share * CHUNKS] or list(question)
            started = time.perf_counter()
            found = [hit.chunk_id for hit in store.search_text(kept, 20, Filters())]
            times.append((time.perf_counter() - started) * 1000)
            first += found[:1] == before[:1]
            all_same += len(set(found) & set(before)) / 20
        yield (
            f"| {name} | {np.percentile(times, 50):.0f} | {np.percentile(times, 95):.0f} | {max(times):.0f} "
            f"| {first / len(questions):.0%} | {all_same / len(questions):.0%} |"
        )
