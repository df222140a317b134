"""``foundry sources list / show / remove``."""

from __future__ import annotations

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.output import format_count, say, show, show_json
from foundry.cli.table import show_table
from foundry.cli.workspace import open_project
from foundry.journeys.sources import get_source
from foundry.records import Source, UnreadStatus
from foundry.wire.projects import (
    HeadingJson,
    RemovedSourcesJson,
    SourceDetailsJson,
    SourceListJson,
)

STATUS_WORDS: dict[UnreadStatus, str] = {"failed": "failed", "left_out": "left out"}


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
        show("No sources yet. Put files into sources/ and run `foundry ingest`.")
    else:
        show_table(
            ("PATH", "TYPE", "LANG", "PAGES", "CHUNKS", "LEVEL", "TAGS", "WARN"),
            [_build_row(source) for source in sources],
            elastic="PATH",
            numbers=("PAGES", "CHUNKS", "WARN"),
        )
    if unread:
        show()
        show("Not read:")
    for file in unread:
        show(f"{STATUS_WORDS[file.status]:<9} {file.path}")
        show(f"{'':<9}   {file.reason}")


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
    size = f"{format_count(source.pages, 'page')}, " if source.pages else ""
    lines = [
        source.title,
        f"  {source.path}  ({source.id})",
        f"  {source.type}, {source.language}, {size}{format_count(source.chunks, 'chunk')}, {source.size:,} bytes",
        f"  {source.confidentiality}"
        + (f"; tags: {', '.join(source.tags)}" if source.tags else ""),
    ]
    printed = " ".join(part for part in (source.revision, source.revision_date) if part)
    if printed:
        lines.append(f"  Revision: {printed}")
    lines += [f"  Warning: {warning}" for warning in source.warnings]
    if source.summary:
        lines += ["", "Summary:", source.summary]
    if source.sections:
        lines += ["", "Sections:"]
        lines += [_render_section(section) for section in source.sections]
    return "\n".join(lines)


def _render_section(section: HeadingJson) -> str:
    label = section.page_label or section.page
    page = f"  (p. {label})" if label else ""
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
        show(f"removed    {path}")
    if not call.quiet:
        say("The files are kept; the next `foundry ingest` of their folder reads them again.")
