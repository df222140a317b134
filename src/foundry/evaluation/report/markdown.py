"""The report as Markdown: the same contents, with plots left to the page.

Tables are GitHub's; every word of a question, an answer or a source is escaped, so that it shows
as it is. What the page folds is folded here too.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence

from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report.page import program
from foundry.evaluation.report.sheet import Cell, Column, Entry, Quote, Sheet, Table
from foundry.render.escapes import escape, escape_within


def render_markdown(sheet: Sheet, phrases: Phrases) -> str:
    """The document, ending in one newline."""
    text = "\n\n".join(_parts(sheet, phrases))
    return f"{text}\n".encode("utf-8", "replace").decode("utf-8")


def _parts(sheet: Sheet, phrases: Phrases) -> Iterator[str]:
    yield f"# {escape(sheet.title)}"
    yield escape(sheet.subtitle)
    if sheet.warnings:
        lines = [f"**{escape(phrases('warnings'))}**", *map(escape, sheet.warnings)]
        yield "\n>\n".join(f"> {line}" for line in lines)
    yield _heading(phrases("summary.title"))
    yield _list(sheet.summary)
    yield from _table(sheet.headline)
    yield from map(escape, sheet.left_out)
    yield from _runs(sheet, phrases)
    yield _heading(phrases("measures.title"))
    for table in sheet.measures:
        yield from _table(table)
    if sheet.moved:
        yield _heading(phrases("moved.title"))
        for table in sheet.moved:
            yield from _table(table)
    yield _heading(phrases("breakdown.title"))
    for table in sheet.breakdowns:
        yield from _table(table)
    if not sheet.breakdowns:
        yield escape(phrases("breakdown.none"))
    yield from _worst(sheet, phrases)
    yield from _rest(sheet, phrases)


def _runs(sheet: Sheet, phrases: Phrases) -> Iterator[str]:
    yield _heading(phrases("runs.title"))
    for table in sheet.runs:
        yield from _table(table)
    for run, notices in sheet.notices:
        yield f"**{escape(phrases('notices', run=run))}**"
        yield _list(notices)
    for table in sheet.differing:
        yield from _table(table)


def _worst(sheet: Sheet, phrases: Phrases) -> Iterator[str]:
    yield _heading(phrases("worst.title"))
    yield escape(sheet.rule)
    for worst in sheet.worst:
        if len(sheet.worst) > 1:
            yield f"### {escape(worst.run)}"
        yield escape(worst.said)
        for entry in worst.entries:
            yield from _entry(entry, phrases)


def _rest(sheet: Sheet, phrases: Phrases) -> Iterator[str]:
    yield _heading(phrases("questions.title"))
    size = sheet.questions.size
    if size:
        shown = phrases("questions.show", n=phrases.number(size))
        yield from _folded(shown, [sheet.questions])
    else:
        yield escape(phrases("empty"))
    yield _heading(phrases("meanings.title"))
    yield "\n".join(f"- **{escape(name)}**: {escape(what)}" for name, what in sheet.meanings)
    yield _heading(phrases("settings.title"))
    yield from _folded(phrases("settings.show"), sheet.settings)
    yield escape(phrases("made_with", program=program()))


def _entry(entry: Entry, phrases: Phrases) -> Iterator[str]:
    yield f"#### {entry.number}\\. {escape_within(entry.question)}"
    yield ", ".join([*(f"**{escape(one)}**" for one in entry.faults), escape(entry.key)])
    yield _list(f"{name}: {value}" for name, value in entry.facts)
    if entry.error:
        yield f"{escape(phrases('error.title'))}: {escape(entry.error)}"
    yield f"{escape(phrases('expected.title'))}:"
    yield _quotes(entry.expected) if entry.expected else escape(phrases("expected.none"))
    if entry.hits:
        yield from _table(entry.hits)
    elif not entry.error:
        yield escape(phrases("hits.none"))
    if entry.below:
        yield escape(entry.below)
    if entry.answered:
        yield f"{escape(phrases('answer.title'))}:"
        yield f"> {escape(entry.answer or phrases('answer.none'))}"
    if entry.citations:
        yield f"{escape(phrases('citations.title'))}:"
        yield _quotes(entry.citations)
    if entry.notices:
        yield f"{escape(phrases('notices.title'))}:"
        yield _list(entry.notices)


def _quotes(quotes: Sequence[Quote]) -> str:
    lines = []
    for number, one in enumerate(quotes, start=1):
        mark = "" if one.right is None else f" ({'✓' if one.right else '✗'} {one.said})"
        said = f": “{escape_within(one.text)}”" if one.text else ""
        lines.append(f"{number}. {escape(one.place)}{escape_within(mark)}{said}")
    return "\n".join(lines)


def _heading(text: str) -> str:
    return f"## {escape(text)}"


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {escape(line)}" for line in lines)


def _folded(summary: str, tables: Sequence[Table]) -> Iterator[str]:
    yield f"<details><summary>{html.escape(summary)}</summary>"
    for table in tables:
        yield _grid(table)
    yield "</details>"


def _table(table: Table) -> Iterator[str]:
    yield f"**{escape(table.caption)}**"
    if table.size:
        yield _grid(table)
    if table.note:
        yield escape(table.note)


def _grid(table: Table) -> str:
    rows = [_row(escape_within(column.name) for column in table.columns)]
    rows.append("|" + "|".join(_rule(column) for column in table.columns) + "|")
    for group in table.groups:
        if group.name:
            rows.append(f"| **{escape_within(group.name)}** |" + " |" * (len(table.columns) - 1))
        rows += [_row(_cell(one) for one in row) for row in group.rows]
    return "\n".join(rows)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(column: Column) -> str:
    return "---:" if column.kind == "number" else "---"


def _cell(cell: Cell) -> str:
    text = escape_within(cell.text)
    lines = [f"**{text}**" if cell.tone and text else text, *map(escape_within, cell.small)]
    return "<br>".join(line for line in lines if line)
