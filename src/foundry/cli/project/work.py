"""``foundry work run / list / cancel``."""

from __future__ import annotations

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.output import say, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.project.ingest import confirm_cost, render_file
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import bind_project, open_project
from foundry.journeys.work import name_worker, work
from foundry.messages import Message
from foundry.records import Estimate, Job
from foundry.wire.projects import JobListJson, WorkCancelJson, WorkJson
from foundry.workspace import Workspace

_LISTED = list_columns("path", "status", "attempts", "worker", "reason")


@click.group("work", cls=DefaultGroup, default="run")
@common_options
def command() -> None:
    pass


@command.command("run")
@click.option("--drain", is_flag=True)
@click.option("--yes", is_flag=True)
@common_options
@pass_call
def run(call: Call, *, drain: bool, yes: bool) -> None:
    def show_job(job: Job) -> None:
        lines = [line for file in job.files for line in render_file(file, call.verbosity)]
        if job.status == "failed":
            lines = [f"{job.path}: {job.reason}"]
        if lines and not call.json:
            show("\n".join(lines))

    with open_project(call) as workspace, show_progress(call) as progress:

        def consent(estimate: Estimate) -> bool:
            return yes or confirm_cost(workspace, estimate)

        if not call.json and not drain:
            say(Message("work-started", worker=name_worker()))
        done = work(workspace, drain=drain, confirm=consent, progress=progress, on_job=show_job)
    if call.json:
        show_json(WorkJson(jobs=done))
    else:
        show(Message("work-ended", n=done))


@command.command("list")
@bind_project(read_only=True)
def list_(call: Call, workspace: Workspace) -> None:
    jobs = workspace.maintenance().list_jobs()
    if call.json:
        show_json(JobListJson.copy_fields(jobs=jobs))
    elif jobs:
        rows = [
            (job.path, Message(f"work-status-{job.status}"), job.attempts, job.worker, job.reason)
            for job in jobs
        ]
        show_table(_LISTED, rows, elastic="column-reason", numbers=("column-attempts",))
    else:
        show(Message("work-none"))


@command.command("cancel")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@bind_project()
def cancel(call: Call, workspace: Workspace, *, paths: tuple[str, ...]) -> None:
    number = workspace.maintenance().cancel_jobs(paths or None)
    if call.json:
        show_json(WorkCancelJson(cancelled=number))
    else:
        show(Message("work-cancelled-jobs", n=number))
