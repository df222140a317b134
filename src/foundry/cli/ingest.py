"""``foundry ingest`` and ``foundry work``: reading the sources."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.failures import DONE, FAILED, report_error
from foundry.cli.help import Command
from foundry.cli.input import confirm, is_interactive
from foundry.cli.output import format_price, say, show, show_json
from foundry.cli.progress import pause_progress, show_progress
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import bind_project, open_project
from foundry.config import CONFIG_NAME
from foundry.errors import FoundryError, Interrupted, UsageError
from foundry.journeys.cluster import use_cluster
from foundry.journeys.index import IngestOptions
from foundry.journeys.ingest import ingest
from foundry.journeys.revisions import note_impact
from foundry.journeys.work import (
    enqueue as enqueue_files,
)
from foundry.journeys.work import (
    ingest_by_workers,
    list_workers,
    name_worker,
    sign_in,
    work,
)
from foundry.messages import Message
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Confidentiality,
    EnrichmentReport,
    Estimate,
    FileReport,
    IngestReport,
    Job,
    SourceStatus,
)
from foundry.wire.projects import (
    IngestJson,
    JobListJson,
    QueuedJson,
    WorkCancelJson,
    WorkJson,
)
from foundry.workspace import Workspace

STATUS_ORDER: tuple[SourceStatus, ...] = ("added", "updated", "removed", "unchanged", "failed")
POLL_SECONDS = 1.0
"""How often ``--watch`` looks: soon enough for a person, cheap on a network disk."""

Snapshot = dict[str, tuple[int, int]]
"""Path → modification time in nanoseconds and size in bytes."""


@click.command("ingest", cls=Command)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--prune", is_flag=True)
@click.option("--watch", is_flag=True)
@click.option("--tag", "tags", multiple=True)
@click.option("--confidentiality", type=click.Choice(CONFIDENTIALITY_LEVELS))
@click.option("--strict", is_flag=True)
@click.option("--yes", is_flag=True)
@click.option("--no-wait", is_flag=True)
@click.option("--enqueue", is_flag=True)
@click.option("--ray", metavar="ADDRESS")
@common_options
@pass_call
def ingest_command(
    call: Call,
    *,
    paths: tuple[Path, ...],
    prune: bool,
    watch: bool,
    tags: tuple[str, ...],
    confidentiality: Confidentiality | None,
    strict: bool,
    yes: bool,
    no_wait: bool,
    enqueue: bool,
    ray: str | None,
) -> int:
    if watch and call.json:
        raise UsageError("ingest-watch-json", where="foundry ingest")
    if enqueue and ray:
        raise UsageError("ingest-enqueue-ray", where="--ray")
    options = IngestOptions(prune, _parse_tags(tags), confidentiality, wait=not no_wait)
    # Paths are relative to the current folder, not to the project.
    chosen = [Path.cwd() / path for path in paths]
    with (
        open_project(call) as workspace,
        nullcontext() if enqueue else use_cluster([workspace], ray) as cluster,
    ):
        places = chosen or [workspace.root / "sources"]
        _require_paths(places, pruning=prune)
        if enqueue and no_wait and not watch:
            return _queue(call, workspace, chosen, options, strict=strict)
        run = partial(ingest, cluster=cluster)
        if enqueue:
            run = partial(ingest_by_workers, on_queued=partial(_say_queued, workspace))
        # Taken before the first ingest, so that changes made during it are picked up next.
        seen = take_snapshot(places) if watch else {}
        ingest_once = partial(
            _ingest_once, call, workspace, chosen, options, run, yes=yes, strict=strict
        )
        report = ingest_once()
        if watch:
            say(Message("ingest-watching", places=[str(place) for place in places]))
        while watch:
            seen = wait_for_change(places, seen)
            _ingest_again(call, ingest_once)
    return FAILED if _has_failed(report, chosen, strict=strict) else DONE


def _queue(
    call: Call, workspace: Workspace, paths: list[Path], options: IngestOptions, *, strict: bool
) -> int:
    """Leave the changed files to workers, and say how many files and workers there are."""
    with show_progress(call) as progress:
        jobs, tally = enqueue_files(workspace, paths, options, progress)
    queued, workers = len(jobs), len(list_workers(workspace))
    waiting = workspace.maintenance().count_open_jobs()
    if call.json:
        counts = {"queued": queued, "waiting": waiting, "workers": workers}
        show_json(QueuedJson.copy_fields(**counts, sources=tally.files))
    else:
        lines = [line for file in tally.files for line in render_file(file, call.verbosity)]
        show("\n".join([*lines, str(_describe_queue(waiting, workers))]))
    return FAILED if _have_failed(tally.files, paths, strict=strict, more=queued) else DONE


def _say_queued(workspace: Workspace, jobs: int) -> None:
    if jobs:
        say(_describe_queue(jobs, len(list_workers(workspace))))


def _describe_queue(jobs: int, workers: int) -> Message:
    return Message("work-queued", n=jobs, workers=Message("work-workers", n=workers))


def _has_failed(report: IngestReport, chosen: Sequence[Path], *, strict: bool) -> bool:
    """Whether the run failed: with ``strict`` for anything, else if every named file did."""
    incomplete = bool(report.annotated and not report.annotated.complete)
    return _have_failed(report.files, chosen, strict=strict) or (strict and incomplete)


def _have_failed(
    files: Sequence[FileReport], chosen: Sequence[Path], *, strict: bool, more: int = 0
) -> bool:
    """Like ``_has_failed``, for files alone; ``more`` is the number of others."""
    failed = [file for file in files if file.status == "failed"]
    whole = _names_files(chosen) and len(failed) == len(files) + more
    return bool(failed) and (strict or whole)


def _names_files(paths: Sequence[Path]) -> bool:
    """Whether the user named each file, instead of folders or nothing."""
    return bool(paths) and not any(path.is_dir() for path in paths)


def _parse_tags(tags: tuple[str, ...]) -> tuple[str, ...] | None:
    kept = tuple(dict.fromkeys(tag.strip() for tag in tags))
    if "" in kept:
        raise UsageError("ingest-empty-tag", where="--tag")
    return kept or None


def _require_paths(places: list[Path], *, pruning: bool) -> None:
    """Raise ``UsageError`` for a path that does not exist, unless it may be pruned."""
    for place in places:
        if not pruning and not os.path.lexists(place):
            raise UsageError("ingest-no-such-path", where=str(place))


def _ingest_once(
    call: Call,
    workspace: Workspace,
    paths: list[Path],
    options: IngestOptions,
    run: Callable[..., IngestReport],
    *,
    yes: bool,
    strict: bool,
) -> IngestReport:
    listed = strict or _names_files(paths)
    shown = 0

    def show_file(file: FileReport) -> None:
        nonlocal shown
        lines = [] if call.json else list(render_file(file, call.verbosity, listed=listed))
        if lines:
            shown += 1
            show("\n".join(lines))

    with show_progress(call) as progress:

        def consent(estimate: Estimate) -> bool:
            with pause_progress(progress):
                return yes or confirm_cost(workspace, estimate)

        report = run(
            workspace,
            paths,
            options=options,
            progress=progress,
            confirm=consent,
            on_file=show_file,
        )
    report = note_impact(workspace, report)
    if call.json:
        show_json(IngestJson.from_record(report))
        return report
    if shown:
        show()
    show(render_ingest_totals(report, listed=listed))
    return report


def confirm_cost(workspace: Workspace, estimate: Estimate) -> bool:
    """Ask whether models may be called; False without a terminal."""
    if not is_interactive():
        return False
    limits = workspace.config.models
    say(
        Message(
            "ingest-estimate",
            n=estimate.calls,
            models=estimate.models,
            tokens=Message("count-tokens", n=estimate.tokens),
            cost=format_price(estimate.cost),
        )
    )
    most = format_price(limits.confirm_cost)
    say(Message("ingest-limits", tokens=limits.confirm_tokens, cost=most))
    return confirm(Message("ingest-call-models"))


def _ingest_again(call: Call, ingest_once: Callable[[], IngestReport]) -> None:
    try:
        ingest_once()
    except Interrupted:
        raise
    except FoundryError as error:
        # A model that is unreachable for a moment must not end the watch.
        report_error(error, call)


# The report


def render_ingest_totals(report: IngestReport, *, listed: bool = False) -> str:
    """What the run did, without the files; ``listed`` if known failures were shown too."""
    lines = [_render_total(report)]
    known = sum(file.known for file in report.files)
    if known and not listed:
        lines.append(str(Message("ingest-known-failures", n=known)))
    if report.annotated and report.annotated.estimate.calls:
        lines.append(_render_model_calls(report.annotated))
    lines += [str(Message("cli-note", text=notice)) for notice in report.notices]
    if not report.files:
        lines.append(str(Message("ingest-add-files")))
    return "\n".join(lines)


def _render_model_calls(annotated: EnrichmentReport) -> str:
    usage = annotated.usage
    written = Message(
        "ingest-written",
        prefixes=Message("count-prefixes", n=annotated.prefixes),
        summaries=Message("count-summaries", n=annotated.summaries),
        calls=Message("count-calls", n=usage.calls),
        tokens=Message("count-tokens", n=usage.prompt_tokens + usage.completion_tokens),
        cost=format_price(usage.cost),
    )
    return str(written)


def render_file(file: FileReport, verbosity: int = 0, *, listed: bool = False) -> Iterator[str]:
    """The lines about a file; none below ``verbosity`` 1 if it is not news.

    Not news are an unchanged file and a failure that an earlier ingest reported; the latter is
    shown all the same if such failures are to be ``listed``.
    """
    if verbosity < 0 and file.status != "failed":
        return
    if verbosity < 1 and file.status == "unchanged" and not file.reason:
        return
    if verbosity < 1 and file.known and not listed:
        return
    words = {status: str(Message(f"ingest-status-{status}")) for status in STATUS_ORDER}
    width = max(map(len, words.values())) + 1
    yield f"{words[file.status]:<{width}} {file.path}{_format_size(file)}"
    if file.reason:
        yield f"{'':<{width}}   {file.reason}"
    if verbosity >= 0:
        for warning in file.warnings:
            yield f"{'':<{width}}   {Message('cli-warning', text=warning)}"


def _format_size(file: FileReport) -> str:
    counts = []
    if file.pages:
        counts.append(str(Message("count-pages", n=file.pages)))
    if file.chunks:
        counts.append(str(Message("count-chunks", n=file.chunks)))
    return f"  ({', '.join(counts)})" if counts else ""


def _render_total(report: IngestReport) -> str:
    counts = Counter(file.status for file in report.files)
    if not counts:
        return str(Message("ingest-no-files"))
    listed = [
        str(Message(f"ingest-count-{status}", n=counts[status]))
        for status in STATUS_ORDER
        if counts[status]
    ]
    total = Message(
        "ingest-total",
        files=Message("count-files", n=len(report.files)),
        listed=listed,
        chunks=Message("count-chunks", n=report.embedded),
        pending=report.pending,
        time=Message("cli-seconds", value=report.seconds),
    )
    return str(total)


# Watching, by polling: it works on every file system, network ones included


def wait_for_change(
    places: Sequence[Path], seen: Snapshot, pause: float = POLL_SECONDS
) -> Snapshot:
    """Wait until the files differ from ``seen`` and then stay the same for one ``pause``.

    ``pause`` is in seconds. Returns the new snapshot, for the next call.
    """
    while True:
        time.sleep(pause)
        now = take_snapshot(places)
        if now == seen:
            continue
        # A file that is still being written changes between two snapshots.
        while True:
            time.sleep(pause)
            again = take_snapshot(places)
            if again == now:
                return now
            now = again


def take_snapshot(places: Sequence[Path]) -> Snapshot:
    """Every file under the places, except hidden ones and those that vanish meanwhile."""
    snapshot: Snapshot = {}
    for place in places:
        if place.is_file():
            _add_file(snapshot, str(place))
        for folder, folders, files in os.walk(place):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in files:
                if not name.startswith("."):
                    _add_file(snapshot, os.path.join(folder, name))  # noqa: PTH118 - many files
    return snapshot


def _add_file(snapshot: Snapshot, path: str) -> None:
    try:
        status = os.stat(path)  # noqa: PTH116 - many files
    except OSError:
        return
    snapshot[path] = (status.st_mtime_ns, status.st_size)


_LISTED = list_columns("path", "status", "attempts", "worker", "reason")


@click.group("work", cls=DefaultGroup, default="run")
@common_options
def work_command() -> None:
    pass


@work_command.command("run")
@click.option("--drain", is_flag=True)
@click.option("--yes", is_flag=True)
@click.option("--ray", metavar="ADDRESS")
@click.option("--projects", type=click.Path(path_type=Path, file_okay=False, exists=True))
@common_options
@pass_call
def run(call: Call, *, drain: bool, yes: bool, ray: str | None, projects: Path | None) -> int:
    def show_job(job: Job) -> None:
        lines = [line for file in job.files for line in render_file(file, call.verbosity)]
        if job.status == "failed":
            lines = [f"{job.path}: {job.reason}"]
        if lines and not call.json:
            show("\n".join(lines))

    if projects and call.project:
        raise UsageError("access-one-or-all", where="--project")
    skipped = list[str]()

    def skip(root: Path, error: FoundryError) -> None:
        skipped.append(root.name)
        say(_describe_skipped(root, error))

    with ExitStack() as opened, show_progress(call) as progress:
        workspaces = _open_projects(call, _list_projects(projects), opened, skip)

        def consent(estimate: Estimate) -> bool:
            # With several projects or files at once, one question could not say what it is for.
            return yes or (not (projects or ray) and confirm_cost(workspaces[0], estimate))

        if workspaces and not call.json and not drain:
            say(Message("work-started", worker=name_worker()))
        done = work(
            *workspaces,
            drain=drain,
            confirm=consent,
            progress=progress,
            on_job=show_job,
            on_broken=(lambda one, error: skip(one.root, error)) if projects else None,
            ray=ray,
        )
    if call.json:
        show_json(WorkJson(jobs=done, skipped=skipped))
    else:
        show(Message("work-ended", n=done))
    return FAILED if skipped else DONE


def _open_projects(
    call: Call, roots: list[Path], opened: ExitStack, skip: Callable[[Path, FoundryError], None]
) -> list[Workspace]:
    """Open the projects, or that of the call if there are none, and count as a worker of each.

    ``skip`` gets one of several that cannot be opened.
    """
    workspaces = []
    for one in [replace(call, project=root) for root in roots] or [call]:
        try:
            workspace = opened.enter_context(open_project(one))
            opened.enter_context(sign_in(workspace))
        except FoundryError as error:
            if not roots:
                raise
            skip(one.project or Path(), error)
        else:
            workspaces.append(workspace)
    return workspaces


def _describe_skipped(root: Path, error: FoundryError) -> str:
    problem = Message("work-skipped", project=root.name, problem=error.problem)
    return "\n".join([str(problem), *([error.fix] if error.fix else [])])


def _list_projects(folder: Path | None) -> list[Path]:
    """The projects in a folder. Raises ``UsageError`` if it has none."""
    inside = sorted(path.parent for path in folder.glob(f"*/{CONFIG_NAME}")) if folder else []
    # As for a server: a link would be the same project twice.
    found = [one for one in inside if not one.name.startswith(".") and not one.is_symlink()]
    if folder and not found:
        raise UsageError("work-no-projects", where=f"--projects {folder}")
    return found


@work_command.command("list")
@bind_project(read_only=True)
def list_(call: Call, workspace: Workspace) -> None:
    jobs, workers = workspace.maintenance().list_jobs(), list_workers(workspace)
    if call.json:
        show_json(JobListJson.copy_fields(jobs=jobs, workers=workers))
        return
    if jobs:
        rows = [
            (job.path, Message(f"work-status-{job.status}"), job.attempts, job.worker, job.reason)
            for job in jobs
        ]
        show_table(_LISTED, rows, elastic="column-reason", numbers=("column-attempts",))
    else:
        show(Message("work-none"))
    names = [worker.name for worker in workers]
    show(Message("work-listed", n=len(names), names=names))


@work_command.command("cancel")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@bind_project()
def cancel(call: Call, workspace: Workspace, *, paths: tuple[str, ...]) -> None:
    number = workspace.maintenance().cancel_jobs(paths or None)
    if call.json:
        show_json(WorkCancelJson(cancelled=number))
    else:
        show(Message("work-cancelled-jobs", n=number))
