"""``foundry eval claims``."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from textwrap import shorten
from typing import Any, BinaryIO

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.labelled import file_argument, rate, read_input, rounded, status_of, strict_option
from foundry.cli.output import say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.table import show_table
from foundry.cli.workspace import open_project
from foundry.craft.grounding import Finding
from foundry.errors import ConfigError
from foundry.evaluation.labelled.claims import (
    Claim,
    ClaimFigures,
    measure_findings,
    read_claim,
    verify_claims,
)
from foundry.evaluation.lines import tell_skipped
from foundry.journeys.writing.llm_judge import LlmJudge, open_judge

_SHOWN = 20


@click.command("claims")
@file_argument
@click.option(
    "--with-model",
    is_flag=True,
    help="In doubt, ask the project's validation.verifier, as an answer would.",
)
@strict_option
@common_options
@pass_call
def command(call: Call, *, file: BinaryIO, with_model: bool, strict: bool) -> int:
    """Measure the verifier on claims with their evidence.

    Each line of FILE.jsonl is {"claim": text, "evidence": text or list of texts, "label": true
    or false}, true where the evidence carries the claim; - reads standard input. No project is
    needed, but for --with-model. -v lists the claims on which it is wrong.
    """
    claims, skipped = read_input(file, read_claim)
    with _judge(call, with_model=with_model) as judge, show_progress(call) as progress:
        findings = verify_claims(claims, judge=judge, progress=progress)
    figures = measure_findings(findings, [claim.label for claim in claims])
    notices = (*tell_skipped(skipped), *(judge.notices if judge else ()))
    if call.json:
        document = _as_dict(figures)
        show_json({**document, "skipped": [line.as_dict() for line in skipped],
                   "notices": list(notices)})  # fmt: skip
    else:
        say_notices(call, notices)
        _show(figures)
        if call.verbosity > 0:
            _show_wrong(claims, findings)
    return status_of(skipped, strict=strict)


@contextlib.contextmanager
def _judge(call: Call, *, with_model: bool) -> Iterator[LlmJudge | None]:
    """The project's judge where it is asked for. Raises ``ConfigError`` where there is none."""
    if not with_model:
        yield None
        return
    with open_project(call) as workspace:
        judge = open_judge(workspace)
        if judge is None:
            raise ConfigError(
                "This project has no judge of borderline sentences.",
                where="validation.verifier",
                fix="Set validation.verifier to a model, or leave out --with-model.",
            )
        yield judge


def _as_dict(figures: ClaimFigures) -> dict[str, Any]:
    return {
        "n": figures.n,
        "balanced_accuracy": rounded(figures.balanced_accuracy),
        "precision": rounded(figures.precision),
        "recall": rounded(figures.recall),
        "auroc": rounded(figures.auroc),
        "true": figures.true,
        "threshold": figures.threshold,
        "hard_objections": figures.hard,
        "hard_objections_to_true": figures.hard_true,
        "calibration_error": rounded(figures.calibration_error),
        "reliability": [
            {"low": one.low, "high": one.high, "n": one.n, "mean": round(one.mean, 4),
             "true": round(one.true, 4)}
            for one in figures.reliability
        ],
    }  # fmt: skip


def _show(figures: ClaimFigures) -> None:
    show(f"{figures.n:,} claims, {figures.true:,} of them true")
    show(f"  balanced accuracy  {rate(figures.balanced_accuracy)}")
    show(f"  precision          {rate(figures.precision)}")
    show(f"  recall             {rate(figures.recall)}")
    show(f"  auroc              {rate(figures.auroc)}")
    show(f"  hard objections    {figures.hard:,}, {figures.hard_true:,} of them to true claims")
    show()
    show("How far a score means what it says:")
    rows = [
        (f"{one.low:.1f}–{one.high:.1f}", one.n, f"{one.mean:.2f}", f"{one.true:.2f}")
        for one in figures.reliability
    ]
    columns = ("SCORE", "CLAIMS", "MEAN", "TRUE")
    show_table(columns, rows, elastic="SCORE", numbers=columns[1:])


def _show_wrong(claims: Sequence[Claim], findings: Sequence[Finding]) -> None:
    wrong = [
        (claim, finding)
        for claim, finding in zip(claims, findings, strict=True)
        if finding.supported != claim.label
    ]
    for claim, finding in wrong[:_SHOWN]:
        show(f"\n{'true' if claim.label else 'false'}, {finding.score:.2f}: {finding.reason}")
        show(f"  {shorten(claim.text, 200)}")
    if len(wrong) > _SHOWN:
        show(f"\nand {len(wrong) - _SHOWN:,} more")
