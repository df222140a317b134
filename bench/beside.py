"""Are sentences whole beside marginal notes and boxes, and below watermarks that no file marks?

Pages are drawn by seed; seeds below 230 were looked at while the rules were made.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fpdf import FPDF

from bench.generate import write_sentences
from bench.tables import write_head, write_row
from foundry.ports import ReadOptions
from foundry.readers import read

SEEDS = range(230, 260)
LEFT, WIDTH, TOP, FOOT = 60.0, 475.0, 70.0, 640.0
MARKS = ("DRAFT", "CONFIDENTIAL", "Draft for review", "NOT FOR CONSTRUCTION", "SUPERSEDED")


@dataclass
class Drawing:
    """A document of one to three pages; its sentences are ``own`` or stand ``beside`` them."""

    rng: random.Random
    pdf: FPDF = field(default_factory=lambda: FPDF(unit="pt", format="A4"))
    own: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pdf.set_auto_page_break(False)
        self.size = self.rng.choice((9.0, 10.0, 11.0))
        self.pitch = self.size * self.rng.choice((1.2, 1.3, 1.4))
        self.family = self.rng.choice(("helvetica", "times"))
        self.right = self.rng.random() < 0.5

    def write(self, text: str, y: float, place: Callable[[float], tuple[float, float]]) -> float:
        """Write a text in lines from ``y``, each at the left edge and width that ``place`` gives."""
        self.pdf.set_font(self.family, "", self.size)
        line = ""
        for word in text.split():
            if line and self.pdf.get_string_width(f"{line} {word}") > place(y)[1]:
                self.pdf.text(place(y)[0], y, line)
                y, line = y + self.pitch, ""
            line = f"{line} {word}".strip()
        self.pdf.text(place(y)[0], y, line)
        return y + self.pitch

    def write_aside(self, x: float, y: float, width: float, size: float, style: str) -> float:
        """Write a sentence in a narrow column. Return where it ends."""
        before = self.size, self.pitch, self.family
        self.size, self.pitch = size, 1.2 * size
        text = write_sentences(self.rng, 1)
        self.beside.append(text)
        self.pdf.set_font(self.family, style, size)
        self.family += style
        end = self.write(text, y, lambda _: (x, width))
        self.size, self.pitch, self.family = before
        return end


def draw_notes(drawing: Drawing) -> None:
    """Beside every second paragraph a note in smaller print."""
    width, gap = drawing.rng.uniform(70, 120), drawing.rng.uniform(9, 24)
    text = WIDTH - width - gap
    x, note = (LEFT, LEFT + text + gap) if drawing.right else (LEFT + width + gap, LEFT)
    y = TOP
    while y < FOOT:
        aside = y
        if drawing.rng.random() < 0.5:
            aside = drawing.write_aside(note, y, width, drawing.size - 1.5, "")
        y = max(aside, drawing.write(_take(drawing), y, lambda _: (x, text))) + drawing.pitch


def draw_boxes(drawing: Drawing) -> None:
    """Beside every second paragraph a box, around which its lines are narrower."""
    y = TOP
    while y < FOOT:
        width, foot = drawing.rng.uniform(130, 230), y
        x = LEFT + WIDTH - width if drawing.right else LEFT
        if drawing.rng.random() < 0.5:
            foot = drawing.write_aside(x + 8, y + 4, width - 16, drawing.size, "") - 4
            drawing.pdf.rect(x, y - drawing.size, width, foot - y + drawing.size)

        def place(
            at: float, x: float = x, width: float = width, foot: float = foot
        ) -> tuple[float, float]:
            if at - drawing.size > foot:
                return LEFT, WIDTH
            return (LEFT if drawing.right else x + width + 12), WIDTH - width - 12

        y = max(foot + drawing.size, drawing.write(_take(drawing), y, place)) + drawing.pitch


def draw_marks(drawing: Drawing) -> None:
    """Over the paragraphs a large mark, level or slanted, before or after them."""
    text, grey = drawing.rng.choice(MARKS), drawing.rng.randint(150, 225)
    angle, size = drawing.rng.choice((0, 30, 45, 60)), drawing.rng.randint(30, 48)
    y = TOP
    while y < FOOT:
        y = drawing.write(_take(drawing), y, lambda _: (LEFT, WIDTH)) + drawing.pitch
    drawing.pdf.set_font("helvetica", "B", size)
    drawing.pdf.set_text_color(grey)
    with drawing.pdf.rotation(angle, 300, 400):
        drawing.pdf.text(300 - drawing.pdf.get_string_width(text) / 2, 400, text)
    drawing.pdf.set_text_color(0)


def _take(drawing: Drawing) -> str:
    sentences = [write_sentences(drawing.rng, 1) for _ in range(drawing.rng.randint(4, 8))]
    drawing.own += sentences
    return " ".join(sentences)


def measure() -> Iterator[str]:
    """The share of sentences that are whole in one block."""
    yield from write_head("pages with", "sentences", "whole", "beside", "whole")
    for draw in (draw_notes, draw_boxes, draw_marks):
        counts = [0, 0, 0, 0]
        for seed in SEEDS:
            for index, count in enumerate(_count(draw, seed)):
                counts[index] += count
        own, whole, beside, found = counts
        name = draw.__name__.removeprefix("draw_")
        yield write_row(name, own, f"{whole / own:.3f}", beside, f"{found / max(1, beside):.3f}")


def _count(draw: Callable[[Drawing], None], seed: int) -> tuple[int, int, int, int]:
    drawing = Drawing(random.Random(f"{draw.__name__} {seed}"))
    for _ in range(drawing.rng.randint(1, 3)):
        drawing.pdf.add_page()
        draw(drawing)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.pdf"
        drawing.pdf.output(str(path))
        document = read(path, ReadOptions(name=path.name, ocr="off"))
    texts = [" ".join(document.text[one.start : one.end].split()) for one in document.blocks]
    whole, found = (
        sum(any(sentence in text for text in texts) for sentence in sentences)
        for sentences in (drawing.own, drawing.beside)
    )
    return len(drawing.own), whole, len(drawing.beside), found
