"""``foundry eval report``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from foundry.cli.call import Call, basic_options, pass_call
from foundry.cli.eval.figures import format_figure
from foundry.cli.help import Command
from foundry.cli.input import confirm_overwrite
from foundry.cli.output import say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import open_project
from foundry.errors import UsageError
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report import WORST, Report, RunSummary, find_faulty, make_report
from foundry.evaluation.report.tables import HEADLINE
from foundry.evaluation.runs.history import get_run
from foundry.messages import LANGUAGES, Message, choose_language
from foundry.records import EvalRun
from foundry.render.files import check_output_path, make_file_name, write_document
from foundry.wire.evaluation import ReportJson
from foundry.workspace import Workspace

_ENDINGS = (".html", ".htm")


@click.command("report", cls=Command)
@click.argument("names", metavar="RUN…", nargs=-1, required=True)
@click.option("--output", type=click.Path(path_type=Path), metavar="PATH")
@click.option("--worst", type=click.IntRange(min=0), default=WORST, show_default=True)
@click.option("--language", type=click.Choice(LANGUAGES))
@click.option("--yes", is_flag=True)
@basic_options
@pass_call
def command(
    call: Call,
    *,
    names: tuple[str, ...],
    output: Path | None,
    worst: int,
    language: str | None,
    yes: bool,
) -> None:
    with open_project(call, read_only=True) as workspace:
        runs, notices = _load(workspace, names)
        path = _choose_path(workspace, output, runs)
        overwrite = confirm_overwrite([path], yes=yes)
        with show_progress(call) as progress:
            report = make_report(
                [(run, workspace.store.evaluation.results(run.id)) for run in runs],
                project=workspace.config.project.name,
                phrases=Phrases(choose_language(language or workspace.config.generation.language)),
                worst=worst,
                progress=progress,
            )
        write_document(path, report.text, overwrite=overwrite)
    if call.json:
        show_json(ReportJson.from_report(report, path, notices))
    else:
        unfinished = (
            Message("eval-report-unfinished", run=str(run.id), name=run.name)
            for run in runs
            if run.finished is None
        )
        say_notices(call, (*notices, *unfinished))
        _show(report, path)


def _load(workspace: Workspace, names: Sequence[str]) -> tuple[list[EvalRun], list[Message]]:
    """The named runs, each once, and notices of repeated names."""
    runs: dict[int, EvalRun] = {}
    notices = []
    for name in names:
        run = get_run(workspace, name)
        if run.id in runs:
            notices.append(Message("eval-run-repeated", name=name, run=str(run.id)))
        runs[run.id] = run
    return list(runs.values()), notices


def _choose_path(workspace: Workspace, output: Path | None, runs: Sequence[EvalRun]) -> Path:
    """The file to write, checked before anything is measured."""
    config = workspace.config.output
    name = f"evaluation-{make_file_name('-'.join(run.name for run in runs))}.html"
    allowed = [workspace.root / one for one in config.allowed_dirs]
    if output is None:
        return check_output_path(Path(config.dir) / name, workspace.root, allowed)
    if not output.is_dir() and output.suffix.lower() not in _ENDINGS:
        raise UsageError("eval-report-extension", where="--output", name=output.name)
    path = output / name if output.is_dir() else output
    return check_output_path(path, Path.cwd(), [workspace.root / config.dir, *allowed])


def _show(report: Report, path: Path) -> None:
    columns = (*list_columns("run", "questions", "errors", "wrong"), *HEADLINE)
    show_table(
        columns,
        [_row(run) for run in report.runs],
        elastic=columns[0],
        numbers=columns[1:],
        optional=HEADLINE[::-1],
    )
    size = max(1, round(len(report.text.encode()) / 1000))
    show(Message("eval-report-written", path=str(path), n=len(report.runs), size=size))


def _row(run: RunSummary) -> tuple[object, ...]:
    return (
        run.label,
        len(run.results),
        sum(one.error is not None for one in run.results),
        len(find_faulty(run.results)),
        *(format_figure(name, run.figures.get(name)) for name in HEADLINE),
    )
