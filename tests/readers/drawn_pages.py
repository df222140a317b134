"""Pages drawn word by word, as programs print them: statements, columns of text, contents."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pypdfium2
from fpdf import FPDF
from pypdfium2 import raw

from foundry.records import Document
from tests.readers.pdf_files import save
from tests.readers.sample_files import read_path

LEFT = 40.0
PITCH = 14.0
SIZE = 10.0


class Sheet(FPDF):
    """A page in points; ``y`` is the baseline of the next line."""

    def __init__(self) -> None:
        super().__init__(unit="pt", format="letter")
        self.line_y = 60.0
        self.add_page()

    def write_at(self, x: float, text: str, *, bold: bool = False, size: float = SIZE) -> None:
        self.set_font("helvetica", "B" if bold else "", size)
        self.text(x, self.line_y, text)

    def line_of(
        self, text: str, *, x: float = LEFT, bold: bool = False, size: float = SIZE
    ) -> None:
        self.write_at(x, text, bold=bold, size=size)
        self.line_y += PITCH

    def amounts(self, edges: Sequence[float], texts: Sequence[str], *, bold: bool = False) -> None:
        """Write texts so that each ends at its edge."""
        self.set_font("helvetica", "B" if bold else "", SIZE)
        for edge, text in zip(edges, texts, strict=True):
            if text:
                self.text(edge - self.get_string_width(text), self.line_y, text)

    def row(
        self, label: str, edges: Sequence[float], values: Sequence[str], indent: float = 0
    ) -> None:
        """Write a label and amounts that end at the edges."""
        self.amounts(edges, values)
        self.line_of(label, x=LEFT + indent)

    def centred(self, left: float, right: float, text: str, *, rule: bool = False) -> None:
        """Write a text between two edges, with a rule below it if wanted."""
        self.set_font("helvetica", "B", SIZE)
        self.text((left + right - self.get_string_width(text)) / 2, self.line_y, text)
        if rule:
            self.line(left, self.line_y + 3, right, self.line_y + 3)

    def shade(self, edges: Sequence[float]) -> None:
        """Shade the cells of the next line, from the left margin to each edge."""
        self.set_fill_color(210, 230, 250)
        for left, right in pairwise((LEFT - 2, *edges)):
            self.rect(left, self.line_y - SIZE, right - left, PITCH, style="F")

    def read(self, folder: Path) -> Document:
        return read_path(save(self, folder / "drawn.pdf"))

    def read_turned(self, folder: Path, quarters: int) -> Document:
        """Read it with its content turned to the left on an upright page."""
        width, height = self.w, self.h
        matrices = {1: (0, 1, -1, 0, height, 0), 3: (0, -1, 1, 0, 0, width)}
        pdf = pypdfium2.PdfDocument(save(self, folder / "drawn.pdf"))
        page = pdf[0]
        matrix = raw.FS_MATRIX(*matrices[quarters])
        raw.FPDFPage_TransFormWithClip(page.raw, ctypes.byref(matrix), None)
        page.set_mediabox(0, 0, height, width)
        page.set_cropbox(0, 0, height, width)
        pdf.save(folder / "turned.pdf")
        pdf.close()
        return read_path(folder / "turned.pdf")


def cells(document: Document) -> dict[tuple[tuple[str, ...], tuple[str, ...]], str]:
    """Return all values of a document by the labels of their row and column."""
    return {
        (cell.row, cell.column): cell.value
        for block in document.blocks
        if block.table
        for cell in block.table.cells
    }
