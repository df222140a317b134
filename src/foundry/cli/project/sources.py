"""``foundry sources list / show / remove``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.output import say, show, show_json
from foundry.cli.remote import open_client
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import bind_project, open_project
from foundry.journeys.sources import SourceTable, get_source, list_tables
from foundry.journeys.work.uploads import remove_sources
from foundry.messages import Message
from foundry.operations import sources as operations
from foundry.operations.table import Scope
from foundry.records import DocumentName, Source, UnreadFile, UnreadStatus
from foundry.render.csv_text import write_csv
from foundry.text.tables import describe_cell
from foundry.wire.projects import (
    HeadingJson,
    RemovedSourcesJson,
    SourceDetailsJson,
    SourceListJson,
    SourceTablesJson,
)
from foundry.workspace import Workspace

_COLUMNS = list_columns("path", "type", "language", "pages", "chunks", "level", "tags", "warnings")


@click.group("sources", cls=DefaultGroup)
@common_options
def command() -> None:
    pass


@command.command("list")
@common_options
@pass_call
def list_(call: Call) -> None:
    if call.server:
        with open_client(call) as client:
            listed = client.list_sources()
    else:
        with open_project(call, read_only=True) as workspace:
            store = workspace.store
            listed = SourceListJson(sources=store.list_sources(), unread=store.list_unread())
    if call.json:
        show_json(listed)
        return
    sources, unread = listed.sources, listed.unread
    if not sources:
        show(Message("source-none-yet"))
    else:
        show_table(
            _COLUMNS,
            [_build_row(source) for source in sources],
            elastic="column-path",
            numbers=("column-pages", "column-chunks", "column-warnings"),
        )
    if unread:
        show()
        show("\n".join(_list_unread(unread)), indent=4)


def _list_unread(files: Sequence[UnreadFile]) -> Iterator[str]:
    words = {status: str(Message(f"source-status-{status}")) for status in get_args(UnreadStatus)}
    width = max(map(len, words.values())) + 1
    yield str(Message("source-not-read"))
    for file in files:
        yield f"{words[file.status]:<{width}} {file.path}"
        yield f"{'':<{width}}   {file.reason}"


def _build_row(source: Source) -> tuple[object, ...]:
    return (
        source.path,
        source.type,
        source.language,
        source.pages,
        source.chunks,
        source.confidentiality,
        ", ".join(source.tags),
        len(source.warnings) or None,
    )


@command.command("show")
@click.argument("source")
@click.option("--tables", is_flag=True)
@click.option("--csv", is_flag=True)
@bind_project(read_only=True)
def show_(call: Call, workspace: Workspace, *, source: str, tables: bool, csv: bool) -> None:
    if tables or csv:
        blocks = workspace.store.source_blocks(get_source(workspace, source).id)
        _show_tables(call, list_tables(blocks), as_csv=csv)
        return
    details = operations.show_source.perform(Scope(workspace), source_id=source)
    if call.json:
        show_json(details)
    else:
        show(_render_details(details))


def _show_tables(call: Call, tables: Sequence[SourceTable], *, as_csv: bool) -> None:
    if call.json:
        show_json(SourceTablesJson.from_tables(tables))
    elif as_csv:
        show(_write_csv(tables), wrap=False)
    elif not tables:
        show(Message("source-no-tables"))
    else:
        show("\n\n".join(map(_render_table, tables)), indent=4)


def _render_table(table: SourceTable) -> str:
    said = table.table
    page = f"  ({Message('source-page', page=str(table.page))})" if table.page else ""
    title = said.title or str(Message("source-table-untitled"))
    lines = [f"{title}{page}", *([said.unit] if said.unit else [])]
    if not said.certain:
        lines.append(str(Message("source-table-uncertain")))
    return "\n".join([*lines, *(f"  {describe_cell(said, cell)}" for cell in said.cells)])


def _write_csv(tables: Sequence[SourceTable]) -> str:
    """A line for each value, its labels joined by " > "."""
    names = ("table", "page", "title", "unit", "row", "column", "value")
    rows = (
        (
            *(number, item.page, item.table.title, item.table.unit),
            *(" > ".join(cell.row), " > ".join(cell.column), cell.value),
        )
        for number, item in enumerate(tables, 1)
        for cell in item.table.cells
    )
    return write_csv(names, rows).rstrip("\n")


def _render_details(source: SourceDetailsJson) -> str:
    facts = [
        source.type,
        source.language,
        *([Message("count-pages", n=source.pages)] if source.pages else []),
        Message("count-chunks", n=source.chunks),
        Message("count-bytes", n=source.size),
    ]
    tags = Message("source-tags", tags=source.tags) if source.tags else ""
    lines = [
        source.title,
        f"  {source.path}  ({source.id})",
        f"  {', '.join(map(str, facts))}",
        f"  {source.confidentiality}{tags}",
    ]
    if source.revision:
        lines.append(f"  {Message('source-revision', revision=source.revision)}")
    if source.revision_date:
        lines.append(f"  {Message('source-date', date=source.revision_date)}")
    if source.parent:
        lines.append(f"  {Message('source-attached-to', path=source.parent)}")
    if source.attachments:
        lines.append(f"  {Message('source-attachments', paths=source.attachments)}")
    lines += [f"  {Message('cli-warning', text=str(warning))}" for warning in source.warnings]
    if source.names:
        lines += ["", str(Message("source-names"))]
        lines += [_render_name(name) for name in source.names]
    if source.summary:
        lines += ["", str(Message("source-summary")), source.summary]
    if source.sections:
        lines += ["", str(Message("source-sections"))]
        lines += [_render_section(section) for section in source.sections]
    return "\n".join(lines)


def _render_name(name: DocumentName) -> str:
    aliases = Message("source-name-aliases", aliases=name.aliases) if name.aliases else ""
    kind = Message(f"source-name-{name.kind}")
    page = f", {Message('source-page', page=str(name.page))}" if name.page else ""
    return f"  {name.name} ({kind}{page}){aliases}"


def _render_section(section: HeadingJson) -> str:
    label = section.page_label or section.page
    page = f"  ({Message('source-page', page=str(label))})" if label else ""
    return f"{'  ' * section.level}{section.title}{page}"


@command.command("remove")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@bind_project()
def remove(call: Call, workspace: Workspace, *, sources: tuple[str, ...]) -> None:
    removed = remove_sources(workspace, sources)
    if call.json:
        show_json(RemovedSourcesJson(removed=removed))
        return
    for path in removed:
        show(f"{Message('ingest-status-removed')!s:<10} {path}")
    if not call.quiet:
        say(Message("source-files-kept"))
