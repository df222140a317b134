"""Fit the built-in writer's weights on written questions and write ``weights.json``.

    python -m bench.fit_writer --data DIR [--cache FILE] [--write]

The questions, the project and the rules that judge an answer are those of ``bench answers``. Three
fits: which of a question's leading sentences is right (a softmax over them, all right ones counted
together, as in Cao and others, "Learning to Rank: From Pairwise Approach to Listwise Approach",
ICML 2007), the same for those that are read with a question in another language, and whether the
best one is right (logistic, questions without an answer included). The figures are of documents left
out: a sixth at a time, by a hash of their paths. ``--cache`` keeps the signs, so that a changed
threshold takes seconds.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from bench.answers import judge, load_rows
from bench.written import find_group, open_project
from foundry.craft.quoting.answers import MIN_CONFIDENCE, show_candidate
from foundry.craft.quoting.candidates import find_candidates
from foundry.craft.quoting.ranking import (
    RankedQuote,
    WeightedQuestion,
    weigh_question,
)
from foundry.craft.quoting.signs import (
    MAX_READ,
    ReadTogether,
    Signs,
    calls_for_reading,
    list_doubts,
    list_signs,
    rank_answers,
    rate_doubts,
    read_candidates,
    weigh_signs,
)
from foundry.evaluation.metrics.gate import auroc
from foundry.journeys.evidence import gather_evidence
from foundry.journeys.search import search
from foundry.records import Evidence, SearchResult

Array = npt.NDArray[np.float64]

PARTS = 6
RIDGE_ANSWERS, RIDGE_SURE = 10.0, 20.0
"""In units of each sign's spread. A guess."""

WORTH = {"right": 1.0, "partly": 0.4}
"""What an answer counts as when the confidence is fitted (a guess)."""

WEIGHTS = Path(__file__).parents[1] / "src/foundry/craft/quoting/weights.json"


@dataclass(frozen=True)
class Episode:
    """A question with its leading sentences, their signs, and what showing each would be.

    ``reading`` is that of the first ``MAX_READ``, if the answer may be in another language.
    """

    row: Mapping[str, Any]
    path: str
    asked: WeightedQuestion
    found: float
    leading: Sequence[RankedQuote]
    signs: Sequence[Signs]
    verdicts: Sequence[str]
    reading: Sequence[Signs] = ()

    @property
    def read(self) -> Sequence[Signs]:
        """The signs of those that were read with the question; none within one language."""
        return [{**own, **match} for own, match in zip(self.signs, self.reading, strict=False)]

    @property
    def part(self) -> int:
        """The sixth of the documents that it is of."""
        return int(hashlib.sha256(self.path.encode()).hexdigest(), 16) // 2 % PARTS


def make_episodes(data: Path) -> Iterator[Episode]:
    """Search for every question, and judge its leading sentences one by one."""
    files = {row["id"]: row["file"] for row in load_rows(data / "written/passages.jsonl")}
    with open_project(data) as workspace:
        for row in load_rows(data / "written/questions.jsonl"):
            result = search(workspace, row["question"])
            gathered = gather_evidence(workspace, result, language="en", conflicts=False)
            path = files.get(row["chunk"]) or (result.hits[0].source.path if result.hits else "")
            read = partial(workspace.late_interaction.score_parts, result.query)
            yield from make_episode(row, path, result, gathered.evidence, read)


def make_episode(
    row: Mapping[str, Any],
    path: str,
    result: SearchResult,
    evidence: Sequence[Evidence],
    read: ReadTogether,
) -> Iterator[Episode]:
    """Nothing if nothing can be shown. Those to read are chosen with the weights of today."""
    candidates = find_candidates(evidence, answering=True)
    asked = weigh_question(result.question, candidates)
    leading = rank_answers(asked, candidates) if candidates else []
    if not leading:
        return
    shown = [quote.candidate for quote in leading]
    signs = list_signs(asked, shown)
    called = calls_for_reading(signs[:MAX_READ])
    reading = read_candidates(shown[:MAX_READ], read) if called else []
    verdicts = (
        [judge(dict(row), show_candidate(result.question, asked, candidate)) for candidate in shown]
        if row["answerable"]
        else ["wrong"] * len(shown)
    )
    yield Episode(row, path, asked, result.gate.score, leading, signs, verdicts, reading)


def fit_order(episodes: Sequence[Episode]) -> dict[str, dict[str, float]]:
    """The weights of the sentences' signs, and of those of sentences that were read."""
    return {
        "answers": fit_answers([(e.signs, e.verdicts) for e in episodes]),
        "read": fit_answers([(e.read, e.verdicts[: len(e.read)]) for e in episodes if e.read]),
    }


def fit_answers(judged: Sequence[tuple[Sequence[Signs], Sequence[str]]]) -> dict[str, float]:
    """The weights under which a right sentence is likeliest to be the best of its question."""
    used = [(signs, verdicts) for signs, verdicts in judged if "right" in verdicts]
    names = list(used[0][0][0])
    tables = [np.array([[one[name] for name in names] for one in signs]) for signs, _ in used]
    rights = [np.array([verdict == "right" for verdict in verdicts]) for _, verdicts in used]
    spread = np.concatenate(tables).std(0) + 1e-6

    def loss(beta: Array) -> tuple[float, Array]:
        value, gradient = 0.5 * RIDGE_ANSWERS * float(beta @ beta), RIDGE_ANSWERS * beta
        for table, right in zip(tables, rights, strict=True):
            scaled = table / spread
            margins = scaled @ beta
            odds = np.exp(margins - margins.max())
            mass = odds[right].sum()
            value -= float(np.log(mass / odds.sum()))
            gradient = gradient - scaled.T @ (odds * right / mass - odds / odds.sum())
        return value, gradient

    best = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    return dict(zip(names, best / spread, strict=True))


