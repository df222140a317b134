"""``foundry sources list / show / remove``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.output import say, show, show_json
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import open_project
from foundry.journeys.sources import get_source
from foundry.messages import Message
from foundry.records import Source, UnreadFile, UnreadStatus
from foundry.wire.projects import (
    HeadingJson,
    RemovedSourcesJson,
    SourceDetailsJson,
    SourceListJson,
)

_COLUMNS = list_columns("path", "type", "language", "pages", "chunks", "level", "tags", "warnings")


@click.group("sources", cls=DefaultGroup)
@common_options
def command() -> None:
    pass


@command.command("list")
@common_options
@pass_call
def list_(call: Call) -> None:
    with open_project(call, read_only=True) as workspace:
        sources = workspace.store.list_sources()
        unread = workspace.store.list_unread()
    if call.json:
        show_json(SourceListJson(sources=sources, unread=unread))
        return
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
@common_options
@pass_call
def show_(call: Call, source: str) -> None:
    with open_project(call, read_only=True) as workspace:
        record = get_source(workspace, source)
        summary = workspace.store.summaries([record.id]).get(record.id)
        blocks = workspace.store.source_blocks(record.id)
    details = SourceDetailsJson.from_source(record, summary, blocks)
    if call.json:
        show_json(details)
    else:
        show(_render_details(details))


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
    printed = " ".join(part for part in (source.revision, source.revision_date) if part)
    if printed:
        lines.append(f"  {Message('source-revision', revision=printed)}")
    lines += [f"  {Message('cli-warning', text=warning)}" for warning in source.warnings]
    if source.summary:
        lines += ["", str(Message("source-summary")), source.summary]
    if source.sections:
        lines += ["", str(Message("source-sections"))]
        lines += [_render_section(section) for section in source.sections]
    return "\n".join(lines)


def _render_section(section: HeadingJson) -> str:
    label = section.page_label or section.page
    page = f"  ({Message('source-page', page=str(label))})" if label else ""
    return f"{'  ' * section.level}{section.title}{page}"


@command.command("remove")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@common_options
@pass_call
def remove(call: Call, sources: tuple[str, ...]) -> None:
    with open_project(call) as workspace:
        store = workspace.maintenance()
        # Look up every name before removing the first.
        chosen = [get_source(workspace, name) for name in dict.fromkeys(sources)]
        removed = [source.path for source in chosen if store.remove_source(source.id)]
    if call.json:
        show_json(RemovedSourcesJson(removed=removed))
        return
    for path in removed:
        show(f"{Message('ingest-status-removed')!s:<10} {path}")
    if not call.quiet:
        say(Message("source-files-kept"))
