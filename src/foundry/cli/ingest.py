"""``foundry ingest``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import report as report_failure
from foundry.cli.ingest_report import ingest_as_dict, ingest_text, price
from foundry.cli.output import count, say, show, show_json
from foundry.cli.progress import paused, shown_progress
from foundry.cli.project import open_project
from foundry.cli.status import DONE, FAILED
from foundry.cli.watch import look, wait_for_change
from foundry.errors import FoundryError, UsageError
from foundry.indexing import IngestOptions
from foundry.ingest import ingest
from foundry.records import CONFIDENTIALITY_LEVELS, Confidentiality, Estimate, IngestReport
from foundry.workspace import Workspace


@click.command("ingest")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--prune", is_flag=True, help="Remove sources whose file is gone.")
@click.option("--watch", is_flag=True, help="Go on and ingest whatever changes, until Ctrl-C.")
@click.option("--tag", "tags", multiple=True, help="Tag these sources; repeatable.")
@click.option(
    "--confidentiality",
    type=click.Choice(CONFIDENTIALITY_LEVELS),
    help="Who may see these sources; new ones are public.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 1 when a file, or a model's prefix or summary, failed.",
)
@click.option("--yes", is_flag=True, help="Ask models as much as it takes, without confirmation.")
@common_options
@pass_call
def command(
    call: Call,
    *,
    paths: tuple[Path, ...],
    prune: bool,
    watch: bool,
    tags: tuple[str, ...],
    confidentiality: Confidentiality | None,
    strict: bool,
    yes: bool,
) -> int:
    """Read new and changed files.

    PATH is a file or folder inside the project; default is sources/. Text is
    searchable as soon as it is read, vectors follow. A file that fails is reported
    with its reason, and the rest goes on. An interrupted ingest goes on where it was.
    Before language models are sent more than models.confirm_tokens or confirm_cost,
    it asks; where nobody can answer, built-in prefixes and summaries stand in.
    """
    if watch and call.json:
        raise click.UsageError("--watch has no end, and --json prints one document: choose one.")
    options = IngestOptions(prune=prune, tags=_tags(tags), confidentiality=confidentiality)
    # Paths are what the user sees from here, not from the project's folder.
    chosen = [Path.cwd() / path for path in paths]
    with open_project(call) as workspace:
        places = chosen or [workspace.root / "sources"]
        _require_present(places, pruning=prune)
        # Before the first ingest: what changes while it runs is taken up after it.
        seen = look(places) if watch else {}
        report = _run(call, workspace, chosen, options, yes=yes)
        if watch:
            say(f"Watching {', '.join(map(str, places))}; Ctrl-C ends it.")
        while watch:
            seen = wait_for_change(places, seen)
            _run_again(call, workspace, chosen, options, yes=yes)
    failed = any(file.status == "failed" for file in report.files)
    failed = failed or bool(report.annotated and not report.annotated.complete)
    return FAILED if strict and failed else DONE


def _tags(tags: tuple[str, ...]) -> tuple[str, ...] | None:
    kept = tuple(dict.fromkeys(tag.strip() for tag in tags))
    if "" in kept:
        raise click.UsageError("A tag is empty.")
    return kept or None


def _require_present(places: list[Path], *, pruning: bool) -> None:
    """A mistyped path is an error at once; a file that is gone may still be pruned."""
    for place in places:
        if not pruning and not os.path.lexists(place):
            raise UsageError(
                "There is no such file or folder.",
                where=str(place),
                fix="Check the path; files must lie inside the project.",
            )


def _run(
    call: Call, workspace: Workspace, paths: list[Path], options: IngestOptions, *, yes: bool
) -> IngestReport:
    with shown_progress(call) as progress:

        def confirm(estimate: Estimate) -> bool:
            with paused(progress):
                return yes or agreed(workspace, estimate)

        report = ingest(workspace, paths, options=options, progress=progress, confirm=confirm)
    if call.json:
        show_json(ingest_as_dict(report))
    else:
        show(ingest_text(report, verbosity=call.verbosity))
    return report


def agreed(workspace: Workspace, estimate: Estimate) -> bool:
    """Ask on a terminal; where there is none, nobody agrees."""
    if not on_terminal():
        return False
    limits = workspace.config.models
    say(
        f"Prefixes and summaries would take {count(estimate.calls, 'call')} of "
        f"{' and '.join(estimate.models)}: some {count(estimate.tokens, 'token')}, "
        f"{price(estimate.cost)}."
    )
    say(f"The limits are {limits.confirm_tokens:,} tokens and {price(limits.confirm_cost)}.")
    return click.confirm("Ask the models?", err=True)


def on_terminal() -> bool:
    """True where somebody can answer."""
    return sys.stdin.isatty()


def _run_again(
    call: Call, workspace: Workspace, paths: list[Path], options: IngestOptions, *, yes: bool
) -> None:
    try:
        _run(call, workspace, paths, options, yes=yes)
    except FoundryError as error:
        # A model that is away for a moment must not end the watch.
        report_failure(error, call)