def rank(episode: Episode, weights: Mapping[str, Signs]) -> list[tuple[RankedQuote, str]]:
    """The leading sentences, best first, each with its verdict."""
    signs = episode.read or episode.signs
    own = weights["read" if episode.read else "answers"]
    scored = [
        (replace(quote, score=weigh_signs(one, own)), verdict)
        for quote, one, verdict in zip(episode.leading, signs, episode.verdicts, strict=False)
    ]
    return sorted(scored, key=lambda entry: -entry[0].score)


@dataclass(frozen=True)
class Chosen:
    """A question's best sentence under weights that its document was kept from."""

    episode: Episode
    verdict: str
    doubts: Signs


def choose(episodes: Sequence[Episode], weights: Mapping[str, Signs]) -> list[Chosen]:
    """The best sentence of each question, with what speaks for and against it."""
    chosen = []
    for episode in episodes:
        ranked = rank(episode, weights)
        doubts = list_doubts(episode.asked, [quote for quote, _ in ranked], episode.found)
        chosen.append(Chosen(episode, ranked[0][1], doubts))
    return chosen


def fit_sure(chosen: Sequence[Chosen]) -> dict[str, float]:
    """Weights of the chance that the best sentence is right."""
    names = list(chosen[0].doubts)
    table = np.array([[one.doubts[name] for name in names] for one in chosen])
    label = np.array([WORTH.get(one.verdict, 0.0) for one in chosen])
    spread = np.where(table.std(0) > 0, table.std(0), 1.0)
    scaled = table / spread
    ridge = np.where(table.std(0) > 0, RIDGE_SURE, 0.0)

    def loss(beta: Array) -> tuple[float, Array]:
        p = 1 / (1 + np.exp(-np.clip(scaled @ beta, -50, 50)))
        value = -(label * np.log(p + 1e-12) + (1 - label) * np.log(1 - p + 1e-12)).sum()
        gradient = scaled.T @ (p - label) + ridge * beta
        return float(value + 0.5 * (ridge * beta * beta).sum()), gradient

    best = minimize(loss, np.zeros(len(ridge)), jac=True, method="L-BFGS-B").x
    return dict(zip(names, best / spread, strict=True))


def measure_left_out(
    episodes: Sequence[Episode], part_of: Callable[[Episode], object]
) -> list[tuple[Chosen, float]]:
    """The best sentence of each question, and its confidence, from fits without its documents."""
    found = []
    for part in sorted({str(part_of(episode)) for episode in episodes}):
        seen = [episode for episode in episodes if str(part_of(episode)) != part]
        rest = [episode for episode in episodes if str(part_of(episode)) == part]
        order = fit_order(seen)
        sure = fit_sure(choose(seen, order))
        found += [(one, rate_doubts(one.doubts, sure)) for one in choose(rest, order)]
    return found


def describe(found: Sequence[tuple[Chosen, float]], least: float) -> dict[str, float]:
    """Shares of the questions with an answer by what is shown, and of those without one."""
    good = [(one, p >= least) for one, p in found if one.episode.row["answerable"]]
    bad = [p >= least for one, p in found if not one.episode.row["answerable"]]
    shares = {
        f"{verdict}{' as sure' if sure else ' as nearest'}": sum(
            one.verdict == verdict and is_sure == sure for one, is_sure in good
        )
        / len(good)
        for sure in (True, False)
        for verdict in ("right", "partly", "wrong")
    }
    right = [one.verdict == "right" and bool(one.episode.row["answerable"]) for one, _ in found]
    return {
        "n": len(good),
        **shares,
        "without an answer as sure": sum(bad) / max(len(bad), 1),
        "auroc": auroc([p for _, p in found], right) or 0.0,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--cache", type=Path, help="a pickle of the signs, written if it is missing"
    )
    parser.add_argument("--write", action="store_true", help="replace weights.json")
    arguments = parser.parse_args()
    if arguments.cache and arguments.cache.exists():
        episodes = pickle.loads(arguments.cache.read_bytes())
    else:
        episodes = list(make_episodes(arguments.data))
        if arguments.cache:
            arguments.cache.write_bytes(pickle.dumps(episodes))
    figures = {}
    for name, part_of in (
        ("sixths of the documents", lambda e: e.part),
        ("groups of documents", lambda e: find_group(e.path)),
    ):
        found = measure_left_out(episodes, part_of)
        for least in (MIN_CONFIDENCE - 0.05, MIN_CONFIDENCE, MIN_CONFIDENCE + 0.05):
            print(name, f"{least:.2f}", _round(describe(found, least), 3))
        figures[name] = _round(describe(found, MIN_CONFIDENCE), 3)
    order = fit_order(episodes)
    fitted = {**order, "sure": fit_sure(choose(episodes, order))}
    weights = {name: _round(own, 2) for name, own in fitted.items()}
    print(weights)
    if arguments.write:
        content = {"made_by": "bench/fit_writer.py", "figures": figures, "weights": weights}
        WEIGHTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _round(values: Mapping[str, float], digits: int) -> dict[str, float]:
    return {name: round(float(value), digits) for name, value in values.items()}


if __name__ == "__main__":
    main()
