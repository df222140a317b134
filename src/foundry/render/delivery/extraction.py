"""An extraction table as a file: CSV, a workbook, a Word file or a page, each cell with its citation.

Spreadsheets get texts, never formulas. In documents every quotation is a note; a table with few
columns is one grid, a wider one has a part for each source.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from foundry import __version__
from foundry.clock import format_minute
from foundry.messages import Words
from foundry.records import ExtractionCell, ExtractionRow, ExtractionTable
from foundry.render.delivery.docx import render_plan
from foundry.render.delivery.html import render_page
from foundry.render.delivery.plan import DeliveryPart, DeliveryPlan, PlannedNote
from foundry.render.delivery.tree import (
    BlockNode,
    Break,
    Heading,
    Inline,
    NoteMark,
    Paragraph,
    Styled,
    TableBlock,
    Text,
    clean,
)
from foundry.render.extraction import (
    describe_places,
    describe_state,
    describe_value,
    format_quote,
    is_unread,
    list_notes,
)
from foundry.render.spreadsheets import write_csv

Rows = Iterable[ExtractionRow]

_GRID = 4
"""Questions that a page has room for beside each other."""

_LONGEST_CELL = 32_000
"""Characters that a cell of a workbook can have, with room to spare."""


def render_table_csv(table: ExtractionTable, rows: Rows, words: Words) -> bytes:
    """A line for each source, with value, state, place, quotation and notes for each question."""
    parts = [words(f"table-column-{name}") for name in ("state", "place", "quote", "notes")]
    columns = [
        column
        for question in table.questions
        for column in (question, *(f"{question} [{part}]" for part in parts))
    ]
    header = [*_list_labels(table, words), *columns]
    text = write_csv(header, (_list_csv(table, row, words) for row in rows))
    return text.encode("utf-8-sig", "replace")


def _list_csv(table: ExtractionTable, row: ExtractionRow, words: Words) -> list[str]:
    cells = [part for cell in row.cells for part in _describe_cell(table, cell, words)]
    return [*_name_row(table, row), *cells]


def _list_labels(table: ExtractionTable, words: Words) -> list[str]:
    names = ("source", "title", *(("section",) if table.by == "section" else ()))
    return [words(f"table-column-{name}") for name in names]


def _name_row(table: ExtractionTable, row: ExtractionRow) -> list[str]:
    return [row.source, row.title, *([" › ".join(row.headings)] if table.by == "section" else ())]


def _describe_cell(
    table: ExtractionTable, cell: ExtractionCell | None, words: Words
) -> tuple[str, str, str, str, str]:
    """Value, state, place, quotation and notes."""
    quotes = cell.answer.quotes if cell else ()
    return (
        describe_value(cell),
        words.format(describe_state(cell)),
        describe_places(cell.answer) if cell else "",
        " … ".join(map(format_quote, quotes)),
        " ".join(map(words.format, list_notes(table, cell))),
    )


def render_table_xlsx(table: ExtractionTable, rows: Rows, words: Words) -> bytes:
    """A workbook: a sheet with the values, and one with a line for each cell and its citation."""
    # Imported here: only workbooks need it.
    import xlsxwriter

    data = io.BytesIO()
    # Rows are written as they come; nothing of a text is a formula or a link.
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(data, {**options, "in_memory": False}) as book:
        bold, wrap = book.add_format({"bold": True}), book.add_format({"text_wrap": True})
        sheets = [book.add_worksheet(words(f"table-sheet-{name}")) for name in ("values", "cells")]
        heads = _list_heads(table, words)
        for sheet, head in zip(sheets, heads, strict=True):
            sheet.freeze_panes(1, 1)
            sheet.set_column(0, len(head) - 1, 30, wrap)
            _write_row(sheet, 0, head, bold)
        line = count(1)
        for number, row in enumerate(rows, 1):
            values = [describe_value(cell) for cell in row.cells]
            _write_row(sheets[0], number, [*_name_row(table, row), *values])
            for cells in _list_citations(table, row, words):
                _write_row(sheets[1], next(line), cells)
    return data.getvalue()


def _list_heads(table: ExtractionTable, words: Words) -> tuple[list[str], list[str]]:
    shared = _list_labels(table, words)
    names = ("question", "value", "state", "place", "quote", "notes", "hash", "answer")
    return [*shared, *table.questions], [*shared, *(words(f"table-column-{n}") for n in names)]


def _list_citations(
    table: ExtractionTable, row: ExtractionRow, words: Words
) -> Iterator[list[str]]:
    """A line for each cell, with the hash of the file it is from and its answer in the log."""
    for question, cell in zip(table.questions, row.cells, strict=True):
        made = (cell.answer.content_hash, cell.answer.answer_id or "") if cell else ("", "")
        yield [*_name_row(table, row), question, *_describe_cell(table, cell, words), *made]


def _write_row(sheet: object, number: int, cells: Sequence[str], style: object = None) -> None:
    write = sheet.write_string  # type: ignore[attr-defined]
    for column, text in enumerate(cells):
        write(number, column, clean(text)[:_LONGEST_CELL], style)


def render_table_docx(table: ExtractionTable, rows: Rows, words: Words) -> bytes:
    """A Word file with a footnote for each quotation."""
    return render_plan(_plan_table(table, rows, words), table.started, front=False)


def render_table_html(table: ExtractionTable, rows: Rows, words: Words) -> bytes:
    """A page with a note for each quotation."""
    return render_page(_plan_table(table, rows, words))


TABLE_FORMATS: dict[str, Callable[[ExtractionTable, Rows, Words], bytes]] = {
    "csv": render_table_csv,
    "xlsx": render_table_xlsx,
    "docx": render_table_docx,
    "html": render_table_html,
}
"""File name suffix → who writes it."""


def _plan_table(table: ExtractionTable, rows: Rows, words: Words) -> DeliveryPlan:
    writer = _CellWriter(table, words)
    if len(table.questions) <= _GRID:
        parts = [_plan_grid(table, rows, writer)]
    else:
        parts = [_plan_source(table, row, writer, place) for place, row in enumerate(rows, 1)]
    maker = f"Foundry {__version__}"
    title = " ".join(clean(table.name).split())
    lines = [
        (words("table-made"), format_minute(table.started)),
        (words("table-confidentiality"), table.confidentiality),
        *([(words("table-filters"), " ".join(table.filters))] if table.filters else ()),
    ]
    facts = Paragraph((_text("; ".join(f"{label}: {text}" for label, text in lines)),))
    parts[:1] = [DeliveryPart(one.heading, (facts, *one.blocks), one.language) for one in parts[:1]]
    return DeliveryPlan(
        words=words,
        title=title,
        project=title,
        maker=" ".join((words("document-made-with"), maker)),
        lines=(*lines, (words("document-made-with"), maker)),
        people=_count_parts(table, words),
        stale=(),
        parts=tuple(parts),
        notes=tuple(writer.notes),
    )


def _count_parts(table: ExtractionTable, words: Words) -> TableBlock:
    """How many sources and questions it has, and in which run."""
    counts = {f"{table.by}s": table.rows, "questions": len(table.questions), "run": table.runs}
    head = [words(f"table-count-{name}") for name in counts]
    return _build_table(head, [tuple((_text(str(n)),) for n in counts.values())])


def _plan_grid(table: ExtractionTable, rows: Rows, writer: _CellWriter) -> DeliveryPart:
    """All sources in one table."""
    head = (writer.words("table-column-source"), *table.questions)
    body = (
        ((_text(row.name), Break(), _text(row.source)), *map(writer.write, row.cells))
        for row in rows
    )
    grid = _build_table(head, body)
    return DeliveryPart(_head(table.name, 1), (grid,), writer.words.language)


def _plan_source(
    table: ExtractionTable, row: ExtractionRow, writer: _CellWriter, place: int
) -> DeliveryPart:
    """One source, with a line for each question."""
    head = tuple(writer.words(f"table-column-{name}") for name in ("question", "value"))
    body = (
        ((_text(question),), writer.write(cell))
        for question, cell in zip(table.questions, row.cells, strict=True)
    )
    blocks: tuple[BlockNode, ...] = (Paragraph((_text(row.source),)), _build_table(head, body))
    return DeliveryPart(_head(row.name, place), blocks, writer.words.language)


def _head(title: str, place: int) -> Heading:
    return Heading(1, (_text(title),), "", f"table-{place}")


def _build_table(head: Sequence[str], body: Iterable[tuple[tuple[Inline, ...], ...]]) -> TableBlock:
    rows = (tuple((_text(name),) for name in head), *body)
    return TableBlock(rows, ("left",) * len(head))


def _text(words: str) -> Text:
    return Text(" ".join(clean(words).split()))


@dataclass
class _CellWriter:
    """Writes cells as running text, and numbers the notes of their quotations."""

    table: ExtractionTable
    words: Words
    notes: list[PlannedNote] = field(default_factory=list)

    def write(self, cell: ExtractionCell | None) -> tuple[Inline, ...]:
        """The value with its note, then the state and what a reader must know."""
        value, state = describe_value(cell), self.words.format(describe_state(cell))
        said = [self.words.format(note) for note in list_notes(self.table, cell)]
        if cell and is_unread(cell):
            value = state
        else:
            said = [state, *said]
        shown: list[Inline] = [_text(value)] if value else []
        if cell and cell.answer.quotes:
            shown.append(NoteMark(self._add_note(cell)))
        if not said:
            return tuple(shown)
        shown += [Break()] if shown else []
        return (*shown, Styled("em", (_text(" · ".join(said)),)))

    def _add_note(self, cell: ExtractionCell) -> int:
        places = describe_places(cell.answer)
        named = ", ".join(part for part in (cell.title, cell.source, places) if part)
        quotes = tuple((_text(format_quote(quote)),) for quote in cell.answer.quotes)
        self.notes.append(PlannedNote(len(self.notes) + 1, (_text(named),), quotes))
        return len(self.notes)


def choose_table_format(name: str) -> str | None:
    """The format that a file's name asks for, or None."""
    ending = name.lower().rpartition(".")[2]
    return ending if ending in TABLE_FORMATS else None
