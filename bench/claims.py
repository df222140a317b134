"""Labelled claims: does the verifier separate supported claims from unsupported ones?

``python -m bench claims --data DIR`` measures published sets, and ``DIR/written`` by kind of
error (``bench.written_claims``). ExpertQA's claims were judged by experts; those of one question
stay in one half: the first half is for fitting, the figures are from the second. SciFact's are
checked against whole abstracts, and nothing was fitted to them.

``python -m bench claims FILE.jsonl`` measures lines of {"claim": text, "evidence": text or list of
texts, "label": true or false}; ``--with-model`` lets the validation.verifier of the project in the
current folder decide on all that is not word for word there, as in an answer.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from textwrap import shorten

from bench.converters import Row, expert_claims, science_claims
from bench.judged_claims import (
    LabelledClaim,
    is_held_back,
    prepare_claim,
    read_answers,
    read_claim,
)
from bench.labelled import LineMeasurement, LineReport, round_rate
from foundry.craft.grounding import Finding, verify_statement
from foundry.craft.grounding.calibration import get_claim_calibration
from foundry.errors import ConfigError
from foundry.evaluation.metrics.gate import Bin, auroc, calibration_error, reliability
from foundry.journeys.writing.llm_judge import DoubtfulStatement, LlmJudge, open_judge
from foundry.models.late_interaction import LateInteraction
from foundry.workspace import open_workspace


@dataclass(frozen=True, slots=True)
class ClaimFigures:
    """``balanced_accuracy`` is the mean of recall and of the share of false claims refused.

    ``precision``: of the claims called supported, the share that is; ``recall``: of the true, the
    share called so; ``auroc``: the chance that a true claim scores above a false one. None if
    there is nothing to count. ``hard`` counts the claims that an exact fact contradicts, and
    ``hard_true`` those of them that are true.
    """

    n: int
    true: int
    balanced_accuracy: float | None
    precision: float | None
    recall: float | None
    auroc: float | None
    hard: int
    hard_true: int
    threshold: float
    reliability: tuple[Bin, ...]
    calibration_error: float | None

    def as_dict(self) -> dict[str, object]:
        """The figures as ``--json`` prints them."""
        return {
            "n": self.n,
            "balanced_accuracy": round_rate(self.balanced_accuracy),
            "precision": round_rate(self.precision),
            "recall": round_rate(self.recall),
            "auroc": round_rate(self.auroc),
            "true": self.true,
            "threshold": self.threshold,
            "hard_objections": self.hard,
            "hard_objections_to_true": self.hard_true,
            "calibration_error": round_rate(self.calibration_error),
            "reliability": [
                {**asdict(bin_), "mean": round(bin_.mean, 4), "true": round(bin_.true, 4)}
                for bin_ in self.reliability
            ],
        }


def verify_claims(claims: Sequence[LabelledClaim]) -> list[Finding]:
    """The verifier's finding on each claim; the built-in model compares sentences."""
    return [verify_claim(claim) for claim in claims]


def verify_claim(claim: LabelledClaim) -> Finding:
    """One claim against its texts together."""
    language, evidence = prepare_claim(claim)
    similar = LateInteraction().compare_sentences
    return verify_statement(claim.text.strip(), evidence, language, similar=similar)


def judge_claims(
    claims: Sequence[LabelledClaim], findings: Sequence[Finding], judge: LlmJudge
) -> list[Finding]:
    """The findings with the judge's verdict on every claim that is not word for word there."""
    doubtful = [n for n, one in enumerate(findings) if one.reason.code != "claim-word-for-word"]
    statements = []
    for number in doubtful:
        language, evidence = prepare_claim(claims[number])
        text = claims[number].text.strip()
        statements.append(DoubtfulStatement(text, tuple(evidence), len(evidence), language))
    decided = list(findings)
    for number, judgement in zip(doubtful, judge.judge(statements), strict=True):
        if judgement is not None:
            score = float(judgement.verdict == "supported")
            decided[number] = replace(findings[number], verdict=judgement.verdict, score=score)
    return decided


