"""``foundry table``: questions put to every source, and what people decide on the answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command
from foundry.cli.input import ask_overwrite, by_option, identify_person
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import bind_project, open_project, shows
from foundry.clock import format_minute
from foundry.errors import UsageError
from foundry.evaluation.questions.lists import read_list
from foundry.journeys.extraction import (
    export_table,
    get_table,
    iterate_rows,
)
from foundry.messages import Message
from foundry.operations import tables
from foundry.operations.table import Scope, audit
from foundry.records import CellVerdict, ExtractionRow, ExtractionRun, ExtractionTable
from foundry.render.delivery.extraction import choose_table_format
from foundry.render.extraction import (
    describe_places,
    describe_state,
    list_notes,
)
from foundry.render.files import check_output_path, decide_overwrite, write_documents
from foundry.wire.extraction import ExtractionCellJson, ExtractionWholeJson
from foundry.workspace import Workspace


class _TableGroup(DefaultGroup):
    """A group that runs a table if its first argument is no command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = {*self.list_commands(ctx), *ctx.help_option_names}
        if args and not args[0].startswith("-") and args[0] not in named:
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group("table", cls=_TableGroup)
@common_options
def command() -> None:
    pass


@command.command("run", cls=Command)
@click.argument("questions", metavar="QUESTIONS")
@click.option("--name", metavar="NAME")
@click.option("--filter", "filters", multiple=True, metavar="KEY=VALUE")
@click.option("--by", type=click.Choice(("source", "section")))
@click.option("--mode", type=click.Choice(("hybrid", "dense", "bm25")))
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True)
@click.option("--fresh", is_flag=True)
@click.option("--many", is_flag=True)
@click.option("--output", type=click.Path(path_type=Path), metavar="PATH")
@click.option("--yes", is_flag=True)
@common_options
@pass_call
def run_command(
    call: Call,
    /,
    *,
    questions: str,
    name: str | None,
    filters: tuple[str, ...],
    many: bool,
    output: Path | None,
    yes: bool,
    **options: Any,
) -> int:
    with open_project(call) as workspace:
        form = _require_format(output)
        listed, kept, notices = _read_questions(workspace, questions)
        asked = tables.run.takes.model_construct(
            name=name or kept,
            questions=list(listed),
            filters=list(filters) if filters else None,
            confirmed=many,
            **options,
        )
        say_notices(call, notices)
        with show_progress(call) as progress:
            run = tables.run.perform(Scope(workspace, progress=progress), asked=asked)
        if output and form:
            _write(workspace, run.table, output, form, yes=yes)
        if call.json:
            show_json(_build_whole(workspace, run.table))
        else:
            if not output:
                _show_cells(workspace, run.table)
            say_notices(call, run.notices)
            show(_describe_run(run))
    return FAILED if run.failed else DONE


def _read_questions(
    workspace: Workspace, questions: str
) -> tuple[tuple[str, ...], str, tuple[Message, ...]]:
    """The questions of a file, or none for the name of a kept table; its name; and notices."""
    path = workspace.cwd / questions
    if not path.exists() and not path.suffix:
        return (), get_table(workspace, questions).name, ()
    listed, notices = read_list(path)
    return listed, path.stem, notices


def _require_format(output: Path | None) -> str | None:
    form = choose_table_format(output.name) if output else None
    if output and not form:
        raise UsageError("table-format-unknown", where="--output", name=output.name)
    return form


def _write(
    workspace: Workspace, table: ExtractionTable, output: Path, form: str, *, yes: bool
) -> None:
    allowed = [workspace.root / name for name in workspace.config.output.allowed_dirs]
    path = check_output_path(output, workspace.cwd, [workspace.root, *allowed])
    overwrite = decide_overwrite([path], yes or ask_overwrite)
    write_documents({path: export_table(workspace, table.name, form)}, overwrite=overwrite)
    say(Message("table-written", path=str(output)))


def _build_whole(workspace: Workspace, table: ExtractionTable) -> ExtractionWholeJson:
    rows = list(iterate_rows(workspace, table))
    return ExtractionWholeJson(table=table, rows=rows)


