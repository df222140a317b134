"""``foundry eval calibrate``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.help import Command, UsageProblem
from foundry.cli.input import confirm_overwrite
from foundry.cli.output import say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import open_project
from foundry.errors import UsageError
from foundry.evaluation.calibration import (
    CalibrationFit,
    calibrate_gate,
    forget_fits,
    plot_fit,
    save_fit,
    tabulate_figures,
)
from foundry.journeys.calibration import (
    format_stale_notice,
    get_calibration_model,
    is_calibration_current,
)
from foundry.journeys.delivery import resolve_output
from foundry.messages import Message
from foundry.render.files import write_document
from foundry.wire.calibration import CalibrationJson, StoredFitJson
from foundry.workspace import Workspace

_FACTS = ("questions", "answerable", "folds", "max_false_refusal", "min_score", "fitted")


@click.command("calibrate", cls=Command)
@click.option("--set", "sets", multiple=True, metavar="NAME")
@click.option("--max-false-refusal", "bound", type=click.FloatRange(0, 0.5), default=0.05,
              show_default=True, metavar="SHARE")  # fmt: skip
@click.option("--folds", type=click.IntRange(2, 50), default=10, show_default=True)
@click.option("--dry-run", is_flag=True)
@click.option("--yes", is_flag=True)
@click.option("--show", "shown", is_flag=True)
@click.option("--reset", is_flag=True)
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE")
@common_options
@pass_call
def command(
    call: Call,
    *,
    sets: tuple[str, ...],
    bound: float,
    folds: int,
    dry_run: bool,
    yes: bool,
    shown: bool,
    reset: bool,
    output: Path | None,
) -> None:
    if shown and reset:
        raise UsageProblem(Message("eval-show-or-reset"))
    with open_project(call) as workspace:
        if shown or reset:
            _show_stored(call, workspace, forget_fits(workspace) if reset else None)
            return
        path = _check_output(workspace, output)
        overwrite = path is not None and confirm_overwrite([path], yes=yes)
        with show_progress(call) as progress:
            fit = calibrate_gate(workspace, sets, bound=bound, folds=folds, progress=progress)
        stored = not dry_run and (fit.verdict.better or yes)
        if stored:
            save_fit(workspace, fit)
        if path is not None:
            write_document(path, plot_fit(fit), overwrite=overwrite)
        if call.json:
            show_json(_build_document(workspace, fit=fit, stored=stored))
            return
    say_notices(call, fit.notices)
    _show_fit(fit, verbose=call.verbosity > 0)
    if stored:
        show(Message("eval-fit-stored"))
    else:
        show(Message("eval-fit-dry-run" if dry_run else "eval-fit-not-stored"))
    if output is not None:
        show(Message("eval-fit-written", path=str(output)))


def _check_output(workspace: Workspace, output: Path | None) -> Path | None:
    """The file to write, checked before the long work."""
    if output is None:
        return None
    if output.suffix.lower() != ".svg":
        raise UsageError("eval-fit-extension", where="--output", name=output.name)
    return resolve_output(workspace, output)


def _build_document(
    workspace: Workspace,
    *,
    fit: CalibrationFit | None = None,
    stored: bool = False,
    forgotten: int | None = None,
) -> CalibrationJson:
    """One document for every form of the command; ``kept`` are the fits stored now."""
    mode = workspace.config.retrieval.mode
    stale = None if stored or forgotten else format_stale_notice(workspace, mode)
    kept = workspace.store.evaluation.list_fitted()
    notices = [*(fit.notices if fit else ()), *([stale] if stale else [])]
    return CalibrationJson(
        gate=fit.report if fit else None,
        better=fit and fit.verdict.better,
        reason=fit and fit.verdict.reason,
        stored=stored,
        forgotten=forgotten,
        kept=[
            StoredFitJson.from_fit(fitted, holds=is_calibration_current(workspace, fitted))
            for fitted in kept
        ],
        notices=notices,
    )


def _show_stored(call: Call, workspace: Workspace, forgotten: int | None) -> None:
    document = _build_document(workspace, forgotten=forgotten)
    if call.json:
        show_json(document)
        return
    if not document.kept:
        show(Message("eval-fits-removed" if forgotten else "eval-fits-none", n=forgotten))
    for fitted in document.kept:
        configured = fitted.model == get_calibration_model(
            workspace, workspace.config.retrieval.mode
        )
        code = "eval-fit-used" if fitted.holds and configured else "eval-fit-unused"
        show(Message(code, model=fitted.model, made=fitted.made[:16].replace("T", " ")))
        if fitted.gate:
            figures = fitted.gate.model_dump()
            _show_figures(figures, {"all": figures})
    say_notices(call, map(str, document.notices))


def _show_fit(fit: CalibrationFit, *, verbose: bool) -> None:
    rates = fit.parts["all"]["after"]
    show(Message("eval-fit-before-constants", model=fit.model, which=fit.report["current"]))
    _show_figures({**fit.report, **rates}, fit.parts)
    if ruled := fit.report["refused_by_rule"]:
        show(f"\n{Message('eval-fit-refused-by-rule')}")
        for one in ruled:
            show(f"  {one['key']}: {one['rule']} ({one['text']})")
    if verbose:
        _show_questions(fit.report["questions"])
    code = "eval-fit-better" if fit.verdict.better else "eval-fit-not-better"
    show(f"\n{Message(code, reason=fit.verdict.reason)}")


def _show_figures(figures: Mapping[str, Any], parts: Mapping[str, Any]) -> None:
    """Print what was fitted, then the figures before and after."""
    show(Message("eval-fit-facts-gate", **{name: figures[name] for name in _FACTS}))
    show()
    columns, *rows = tabulate_figures(parts)
    numbers = columns[2:]
    show_table(columns, rows, elastic=columns[0], numbers=numbers, optional=numbers[::-1])


def _show_questions(questions: Iterable[Mapping[str, Any]]) -> None:
    rows = []
    for one in questions:
        outcomes = (one["before"], one["after"])
        scores = (
            Message(
                "eval-score-refused" if it["refused"] else "eval-figure-score", value=it["score"]
            )
            for it in outcomes
        )
        label = Message("eval-yes" if one["answerable"] else "eval-no")
        rows.append((one["key"], label, *scores, one["text"]))
    show()
    columns = list_columns("key", "answerable", "before", "after", "text")
    show_table(columns, rows, elastic=columns[-1])