def measure_findings(findings: Sequence[Finding], labels: Sequence[bool]) -> ClaimFigures:
    """The figures of findings on claims, whose labels run in parallel."""
    pairs = [(finding.supported, label) for finding, label in zip(findings, labels, strict=True)]
    true, supported = sum(labels), sum(said for said, _ in pairs)
    right = pairs.count((True, True))
    recall = _share(right, true)
    refused = _share(pairs.count((False, False)), len(labels) - true)
    scores = [finding.score for finding in findings]
    bins = reliability(scores, labels)
    hard = [label for finding, label in zip(findings, labels, strict=True) if finding.hard]
    return ClaimFigures(
        n=len(labels),
        true=true,
        balanced_accuracy=None if recall is None or refused is None else (recall + refused) / 2,
        precision=_share(right, supported),
        recall=recall,
        auroc=auroc(scores, labels),
        hard=len(hard),
        hard_true=sum(hard),
        threshold=get_claim_calibration().supported,
        reliability=tuple(bins),
        calibration_error=calibration_error(bins),
    )


def measure_lines(claims: Sequence[LabelledClaim], with_model: bool) -> LineReport:
    """The figures of a file's claims, and the claims that are judged wrongly."""
    with _open_judge(with_model) as judge:
        findings = verify_claims(claims)
        if judge:
            findings = judge_claims(claims, findings, judge)
    wrong = [
        f"{claim.label}, {finding.score:.2f}: {finding.reason}\n  {shorten(claim.text, 200)}"
        for claim, finding in zip(claims, findings, strict=True)
        if finding.supported != claim.label
    ]
    figures = measure_findings(findings, [claim.label for claim in claims])
    return LineReport(figures.as_dict(), wrong, judge.notices if judge else ())


LINES = LineMeasurement(read_claim, measure_lines)


@contextlib.contextmanager
def _open_judge(with_model: bool) -> Iterator[LlmJudge | None]:
    if not with_model:
        yield None
        return
    with open_workspace(Path.cwd(), environment=os.environ, cwd=Path.cwd()) as workspace:
        judge = open_judge(workspace)
        if judge is None:
            raise ConfigError(
                "verbatim",
                where="validation.verifier",
                text="The project has no judge.",
                fix="Set validation.verifier or generation.model to a model, or omit --with-model.",
            )
        yield judge


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def measure(data: Path | None) -> Iterator[str]:
    if data is None:
        yield "Left out: give --data DIR."
        return
    yield "| claims | n | carried | balanced accuracy | precision | recall | AUROC | objections |"
    yield "|---|---|---|---|---|---|---|---|"
    measured = _measured(row for row in expert_claims(data) if is_held_back(row))
    yield _row("ExpertQA, held back", measured)
    yield _row("SciFact, whole abstracts", _measured(science_claims(data)))
    yield ""
    yield (
        f"Of {measured.hard} hard objections {measured.hard_true} were to claims that the experts "
        "call carried."
    )
    answers = [answer for answer in read_answers(data) if answer.held_back]
    similar = LateInteraction().compare_sentences
    checked = [verify_statement(one.claim, one.evidence, "en", similar=similar) for one in answers]
    kept, hard = sum(f.supported for f in checked), sum(f.hard for f in checked)
    yield ""
    yield (
        f"Of {len(answers)} sentences of human-written answers (`clapnq`) {kept} are supported by "
        f"the passage that they were written from, to {hard} something is objected."
    )
    yield ""
    yield from _reliability(measured)


def _measured(rows: Iterable[Row]) -> ClaimFigures:
    claims = [read_claim(row) for row in rows]
    return measure_findings(verify_claims(claims), [claim.label for claim in claims])


def _row(name: str, figures: ClaimFigures) -> str:
    shares = (figures.balanced_accuracy, figures.precision, figures.recall, figures.auroc)
    cells = ["–" if share is None else f"{share:.3f}" for share in shares]
    return f"| {name} | {figures.n} | {figures.true} | {' | '.join(cells)} | {figures.hard} |"


def _reliability(figures: ClaimFigures) -> Iterator[str]:
    """ExpertQA's claims by their score: how many, mean score, share that is true."""
    yield "| score | n | mean score | true |"
    yield "|---|---|---|---|"
    for bin_ in figures.reliability:
        yield f"| {bin_.low:.1f}–{bin_.high:.1f} | {bin_.n} | {bin_.mean:.2f} | {bin_.true:.2f} |"
