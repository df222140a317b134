"""``foundry sources`` and ``foundry correction``: what was read, and what was read wrongly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.input import by_option, identify_person
from foundry.cli.output import say, say_notices, show, show_json, show_result
from foundry.cli.progress import show_progress
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import bind_project, open_client, open_project, shows
from foundry.errors import UsageError
from foundry.journeys.access import record_event
from foundry.journeys.chains import link_revisions, list_chains, unlink_revisions
from foundry.journeys.file_list import list_files
from foundry.journeys.passages.blocks import NumberedBlock, list_blocks
from foundry.journeys.passages.correction_requests import CorrectionRequest
from foundry.journeys.passages.corrections import (
    add_correction,
    list_corrections,
    preview_correction,
    remove_correction,
)
from foundry.journeys.revisions import compare_sources, find_citing_span
from foundry.journeys.sources import SourceTable, get_source, list_tables
from foundry.journeys.work.changes import remove_sources
from foundry.messages import Message
from foundry.operations import corrections
from foundry.operations import sources as operations
from foundry.operations.table import Scope
from foundry.readers.table_corrections import name_column
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    CorrectionState,
    DocumentName,
    DocumentStatus,
    Fact,
    FileState,
    LinkedRevision,
    RevisionChain,
    RevisionChange,
    RevisionMember,
    Source,
    SourcesChange,
    UnreadFile,
    UnreadStatus,
)
from foundry.records.revisions import ChangeKind
from foundry.render.corrections import cut_words, describe_change, list_changed_lines
from foundry.render.places import describe_status
from foundry.render.spreadsheets import write_csv
from foundry.text.tables import describe_cell
from foundry.wire.base import get_model
from foundry.wire.corrections import (
    CorrectionJson,
    CorrectionListJson,
    CorrectionPreviewJson,
    NumberedBlocksJson,
)
from foundry.wire.projects import (
    HeadingJson,
    RemovedSourcesJson,
    SourceDetailsJson,
    SourceListJson,
    SourceTablesJson,
)
from foundry.wire.requests import ChangeSourcesRequest, LabelsRequest, SourceWishes
from foundry.workspace import Workspace

_COLUMNS = list_columns(
    "path", "type", "language", "pages", "chunks", "level", "status", "tags", "warnings"
)


@click.group("sources", cls=DefaultGroup)
@common_options
def sources_command() -> None:
    pass


@sources_command.command("list")
@click.option("--search", "q", metavar="WORDS")
@click.option("--type", "type")
@click.option("--tag")
@click.option("--folder")
@click.option("--confidentiality", type=click.Choice(CONFIDENTIALITY_LEVELS))
@click.option("--status", type=click.Choice(get_args(DocumentStatus)))
@click.option("--state", type=click.Choice(get_args(FileState)))
@common_options
@pass_call
def list_(call: Call, /, **wishes: str | None) -> None:
    asked = {name: value for name, value in wishes.items() if value}
    if call.server:
        with open_client(call) as client:
            listed = client.list_sources(**asked)
    else:
        with open_project(call, read_only=True) as workspace:
            listed = _list_sources(workspace, SourceWishes.model_validate(asked))
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
    for lines in (_list_copies(sources), _list_chains(listed.chains), _list_unread(unread)):
        if said := "\n".join(lines):
            show()
            show(said, indent=4)


def _list_sources(workspace: Workspace, wishes: SourceWishes) -> SourceListJson:
    store, wanted = workspace.store, operations.choose_files(workspace, wishes)
    chosen = {one.id for one in list_files(workspace, wanted).sources}
    return SourceListJson(
        sources=[one for one in store.list_sources() if one.id in chosen],
        unread=[file for file in store.list_unread() if wanted.has_unread(file)],
        chains=list_chains(workspace),
    )


def _list_copies(sources: Sequence[Source]) -> Iterator[str]:
    several = [source for source in sources if source.copies]
    if several:
        yield str(Message("source-copies"))
    for source in several:
        yield source.path
        yield from (f"  = {path}" for path in source.copies)


def _list_chains(chains: Sequence[RevisionChain]) -> Iterator[str]:
    if chains:
        yield str(Message("source-chains"))
    for chain in chains:
        links = {link.newer: link for link in chain.links}
        for number, one in enumerate(chain.members):
            yield f"{'  ← ' if number else ''}{_describe_member(one)}"
            if link := links.get(one.path):
                said = Message("revision-linked", author=link.author, day=str(link.created)[:10])
                yield f"      {said}{f': {link.reason}' if link.reason else ''}"


def _describe_member(one: RevisionMember) -> str:
    printed = ", ".join(filter(None, (one.revision, one.revision_date)))
    return f"{one.path}{f'  ({printed})' if printed else ''}"


def _list_unread(files: Sequence[UnreadFile]) -> Iterator[str]:
    if not files:
        return
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
        describe_status(source.status),
        ", ".join(source.tags),
        len(source.warnings) or None,
    )


@sources_command.command("show")
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
    show_result(call, SourceDetailsJson, details, _render_details(details))


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
    marks = (" " if cell.certain else "?" for cell in said.cells)
    values = (
        f"{mark} {describe_cell(said, cell)}" for mark, cell in zip(marks, said.cells, strict=True)
    )
    return "\n".join([*lines, *values])


def _write_csv(tables: Sequence[SourceTable]) -> str:
    """A line for each value, its labels joined by " > "."""
    names = ("table", "page", "title", "unit", "row", "column", "value", "doubt")
    rows = (
        (
            *(number, item.page, item.table.title, item.table.unit),
            *(
                " > ".join(cell.row),
                " > ".join(cell.column),
                cell.value,
                "" if cell.certain else "?",
            ),
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
    lines += [f"  {_render_fact(fact)}" for fact in source.facts]
    if source.parent:
        lines.append(f"  {Message('source-attached-to', path=source.parent)}")
    if source.attachments:
        lines.append(f"  {Message('source-attachments', paths=source.attachments)}")
    lines += _list_relatives(source)
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


def _render_fact(fact: Fact) -> str:
    said = Message(f"source-is-{fact.value}") if fact.name == "status" else fact.value
    name = str(Message(f"source-fact-{fact.name}")).capitalize()
    origin = Message(f"source-origin-{fact.origin}")
    sure = Message(f"source-confidence-{fact.confidence}")
    return f"{name}: {Message('source-fact-said', value=said, origin=origin, confidence=sure)}"


def _list_relatives(source: SourceDetailsJson) -> Iterator[str]:
    if source.copies:
        yield f"  {Message('source-same-file', paths=source.copies)}"
    if source.doubles:
        yield f"  {Message('source-nearly-identical', paths=source.doubles)}"
    if source.revisions:
        yield f"  {Message('source-revisions')}"
    for one in source.revisions:
        yield f"  {'→' if one.path == source.path else ' '} {_describe_member(one)}"


def _render_name(name: DocumentName) -> str:
    aliases = Message("source-name-aliases", aliases=name.aliases) if name.aliases else ""
    kind = Message(f"source-name-{name.kind}")
    page = f", {Message('source-page', page=str(name.page))}" if name.page else ""
    return f"  {name.name} ({kind}{page}){aliases}"


def _render_section(section: HeadingJson) -> str:
    label = section.page_label or section.page
    page = f"  ({Message('source-page', page=str(label))})" if label else ""
    return f"{'  ' * section.level}{section.title}{page}"


@sources_command.command("set")
@click.argument("sources", metavar="[SOURCE]...", nargs=-1)
@click.option("--filter", "filters", multiple=True, metavar="KEY=VALUE")
@click.option("--status", type=click.Choice([*get_args(DocumentStatus), "as_read"]))
@click.option("--tag", "tags", multiple=True)
@click.option("--add-tag", "add_tags", multiple=True)
@click.option("--remove-tag", "remove_tags", multiple=True)
@click.option("--confidentiality", type=click.Choice(CONFIDENTIALITY_LEVELS))
@bind_project()
def set_(
    call: Call,
    workspace: Workspace,
    *,
    sources: tuple[str, ...],
    filters: tuple[str, ...],
    **given: object,
) -> int:
    if bool(sources) == bool(filters):
        raise UsageError("source-none-chosen", where="sources set")
    on, labels = Scope(workspace), {name: value for name, value in given.items() if value}
    if len(sources) == 1:
        new = LabelsRequest.model_validate(labels)
        details = operations.change_labels.perform(on, source_id=sources[0], asked=new)
        show_result(call, SourceDetailsJson, details, _render_details(details))
        return 0
    chosen = {"matching": {"filters": filters}} if filters else {"sources": sources}
    asked = ChangeSourcesRequest.model_validate({**labels, **chosen})
    outcome = operations.change_many.perform(on, asked=asked)
    show_result(call, SourcesChange, outcome, "\n".join(_list_changed(outcome)))
    return 1 if outcome.failed else 0


def _list_changed(outcome: SourcesChange) -> Iterator[str]:
    yield from (f"{Message('source-is-changed')!s:<10} {path}" for path in outcome.changed)
    for one in outcome.failed:
        yield str(Message("source-not-changed", path=one.path, reason=one.reason))
    counts = {name: len(getattr(outcome, name)) for name in ("changed", "unchanged", "failed")}
    yield str(Message("source-change-count", **counts))


@sources_command.command("diff")
@click.argument("old", metavar="[OLD]")
@click.argument("new", metavar="NEW", required=False)
@bind_project(read_only=True)
def diff_(call: Call, workspace: Workspace, *, old: str, new: str | None) -> None:
    compared = compare_sources(workspace, old, new) if new else compare_sources(workspace, "", old)
    if call.json:
        show_json(compared)
        return
    for change in compared.changes:
        show("\n".join([*_render_change(change), ""]))
    kinds = Counter(change.kind for change in compared.changes)
    counts = {kind: kinds[kind] for kind in get_args(ChangeKind)}
    show(Message("source-diff-count", same=compared.same, **counts))


def _render_change(change: RevisionChange) -> Iterator[str]:
    place = change.new or change.old
    if place:
        page = Message("source-page", page=place.page_label or str(place.page or ""))
        yield ", ".join(part for part in (place.section, str(page) if place.page else "") if part)
    if change.cells and change.new:
        yield f"  {change.new.text}"
        for cell in change.cells:
            named = f"{cell.label}: " if cell.label else ""
            yield f"    {named}{cell.old or '–'} → {cell.new or '–'}"
        return
    if change.old:
        yield f"- {change.old.text}"
    if change.new:
        yield f"+ {change.new.text}"


@sources_command.command("link")
@click.argument("newer", metavar="NEW")
@click.argument("older", metavar="OLD")
@click.option("--reason", default="", metavar="TEXT")
@by_option
@bind_project()
def link_(
    call: Call, workspace: Workspace, *, newer: str, older: str, reason: str, by: str | None
) -> None:
    author = identify_person(call, by, workspace.root)
    made = link_revisions(workspace, newer, older, author=author, reason=reason)
    _show_link(call, workspace, made, "revision-link-saved", "revision.link")


@sources_command.command("unlink")
@click.argument("newer", metavar="NEW")
@click.argument("older", metavar="OLD")
@click.option("--reason", default="", metavar="TEXT")
@by_option
@bind_project()
def unlink_(
    call: Call, workspace: Workspace, *, newer: str, older: str, reason: str, by: str | None
) -> None:
    author = identify_person(call, by, workspace.root)
    made = unlink_revisions(workspace, newer, older, author=author, reason=reason)
    _show_link(call, workspace, made, "revision-unlink-saved", "revision.unlink")


def _show_link(
    call: Call, workspace: Workspace, made: LinkedRevision, code: str, action: str
) -> None:
    link = made.link
    subject = f"{link.newer} {link.older}"
    record_event(workspace, action, subject, who="", address="", outcome="done")
    if call.json:
        show_json(get_model(LinkedRevision).from_record(made))
        return
    show(Message(code, newer=link.newer, older=link.older))
    say_notices(call, made.notices)


@sources_command.command("remove")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@click.option("--files", is_flag=True)
@bind_project()
def remove(call: Call, workspace: Workspace, *, sources: tuple[str, ...], files: bool) -> None:
    removed = remove_sources(workspace, sources, files=files)
    said = "\n".join(f"{Message('ingest-status-removed')!s:<10} {path}" for path in removed)
    show_result(call, RemovedSourcesJson, RemovedSourcesJson(removed=removed), said)
    if not (call.quiet or call.json or files):
        say(Message("source-files-kept"))


_BLOCKS = list_columns("block", "page", "kind", "level", "text")
_LISTED = 12
"""Characters of an id in a list: as few as tell corrections of a project apart."""
_MOST = 10_000_000


@click.group("correction", cls=DefaultGroup)
@common_options
def correction_command() -> None:
    pass


@correction_command.command("add")
@click.argument("source")
@click.argument("words", required=False)
@click.option("--block", type=click.IntRange(1, _MOST), metavar="NUMBER")
@click.option("--cell", metavar="CELL")
@click.option("--row", metavar="ROWS")
@click.option("--read", multiple=True, metavar="WORDS")
@click.option("--drop", is_flag=True)
@click.option("--heading", metavar="LEVEL")
@click.option("--header-rows", metavar="ROWS")
@click.option("--header-columns", type=click.IntRange(0, _MOST), metavar="NUMBER")
@click.option("--span", metavar="CELLS")
@click.option("--split", is_flag=True)
@click.option("--merge", is_flag=True)
@click.option("--reason", default="", metavar="TEXT")
@click.option("--dry-run", is_flag=True)
@by_option
@common_options
@pass_call
def add(
    call: Call,
    /,
    *,
    source: str,
    by: str | None,
    read: tuple[str, ...],
    dry_run: bool,
    **request: object,
) -> None:
    request["read"] = "\n".join(read) if read else None
    if dry_run:
        _show_preview(call, source, request)
        return
    with open_project(call) as workspace:
        author = identify_person(call, by, workspace.root)
        with show_progress(call) as progress:
            wanted = CorrectionRequest(**request)  # type: ignore[arg-type]
            made = add_correction(workspace, source, wanted, author, progress)
        record_event(workspace, "correction.add", made.id, who="", address="", outcome="done")
    _show_done(call, "correction-added", CorrectionState(made))


def _show_preview(call: Call, name: str, request: Mapping[str, object]) -> None:
    """Show what a correction would change, and who cites that."""
    with open_project(call, read_only=True) as workspace:
        wanted = CorrectionRequest(**request)  # type: ignore[arg-type]
        found = preview_correction(workspace, name, wanted)
        source = get_source(workspace, name)
        citing = find_citing_span(workspace, source, found.start, found.end)
    if call.json:
        show_json(CorrectionPreviewJson.from_preview(found, citing))
    else:
        before, after = ([one.words for one in blocks] for blocks in (found.before, found.after))
        show(Message("correction-dry-run", change=describe_change(found.correction)))
        for line in list_changed_lines(before, after):
            show(f"  {line}")
        for one in citing:
            show(Message("correction-cited-by", title=one.title, sentence=one.sentence))


def _show_done(call: Call, code: str, state: CorrectionState) -> None:
    correction = state.correction
    done = Message(code, change=describe_change(correction))
    show_result(call, CorrectionJson, state, f"{done}\n  {correction.id}  {correction.path}")


@correction_command.command("blocks")
@click.argument("source")
@click.argument("words", required=False)
@click.option("--page", type=click.IntRange(1, _MOST), metavar="NUMBER")
@click.option("--block", type=click.IntRange(1, _MOST), metavar="NUMBER")
@bind_project(read_only=True)
def blocks(
    call: Call,
    workspace: Workspace,
    *,
    source: str,
    words: str | None,
    page: int | None,
    block: int | None,
) -> None:
    found = list_blocks(workspace, get_source(workspace, source), page, words)
    found = [one for one in found if block in {None, one.number}]
    if call.json:
        show_json(NumberedBlocksJson(blocks=found))
    elif not found:
        show(Message("correction-no-blocks"))
    else:
        rows = [
            (one.number, one.block.page, _name_kind(one), one.block.level, cut_words(one.text, 400))
            for one in found
        ]
        show_table(_BLOCKS, rows, elastic="column-text", numbers=("column-block",))
        if len(found) == 1 and found[0].rows:
            _show_grid(found[0].rows)
        elif any(one.rows for one in found) and not call.quiet:
            say(Message("correction-grids"))


def _show_grid(rows: Sequence[Sequence[str]]) -> None:
    """The cells of a table with the names of their rows and columns."""
    letters = [name_column(number) for number in range(max(map(len, rows)))]
    cells = [
        (number, *row, *("",) * (len(letters) - len(row))) for number, row in enumerate(rows, 1)
    ]
    show("")
    show_table(["column-row", *letters], cells, elastic=letters[-1], numbers=("column-row",))


def _name_kind(one: NumberedBlock) -> str:
    rows = one.header_rows
    return one.block.kind if rows is None else str(Message("correction-table", n=rows))


@correction_command.command("list")
@click.argument("source", required=False)
@bind_project(read_only=True)
def list_corrections_(call: Call, workspace: Workspace, *, source: str | None) -> None:
    found = list_corrections(workspace, get_source(workspace, source) if source else None)
    if call.json:
        show_json(CorrectionListJson(corrections=found))
    elif not found:
        show(Message("correction-none-yet"))
    else:
        show("\n\n".join("\n".join(_list_lines(one)) for one in found), indent=2)


def _list_lines(state: CorrectionState) -> Iterator[str]:
    one = state.correction
    yield f"{one.id[:_LISTED]}  {one.path}, {Message('correction-of-block', block=one.block)}"
    yield f"  {describe_change(one)}"
    said = Message("correction-by-on", author=one.author, day=f"{one.created:%Y-%m-%d}")
    yield f"  {Message('correction-why', reason=one.reason)} ({said})"
    if state.reason:
        yield f"  {Message('correction-not-applied', reason=state.reason)}"


@correction_command.command("show")
@click.argument("correction_id", metavar="ID")
@shows(corrections.show)
def show_correction_(_: Call, state: CorrectionState) -> str:
    applied = [] if state.reason else [f"  {Message('correction-is-applied')}"]
    return "\n".join([state.correction.id, *[*_list_lines(state)][1:], *applied])


@correction_command.command("remove")
@click.argument("correction", metavar="ID")
@bind_project()
def remove_correction_(call: Call, workspace: Workspace, *, correction: str) -> None:
    with show_progress(call) as progress:
        undone = remove_correction(workspace, correction, progress)
    name = undone.correction.id
    record_event(workspace, "correction.remove", name, who="", address="", outcome="done")
    _show_done(call, "correction-removed", undone)
