"""Pages of a PDF with prose and random tables, ruled and not, with or without boxes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fpdf import FPDF

from bench.cell_labels import GoldTable
from bench.company_tables import MAKERS, Drawn, Row, make_neighbours
from bench.generate import write_sentences
from bench.reading_scores import Gold

UNRULED, HEADER_RULES, GRID = "unruled", "header rules", "grid"


@dataclass
class TablePage:
    """Draws on pages of a PDF with a style of its own."""

    rng: random.Random
    sentences: list[tuple[int, str]]

    def __post_init__(self) -> None:
        self.rules = self.rng.choice((UNRULED, HEADER_RULES, HEADER_RULES, GRID))
        self.font = self.rng.choice(("helvetica", "times"))
        self.bold_headings = self.rng.random() < 0.5
        self.size = self.rng.choice((7.5, 9, 10))
        self.line = self.size * 0.5
        self.pdf = FPDF()
        self.pdf.set_auto_page_break(auto=False)
        self.pdf.add_page()
        self.set_font()

    def set_font(self, *, bold: bool = False) -> None:
        self.pdf.set_font(self.font, "B" if bold else "", self.size)

    def add_prose(self, sentences: int = 3, x: float = 10) -> None:
        text = write_sentences(self.rng, sentences)
        parts = [part.strip(" .") + "." for part in text.split(". ")]
        self.sentences += [(self.pdf.page, part) for part in parts]
        self.pdf.set_x(x)
        self.pdf.multi_cell(0, self.line, text, new_x="LMARGIN", new_y="NEXT")
        self.pdf.ln(self.line)

    def put(self, x: float, width: float, text: str, align: str = "L") -> None:
        self.pdf.set_x(x)
        self.pdf.cell(width, self.line, text, align=align)

    def fill(self, bottom: float) -> None:
        """Add prose until the next line is at ``bottom`` millimetres or just below."""
        while self.pdf.get_y() < bottom:
            self.add_prose(6)

    def add_table(self, table: Drawn, x: float = 10, width: float = 190, split: int = 0) -> None:
        """Draw title, unit, header and rows; before row ``split`` a page ends, the header repeats."""
        for text in filter(None, (table.title, f"({table.unit})" if table.unit else "")):
            self.set_font(bold=text == table.title)
            self.put(x, width, text)
            self.pdf.ln()
        self.set_font()
        stub = width * (0.5 if len(table.columns) < 4 else 0.34)
        step = (width - stub) / len(table.columns)
        bold = self.rng.random() < 0.5
        self._add_header(table, x, stub, step, bold=bold)
        for number, row in enumerate(table.rows):
            if split and number == split:
                self.pdf.set_y(285)
                self.put(10, 190, str(self.pdf.page), "C")
                self.pdf.add_page()
                self._add_header(table, x, stub, step, bold=bold)
            new = number == 0 or table.rows[number - 1].group != row.group
            self._add_row(table, row, x, stub, step, show_group=new)
        for note in table.notes:
            self.put(x, width, note)
            self.sentences.append((self.pdf.page, note))
            self.pdf.ln()
        self.pdf.ln(self.line)

    def _add_header(self, table: Drawn, x: float, stub: float, step: float, *, bold: bool) -> None:
        if not any(table.columns):
            return
        header = table.header_rows()
        self.set_font(bold=bold)
        for level, cells in enumerate(header):
            place, top = x + stub, self.pdf.get_y()
            wrapped = [self._wrap(label, step * span - 1) for label, span in cells]
            low = top + max(map(len, wrapped)) * self.line
            if level == len(header) - 1:
                self.pdf.set_y(low - self.line)
                for number, head in enumerate(table.stub):
                    self.put(x + number * stub / 2, stub / 2, head)
            for (label, span), lines in zip(cells, wrapped, strict=True):
                for number, line in enumerate(lines):
                    self.pdf.set_y(low - (len(lines) - number) * self.line)
                    self.put(place, step * span - 1, line, "R" if span == 1 else "C")
                if label and self.rules != UNRULED:
                    self.pdf.line(place + 1, low, place + step * span - 1, low)
                place += step * span
            self.pdf.set_y(low)
        self.set_font()

    def _add_row(
        self, table: Drawn, row: Row, x: float, stub: float, step: float, *, show_group: bool
    ) -> None:
        top = self.pdf.get_y()
        left = x + 3 * row.indent
        if row.group and len(table.stub) == 2:
            self.put(x, stub / 2, row.group if show_group else "")
            left = x + stub / 2
        elif row.group:
            left += 3
        self.set_font(bold=not row.values and self.bold_headings)
        lines = self._wrap(row.label, x + stub - left)
        for number, line in enumerate(lines):
            self.pdf.set_y(top + number * self.line)
            self.put(left, stub, line)
        self.set_font()
        for number, value in enumerate(row.values):
            at = x + stub + number * step
            if table.symbol and row.is_total and value and not value.endswith("%"):
                self.put(at + 2, step, table.symbol)
            self.put(at, step - 1, value, "L" if table.is_text else "R")
        low = top + len(lines) * self.line
        self.pdf.set_y(low)
        if self.rules == GRID and any(table.columns):
            self.pdf.rect(x, top, stub, low - top)
            for number in range(len(table.columns)):
                self.pdf.rect(x + stub + number * step, top, step, low - top)

    def _wrap(self, label: str, width: float) -> list[str]:
        if self.pdf.get_string_width(label) < width - 4:
            return [label]
        words = label.split()
        lines = [words[0]]
        for word in words[1:]:
            if self.pdf.get_string_width(f"{lines[-1]} {word}") < width - 4:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        return lines


def write_pdf(rng: random.Random, kind: str, path: Path) -> Gold:
    """Draw a page with prose above and below its table, in some kinds also beside it."""
    page = TablePage(rng, [])
    page.add_prose()
    draw = {"side by side": _draw_neighbours, "beside prose": _draw_beside_prose}
    tables = draw.get(kind, partial(_draw_alone, kind))(page)
    page.add_prose()
    page.pdf.output(str(path))
    return Gold(str(path), tables, page.sentences, part=f"PDF {kind}")


def _draw_alone(kind: str, page: TablePage) -> list[GoldTable]:
    table = MAKERS[kind](page.rng)
    split = len(table.rows) // 2 if kind == "two pages" else 0
    if split:
        page.fill(270 - (split + 12) * page.line)
    page.add_table(table, split=split)
    return [table.build_gold(pages=2 if split else 1)]


def _draw_neighbours(page: TablePage) -> list[GoldTable]:
    tables, top, low = make_neighbours(page.rng), page.pdf.get_y(), 0.0
    for table, x in zip(tables, (10, 112), strict=True):
        page.pdf.set_y(top)
        page.add_table(table, x, 88)
        low = max(low, page.pdf.get_y())
    page.pdf.set_y(low)
    return [table.build_gold() for table in tables]


def _draw_beside_prose(page: TablePage) -> list[GoldTable]:
    table, top = make_neighbours(page.rng)[0], page.pdf.get_y()
    page.add_table(table, 10, 95)
    low = page.pdf.get_y()
    page.pdf.set_y(top)
    page.add_prose(5, x=115)
    page.pdf.set_y(max(low, page.pdf.get_y()))
    return [table.build_gold()]
