"""Runs and outcomes made by hand, for the reports over them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from foundry.evaluation.metrics.ranking import CUTS
from foundry.records import (
    CitedSpan,
    EvalQuestion,
    EvalResult,
    EvalRun,
    Expectation,
    RankedChunk,
    Usage,
    Verdict,
)

WHEN = datetime(2026, 3, 5, 14, 2, tzinfo=UTC)
HERE = Expectation("sources/manual.pdf", page=7, section="3.1 Supply")


def make_question(
    key: str = "q1", text: str = "What is the fuse rated at?", **more: object
) -> EvalQuestion:
    """An answerable question of the set ``own`` with one expected place."""
    whole = {"answerable": True, "language": "en", "expected": (HERE,), "answers": ("3.15 A",)}
    return EvalQuestion(id=key, set="own", text=text, **{**whole, **more})  # type: ignore[arg-type]


def make_hits(right: int | None, n: int = 12) -> tuple[RankedChunk, ...]:
    """A ranking whose hit at the rank ``right`` covers the expected place."""
    return tuple(
        RankedChunk(
            f"chk_{rank}", HERE.source if rank == right else f"sources/other-{rank}.md",
            10 * rank, 10 * rank + 9, 7 if rank == right else None, HERE.section if rank == right else None,
            round(0.9 / rank, 4) if rank <= 5 else None, (0,) if rank == right else (),
        )
        for rank in range(1, n + 1)
    )  # fmt: skip


def make_result(
    question: EvalQuestion | None = None,
    *,
    right: int | None = 1,
    verdict: Verdict | None = "answer",
    score: float | None = 0.8,
    f1: float | None = 1.0,
    error: str | None = None,
    **more: object,
) -> EvalResult:
    """An outcome whose first right hit has rank ``right``; an unanswerable one is not judged."""
    question = question or make_question()
    if error is not None:
        return replace(EvalResult(question, error=error), **more)  # type: ignore[arg-type]
    figures: dict[str, float | None] = {
        "f1": f1,
        "answer_recall": f1,
        "exact_match": f1 and float(f1 == 1),
    }
    if question.expected:
        figures |= ranking_figures(right)
    coverage = more.pop("coverage", None if verdict == "no_evidence" else 1.0)
    figures["coverage"] = coverage  # type: ignore[assignment]
    made = EvalResult(
        question, make_hits(right if question.expected else None), verdict, verdict, score,
        "" if verdict == "no_evidence" else "It is rated at 3.15 A. [S1]",
        () if verdict == "no_evidence" else (CitedSpan(HERE.source, 3, 9, "3.15 A slow", 7, (0,)),),
        coverage, figures,  # type: ignore[arg-type]
        {"total": 900.0, "retrieval": 40.0}, Usage(1, 800, 40, 0.001, 0),
    )  # fmt: skip
    return replace(made, **more)  # type: ignore[arg-type]


def ranking_figures(right: int | None) -> dict[str, float | None]:
    """The figures of one expected place at this rank."""
    hits = {cut: right is not None and right <= cut for cut in CUTS}
    gain = 1 / math.log2(right + 1) if right else 0.0
    return {
        **{f"recall@{cut}": float(hit) for cut, hit in hits.items()},
        **{f"precision@{cut}": hit / cut for cut, hit in hits.items()},
        **{f"ndcg@{cut}": gain * hit for cut, hit in hits.items()},
        "mrr": 1 / right if right else 0.0,
        "map": 1 / right if right else 0.0,
        "citation_precision": 1.0,
        "citation_recall": 1.0,
    }


def make_run(identity: int = 1, name: str = "base", **more: object) -> EvalRun:
    """A finished run over whole answers; figures and counts come from its outcomes."""
    made = EvalRun(
        id=identity, name=name, kind="ask", sets=("own",), started=WHEN,
        finished=WHEN + timedelta(minutes=3),
        config={"retrieval.min_score": 0.2, "retrieval.top_k": 10, "validation.min_attribution": 0.9},
        versions={"foundry": "0.1.0", "embedding": "builtin/multilingual-e5-small"},
        index="8c1f0a2b3c4d5e6f", questions="77aa88bb99cc00dd", seconds=182.4,
    )  # fmt: skip
    return replace(made, **more)  # type: ignore[arg-type]


def make_many(
    n: int, seed: int = 1, better: float = 0.0, tags: Sequence[str] = ("table", "fact")
) -> list[EvalResult]:
    """Outcomes of every kind, mixed at random; equal seeds give equal outcomes."""
    dice, results = random.Random(seed), []
    for at in range(n):
        luck = random.Random(at).random() + better
        label = at % 6 != 0
        question = make_question(
            f"q{at:05d}", f"What does the manual say of part {at}?", language=("en", "nl")[at % 2],
            tags=(tags[at % len(tags)],), answerable=label if at % 17 else None,
            expected=(HERE,) if label else (), answers=("3.15 A",) if label else (),
        )  # fmt: skip
        if at % 61 == 60:
            results.append(make_result(question, error="The model did not answer in 60 s."))
            continue
        score = min(1.0, max(0.0, dice.gauss(0.75 if label else 0.3, 0.17)))
        verdict: Verdict = (
            "no_evidence" if score < 0.3 else "low_confidence" if score < 0.4 else "answer"
        )
        right = None if luck < 0.06 else 1 if luck > 0.4 else dice.randint(2, 30)
        f1 = (
            None
            if not label
            else 0.0
            if verdict == "no_evidence"
            else round(dice.random() ** 0.3, 3)
        )
        coverage = None if verdict == "no_evidence" else dice.choice((1.0, 1.0, 1.0, 0.75, 0.5))
        times = {"total": dice.lognormvariate(7, 0.4), "retrieval": dice.lognormvariate(4, 0.4)}
        results.append(
            make_result(
                question,
                right=right,
                verdict=verdict,
                score=score,
                f1=f1,
                coverage=coverage,
                timings_ms=times,
            )
        )
    return results
