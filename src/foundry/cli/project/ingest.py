"""``foundry ingest``: the command, its report, and ``--watch``."""

from __future__ import annotations

import dataclasses
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.failures import report_error as report_failure
from foundry.cli.output import format_count, say, show, show_json
from foundry.cli.progress import pause_progress, show_progress
from foundry.cli.workspace import open_project
from foundry.errors import FoundryError, UsageError
from foundry.journeys.index import IngestOptions
from foundry.journeys.ingest import ingest
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Confidentiality,
    EnrichmentReport,
    Estimate,
    FileReport,
    IngestReport,
    SourceStatus,
)
from foundry.workspace import Workspace

POLL_SECONDS = 1.0

Snapshot = dict[str, tuple[int, int]]
"""Path → modification time in nanoseconds and size."""


def wait_for_change(
    places: Sequence[Path], seen: Snapshot, pause: float = POLL_SECONDS
) -> Snapshot:
    """Return once something differs from ``seen`` and has then been still for one look.

    Returns what is there, for the next call.
    """
    while True:
        time.sleep(pause)
        now = take_snapshot(places)
        if now == seen:
            continue
        # A file that is still being written changes between two looks.
        while True:
            time.sleep(pause)
            again = take_snapshot(places)
            if again == now:
                return now
            now = again


def take_snapshot(places: Sequence[Path]) -> Snapshot:
    """Every file under the places, hidden ones left out; what vanishes meanwhile is left out too."""
    found: Snapshot = {}
    for place in places:
        if place.is_file():
            _add_file(found, str(place))
        for folder, folders, files in os.walk(place):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in files:
                if not name.startswith("."):
                    _add_file(found, os.path.join(folder, name))  # noqa: PTH118 - many files
    return found


def _add_file(found: Snapshot, path: str) -> None:
    try:
        status = os.stat(path)  # noqa: PTH116 - many files
    except OSError:
        return
    found[path] = (status.st_mtime_ns, status.st_size)


STATUS_ORDER: tuple[SourceStatus, ...] = ("added", "updated", "removed", "unchanged", "failed")


def ingest_as_dict(report: IngestReport) -> dict[str, Any]:
    """The document of ``ingest --json``; a file's warnings stand in its reason."""
    return {
        "sources": [
            {
                "path": file.path,
                "status": file.status,
                "reason": " ".join((file.reason or "", *file.warnings)).strip() or None,
                "pages": file.pages,
                "chunks": file.chunks,
            }
            for file in report.files
        ],
        "embedded": report.embedded,
        "pending": report.pending,
        "annotated": _annotated_as_dict(report.annotated) if report.annotated else None,
        "seconds": round(report.seconds, 3),
        "notices": list(report.notices),
    }


def _annotated_as_dict(annotated: EnrichmentReport) -> dict[str, Any]:
    return {
        "prefixes": annotated.prefixes,
        "prefixes_missing": annotated.prefixes_missing,
        "summaries": annotated.summaries,
        "summaries_missing": annotated.summaries_missing,
        "allowed": annotated.allowed,
        "estimate": {
            "models": list(annotated.estimate.models),
            "calls": annotated.estimate.calls,
            "prompt_tokens": annotated.estimate.prompt_tokens,
            "completion_tokens": annotated.estimate.completion_tokens,
            "cost": annotated.estimate.cost,
        },
        "usage": dataclasses.asdict(annotated.usage),
    }


def render_ingest_report(report: IngestReport, *, verbosity: int = 0) -> str:
    """One line a file, unchanged ones only counted; ``verbosity`` as in ``Call``."""
    lines = [line for file in report.files for line in _render_file(file, verbosity)]
    if lines:
        lines.append("")
    lines.append(_render_total(report))
    if report.annotated and report.annotated.estimate.calls:
        lines.append(_render_model_calls(report.annotated))
    lines += [f"Note: {notice}" for notice in report.notices]
    if not report.files:
        lines.append("Put files there and run `foundry ingest` again.")
    return "\n".join(lines)


def format_price(cost: float | None) -> str:
    """US dollars as a person reads them; less than a cent is not rounded to nothing."""
    if cost is None:
        return "cost unknown"
    return f"${cost:,.2f}" if cost >= 0.01 or not cost else f"${cost:.1g}"


def _render_model_calls(annotated: EnrichmentReport) -> str:
    usage = annotated.usage
    made = f"{format_count(annotated.prefixes, 'prefix', 'prefixes')} and "
    made += f"{format_count(annotated.summaries, 'summary', 'summaries')} written"
    tokens = format_count(usage.prompt_tokens + usage.completion_tokens, "token")
    return (
        f"{made}: {format_count(usage.calls, 'model call')}, {tokens}, {format_price(usage.cost)}."
    )


