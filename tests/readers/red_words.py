"""PDFs in which the quoted words, and only those, are printed in red."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import cast

import numpy as np
from fpdf import FPDF
from PIL import Image

from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.readers.pages.matching import QuotedBlock
from foundry.readers.pages.requests import PageRequest, PictureTask, PlaceTask, answer
from foundry.records import PagePicture, Placement

SCALE = 2.0


class RedWords:
    """A PDF drawn line by line: words between ``[[`` and ``]]`` are red, and are the quote."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.pdf = FPDF(unit="pt", format=(400, 500))
        self.pdf.set_margin(0)
        self.pdf.set_auto_page_break(False)
        self.pdf.set_font("helvetica", size=10)
        self.pdf.add_page()

    def line(self, text: str, x: float = 40, y: float = 60) -> RedWords:
        for number, part in enumerate(text.replace("]]", "[[").split("[[")):
            self.pdf.set_text_color(255 * (number % 2), 0, 0)
            self.pdf.text(x, y, part)
            x += self.pdf.get_string_width(part)
        return self

    def lines(self, texts: Iterable[str], x: float = 40, y: float = 60) -> RedWords:
        for number, text in enumerate(texts):
            self.line(text, x, y + 12 * number)
        return self

    def save(self) -> Path:
        self.pdf.output(str(self.path))
        return self.path


def place(path: Path, quote: str, nth: int = 0) -> Placement:
    """Place the nth occurrence of a quote in the text that the reader makes of a PDF."""
    document = read(path, ReadOptions(path.name, ocr="off"))
    start = -1
    for _ in range(nth + 1):
        start = document.text.index(quote, start + 1)
    end = start + len(quote)
    blocks = tuple(
        QuotedBlock(
            document.text[block.start : block.end],
            max(start, block.start) - block.start,
            min(end, block.end) - block.start,
            block.page,
            block.box,
            block.kind,
        )
        for block in document.blocks
        if block.start < end and start < block.end and block.page and block.box
    )
    return cast("Placement", answer(path, PageRequest(path.name, task=PlaceTask(blocks))))


def draw_page(path: Path, page: int) -> np.ndarray:
    """The pixels of a page."""
    request = PageRequest(path.name, task=PictureTask(page, SCALE))
    picture = cast("PagePicture", answer(path, request))
    return np.asarray(Image.open(BytesIO(picture.data)).convert("RGB")).astype(int)


def find_faults(path: Path, placement: Placement, pages: int = 1) -> list[str]:
    """Red pixels outside the boxes of a placement, and black ones inside them."""
    faults = []
    marked = {page.page.number: page.boxes for page in placement.pages}
    for number in range(1, pages + 1):
        pixels = draw_page(path, number)
        red = (pixels[..., 0] > 160) & (pixels[..., 1] < 120)
        black = pixels.max(axis=2) < 100
        inside = np.zeros(red.shape, dtype=bool)
        core = inside.copy()
        for box in marked.get(number, ()):
            x0, y0, x1, y1 = (round(side * SCALE) for side in (box.x0, box.y0, box.x1, box.y1))
            inside[max(0, y0 - 2) : y1 + 2, max(0, x0 - 2) : x1 + 2] = True
            core[y0 + 2 : y1 - 2, x0 + 2 : x1 - 2] = True
        if (red & ~inside).any():
            faults.append(f"page {number}: quoted words outside the boxes")
        if (black & core).any():
            faults.append(f"page {number}: other words inside the boxes")
        if inside.any() and not (red & inside).any():
            faults.append(f"page {number}: a box without quoted words")
    return faults
