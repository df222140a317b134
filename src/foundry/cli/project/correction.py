"""``foundry correction add / blocks / list / show / remove``."""

from __future__ import annotations

from collections.abc import Iterator

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.input import by_option, identify_person
from foundry.cli.operations import shows
from foundry.cli.output import show, show_json, show_result
from foundry.cli.progress import show_progress
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import bind_project, open_project
from foundry.journeys.access import record_event
from foundry.journeys.passages.corrections import (
    CorrectionRequest,
    NumberedBlock,
    add_correction,
    list_blocks,
    list_corrections,
    remove_correction,
)
from foundry.journeys.sources import get_source
from foundry.messages import Message
from foundry.operations import corrections
from foundry.records import NOT_A_HEADING, Correction, CorrectionState
from foundry.wire.corrections import (
    CorrectionJson,
    CorrectionListJson,
    NumberedBlocksJson,
)
from foundry.workspace import Workspace

_BLOCKS = list_columns("block", "page", "kind", "level", "text")
_LISTED = 12
"""Characters of an id in a list: as few as tell corrections of a project apart."""
_MOST = 10_000_000


@click.group("correction", cls=DefaultGroup)
@common_options
def command() -> None:
    pass


@command.command("add")
@click.argument("source")
@click.argument("words", required=False)
@click.option("--block", type=click.IntRange(1, _MOST), metavar="NUMBER")
@click.option("--read", metavar="WORDS")
@click.option("--heading", metavar="LEVEL")
@click.option("--header-rows", type=click.IntRange(0, _MOST), metavar="NUMBER")
@click.option("--reason", default="", metavar="TEXT")
@by_option
@common_options
@pass_call
def add(call: Call, /, *, source: str, by: str | None, **request: object) -> None:
    with open_project(call) as workspace:
        author = identify_person(call, by, workspace.root)
        with show_progress(call) as progress:
            wanted = CorrectionRequest(**request)  # type: ignore[arg-type]
            made = add_correction(workspace, source, wanted, author, progress)
        record_event(workspace, "correction.add", made.id, who="", address="", outcome="done")
    _show_done(call, "correction-added", CorrectionState(made))


def _show_done(call: Call, code: str, state: CorrectionState) -> None:
    correction = state.correction
    done = Message(code, change=_describe(correction))
    show_result(call, CorrectionJson, state, f"{done}\n  {correction.id}  {correction.path}")


def _describe(one: Correction) -> Message:
    if one.kind == "words":
        return Message("correction-words", before=one.before, after=one.after)
    if one.kind == "heading":
        before, after = _describe_level(one.before), _describe_level(one.after)
        return Message(
            "correction-heading", words=_cut(one.words.lstrip("# ")), before=before, after=after
        )
    return Message("correction-header", before=int(one.before), after=int(one.after))


def _describe_level(level: str) -> Message:
    if level == NOT_A_HEADING:
        return Message("correction-heading-text")
    return Message("correction-heading-level", level=level)


def _cut(text: str, most: int = 60) -> str:
    words = " ".join(text.split())
    return words if len(words) <= most else f"{words[: most - 1]}…"


@command.command("blocks")
@click.argument("source")
@click.argument("words", required=False)
@click.option("--page", type=click.IntRange(1, _MOST), metavar="NUMBER")
@bind_project(read_only=True)
def blocks(
    call: Call, workspace: Workspace, *, source: str, words: str | None, page: int | None
) -> None:
    found = list_blocks(workspace, get_source(workspace, source), page, words)
    if call.json:
        show_json(NumberedBlocksJson(blocks=found))
    elif not found:
        show(Message("correction-no-blocks"))
    else:
        rows = [
            (one.number, one.block.page, _name_kind(one), one.block.level, _cut(one.text, 400))
            for one in found
        ]
        show_table(_BLOCKS, rows, elastic="column-text", numbers=("column-block",))


def _name_kind(one: NumberedBlock) -> str:
    rows = one.header_rows
    return one.block.kind if rows is None else str(Message("correction-table", n=rows))


@command.command("list")
@click.argument("source", required=False)
@bind_project(read_only=True)
def list_(call: Call, workspace: Workspace, *, source: str | None) -> None:
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
    yield f"  {_describe(one)}"
    said = Message("correction-by-on", author=one.author, day=f"{one.created:%Y-%m-%d}")
    yield f"  {Message('correction-why', reason=one.reason)} ({said})"
    if state.reason:
        yield f"  {Message('correction-not-applied', reason=state.reason)}"


@command.command("show")
@click.argument("correction_id", metavar="ID")
@shows(corrections.show)
def show_(_: Call, state: CorrectionState) -> str:
    applied = [] if state.reason else [f"  {Message('correction-is-applied')}"]
    return "\n".join([state.correction.id, *[*_list_lines(state)][1:], *applied])


@command.command("remove")
@click.argument("correction", metavar="ID")
@bind_project()
def remove(call: Call, workspace: Workspace, *, correction: str) -> None:
    with show_progress(call) as progress:
        undone = remove_correction(workspace, correction, progress)
    name = undone.correction.id
    record_event(workspace, "correction.remove", name, who="", address="", outcome="done")
    _show_done(call, "correction-removed", undone)
