"""``foundry eval calibrate``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval_calibrate_json import calibration_as_dict
from foundry.cli.eval_calibrate_text import show_claims, show_gate, show_kept
from foundry.cli.labelled import read_input
from foundry.cli.output import format_count, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.workspace import open_project
from foundry.errors import UsageError
from foundry.evaluation.calibrating import (
    GateFit,
    VerifierFit,
    calibrate_gate,
    calibrate_verifier,
    forget,
    keep,
)
from foundry.evaluation.calibrating.page import PICTURES, render_calibration
from foundry.evaluation.labelled.claims import read_claim
from foundry.evaluation.lines import tell_skipped
from foundry.render.files import check_output_path, require_free, write_document
from foundry.workspace import Workspace


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the command line asked for."""

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
    help="Of the answerable questions, how many may be refused.",
)
@click.option(
    "--claims",
    type=click.File("rb", lazy=False),
    metavar="FILE.jsonl",
    help="Fit the score of claims to this file instead; - reads standard input.",
)
@click.option(
    "--folds",
    type=click.IntRange(2, 50),
    default=10,
    show_default=True,
    help="Parts of the cross-validation.",
)
@click.option("--dry-run", is_flag=True, help="Show what would come of it; store nothing.")
@click.option("--yes", is_flag=True, help="Store them even if no better; overwrite the output.")
@click.option("--show", "shown", is_flag=True, help="Show the constants that are stored.")
@click.option("--reset", is_flag=True, help="Forget them, and use the shipped ones.")
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

    Takes the stored, reviewed questions that say whether the sources answer them, and fits the
    constants of the gate's score so that at retrieval.min_score no more than --max-false-refusal
    of the answerable ones are refused, and as many of the others as possible. All figures are of
    questions that the constants never saw. Better ones are stored, and used from then on, for as
    long as the vectors stay of the same kind.

    With --claims it fits the verifier's score instead: each line of FILE.jsonl is {"claim": text,
    "evidence": text or list of texts, "label": true or false}. -v lists every question.
    """
    wanted = _Wanted(sets, bound, claims, folds, dry_run, yes, output)
    with open_project(call) as workspace:
        if shown and reset:
            raise click.UsageError("Choose one of --show and --reset.")
        if reset:
            _reset(call, workspace)
        elif shown:
            _show_stored(call, workspace)
        else:
            _calibrate(call, workspace, wanted)


def _reset(call: Call, workspace: Workspace) -> None:
    forgotten = forget(workspace)
    if call.json:
        show_json(calibration_as_dict(workspace, forgotten=forgotten))
    elif forgotten:
        show(
            f"Forgot the constants of {format_count(forgotten, 'fit')}; the shipped ones are used."
        )
    else:
        show("There was nothing to forget: the shipped constants are used.")


def _show_stored(call: Call, workspace: Workspace) -> None:
    if call.json:
        show_json(calibration_as_dict(workspace))
    else:
        show_kept(workspace)


def _calibrate(call: Call, workspace: Workspace, wanted: _Wanted) -> None:
    path = _output_path(workspace, wanted)
    fit, notices = _fit(call, workspace, wanted)
    stored = not wanted.dry_run and (fit.verdict.better or wanted.yes)
    if stored:
        keep(workspace, fit)
    if path is not None:
        page = render_calibration(fit, path.suffix.lower())
        write_document(path, page, overwrite=wanted.yes)
    if call.json:
        show_json(calibration_as_dict(workspace, fit=fit, stored=stored, notices=notices))
        return
    say_notices(call, notices)
    if isinstance(fit, GateFit):
        show_gate(fit, whole=call.verbosity > 0)
    else:
        show_claims(fit)
    show(_ending(wanted, fit, stored=stored))
    if path is not None:
        show(f"Wrote {wanted.output}.")


def _fit(
    call: Call, workspace: Workspace, wanted: _Wanted
) -> tuple[GateFit | VerifierFit, tuple[str, ...]]:
    with show_progress(call) as progress:
        if wanted.claims is None:
            gate = calibrate_gate(
                workspace, wanted.sets, bound=wanted.bound, folds=wanted.folds, progress=progress
            )
            failed = tuple(f"{one.key} was left out: {one.error}" for one in gate.failures)
            return gate, (*failed, *gate.notices)
        if wanted.sets:
            raise UsageError(
                "--set chooses questions, and --claims takes none.",
                where="--set",
                fix="Run both commands, one after the other.",
            )
        claims, skipped = read_input(wanted.claims, read_claim)
        verifier = calibrate_verifier(
            claims, workspace, bound=wanted.bound, folds=wanted.folds, progress=progress
        )
        return verifier, (*tell_skipped(skipped), *verifier.notices)


def _output_path(workspace: Workspace, wanted: _Wanted) -> Path | None:
    """The file to write, settled before the long work."""
    if wanted.output is None:
        return None
    if wanted.output.suffix.lower() not in PICTURES:
        raise UsageError(
            f"{wanted.output.name} is neither .svg nor .html.",
            where="--output",
            fix="Name a file that ends in .svg or .html.",
        )
    allowed = [workspace.root / folder for folder in workspace.config.output.allowed_dirs]
    path = check_output_path(wanted.output, Path.cwd(), allowed)
    require_free(path, overwrite=wanted.yes)
    return path


def _ending(wanted: _Wanted, fit: GateFit | VerifierFit, *, stored: bool) -> str:
    verdict = "Better." if fit.verdict.better else "Not better."
    if stored:
        done = "Stored: this project now uses them; `foundry eval calibrate --reset` forgets them."
    elif wanted.dry_run:
        done = "Nothing was stored: this was a dry run."
    else:
        done = "Nothing was stored; --yes stores them nevertheless."
    return f"{verdict} {fit.verdict.reason}\n{done}"
