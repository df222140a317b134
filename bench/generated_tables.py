"""Random company tables drawn as PDF, HTML, DOCX and XLSX, with every cell and sentence known.

Statements with spanned periods, sub-headings and negatives; groups with a row-header column;
specifications with a unit column; forms; in PDF also receipts, tables side by
side, beside prose and over two pages. Rules, symbols in a column of their own, indents and wrapped labels vary by chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

import docx
import docx.shared
import xlsxwriter

from bench.company_tables import MAKERS, Drawn, make_neighbours
from bench.drawn_pages import write_pdf
from bench.reading_scores import Gold


@dataclass
class _Grid:
    """The table as rows of (text, column span, row span), for formats that have cells."""

    rows: list[list[tuple[str, int, int]]]
    header: int

    @classmethod
    def of(cls, table: Drawn) -> _Grid:
        width = len(table.columns) + len(table.stub)
        header = table.header_rows() if any(table.columns) else []
        rows = []
        for level, cells in enumerate(header):
            last = level == len(header) - 1
            heads = [(head if last else "", 1, 1) for head in table.stub]
            rows.append([*heads, *((label, span, 1) for label, span in cells)])
        for number, row in enumerate(table.rows):
            line = [(row.label, 1, 1), *((value, 1, 1) for value in row.values)]
            if row.group:
                above = number > 0 and table.rows[number - 1].group == row.group
                size = sum(each.group == row.group for each in table.rows)
                line = [] if above else [(row.group, 1, size)]
                line += [(row.label, 1, 1), *((value, 1, 1) for value in row.values)]
            rows.append(line if row.values else [(row.label, width, 1)])
        return cls(rows, len(header))

    def place(self) -> Iterator[tuple[int, int, str, int, int]]:
        """Yield row, column, text, column span and row span of every cell."""
        taken: set[tuple[int, int]] = set()
        for number, line in enumerate(self.rows):
            column = 0
            for text, wide, high in line:
                while (number, column) in taken:
                    column += 1
                for below in range(high):
                    taken |= {(number + below, column + each) for each in range(wide)}
                yield number, column, text, wide, high
                column += wide


def write_html(rng: random.Random, kind: str, path: Path) -> Gold:
    """Write a page; symbols may have cells of their own, and indents are spaces or padding."""
    table = MAKERS[kind](rng)
    grid, heads, padded = _Grid.of(table), rng.random() < 0.5, rng.random() < 0.5
    paired = bool(table.symbol) and rng.random() < 0.7
    first = len(table.stub)
    lines = [f"<html><body><h1>Annual review</h1><p>{escape(table.title)}</p><table>"]
    if rng.random() < 0.5:
        lines = [f"<html><body><h1>Annual review</h1><table><caption>{table.title}</caption>"]
    for number, line in enumerate(grid.rows):
        tag = "th" if heads and number < grid.header else "td"
        row = table.rows[number - grid.header] if number >= grid.header else None
        written = []
        for place, (text, wide, high) in enumerate(line):
            indent = row.indent if row and place == 0 else 0
            style = f' style="padding-left: {2 * indent}em"' if padded and indent else ""
            words = ("" if padded else "&nbsp;" * 4 * indent) + escape(text)
            span = 2 * wide if paired and place >= first else wide
            if paired and row and place >= first:
                amount = bool(text) and not text.endswith("%")
                symbol = table.symbol if row.is_total and amount else ""
                written.append(f"<td>{symbol}</td>")
                span = 1
            spans = f' colspan="{span}"' * (span > 1) + f' rowspan="{high}"' * (high > 1)
            written.append(f"<{tag}{spans}{style}>{words}</{tag}>")
        lines.append(f"<tr>{''.join(written)}</tr>")
    lines.append("</table></body></html>")
    path.write_text("\n".join(lines), encoding="utf-8")
    return Gold(str(path), [replace(table.build_gold(), unit="")], part=f"HTML {kind}")


def write_docx(rng: random.Random, kind: str, path: Path) -> Gold:
    table = MAKERS[kind](rng)
    grid = _Grid.of(table)
    document: Any = docx.Document()
    document.add_heading("Annual review", 1)
    document.add_paragraph(table.title)
    width = len(table.columns) + len(table.stub)
    drawn = document.add_table(len(grid.rows), width)
    if rng.random() < 0.5:
        drawn.style = "Table Grid"
    for row, column, text, wide, high in grid.place():
        cell = drawn.cell(row, column)
        if wide > 1 or high > 1:
            cell = cell.merge(drawn.cell(row + high - 1, column + wide - 1))
        cell.text = text
        row_of = table.rows[row - grid.header] if row >= grid.header else None
        if row_of and row_of.indent and column == 0:
            cell.paragraphs[0].paragraph_format.left_indent = docx.shared.Pt(12 * row_of.indent)
    document.save(str(path))
    return Gold(str(path), [replace(table.build_gold(), unit="")], part=f"DOCX {kind}")


def write_xlsx(rng: random.Random, kind: str, path: Path) -> Gold:
    """Write numbers as numbers below a title block; indents are spaces."""
    tables = make_neighbours(rng) if kind == "side by side" else (MAKERS[kind](rng),)
    golds, left = [], 0
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Figures")
        sheet.write(0, 0, "Van Dijk Techniek")
        for drawn in tables:
            rows = tuple(replace(row, values=tuple(map(_plain, row.values))) for row in drawn.rows)
            table = replace(drawn, rows=rows)
            _add_cells(sheet, table, left)
            golds.append(table.build_gold())
            left += len(table.columns) + len(table.stub) + 1
    return Gold(str(path), golds, part=f"XLSX {kind}")


def _add_cells(sheet: Any, table: Drawn, left: int) -> None:
    sheet.write(1, left, table.title)
    if table.unit:
        sheet.write(2, left, f"({table.unit})")
    grid = _Grid.of(table)
    for row, column, text, wide, high in grid.place():
        indent = table.rows[row - grid.header].indent if row >= grid.header and not column else 0
        value = float(text) if _is_number(text) else "   " * indent + text
        first = (row + 4, left + column)
        if wide > 1 or high > 1:
            sheet.merge_range(*first, row + 3 + high, left + column + wide - 1, value)
        elif value != "":
            sheet.write(*first, value)


def _plain(value: str) -> str:
    bare = value.replace(",", "")
    return f"-{bare[1:-1]}" if bare.startswith("(") and bare.endswith(")") else bare


def _is_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdigit()


CELLED = ("statement", "groups", "specification", "form")
PLAN: tuple[tuple[str, Callable[[random.Random, str, Path], Gold], Sequence[str]], ...] = (
    ("pdf", write_pdf, (*MAKERS, "side by side", "beside prose")),
    ("html", write_html, CELLED),
    ("docx", write_docx, CELLED),
    ("xlsx", write_xlsx, (*CELLED, "side by side")),
)


def write_tables(folder: Path, count: int, seed: int = 13) -> list[Gold]:
    """Draw ``count`` files of every format and kind; the same seed draws the same files."""
    golds = []
    for suffix, write, kinds in PLAN:
        for kind in kinds:
            for number in range(count):
                rng = random.Random(f"{seed} {suffix} {kind} {number}")
                name = f"{suffix}-{kind.replace(' ', '-')}-{number}.{suffix}"
                golds.append(write(rng, kind, folder / name))
    return golds
