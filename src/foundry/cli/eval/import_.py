"""``foundry eval import``."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Literal

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, FAILED
from foundry.cli.output import format_count, say, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.workspace import open_project
from foundry.evaluation.questions import (
    FEEDBACK_SET,
    ImportReport,
    import_feedback,
    import_questions,
)

MAX_SHOWN = 20
"""Refused lines printed, one screen; -v and --json give all."""


@click.command("import")
@click.argument("files", nargs=-1, metavar="[FILE…]", type=click.Path(path_type=Path))
@click.option("--set", "set_name", metavar="NAME",
              help="The set to import into; by default the one in the rows, else questions (feedback).")  # fmt: skip
@click.option("--replace", "replace", is_flag=True,
              help="Replace stored questions that differ.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["jsonl", "csv", "beir"]),
              help="The format of FILE; by default from its name.")  # fmt: skip
@click.option("--feedback", is_flag=True, help="Import readers' feedback on logged answers.")
@click.option("--strict", is_flag=True, help="Exit with 1 if any line was refused.")
@common_options
@pass_call
def command(
    call: Call,
    *,
    files: tuple[Path, ...],
    set_name: str | None,
    replace: bool,
    form: Literal["jsonl", "csv", "beir"] | None,
    feedback: bool,
    strict: bool,
) -> int:
    """Import questions from files or from feedback.

    FILE is JSON Lines, CSV with a header, or a BEIR folder (queries.jsonl and qrels). The fields
    are text, id, source, page, section, spans, quote, answer, answerable, language and tags;
    separate several sources or answers in a cell with |. Refused lines are reported with their
    line numbers; the others are imported.
    """
    if bool(files) is feedback:
        raise click.UsageError("Name the files to import, or use --feedback.")
    with open_project(call) as workspace:
        if feedback:
            report = import_feedback(workspace, set_name or FEEDBACK_SET)
        else:
            with show_progress(call) as progress:
                report = import_questions(
                    workspace, files, set_name=set_name, replace_changed=replace, form=form,
                    progress=progress,
                )  # fmt: skip
    if call.json:
        show_json(report_as_dict(report))
    else:
        _show(call, report)
    return FAILED if report.refused and (strict or not report.kept) else DONE


def report_as_dict(report: ImportReport) -> dict[str, Any]:
    """The report as ``--json`` prints it."""
    return {
        "added": list(report.added),
        "updated": list(report.updated),
        "unchanged": list(report.unchanged),
        "refused": [dataclasses.asdict(line) for line in report.refused],
        "notices": list(report.notices),
    }


def _show(call: Call, report: ImportReport) -> None:
    say_notices(call, report.notices)
    shown = report.refused if call.verbosity > 0 else report.refused[:MAX_SHOWN]
    for line in shown:
        named = f" ({line.id})" if line.id else ""
        say(f"Refused {line.where}{named}: {line.reason}")
        say(f"  Next: {line.fix}")
    if len(shown) < len(report.refused):
        say(f"… and {len(report.refused) - len(shown):,} more; -v shows them all.")
    parts = [
        f"{len(keys):,} {what}"
        for what, keys in (("added", report.added), ("updated", report.updated),
                           ("unchanged", report.unchanged), ("refused", report.refused))
        if keys
    ]  # fmt: skip
    show(f"{format_count(report.kept + len(report.refused), 'question')}: {', '.join(parts)}.")
