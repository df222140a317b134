"""``foundry sources list / show / remove``."""

from __future__ import annotations

from typing import Any

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.output import format_count, say, show, show_json
from foundry.cli.table import show_table
from foundry.cli.workspace import get_source, is_visible, open_project
from foundry.records import Block, Source, Summary
from foundry.render.places import format_time
from foundry.workspace import Workspace


@click.group("sources")
@common_options
def command() -> None:
    """List, show or remove sources."""


@command.command("list")
@common_options
@pass_call
def list_(call: Call) -> None:
    """List all sources with their type, pages, chunks and tags."""
    with open_project(call, read_only=True) as workspace:
        every = workspace.store.list_sources()
        sources = [source for source in every if is_visible(source, workspace)]
    if call.json:
        show_json({"sources": [source_as_dict(source) for source in sources]})
        return
    if len(every) > len(sources) and not call.quiet:
        say(f"Note: {len(every) - len(sources)} sources are above this project's access.role.")
    if not sources:
        show("No sources yet. Put files into sources/ and run `foundry ingest`.")
        return
    show_table(
        ("PATH", "TYPE", "LANG", "PAGES", "CHUNKS", "LEVEL", "TAGS", "WARN"),
        [_build_row(source) for source in sources],
        elastic="PATH",
        numbers=("PAGES", "CHUNKS", "WARN"),
    )


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
    """Show a source: its summary, warnings and sections. SOURCE is a path or an id."""
    with open_project(call, read_only=True) as workspace:
        record = get_source(workspace, source)
        document = _details_as_dict(workspace, record)
    if call.json:
        show_json(document)
    else:
        show(_render_details(record, document))


def _details_as_dict(workspace: Workspace, source: Source) -> dict[str, Any]:
    summary: Summary | None = workspace.store.summaries([source.id]).get(source.id)
    blocks = workspace.store.source_blocks(source.id)
    return {
        **source_as_dict(source),
        "summary": summary.text if summary else None,
        "summary_model": summary.model if summary else None,
        "sections": [_section_as_dict(block) for block in blocks if block.kind == "heading"],
    }


def _section_as_dict(block: Block) -> dict[str, Any]:
    return {
        "title": block.heading_path[-1] if block.heading_path else "",
        "level": block.level or 1,
        "page": block.page,
        "page_label": block.page_label,
        "time": format_time(block.time_start),
    }


def _render_details(source: Source, document: dict[str, Any]) -> str:
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
    if document["summary"]:
        lines += ["", "Summary:", document["summary"]]
    if document["sections"]:
        lines += ["", "Sections:"]
        lines += [_render_section(section) for section in document["sections"]]
    return "\n".join(lines)


def _render_section(section: dict[str, Any]) -> str:
    label = section["page_label"] or section["page"]
    page = f"  (p. {label})" if label else ""
    return f"{'  ' * section['level']}{section['title']}{page}"


@command.command("remove")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@common_options
@pass_call
def remove(call: Call, sources: tuple[str, ...]) -> None:
    """Remove sources from the project. SOURCE is a path or an id; files are kept."""
    with open_project(call) as workspace:
        # Look up every name before removing the first.
        chosen = [get_source(workspace, name) for name in dict.fromkeys(sources)]
        removed = [source.path for source in chosen if workspace.store.remove_source(source.id)]
    if call.json:
        show_json({"removed": removed})
        return
    for path in removed:
        show(f"removed    {path}")
    if not call.quiet:
        say("The files are kept; the next `foundry ingest` of their folder reads them again.")


def source_as_dict(source: Source) -> dict[str, Any]:
    """The JSON of a source."""
    return {
        "id": source.id,
        "path": source.path,
        "title": source.title,
        "type": source.type,
        "language": source.language,
        "pages": source.pages,
        "chunks": source.chunks,
        "size": source.size,
        "content_hash": source.content_hash,
        "modified": source.modified.isoformat(),
        "ingested": source.ingested.isoformat(),
        "tags": list(source.tags),
        "confidentiality": source.confidentiality,
        "revision": source.revision,
        "revision_date": source.revision_date,
        "warnings": list(source.warnings),
    }
