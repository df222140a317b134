"""``foundry eval calibrate``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval.calibrate_text import show_gate, show_stored, show_verifier
from foundry.cli.output import format_count, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.workspace import open_project
from foundry.errors import UsageError
from foundry.evaluation.calibration import (
    ClaimRates,
    GateFit,
    GateRates,
    VerifierFit,
    calibrate_gate,
    calibrate_verifier,
    read_claim,
)
from foundry.evaluation.calibration.figures import GateOutcome
from foundry.evaluation.calibration.fits import PICTURES, forget_fits, render_calibration, save_fit
from foundry.evaluation.lines import read_lines, require_some, tell_skipped
from foundry.journeys.calibration import format_stale_notice, is_calibration_current
from foundry.records import FittedCalibration
from foundry.render.files import check_output_path, require_free, write_document
from foundry.workspace import Workspace


@dataclass(frozen=True, slots=True)
class _Options:
    sets: Sequence[str]
    bound: float
    claims: BinaryIO | None
    folds: int
    dry_run: bool
    yes: bool
    output: Path | None


@click.command("calibrate")
@click.option("--set", "sets", multiple=True, metavar="NAME", help="Only questions of this set.")
@click.option(
    "--max-false-refusal",
    "bound",
    type=click.FloatRange(0, 0.5),
    default=0.05,
    show_default=True,
    metavar="SHARE",
    help="The share of answerable questions that may be refused.",
)
@click.option(
    "--claims",
    type=click.File("rb", lazy=False),
    metavar="FILE.jsonl",
    help="Fit the verifier's score to these claims instead; - reads standard input.",
)
@click.option(
    "--folds",
    type=click.IntRange(2, 50),
    default=10,
    show_default=True,
    help="Parts of the cross-validation.",
)
@click.option("--dry-run", is_flag=True, help="Show the result; store nothing.")
@click.option("--yes", is_flag=True, help="Store a fit that is no better; overwrite the output.")
@click.option("--show", "shown", is_flag=True, help="Show the stored fits.")
@click.option("--reset", is_flag=True, help="Remove the stored fits and use the shipped constants.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the reliability plot: .svg, or .html with the figures.",
)
@common_options
@pass_call
def command(
    call: Call,
    *,
    sets: tuple[str, ...],
    bound: float,
    claims: BinaryIO | None,
    folds: int,
    dry_run: bool,
    yes: bool,
    shown: bool,
    reset: bool,
    output: Path | None,
) -> None:
    """Fit the gate to this project's own questions.

    Uses the stored, reviewed questions that are labelled answerable or not. Moves the gate's scores
    so that at retrieval.min_score at most --max-false-refusal of the answerable questions are
    refused, and as many of the others as possible. All figures come from questions that the fit
    never saw. A better fit is stored and used until the embedding model changes.

    --claims fits the verifier's score instead: each line of FILE.jsonl is {"claim": text,
    "evidence": text or list of texts, "label": true or false}. -v lists every question.
    """
    options = _Options(sets, bound, claims, folds, dry_run, yes, output)
    with open_project(call) as workspace:
        if shown and reset:
            raise click.UsageError("Choose one of --show and --reset.")
        if reset:
            _reset(call, workspace)
        elif shown:
            _show_stored(call, workspace)
        else:
            _calibrate(call, workspace, options)


def _reset(call: Call, workspace: Workspace) -> None:
    forgotten = forget_fits(workspace)
    if call.json:
        show_json(calibration_as_dict(workspace, forgotten=forgotten))
    elif forgotten:
        show(f"Removed {format_count(forgotten, 'fit')}; the shipped constants are used.")
    else:
        show("No fit is stored; the shipped constants are used.")


def _show_stored(call: Call, workspace: Workspace) -> None:
    if call.json:
        show_json(calibration_as_dict(workspace))
    else:
        show_stored(workspace)


def _calibrate(call: Call, workspace: Workspace, options: _Options) -> None:
    path = _check_output(workspace, options)
    fit, notices = _fit(call, workspace, options)
    stored = not options.dry_run and (fit.verdict.better or options.yes)
    if stored:
        save_fit(workspace, fit)
    if path is not None:
        page = render_calibration(fit, path.suffix.lower())
        write_document(path, page, overwrite=options.yes)
    if call.json:
        show_json(calibration_as_dict(workspace, fit=fit, stored=stored, notices=notices))
        return
    say_notices(call, notices)
    if isinstance(fit, GateFit):
        show_gate(fit, verbose=call.verbosity > 0)
    else:
        show_verifier(fit)
    show(f"{'Better.' if fit.verdict.better else 'Not better.'} {fit.verdict.reason}")
    show(_describe_storage(options, stored=stored))
    if path is not None:
        show(f"Wrote {options.output}.")


def _fit(
    call: Call, workspace: Workspace, options: _Options
) -> tuple[GateFit | VerifierFit, tuple[str, ...]]:
    with show_progress(call) as progress:
        if options.claims is None:
            gate = calibrate_gate(
                workspace, options.sets, bound=options.bound, folds=options.folds, progress=progress
            )
            failed = tuple(f"{one.key} was left out: {one.error}" for one in gate.failures)
            return gate, (*failed, *gate.notices)
        if options.sets:
            raise UsageError(
                "--set selects questions, which --claims does not use.",
                where="--set",
                fix="Run the command once with each.",
            )
        name = str(getattr(options.claims, "name", "-"))
        name = "standard input" if name in {"-", "<stdin>"} else name
        claims, skipped = read_lines(options.claims, name, read_claim)
        require_some(claims, skipped, name)
        verifier = calibrate_verifier(
            claims, workspace, bound=options.bound, folds=options.folds, progress=progress
        )
        return verifier, (*tell_skipped(skipped), *verifier.notices)


def _check_output(workspace: Workspace, options: _Options) -> Path | None:
    """The file to write, checked before the long work."""
    if options.output is None:
        return None
    if options.output.suffix.lower() not in PICTURES:
        raise UsageError(
            f"{options.output.name} is neither .svg nor .html.",
            where="--output",
            fix="Name a file that ends in .svg or .html.",
        )
    allowed = [workspace.root / folder for folder in workspace.config.output.allowed_dirs]
    path = check_output_path(options.output, Path.cwd(), allowed)
    require_free(path, overwrite=options.yes)
    return path


def _describe_storage(options: _Options, *, stored: bool) -> str:
    if stored:
        return "Stored and in use; `foundry eval calibrate --reset` removes it."
    if options.dry_run:
        return "Nothing was stored: this was a dry run."
    return "Nothing was stored; use --yes to store it anyway."


def calibration_as_dict(
    workspace: Workspace,
    *,
    fit: GateFit | VerifierFit | None = None,
    stored: bool = False,
    forgotten: int | None = None,
    notices: Sequence[str] = (),
) -> dict[str, Any]:
    """One document for every form of the command; ``kept`` are the fits stored now."""
    kept = workspace.store.evaluation.list_fitted()
    mode = workspace.config.retrieval.mode
    stale = None if stored or forgotten else format_stale_notice(workspace, mode)
    return {
        "gate": _gate_as_dict(fit) if isinstance(fit, GateFit) else None,
        "verifier": _verifier_as_dict(fit) if isinstance(fit, VerifierFit) else None,
        "better": fit.verdict.better if fit else None,
        "reason": fit.verdict.reason if fit else None,
        "stored": stored,
        "forgotten": forgotten,
        "kept": [_fit_as_dict(workspace, fitted) for fitted in kept],
        "notices": [*notices, *([stale] if stale else [])],
    }


def _gate_as_dict(fit: GateFit) -> dict[str, Any]:
    return {
        "model": fit.model,
        "mode": fit.mode,
        "min_score": fit.min_score,
        "max_false_refusal": fit.bound,
        "folds": fit.folds,
        "current": fit.current,
        "fitted": fit.target,
        "constants": {"shared": fit.entry["shared"], "apart": fit.entry.get("apart")},
        "parts": {
            part.name: {"before": _rates_as_dict(part.before), "after": _rates_as_dict(part.after)}
            for part in fit.parts
        },
        "refused_by_rule": [
            {"key": one.key, "text": one.text, "rule": one.after.rule} for one in fit.ruled
        ],
        "questions": [
            asdict(one)
            | {"before": _outcome_as_dict(one.before), "after": _outcome_as_dict(one.after)}
            for one in fit.judged
        ],
        "failed": [asdict(one) for one in fit.failures],
    }


def _verifier_as_dict(fit: VerifierFit) -> dict[str, Any]:
    return {
        "folds": fit.folds,
        "scored": fit.scored,
        "constants": fit.entry,
        "before": _rates_as_dict(fit.before),
        "after": _rates_as_dict(fit.after),
    }


def _rates_as_dict(rates: GateRates | ClaimRates) -> dict[str, Any]:
    bins = [
        asdict(one) | {"mean": round(one.mean, 4), "true": round(one.true, 4)}
        for one in rates.reliability
    ]
    return {**rates.as_dict(), "reliability": bins}


def _outcome_as_dict(outcome: GateOutcome) -> dict[str, Any]:
    score = round(outcome.score, 4)
    return {"score": score, "refused": outcome.refused, "rule": outcome.rule or None}


def _fit_as_dict(workspace: Workspace, fitted: FittedCalibration) -> dict[str, Any]:
    return {
        "model": fitted.model,
        "fingerprint": fitted.fingerprint,
        "made": fitted.made.isoformat(),
        "holds": is_calibration_current(workspace, fitted),
        "gate": fitted.figures.get("gate") if fitted.gate is not None else None,
        "verifier": fitted.figures.get("verifier") if fitted.verifier is not None else None,
    }
