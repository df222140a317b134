"""A manuscript → a PDF in the company's house style.

Core fonts only, so that the file is small and needs no font on the machine.
Headings become bookmarks, front matter gets roman page labels, and the dates
inside the file are those of the manuscript: the same content gives the same
bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from fpdf import FPDF
from fpdf.enums import TableBordersLayout, TableCellFillMode
from fpdf.fonts import FontFace

from examples.kit.figures import AMBER, FIGURES, GREY, INK, LINE, PALE, draw_logo
from examples.kit.manuscript import (
    Figure,
    Heading,
    Listing,
    Manuscript,
    Mark,
    Notice,
    Paragraph,
    Part,
    Runs,
    Table,
    number_headings,
)

MARGIN = 20.0
BODY = (38, 50, 56)
SIZES = {1: 15.0, 2: 11.5, 3: 10.0}
FIRST_LINE = 30.0
LONGEST_UNBROKEN = 120.0
COMPANY = "Brinkvonk Lighting Controls B.V."
PAGE_WORD = {"en": "Page", "nl": "Pagina"}


@dataclass(slots=True)
class Contents:
    """The lines of a table of contents: level, title, page label."""

    lines: list[tuple[int, str, str]] = field(default_factory=list)


class _Page(FPDF):
    """A page with the running header and footer of one manuscript."""

    def __init__(self, manuscript: Manuscript) -> None:
        super().__init__(format="A4")
        about = manuscript.about
        self.about = about
        self.covered = about["cover"] == "page"
        self.c_margin = 0
        self.core_fonts_encoding = "windows-1252"
        self.set_margins(MARGIN, 27, MARGIN)
        self.set_auto_page_break(True, margin=24)
        self.set_creation_date(manuscript.created)
        self.set_title(f"{about['title']} - {about['subtitle']}, {about['revision']}")
        self.set_subject(f"{about['number']} {about['revision']}")
        self.set_author(COMPANY)
        self.set_lang(str(about["language"]))
        self.set_producer("Brinkvonk documentation")
        self.set_creator("Brinkvonk documentation")

    def header(self) -> None:
        if self.covered and self.page_no() == 1:
            return
        draw_logo(self, MARGIN, 11, 7)
        self.set_font("Helvetica", "", 8)
        self.set_text_color(*GREY)
        text = f"{self.about['title']}  |  {self.about['subtitle']}"
        self.text(self.w - MARGIN - self.get_string_width(text), 16, text)
        self.set_draw_color(*AMBER)
        self.set_line_width(0.6)
        self.line(MARGIN, 20.5, self.w - MARGIN, 20.5)
        self.set_y(27)

    def footer(self) -> None:
        if self.covered and self.page_no() == 1:
            return
        self.set_draw_color(*LINE)
        self.set_line_width(0.2)
        self.line(MARGIN, self.h - 17, self.w - MARGIN, self.h - 17)
        self.set_font("Helvetica", "", 8)
        self.set_text_color(*GREY)
        about = self.about
        self.text(MARGIN, self.h - 12, f"{about['number']}  {about['revision']}  {about['date']}")
        word = PAGE_WORD[str(about["language"])[:2]]
        text = f"{word} {self.get_page_label()}"
        self.text(self.w - MARGIN - self.get_string_width(text), self.h - 12, text)


def render_pdf(manuscript: Manuscript) -> bytes:
    """Render twice, the second time with the page labels of the contents list known."""
    draft = _Writer(manuscript, Contents())
    draft.write()
    final = _Writer(manuscript, draft.found)
    final.write()
    return bytes(final.page.output())


class _Writer:
    def __init__(self, manuscript: Manuscript, contents: Contents) -> None:
        self.manuscript = manuscript
        self.contents = contents
        self.found = Contents()
        self.page = _Page(manuscript)
        self.front = any(isinstance(p, Mark) and p.kind == "main" for p in manuscript.parts)
        self.fresh = True

    def write(self) -> None:
        about = self.manuscript.about
        style: Literal["R", "D"] | str = "r" if self.front else "D"
        prefix = about.get("label_prefix")
        if about["cover"] == "page":
            self.page.add_page(label_style=style, label_prefix=prefix, label_start=1)
            self._cover()
            self.page.add_page()
        else:
            self.page.add_page(label_style=style, label_prefix=prefix, label_start=1)
            self._band()
        for position, (title, part) in enumerate(number_headings(self.manuscript.parts)):
            self._make_room(position)
            self._part(part, title)

    def _make_room(self, position: int) -> None:
        """Start a new page when a part, and what a heading heads, would not fit on this one."""
        page = self.page
        if page.get_y() > FIRST_LINE and page.get_y() + self._height(position) > page.h - 25:
            page.add_page()

    def _height(self, position: int) -> float:
        parts = self.manuscript.parts
        following = parts[position + 1] if position + 1 < len(parts) else None
        match parts[position]:
            case Heading(level=level):
                return 15.0 - level * 2 + (self._height(position + 1) if following else 0.0)
            case Table(rows=rows):
                whole = 6.6 * (len(rows) + 1)
                return whole if whole < LONGEST_UNBROKEN else 30.0
            case Figure():
                return 72.0
            case Paragraph(runs=runs):
                lines = 1 + sum(len(text) for text, _ in runs) // 110
                # One or two lines before a table or a list introduce it.
                introduces = lines <= 2 and isinstance(following, Table | Listing)
                return 2.2 + 4.8 * lines + (self._height(position + 1) if introduces else 0.0)
            case Listing(items=items):
                return 6.0 * min(len(items), 3)
        return 0.0

    def _part(self, part: Part, title: str) -> None:
        match part:
            case Heading():
                self._heading(part, title)
            case Paragraph():
                self._paragraph(part.runs)
            case Listing():
                self._listing(part)
            case Table():
                self._table(part)
            case Notice():
                self._notice(part)
            case Figure():
                self._figure(part)
            case Mark():
                self._mark(part)
        self.fresh = isinstance(part, Mark)

    def _cover(self) -> None:
        page, about = self.page, self.manuscript.about
        page.set_fill_color(*INK)
        page.rect(0, 0, page.w, 172, style="F")
        page.set_fill_color(*AMBER)
        page.rect(0, 172, page.w, 2.5, style="F")
        page.set_text_color(255, 255, 255)
        for size, top, text in (
            (34, 96, about["title"].split(" ")[0]),
            (20, 112, " ".join(about["title"].split(" ")[1:])),
            (13, 150, about["subtitle"]),
        ):
            page.set_font("Helvetica", "B" if size > 30 else "", size)
            page.text(MARGIN, top, text)
        page.set_text_color(*BODY)
        page.set_font("Helvetica", "", 11)
        lines = (f"{about['number']}, {about['revision']}, {about['date']}", about["strapline"])
        for number, line in enumerate(lines):
            page.text(MARGIN, 192 + 7 * number, line)
        draw_logo(page, MARGIN, 258, 11)
        page.set_font("Helvetica", "", 9)
        page.set_text_color(*GREY)
        page.text(MARGIN, 278, f"{COMPANY}, Deventer")

    def _band(self) -> None:
        page, about = self.page, self.manuscript.about
        page.set_fill_color(*INK)
        page.rect(MARGIN, 27, page.w - 2 * MARGIN, 34, style="F")
        page.set_text_color(255, 255, 255)
        page.set_font("Helvetica", "B", 20)
        page.text(MARGIN + 6, 40, about["title"])
        page.set_font("Helvetica", "", 10.5)
        page.text(MARGIN + 6, 48, about["strapline"])
        page.set_text_color(245, 200, 150)
        page.set_font("Helvetica", "B", 9.5)
        line = f"{about['subtitle']} {about['number']}, {about['revision']}, {about['date']}"
        page.text(MARGIN + 6, 56, line)
        page.set_y(66)

    def _heading(self, heading: Heading, title: str) -> None:
        page, level = self.page, heading.level
        if self.front and level == 1 and not self.fresh and page.get_y() > FIRST_LINE:
            page.add_page()
        elif page.get_y() > FIRST_LINE:
            page.ln(6 if level == 1 else 3.5)
        page.start_section(title, level=level - 1)
        self.found.lines.append((level, title, page.get_page_label()))
        page.set_font("Helvetica", "B", SIZES[level])
        page.set_text_color(*INK)
        page.multi_cell(0, SIZES[level] * 0.45, title, align="L", new_x="LMARGIN", new_y="NEXT")
        page.ln(2.4 if level == 1 else 1.4)

    def _body(self) -> None:
        self.page.set_font("Helvetica", "", 9.5)
        self.page.set_text_color(*BODY)

    def _text(self, text: str, width: float = 0, gap: float = 2.2) -> None:
        self.page.multi_cell(
            width, 4.8, text, align="L", markdown=True, new_x="LMARGIN", new_y="NEXT"
        )
        self.page.ln(gap)

    def _paragraph(self, runs: Runs) -> None:
        self._body()
        self._text(_marked(runs))

    def _listing(self, listing: Listing) -> None:
        page = self.page
        self._body()
        for number, item in enumerate(listing.items, start=1):
            page.set_x(MARGIN + 2)
            page.cell(6, 4.8, f"{number}." if listing.ordered else "•")
            page.multi_cell(
                page.w - 2 * MARGIN - 8,
                4.8,
                _marked(item),
                align="L",
                markdown=True,
                new_x="LMARGIN",
                new_y="NEXT",
            )
            page.ln(0.8)
        page.ln(1.6)

    def _notice(self, notice: Notice) -> None:
        page = self.page
        self._body()
        width = page.w - 2 * MARGIN
        inner = width - 10
        # The library types every output in one union; a dry run for HEIGHT gives a number.
        text_height = page.multi_cell(inner, 4.8, notice.text, dry_run=True, output="HEIGHT")
        assert isinstance(text_height, float)
        height = text_height + 10
        if page.get_y() + height > page.h - 26:
            page.add_page()
            self._body()
        top = page.get_y()
        serious = notice.label in ("WAARSCHUWING", "WARNING")
        page.set_fill_color(*((253, 243, 230) if serious else PALE))
        page.rect(MARGIN, top, width, height, style="F")
        page.set_fill_color(*(AMBER if serious else INK))
        page.rect(MARGIN, top, 1.6, height, style="F")
        page.set_xy(MARGIN + 6, top + 2.4)
        page.set_font("Helvetica", "B", 8.5)
        page.set_text_color(*((176, 92, 20) if serious else INK))
        page.cell(inner, 4.2, notice.label, new_x="LEFT", new_y="NEXT")
        self._body()
        page.multi_cell(inner, 4.8, notice.text, align="L", new_x="LMARGIN", new_y="NEXT")
        page.set_y(top + height + 3)

    def _figure(self, figure: Figure) -> None:
        page = self.page
        width = page.w - 2 * MARGIN
        top = page.get_y()
        height = FIGURES[figure.name](page, MARGIN, top, width)
        page.set_xy(MARGIN, top + height + 1)
        page.set_font("Helvetica", "I", 8.5)
        page.set_text_color(*GREY)
        page.multi_cell(width, 4.5, figure.caption, align="L", new_x="LMARGIN", new_y="NEXT")
        page.ln(2.5)

    def _table(self, table: Table) -> None:
        page = self.page
        page.set_font("Helvetica", "", 8.8)
        page.set_text_color(*BODY)
        page.set_draw_color(*LINE)
        page.set_line_width(0.2)
        page.set_fill_color(255, 255, 255)
        heading = FontFace(emphasis="BOLD", color=(255, 255, 255), fill_color=INK)
        with page.table(
            col_widths=_widths(page, table),
            headings_style=heading,
            line_height=5,
            padding=(0.7, 1.6),
            text_align="LEFT",
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            cell_fill_color=(246, 249, 250),
            cell_fill_mode=TableCellFillMode.EVEN_ROWS,
        ) as grid:
            for cells in (table.header, *table.rows):
                row = grid.row()
                for cell in cells:
                    row.cell(cell)
        page.ln(3.4)

    def _mark(self, mark: Mark) -> None:
        if mark.kind == "main":
            self.page.add_page(label_style="D", label_start=1)
        elif mark.kind == "page":
            self.page.add_page()
        else:
            self._contents(mark.text)

    def _contents(self, title: str) -> None:
        page = self.page
        page.add_page()
        page.start_section(title, level=0)
        page.set_font("Helvetica", "B", SIZES[1])
        page.set_text_color(*INK)
        page.cell(0, 8, title, new_x="LMARGIN", new_y="NEXT")
        page.ln(3)
        for level, text, label in self.contents.lines:
            page.set_font("Helvetica", "B" if level == 1 else "", 9.5)
            page.set_text_color(*BODY)
            page.set_x(MARGIN + 5 * (level - 1))
            width = page.w - 2 * MARGIN - 5 * (level - 1) - 12
            room = width - page.get_string_width(text) - 3
            dots = " ." * max(0, int(room / page.get_string_width(" .")))
            page.cell(width, 5.4, text + ("" if level == 1 else dots))
            page.cell(12, 5.4, label, align="R", new_x="LMARGIN", new_y="NEXT")


def _marked(runs: Runs) -> str:
    return "".join(f"**{text}**" if bold else text for text, bold in runs)


def _widths(page: FPDF, table: Table) -> tuple[float, ...]:
    """Column widths that follow the longest cell, within bounds so that none starves."""
    columns = list(zip(table.header, *table.rows, strict=True))
    longest = [max(page.get_string_width(cell) for cell in column) + 5 for column in columns]
    return tuple(min(max(width, 13.0), 75.0) for width in longest)