def _show_cells(workspace: Workspace, table: ExtractionTable) -> None:
    """A line for each cell: its source, the number of its question, what it says and where."""
    for number, question in enumerate(table.questions, 1):
        show(f"{number}  {question}")
    show()
    source, column, state, value, place, notes = list_columns(
        "source", "question", "state", "value", "place", "reason"
    )
    rows = [line for row in iterate_rows(workspace, table) for line in _list_lines(table, row)]
    show_table(
        (source, column, state, value, place, notes),
        rows,
        elastic=value,
        numbers=(column,),
        optional=(notes,),
    )


def _list_lines(table: ExtractionTable, row: ExtractionRow) -> list[tuple[object, ...]]:
    lines: list[tuple[object, ...]] = []
    for number, cell in enumerate(row.cells, 1):
        words = (cell.value if cell.review else cell.answer.words) if cell else ""
        place = describe_places(cell.answer) if cell else ""
        notes = " ".join(map(str, list_notes(table, cell)))
        name = " › ".join((row.source, *row.headings))
        lines.append((name, number, describe_state(cell), words, place, notes))
    return lines


def _describe_run(run: ExtractionRun) -> Message:
    return Message(
        "table-done",
        name=run.table.name,
        asked=run.asked,
        reused=run.reused,
        changed=run.changed,
        failed=run.failed,
        gone=run.gone,
        seconds=run.seconds,
    )


@command.command("list")
@shows(tables.list_tables_)
def list_(_call: Call, listed: Any) -> str | None:
    if not listed:
        return str(Message("table-none-yet"))
    name, rows, questions, level, started, finished = list_columns(
        "name", "rows", "questions", "level", "started", "finished"
    )
    cells = [
        (
            one.name,
            one.rows,
            len(one.questions),
            one.confidentiality,
            format_minute(one.started),
            format_minute(one.finished) if one.finished else Message("table-unfinished"),
        )
        for one in listed
    ]
    columns = (name, rows, questions, level, started, finished)
    show_table(columns, cells, elastic=name, numbers=(rows, questions))
    return None


@command.command("show")
@click.argument("name", metavar="NAME")
@click.option("--output", type=click.Path(path_type=Path), metavar="PATH")
@click.option("--yes", is_flag=True)
@bind_project(read_only=True)
def show_(call: Call, workspace: Workspace, *, name: str, output: Path | None, yes: bool) -> None:
    form, table = _require_format(output), get_table(workspace, name)
    if output and form:
        _write(workspace, table, output, form, yes=yes)
    if call.json:
        show_json(_build_whole(workspace, table))
    elif not output:
        _show_cells(workspace, table)


@command.command("review")
@click.argument("name", metavar="NAME")
@click.argument("row", metavar="SOURCE")
@click.argument("column", metavar="QUESTION")
@click.option("--approve", is_flag=True)
@click.option("--correct", metavar="TEXT")
@click.option("--reject", is_flag=True)
@click.option("--again", is_flag=True)
@by_option
@bind_project()
def review_(
    call: Call,
    workspace: Workspace,
    *,
    name: str,
    row: str,
    column: str,
    approve: bool,
    correct: str | None,
    reject: bool,
    again: bool,
    by: str | None,
) -> None:
    chosen: list[CellVerdict] = []
    chosen += ["approved"] if approve else []
    chosen += ["corrected"] if correct is not None else []
    chosen += ["rejected"] if reject else []
    if len(chosen) != 1:
        raise UsageError("table-one-verdict", where="foundry table review")
    person = identify_person(call, by, workspace.root)
    asked = tables.review.fill(
        row=row, column=column, verdict=chosen[0], by=person, value=correct or "", again=again
    )
    scope = Scope(workspace)
    with audit(scope, tables.review.audit, lambda: name):
        cell = tables.review.perform(scope, table=name, asked=asked)
    if call.json:
        show_json(ExtractionCellJson.from_record(cell))
    else:
        said = {"source": cell.source, "question": cell.question, "value": cell.value or "–"}
        show(Message("table-decided", verdict=chosen[0], by=person, **said))


@command.command("remove")
@click.argument("table", metavar="NAME")
@shows(tables.remove, read_only=False)
def remove_(_call: Call, removed: ExtractionTable) -> Message:
    return Message("table-removed", name=removed.name)
