"""Pages of PDF with tables drawn by seed, every cell, title and unit known.

The structures are those that people meet and programs misread: tables side by side, headers apart from
their rows, captions and units around tables, raised marks, merged cells. ``held`` draws with other words,
captions, units and rules, so that a rule made for one set says nothing about the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fpdf import FPDF

from bench.cell_labels import GoldTable, LabelledCell
from bench.cell_labels import Path as Labels

_LEFT, _WIDTH, _TOP, _FOOT = 45.0, 505.0, 60.0, 770.0


@dataclass(frozen=True)
class Words:
    """What a set of pages is drawn with."""

    rows: Sequence[str]
    sections: Sequence[str]
    groups: Sequence[str]
    columns: Sequence[str]
    stubs: Sequence[str]
    captions: Sequence[str]
    subjects: Sequence[str]
    units: Sequence[str]
    spanning: Sequence[str]
    notes: Sequence[str]
    rules: Sequence[str]
    prose: str


DEV = Words(
    rows=(
        "Supply voltage", "Output current", "Standby power", "Rise time of the output", "Leakage",
        "Net sales", "Cost of goods sold", "Interest expense", "Wages and salaries", "Belgium",
        "Norway", "Czech Republic", "Wheat", "Fresh fruit", "Full-time students", "Live births",
    ),
    sections=("Analog inputs", "Digital outputs", "Current assets", "Urban areas", "Men", "Services"),
    groups=("Typical", "Worst case", "Domestic", "Foreign", "Fiscal year", "All persons"),
    columns=("Minimum", "Maximum", "Number", "Median", "Share", "2021", "2022", "2023", "Change"),
    stubs=("", "Parameter", "Region", "Item"),
    captions=("Table {n} – {s}", "Table {n}. {s}", "Table {n}: {s}"),
    subjects=("Limits of the channels", "Results by region", "Revenue and expenditure", "Key figures"),
    units=("All values in mV", "(in thousands of euro)", "in millions of euro", "(mm)"),
    spanning=("not tested", "see section 4"),
    notes=("Provisional figure.", "Excluding the second plant."),
    rules=("none", "lines", "grid", "rows"),
    prose="The figures in this chapter show how the limits changed and which channels were counted. "
    "The methods were revised twice, and the annex gives a short account of the changes made.",
)  # fmt: skip
HELD = Words(
    rows=(
        "Flow rate", "Inlet pressure", "Bearing temperature", "Noise level at full load", "Weight",
        "Grants received", "Rent and utilities", "Deferred tax", "Travel", "Portugal", "Ireland",
        "Slovak Republic", "Barley", "Dairy products", "Apprentices", "Registered vessels",
    ),
    sections=("Pumps", "Valves", "Fixed assets", "Rural areas", "Women", "Manufacturing"),
    groups=("Nominal", "Overload", "Public", "Private", "Calendar year", "Households"),
    columns=("Low", "High", "Count", "Mean", "Rate", "2016", "2017", "2018", "Difference"),
    stubs=("", "Property", "Country", "Heading"),
    captions=("TABLE {n}  {s}", "Tabel {n} - {s}", "Exhibit {n}: {s}"),
    subjects=("Ratings of the units", "Outcome by country", "Income and outlay", "Main indicators"),
    units=("Values are in kPa", "(amounts in thousands of dollars)", "in EUR million", "[kg]"),
    spanning=("no data", "as agreed"),
    notes=("Estimated by the office.", "Without the northern depot."),
    rules=("none", "lines", "boxes", "shade"),
    prose="This part reports what the stations measured and what the offices counted over the years. "
    "Some series start later than others; where one was broken, the annex says when and why.",
)  # fmt: skip


@dataclass
class Line:
    """A row: its label and values; without values it heads the rows below it.

    ``spans`` has how many columns a value covers, by its column. ``group`` is the merged label of
    ``high`` rows from this one on.
    """

    path: Labels
    values: tuple[str, ...] = ()
    spans: dict[int, int] = field(default_factory=dict)
    marks: dict[int, str] = field(default_factory=dict)
    group: str = ""
    high: int = 0
    indent: float = 0.0


@dataclass
class Drawn:
    """A table before it is drawn."""

    columns: list[Labels]
    lines: list[Line]
    stub: str = ""
    title: str = ""
    unit: str = ""
    caption_below: bool = False
    unit_below: bool = False
    marks: dict[int, str] = field(default_factory=dict)
    """Raised marks behind names of columns."""
    notes: tuple[str, ...] = ()
    page: int = 1
    found: dict[int, list[LabelledCell]] = field(default_factory=dict)

    def list_gold(self) -> list[GoldTable]:
        """Its cells by page, as a person would label them."""
        unit = self.unit.strip("()[]")
        pages = self.found.items()
        return [GoldTable(tuple(cells), page, self.title, unit) for page, cells in pages]


class _Pen(FPDF):
    def __init__(self, rng: random.Random, words: Words) -> None:
        super().__init__(unit="pt", format="A4")
        self.set_auto_page_break(auto=False)
        self.core_fonts_encoding = "cp1252"
        self.rng, self.words = rng, words
        self.font = rng.choice(("helvetica", "times"))
        self.size = rng.choice((8.0, 9.0, 10.0))
        self.lead = self.size * rng.choice((1.25, 1.45, 1.7))
        self.rules = rng.choice(words.rules)
        self.align = rng.choice("RRRCL")
        self.bold = rng.random() < 0.6
        self.next_y = _TOP
        self.add_page()

    def put(
        self,
        x: float,
        width: float,
        text: str,
        align: str = "L",
        *,
        bold: bool = False,
        mark: str = "",
    ) -> None:
        """Write a text into a cell on the current line, a raised mark behind it."""
        self.set_font(self.font, "B" if bold else "", self.size)
        wide, pad = self.get_string_width(text), 3.0
        left = {"L": x + pad, "R": x + width - pad - wide, "C": x + (width - wide) / 2}[align]
        self.text(left, self.next_y + self.size, text)
        if mark:
            self.set_font(self.font, "", 0.62 * self.size)
            self.text(left + wide + 0.3, self.next_y + 0.62 * self.size, mark)

    def say(self, text: str, x: float = _LEFT, *, bold: bool = False, italic: bool = False) -> None:
        self.set_font(self.font, "B" * bold + "I" * italic, self.size)
        self.text(x + 3, self.next_y + self.size, text)
        self.next_y += self.lead

    def add_prose(self, times: int = 1) -> None:
        self.set_font(self.font, "", self.size)
        self.set_xy(_LEFT, self.next_y)
        self.multi_cell(_WIDTH, 1.25 * self.size, " ".join([self.words.prose] * times))
        self.next_y = self.get_y() + 1.2 * self.lead


def _draw_value(rng: random.Random, kind: str) -> str:
    if kind == "whole":
        number = rng.randint(2, 98_999)
        return f"({number:,})" if rng.random() < 0.1 else f"{number:,}"
    return f"{rng.uniform(0, 90):.1f}" + ("%" if kind == "share" else "")


def build_table(
    rng: random.Random, words: Words, *, columns: int, rows: int, groups: bool
) -> Drawn:
    """A table of single rows; with ``groups`` its columns are below two headings each."""
    names = rng.sample(words.columns, columns)
    paths: list[Labels] = [(name,) for name in names]
    if groups:
        heads, own = rng.sample(words.groups, 2), names[: max(2, columns // 2)]
        paths = [(head, name) for head in heads for name in own]
    kinds = [rng.choice(("whole", "whole", "tenths", "share")) for _ in paths]
    lines = [
        Line((label,), tuple(_draw_value(rng, kind) for kind in kinds))
        for label in rng.sample(words.rows, rows)
    ]
    return Drawn(paths, lines, rng.choice(words.stubs))


def _name(rng: random.Random, words: Words, table: Drawn, number: int) -> None:
    caption, subject = rng.choice(words.captions), rng.choice(words.subjects)
    table.title = caption.format(n=number, s=subject)


def draw_table(pen: _Pen, table: Drawn, x: float, width: float, *, foot: str = "") -> None:
    """Draw a table with what is around it; ``foot`` says what the page break does to its header.

    "alone": the header is left behind; "repeated": it is drawn again; "once": it is not.
    """
    for text, below in ((table.title, table.caption_below), (table.unit, table.unit_below)):
        if text and not below:
            pen.say(text, x, bold=text == table.title and pen.bold)
    stub = max(0.3 * width, _measure_stub(pen, table) + pen.size)
    step = (width - stub) / len(table.columns)
    _draw_header(pen, table, x, stub, step)
    half = len(table.lines) // 2
    for number, line in enumerate(table.lines):
        if (foot == "alone" and number == 0) or (foot in {"repeated", "once"} and number == half):
            pen.add_page()
            pen.next_y = _TOP
            if foot == "repeated":
                _draw_header(pen, table, x, stub, step)
        _draw_line(pen, table, line, x, stub=stub, step=step)
    if pen.rules == "lines":
        pen.line(x, pen.next_y + 2, x + width, pen.next_y + 2)
    pen.next_y += 0.4 * pen.size
    for mark, note in zip(("1", "2"), table.notes, strict=False):
        pen.put(x, 8, "", mark=mark)
        pen.say(note, x + 5)
    for text, below in ((table.unit, table.unit_below), (table.title, table.caption_below)):
        if text and below:
            pen.say(text, x, bold=text == table.title and pen.bold)


def _measure_stub(pen: _Pen, table: Drawn) -> float:
    """The width of the widest label, twice if labels are in two columns."""
    pen.set_font(pen.font, "", pen.size)
    labels = [line.path[-1] for line in table.lines if line.values]
    sides = 2 if any(line.group for line in table.lines) else 1
    indent = max(line.indent for line in table.lines)
    return sides * (indent + max(map(pen.get_string_width, labels)))


def _draw_header(pen: _Pen, table: Drawn, x: float, stub: float, step: float) -> None:
    depth, top = max(map(len, table.columns)), pen.next_y
    wide = x + stub + step * len(table.columns)
    if pen.rules == "shade":
        pen.set_fill_color(222, 228, 236)
        pen.rect(x, top, wide - x, depth * pen.lead, "F")
    for level in range(depth):
        first = 0
        while first < len(table.columns):
            path = table.columns[first]
            last = first
            while (
                level < depth - 1
                and table.columns[last + 1 : last + 2]
                and (table.columns[last + 1][: level + 1] == path[: level + 1])
            ):
                last += 1
            left, width = x + stub + first * step, step * (last - first + 1)
            align, mark = "C" if last > first else pen.align, table.marks.get(first, "")
            mark = mark if level == depth - 1 else ""
            pen.put(left, width, path[level], align, bold=pen.bold, mark=mark)
            if last > first and pen.rules == "lines":
                pen.line(
                    left + 3, pen.next_y + pen.lead - 1, left + width - 3, pen.next_y + pen.lead - 1
                )
            _frame(pen, left, pen.next_y, width, pen.lead)
            first = last + 1
        if level == depth - 1 and table.stub:
            pen.put(x, stub, table.stub, bold=pen.bold)
        pen.next_y += pen.lead
    _frame(pen, x, top, stub, pen.next_y - top)
    if pen.rules in {"lines", "rows", "boxes"}:
        pen.line(x, pen.next_y, wide, pen.next_y)
        pen.line(x, top, wide, top)
    pen.next_y += 1


def _frame(pen: _Pen, x: float, y: float, width: float, height: float) -> None:
    if pen.rules in {"grid", "boxes"}:
        pen.rect(x, y, width, height)


def _draw_line(pen: _Pen, table: Drawn, line: Line, x: float, *, stub: float, step: float) -> None:
    own = stub / 2 if any(each.group for each in table.lines) else 0.0
    if own and line.high:
        pen.put(x, own, line.group)
        _frame(pen, x, pen.next_y, own, line.high * pen.lead)
    heads = not line.values
    mark = line.marks.get(-1, "")
    pen.put(x + own + line.indent, stub - own, line.path[-1], bold=heads and pen.bold, mark=mark)
    _frame(pen, x + own, pen.next_y, stub - own + heads * step * len(table.columns), pen.lead)
    place = 0
    while place < len(line.values):
        over = line.spans.get(place, 1)
        value, left = line.values[place], x + stub + place * step
        align = "C" if over > 1 else pen.align
        pen.put(left, over * step, value, align, mark=line.marks.get(place, ""))
        _frame(pen, left, pen.next_y, over * step, pen.lead)
        cells = table.found.setdefault(pen.page, [])
        path = (line.group, *line.path) if line.group else line.path
        cells += [LabelledCell(path, table.columns[place + n], value) for n in range(over)]
        place += over
    pen.next_y += pen.lead
    if pen.rules == "rows":
        pen.line(x, pen.next_y, x + stub + step * len(table.columns), pen.next_y)


def _draw_beside(pen: _Pen) -> list[Drawn]:
    rng, words = pen.rng, pen.words
    tables, top, low = [], pen.next_y, 0.0
    gap = rng.choice((12.0, 24.0, 40.0))
    pen.size = min(pen.size, 8.0)
    titled = rng.random() < 0.6
    for place in range(2):
        table = build_table(
            rng, words, columns=rng.randint(2, 3), rows=rng.randint(3, 7), groups=False
        )
        if titled:
            _name(rng, words, table, place + 1)
        pen.next_y = top
        half = (_WIDTH - gap) / 2
        draw_table(pen, table, _LEFT + place * (half + gap), half)
        low = max(low, pen.next_y)
        tables.append(table)
    pen.next_y = low
    return tables


def _draw_pages(pen: _Pen) -> list[Drawn]:
    rng = pen.rng
    foot = rng.choice(("alone", "repeated", "once"))
    rows = rng.randint(4, 12)
    table = build_table(rng, pen.words, columns=4, rows=rows, groups=rng.random() < 0.5)
    _name(rng, pen.words, table, rng.randint(1, 9))
    above = 0 if foot == "alone" else rows // 2
    pen.next_y = _FOOT - (above + 1 + len(table.columns[0]) + 1) * pen.lead
    draw_table(pen, table, _LEFT, _WIDTH, foot=foot)
    return [table]


def _draw_captions(pen: _Pen) -> list[Drawn]:
    rng, tables = pen.rng, []
    below, unit_below = rng.random() < 0.5, rng.random() < 0.4
    unit = rng.choice(pen.words.units)
    for number in (1, 2):
        table = build_table(
            rng, pen.words, columns=rng.randint(2, 4), rows=rng.randint(3, 6), groups=False
        )
        _name(rng, pen.words, table, number)
        table.unit, table.caption_below, table.unit_below = unit, below, unit_below
        draw_table(pen, table, _LEFT, _WIDTH)
        pen.next_y += 1.6 * pen.lead
        if rng.random() < 0.5:
            pen.add_prose()
        tables.append(table)
    return tables


def _draw_marks(pen: _Pen) -> list[Drawn]:
    rng = pen.rng
    table = build_table(
        rng, pen.words, columns=4, rows=rng.randint(5, 9), groups=rng.random() < 0.3
    )
    _name(rng, pen.words, table, rng.randint(1, 9))
    signs = rng.choice(("12", "ab", "*†"))
    for line in table.lines:
        places = [place for place in range(-1, len(line.values)) if rng.random() < 0.12]
        line.marks = {place: rng.choice(signs) for place in places}
    if rng.random() < 0.5:
        table.marks[rng.randrange(len(table.columns))] = signs[0]
    table.notes = tuple(pen.words.notes)
    draw_table(pen, table, _LEFT, _WIDTH)
    return [table]


def _draw_merged(pen: _Pen) -> list[Drawn]:
    rng, words = pen.rng, pen.words
    table = build_table(rng, words, columns=4, rows=rng.randint(6, 9), groups=rng.random() < 0.5)
    _name(rng, words, table, rng.randint(1, 9))
    cuts = sorted(rng.sample(range(2, len(table.lines) - 1), rng.randint(1, 2)))
    heads = rng.sample(words.sections, len(cuts) + 1)
    runs = [table.lines[a:b] for a, b in zip([0, *cuts], [*cuts, len(table.lines)], strict=True)]
    sides = rng.random() < 0.4
    indent = rng.choice((0.0, 8.0)) if pen.bold else 8.0
    table.lines = []
    for head, run in zip(heads, runs, strict=True):
        if not sides:
            table.lines.append(Line((head,)))
        for number, line in enumerate(run):
            if sides:
                line.group, line.high = head, 0 if number else len(run)
            else:
                line.path, line.indent = (head, *line.path), indent
        table.lines += run
    for line in table.lines:
        if line.values and rng.random() < 0.2:
            first = rng.randrange(0, len(line.values) - 1)
            words_ = rng.choice(words.spanning)
            line.values = (*line.values[:first], words_, words_, *line.values[first + 2 :])
            line.spans = {first: 2}
    draw_table(pen, table, _LEFT, _WIDTH)
    return [table]


KINDS: dict[str, Callable[[_Pen], list[Drawn]]] = {
    "side by side": _draw_beside,
    "over pages": _draw_pages,
    "captions and units": _draw_captions,
    "raised marks": _draw_marks,
    "merged and headed": _draw_merged,
}


def draw_file(kind: str, seed: int, folder: Path, *, held: bool) -> tuple[Path, list[GoldTable]]:
    """Draw a file of one kind with prose above and below; the same seed draws the same file."""
    rng = random.Random(f"{kind} {seed}")
    pen = _Pen(rng, HELD if held else DEV)
    pen.add_prose()
    tables = KINDS[kind](pen)
    pen.next_y += pen.lead
    pen.add_prose(2)
    path = folder / f"{kind.replace(' ', '-')}-{'held' if held else 'dev'}-{seed}.pdf"
    pen.output(str(path))
    return path, [gold for table in tables for gold in table.list_gold()]
