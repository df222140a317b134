"""The drawings of the example documents, as lines and boxes on a PDF page.

Each takes the page, a left top corner and a width in millimetres, and returns
its height. ``draw_png`` gives the same drawing as a picture for Word files.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime

import pypdfium2
from fpdf import FPDF

INK = (18, 57, 74)
AMBER = (217, 130, 43)
GREY = (93, 109, 117)
PALE = (236, 242, 245)
LINE = (190, 203, 209)

Draw = Callable[[FPDF, float, float, float], float]


def draw_logo(pdf: FPDF, x: float, y: float, size: float) -> None:
    """The company's mark, a spark in a square, and its name; ``size`` is the mark's side."""
    pdf.set_fill_color(*INK)
    pdf.rect(x, y, size, size, style="F", round_corners=True, corner_radius=size * 0.18)
    middle_x, middle_y = x + size / 2, y + size / 2
    pdf.set_fill_color(*AMBER)
    long, short = size * 0.36, size * 0.09
    for dx, dy in ((0, 1), (1, 0)):
        points = [
            (middle_x - dx * long, middle_y - dy * long),
            (middle_x + dy * short + dx * 0, middle_y + dx * short),
            (middle_x + dx * long, middle_y + dy * long),
            (middle_x - dy * short, middle_y - dx * short),
        ]
        pdf.polygon(points, style="F")
    pdf.set_text_color(*INK)
    pdf.set_font("Helvetica", "B", size * 2.05)
    pdf.text(x + size * 1.3, y + size * 0.72, "brinkvonk")


def _box(
    pdf: FPDF, x: float, y: float, w: float, h: float, *lines: str, dark: bool = False
) -> None:
    pdf.set_draw_color(*INK)
    pdf.set_line_width(0.35)
    pdf.set_fill_color(*(INK if dark else PALE))
    pdf.rect(x, y, w, h, style="DF", round_corners=True, corner_radius=1.2)
    pdf.set_text_color(*((255, 255, 255) if dark else INK))
    top = y + h / 2 - 3.6 * (len(lines) - 1) / 2 + 1.1
    for number, line in enumerate(lines):
        pdf.set_font("Helvetica", "B" if number == 0 else "", 8)
        pdf.text(x + (w - pdf.get_string_width(line)) / 2, top + 3.6 * number, line)


def _arrow(pdf: FPDF, x0: float, y0: float, x1: float, y1: float, *, head: bool = True) -> None:
    pdf.set_draw_color(*GREY)
    pdf.set_line_width(0.45)
    pdf.line(x0, y0, x1, y1)
    if not head:
        return
    pdf.set_fill_color(*GREY)
    if abs(x1 - x0) >= abs(y1 - y0):
        back = -1.8 if x1 > x0 else 1.8
        pdf.polygon([(x1, y1), (x1 + back, y1 - 0.9), (x1 + back, y1 + 0.9)], style="F")
    else:
        back = -1.8 if y1 > y0 else 1.8
        pdf.polygon([(x1, y1), (x1 - 0.9, y1 + back), (x1 + 0.9, y1 + back)], style="F")


def _label(pdf: FPDF, x: float, y: float, text: str, size: float = 7.5) -> None:
    pdf.set_font("Helvetica", "", size)
    pdf.set_text_color(*GREY)
    pdf.text(x, y, text)


def _block_diagram(pdf: FPDF, x: float, y: float, width: float) -> float:
    step = width / 170
    column = [x + at * step for at in (0, 50, 100, 142)]
    wide = 30 * step
    _box(pdf, column[0], y + 2, wide, 12, "X1", "24 V DC")
    _box(pdf, column[1], y + 2, wide, 12, "Regulator", "logic supply")
    _box(pdf, column[0], y + 24, wide, 12, "X4", "DMX input")
    _box(pdf, column[0], y + 46, wide, 12, "X5", "Ethernet")
    _box(
        pdf, column[1], y + 24, wide, 34, "Microcontroller", "scene memory", "week clock", dark=True
    )
    _box(pdf, column[2], y + 2, wide, 12, "J4", "expansion")
    _box(pdf, column[2], y + 24, wide, 12, "Isolation", "transceiver A")
    _box(pdf, column[2], y + 46, wide, 12, "Isolation", "transceiver B")
    _box(pdf, column[3], y + 24, 28 * step, 12, "X2", "DMX port A")
    _box(pdf, column[3], y + 46, 28 * step, 12, "X3", "DMX port B")
    for row in (8, 30, 52):
        _arrow(pdf, column[0] + wide, y + row, column[1], y + row)
        _arrow(pdf, column[1] + wide, y + row, column[2], y + row)
    for row in (30, 52):
        _arrow(pdf, column[2] + wide, y + row, column[3], y + row)
    _arrow(pdf, column[1] + wide / 2, y + 14, column[1] + wide / 2, y + 24)
    return 62


def _front_panel(pdf: FPDF, x: float, y: float, width: float) -> float:
    w, h = min(width, 126.0), 60.0
    left = x + (width - w) / 2
    pdf.set_draw_color(*INK)
    pdf.set_line_width(0.5)
    pdf.set_fill_color(*PALE)
    pdf.rect(left, y, w, h, style="DF", round_corners=True, corner_radius=2.5)
    for row, names in ((y + 3, ("X1", "X2", "X3", "X4")), (y + h - 11, ("X5", "X6", "X7", "F1"))):
        for number, name in enumerate(names):
            _box(pdf, left + 6 + number * (w - 12) / 4, row, (w - 12) / 4 - 3, 8, name)
    pdf.set_fill_color(*INK)
    pdf.rect(left + 8, y + 16, 46, 26, style="F", round_corners=True, corner_radius=1)
    pdf.set_text_color(*AMBER)
    pdf.set_font("Courier", "B", 9)
    pdf.text(left + 11, y + 24, "12 Zaallicht")
    pdf.text(left + 11, y + 30, "DMX IN   44 Hz")
    pdf.text(left + 11, y + 36, "20:15  wo")
    for number, name in enumerate(("F1", "F2", "F3", "ENTER")):
        _box(pdf, left + 60 + (number % 2) * 15, y + 16 + (number // 2) * 14, 13, 11, name)
    for number, name in enumerate(("PWR", "DMX IN", "NET", "ERR")):
        pdf.set_fill_color(*(AMBER if number == 1 else (70, 150, 90)))
        pdf.circle(left + 96, y + 19 + number * 6.5, 1.3, style="F")
        _label(pdf, left + 99, y + 20 + number * 6.5, name)
    return h + 2


def _wiring(pdf: FPDF, x: float, y: float, width: float) -> float:
    step = width / 170
    _box(pdf, x, y + 14, 26 * step, 14, "Supply", "24 V DC")
    _box(
        pdf,
        x + 42 * step,
        y + 4,
        32 * step,
        34,
        "LC-512",
        "X1  supply",
        "X2  port A",
        "X3  port B",
        dark=True,
    )
    _arrow(pdf, x + 26 * step, y + 21, x + 42 * step, y + 21)
    for row, port in ((y + 10, "A"), (y + 32, "B")):
        for number in range(3):
            at = x + (90 + number * 24) * step
            _box(pdf, at, row - 5, 17 * step, 10, f"Fixture {port}{number + 1}")
            _arrow(pdf, at - (16 if number == 0 else 7) * step, row, at, row)
        end = x + 155 * step
        _arrow(pdf, end, row, end + 5 * step, row, head=False)
        _box(pdf, end + 5 * step, row - 3, 10 * step, 6, "120")
    _label(
        pdf,
        x + 90 * step,
        y + 22,
        "daisy chain, 250 m at most, 120 ohm across D+ and D- at the end",
    )
    return 42


FIGURES: dict[str, Draw] = {
    "block-diagram": _block_diagram,
    "front-panel": _front_panel,
    "wiring": _wiring,
}


def draw_png(name: str, width: float, height: float) -> bytes:
    """A figure as a PNG of 200 dots per inch; sizes in millimetres."""
    pdf = FPDF(format=(width, height))
    pdf.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))
    pdf.set_auto_page_break(auto=False)
    pdf.add_page()
    FIGURES[name](pdf, 1, 1, width - 2)
    with pypdfium2.PdfDocument(bytes(pdf.output())) as document:
        picture = document[0].render(scale=200 / 72).to_pil()
    stream = io.BytesIO()
    picture.convert("P", colors=32).save(stream, format="PNG", optimize=True)
    return stream.getvalue()
