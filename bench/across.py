"""Questions in one language whose answer stands in another.

``nl_coronamelder`` has the same answers in eleven languages: each question is asked of the texts of
its own language and of one other, without its own answer (*among its own*); of the other language
alone (*other alone*); and with its own answer back (*own answer*). Words are searched in the whole
set. The example project's questions are asked as they are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.fusion import difference
from bench.rankings import SETS, Asked, Kept, compare, load, load_own, own_project
from foundry.analysis import UNKNOWN
from foundry.craft.fusion import TEXT_WEIGHT, fuse, fuse_by_scores
from foundry.evaluation.dataset import open_dataset
from foundry.records import RetrieverHit

LANGUAGES = ("de", "en", "es", "fr", "nl", "pl")
"""Those that the built-in model and the stemmers know well."""

Scores = Mapping[str, float]


@dataclass(frozen=True)
class Case:
    """A question over some chunks: cosines and BM25 by chunk, languages, and what is right."""

    dense: Scores
    text: Scores
    share: float
    asked: str
    languages: Mapping[str, str]
    gold: frozenset[str]
    development: bool = False

    @property
    def apart(self) -> frozenset[str]:
        if self.asked == UNKNOWN:
            return frozenset()
        alike = (UNKNOWN, self.asked)
        return frozenset(c for c, language in self.languages.items() if language not in alike)


Way = Callable[[Case], Sequence[str]]


def _hits(scores: Scores, depth: int = 100) -> list[RetrieverHit]:
    best = sorted(scores.items(), key=lambda found: (-found[1], found[0]))[:depth]
    return [RetrieverHit(chunk, rank, score) for rank, (chunk, score) in enumerate(best, 1)]


def _rrf(
    case: Case, *, rule: bool = True, depth: int = 100, dense: Scores | None = None
) -> list[str]:
    found = fuse(
        _hits(dense or case.dense, depth), _hits(case.text), 60, case.apart if rule else ()
    )
    return [one.chunk_id for one in found]


def _without_strangers(case: Case) -> list[str]:
    """Hits by words in another language are left out, and nothing stands in for them."""
    text = {chunk: score for chunk, score in case.text.items() if chunk not in case.apart}
    return [one.chunk_id for one in fuse(_hits(case.dense), _hits(text), 60)]


def _zscore(
    case: Case, *, rule: bool = True, share: float | None = None, dense: Scores | None = None
) -> list[str]:
    words = case.share if share is None else share
    apart = case.apart if rule else ()
    found = fuse_by_scores(_hits(dense or case.dense), _hits(case.text), words, apart)
    return [one.chunk_id for one in found]


def _centred(case: Case, part: float) -> Scores:
    """Cosines less ``part`` of how far their language lies from the question's, on average."""
    by_language: dict[str, list[float]] = {}
    for chunk, cosine in case.dense.items():
        by_language.setdefault(case.languages[chunk], []).append(cosine)
    centres = {language: float(np.mean(found)) for language, found in by_language.items()}
    own = centres.get(case.asked)
    if own is None:
        return case.dense
    centres[UNKNOWN] = own
    return {c: s - part * (centres[case.languages[c]] - own) for c, s in case.dense.items()}


RRF = "rrf (default)"
WAYS: Mapping[str, Way] = {
    "BM25": lambda case: [hit.chunk_id for hit in _hits(case.text)],
    "dense": lambda case: [hit.chunk_id for hit in _hits(case.dense)],
    "RRF as it was": lambda case: _rrf(case, rule=False),
    RRF: _rrf,
    "- hits by words in another language left out": _without_strangers,
    "- 20 candidates by vector": lambda case: _rrf(case, depth=20),
    "- 40 candidates by vector": lambda case: _rrf(case, depth=40),
    "- languages centred, a quarter": lambda case: _rrf(case, dense=_centred(case, 0.25)),
    "- languages centred, half": lambda case: _rrf(case, dense=_centred(case, 0.5)),
    "- languages centred": lambda case: _rrf(case, dense=_centred(case, 1.0)),
    "z-scores, words .8": lambda case: _zscore(case, rule=False, share=0.8 / TEXT_WEIGHT),
    "zscore without the rule": lambda case: _zscore(case, rule=False),
    "zscore (option)": _zscore,
    "- with languages centred, half": lambda case: _zscore(case, dense=_centred(case, 0.5)),
}


def measure(data: Path | None) -> Iterator[str]:
    groups = {**(_pairs(data) if data else {}), **_own()}
    yield "Mean reciprocal rank of the right text / share in the first ten:"
    yield ""
    yield "| ranked by | " + " | ".join(f"{n} ({len(cases)})" for n, cases in groups.items()) + " |"
    yield "|---" * (len(groups) + 1) + "|"
    for name, way in WAYS.items():
        yield f"| {name} | " + " | ".join(_cell(way, cases) for cases in groups.values()) + " |"
    yield ""
    yield "What the rule for languages changes (reciprocal rank, default − as it was), held-back half:"
    yield ""
    for name, cases in groups.items():
        held = [case for case in cases if not case.development]
        before, after = (
            [1 / _place(WAYS[way](case), case) for case in held] for way in ("RRF as it was", RRF)
        )
        yield f"- {name} ({len(held)}): {difference(before, after)}"
    yield ""
    yield from _vectors(data)


def _cell(way: Way, cases: Sequence[Case]) -> str:
    places = [_place(way(case), case) for case in cases]
    first = float(np.mean([1 / place for place in places]))
    return f"{first:.3f} / {np.mean([place <= 10 for place in places]):.2f}"