def _render_file(file: FileReport, verbosity: int) -> Iterator[str]:
    if verbosity < 0 and file.status != "failed":
        return
    plainly_unchanged = file.status == "unchanged" and not file.reason
    if plainly_unchanged and verbosity < 1:
        return
    yield f"{file.status:<10} {file.path}{_format_size(file)}"
    if file.reason:
        yield f"{'':<10}   {file.reason}"
    if verbosity >= 0:
        for warning in file.warnings:
            yield f"{'':<10}   Warning: {warning}"


def _format_size(file: FileReport) -> str:
    counts = []
    if file.pages:
        counts.append(format_count(file.pages, "page"))
    if file.chunks:
        counts.append(format_count(file.chunks, "chunk"))
    return f"  ({', '.join(counts)})" if counts else ""


def _render_total(report: IngestReport) -> str:
    counts = Counter(file.status for file in report.files)
    if not counts:
        return "No files were found."
    listed = ", ".join(f"{counts[status]} {status}" for status in STATUS_ORDER if counts[status])
    line = f"{format_count(len(report.files), 'file')}: {listed}."
    line += f" {format_count(report.embedded, 'chunk')} embedded, {report.pending} pending,"
    return f"{line} in {report.seconds:.1f} s."


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
    options = IngestOptions(prune=prune, tags=_parse_tags(tags), confidentiality=confidentiality)
    # Paths are what the user sees from here, not from the project's folder.
    chosen = [Path.cwd() / path for path in paths]
    with open_project(call) as workspace:
        places = chosen or [workspace.root / "sources"]
        _require_paths(places, pruning=prune)
        # Before the first ingest: what changes while it runs is taken up after it.
        seen = take_snapshot(places) if watch else {}
        report = _ingest_once(call, workspace, chosen, options, yes=yes)
        if watch:
            say(f"Watching {', '.join(map(str, places))}; Ctrl-C ends it.")
        while watch:
            seen = wait_for_change(places, seen)
            _ingest_again(call, workspace, chosen, options, yes=yes)
    failed = any(file.status == "failed" for file in report.files)
    failed = failed or bool(report.annotated and not report.annotated.complete)
    return FAILED if strict and failed else DONE


def _parse_tags(tags: tuple[str, ...]) -> tuple[str, ...] | None:
    kept = tuple(dict.fromkeys(tag.strip() for tag in tags))
    if "" in kept:
        raise click.UsageError("A tag is empty.")
    return kept or None


def _require_paths(places: list[Path], *, pruning: bool) -> None:
    """A mistyped path is an error at once; a file that is gone may still be pruned."""
    for place in places:
        if not pruning and not os.path.lexists(place):
            raise UsageError(
                "There is no such file or folder.",
                where=str(place),
                fix="Check the path; files must lie inside the project.",
            )


def _ingest_once(
    call: Call, workspace: Workspace, paths: list[Path], options: IngestOptions, *, yes: bool
) -> IngestReport:
    with show_progress(call) as progress:

        def confirm(estimate: Estimate) -> bool:
            with pause_progress(progress):
                return yes or confirm_cost(workspace, estimate)

        report = ingest(workspace, paths, options=options, progress=progress, confirm=confirm)
    if call.json:
        show_json(ingest_as_dict(report))
    else:
        show(render_ingest_report(report, verbosity=call.verbosity))
    return report


def confirm_cost(workspace: Workspace, estimate: Estimate) -> bool:
    """Ask on a terminal; where there is none, nobody agrees."""
    if not is_interactive():
        return False
    limits = workspace.config.models
    say(
        f"Prefixes and summaries would take {format_count(estimate.calls, 'call')} of "
        f"{' and '.join(estimate.models)}: some {format_count(estimate.tokens, 'token')}, "
        f"{format_price(estimate.cost)}."
    )
    say(f"The limits are {limits.confirm_tokens:,} tokens and {format_price(limits.confirm_cost)}.")
    return click.confirm("Ask the models?", err=True)


def is_interactive() -> bool:
    """True where somebody can answer."""
    return sys.stdin.isatty()


def _ingest_again(
    call: Call, workspace: Workspace, paths: list[Path], options: IngestOptions, *, yes: bool
) -> None:
    try:
        _ingest_once(call, workspace, paths, options, yes=yes)
    except FoundryError as error:
        # A model that is away for a moment must not end the watch.
        report_failure(error, call)