def _place(ranking: Sequence[str], case: Case) -> float:
    return next((i for i, chunk in enumerate(ranking, 1) if chunk in case.gold), float("inf"))


def _text(kept: Kept, asked: Asked, chunks: frozenset[str]) -> dict[str, float]:
    scores: dict[str, float] = {}
    for term in asked.terms:
        for chunk, part in kept.parts[term].items():
            if chunk in chunks:
                scores[chunk] = scores.get(chunk, 0.0) + part
    return scores


def _share(kept: Kept, asked: Asked, text: Scores) -> float:
    """As the product's ``compute_found_share``, on the kept terms."""
    weights = [
        np.log(1 + (kept.chunks - found + 0.5) / (found + 0.5))
        for word in asked.words
        for found in [max((kept.frequencies.get(t, 0) for t in word.terms), default=0)]
    ]
    best = [hit.chunk_id for hit in _hits(text, 5)]
    shares = [
        sum(
            weight
            for weight, word in zip(weights, asked.words, strict=True)
            if any(chunk in kept.parts[term] for term in word.terms)
        )
        for chunk in best
    ]
    return float(max(shares, default=0.0) / (sum(weights) or 1.0))


def _case(
    kept: Kept,
    row: np.ndarray,
    asked: Asked,
    chunks: Sequence[str],
    gold: frozenset[str],
) -> Case:
    places = {chunk: place for place, chunk in enumerate(kept.order)}
    text = _text(kept, asked, frozenset(chunks))
    return Case(
        dense={chunk: float(row[places[chunk]]) for chunk in chunks},
        text=text,
        share=_share(kept, asked, text),
        asked=asked.language,
        languages={chunk: kept.places[chunk].language for chunk in chunks},
        gold=gold,
        development=asked.development,
    )


def _pairs(data: Path, cosines: np.ndarray | None = None) -> dict[str, list[Case]]:
    kept = load(data, next(run for run in SETS if run.name == "nl_coronamelder"))
    rows = kept.nearest if cosines is None else cosines
    by_document = {place.document: chunk for chunk, place in kept.places.items()}
    groups: dict[str, list[Case]] = {"other alone": [], "among its own": [], "own answer": []}
    for row, asked in zip(rows, kept.questions, strict=True):
        own, topic = asked.id.split("/")
        for other in LANGUAGES if own in LANGUAGES else ():
            gold = by_document.get(f"{other}/{topic}")
            if other == own or gold is None:
                continue
            near = [c for d, c in by_document.items() if d.split("/")[0] == other]
            mine = [c for d, c in by_document.items() if d.split("/")[0] == own]
            answer = by_document[f"{own}/{topic}"]
            rest = [chunk for chunk in mine if chunk != answer]
            right, same = frozenset((gold,)), frozenset((answer,))
            groups["other alone"].append(_case(kept, row, asked, near, right))
            groups["among its own"].append(_case(kept, row, asked, [*near, *rest], right))
            groups["own answer"].append(_case(kept, row, asked, [*near, *mine], same))
    return groups


def _own(cosines: np.ndarray | None = None) -> dict[str, list[Case]]:
    kept = load_own()
    rows = kept.nearest if cosines is None else cosines
    groups: dict[str, list[Case]] = {"example, across": [], "example, one language": []}
    for row, asked in zip(rows, kept.questions, strict=True):
        right = kept.qrels[asked.id]
        gold = frozenset(c for c, place in kept.places.items() if place.document in right)
        name = "example, across" if asked.kind == "cross_language" else "example, one language"
        groups[name].append(_case(kept, row, asked, kept.order, gold))
    return groups


def _vectors(data: Path | None) -> Iterator[str]:
    """The dense channel alone, by what of a chunk and of a question is compared."""
    yield "The vector channel alone, by what is compared (reciprocal rank / in the first ten):"
    yield ""
    found = {
        name: _by(data, name) for name in ("nearest window", "mean", "both", "asked as a passage")
    }
    names = list(next(iter(found.values())))
    yield "| compared | " + " | ".join(names) + " |"
    yield "|---" * (len(names) + 1) + "|"
    for name, groups in found.items():
        yield f"| {name} | " + " | ".join(_cell(WAYS["dense"], groups[n]) for n in names) + " |"


def _by(data: Path | None, name: str) -> dict[str, list[Case]]:
    own = load_own()
    corona = load(data, next(r for r in SETS if r.name == "nl_coronamelder")) if data else None
    if name == "asked as a passage":
        with own_project() as workspace:
            texts = workspace.embedder.embed_passages([q.text for q in own.questions])
            ours = compare(workspace, own.order, texts)[0]
        theirs = _as_passages(data, corona) if data and corona else None
    else:
        ours, theirs = (_chosen(kept, name) if kept else None for kept in (own, corona))
    pairs = _pairs(data, theirs) if data else {}
    return {**pairs, **_own(ours)}


def _chosen(kept: Kept, name: str) -> np.ndarray:
    if name == "nearest window":
        return kept.nearest
    return kept.mean if name == "mean" else (kept.nearest + kept.mean) / 2


def _as_passages(data: Path, kept: Kept) -> np.ndarray:
    _, workspace, _ = open_dataset(
        data / "nl_coronamelder", keep_documents=True, environment=os.environ
    )
    with workspace:
        texts = workspace.embedder.embed_passages([q.text for q in kept.questions])
        return compare(workspace, kept.order, texts)[0]
