"""Random tables of invented companies, with the labels that every cell has."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from bench.cell_labels import GoldTable, LabelledCell, Path

REVENUES = ("Product sales", "Service fees", "Licences", "Rental income", "Other revenue")
EXPENSES = (
    "Cost of materials",
    "Research and development",
    "Marketing and distribution",
    "Depreciation of property, plant and equipment",
    "Restructuring and other charges",
    "Amortisation of acquired intangible assets and goodwill",
)
REGIONS = {
    "Northern Europe": ("Norway", "Sweden", "Denmark", "Finland"),
    "Benelux": ("Netherlands", "Belgium", "Luxembourg"),
    "Americas": ("Canada", "Mexico", "Brazil", "United States"),
}
PROPERTIES = (
    ("Supply voltage", "V"),
    ("Rated current", "A"),
    ("Length", "mm"),
    ("Mass without cable", "kg"),
    ("Operating temperature", "°C"),
    ("Refresh rate", "Hz"),
)
FIELDS = {
    "Order": ("Order number:", "Order date:", "Product description:", "Reference:"),
    "Customer": ("Name:", "Contact:", "Telephone:", "Customer number:"),
    "Delivery": ("Address:", "Carrier:", "Delivery terms:", "Weight:"),
}
ITEMS = (
    "Desk lamp",
    "Wireless mouse",
    "Notebook, ruled",
    "USB cable 2 m",
    "Whiteboard pens",
    "Stapler",
)
UNITS = ("in millions", "in thousands of euros", "in millions, except percentages")


@dataclass(frozen=True)
class Row:
    """A line of a table; without values it is a sub-heading."""

    label: str
    values: Path = ()
    indent: int = 0
    group: str = ""

    @property
    def is_total(self) -> bool:
        return self.label.startswith(("Total", "Operating income", "Net"))


@dataclass(frozen=True)
class Drawn:
    """A table before it is drawn: the columns' label paths, and its rows."""

    title: str
    columns: tuple[Path, ...]
    rows: tuple[Row, ...]
    unit: str = ""
    stub: Path = ("",)
    """The heads of the row-header columns: two if the rows have groups."""
    symbol: str = ""
    units_first: bool = False
    """Whether the first column says the unit of its row, and is no value."""

    is_text: bool = False
    """Whether the values are words, which are at the left."""
    notes: tuple[str, ...] = ()
    """Footnotes, each with its mark."""

    def build_gold(self, page: int = 1, pages: int = 1) -> GoldTable:
        """Return the table's cells as a person would label them."""
        cells, open_rows = [], list[Row]()
        skip = int(self.units_first)
        for row in self.rows:
            open_rows = [above for above in open_rows if above.indent < row.indent]
            outer = (row.group,) if row.group else tuple(above.label for above in open_rows)
            if not row.values:
                open_rows.append(row)
            for column, value in list(zip(self.columns, row.values, strict=False))[skip:]:
                if value:
                    cells.append(LabelledCell((*outer, row.label), column, value))
        units = {row.values[0] for row in self.rows if row.values} if self.units_first else ()
        unit = " ".join((self.unit, *sorted(units)))
        return GoldTable(tuple(cells), page, self.title, unit, last_page=page + pages - 1)

    def header_rows(self) -> list[list[tuple[str, int]]]:
        """Return the header from the top as labels with their spans; short paths are at the bottom."""
        depth = max(map(len, self.columns))
        lines = []
        for level in range(depth):
            # Two neighbours with one label are one span only below the same span.
            keys = [(("",) * (depth - len(path)) + path)[: level + 1] for path in self.columns]
            last = level == depth - 1
            spans = [(key, 1) for key in keys] if last else _measure_runs(keys)
            lines.append([(key[-1], span) for key, span in spans])
        return lines


def _measure_runs(keys: Sequence[Path]) -> list[tuple[Path, int]]:
    return [(key, len(list(run))) for key, run in groupby(keys)]


def _amount(rng: random.Random) -> str:
    if rng.random() < 0.03:
        return ""
    if rng.random() < 0.06:
        return "-"
    text = f"{rng.choice((rng.randint(2, 999), rng.randint(1000, 98_999))):,}"
    return f"({text})" if rng.random() < 0.15 else text


def _percent(rng: random.Random) -> str:
    number = f"{rng.randint(1, 999) / 10:.1f}"
    return f"({number})%" if rng.random() < 0.15 else f"{number}%"


def make_statement(rng: random.Random) -> Drawn:
    """A statement: periods over years, perhaps a change, revenues and expenses with totals."""
    month, year = rng.choice(("March 31,", "June 30,", "September 30,")), rng.randint(2015, 2025)
    years = (str(year - 1), str(year))
    periods = ("Three Months Ended", "Nine Months Ended")[: rng.randint(1, 2)]
    columns: list[Path] = [(f"{period} {month}", each) for period in periods for each in years]
    if rng.random() < 0.3:
        columns = [(*path, leaf) for path in columns[:2] for leaf in ("Amount", "% of Sales")]
    elif rng.random() < 0.5:
        columns.append((rng.choice(("Change", "Year-over-Year Change")),))
    shares = [path[-1].startswith(("%", "Change", "Year")) for path in columns]

    def values() -> Path:
        return tuple(_percent(rng) if share else _amount(rng) for share in shares)

    rows: list[Row] = []
    for head, names in (("Revenue", REVENUES), ("Operating expenses", EXPENSES)):
        rows.append(Row(head + rng.choice(("", ":"))))
        rows += [Row(name, values(), 1) for name in rng.sample(names, rng.randint(2, 4))]
        rows.append(Row(f"Total {head.lower()}", values()))
    rows.append(Row(rng.choice(("Operating income (loss)", "Net loss")), values()))
    notes: tuple[str, ...] = ()
    if rng.random() < 0.4:
        marked = rng.choice([number for number, row in enumerate(rows) if row.indent])
        rows[marked] = replace(rows[marked], label=f"{rows[marked].label} (1)")
        notes = (f"(1) Includes {rng.randint(2, 90)} of the subsidiaries sold in {year - 2}.",)
    title = rng.choice(("Consolidated Statements of Income", "Results of Operations"))
    symbol = rng.choice(("", "$"))
    unit = rng.choice(UNITS)
    return Drawn(title, tuple(columns), tuple(rows), unit, symbol=symbol, notes=notes)


def make_groups(rng: random.Random) -> Drawn:
    """Countries within regions, the region once for its rows."""
    columns = tuple((name,) for name in rng.sample(("Sales", "Orders", "Staff", "Sites"), 3))
    rows = [
        Row(country, tuple(_amount(rng) for _ in columns), group=region)
        for region, countries in REGIONS.items()
        for country in rng.sample(countries, rng.randint(2, 3))
    ]
    return Drawn("Figures by country", columns, tuple(rows), stub=("Region", "Country"))


def make_neighbours(rng: random.Random) -> tuple[Drawn, Drawn]:
    """Two small tables side by side."""
    first, second = (
        replace(
            table,
            title=title,
            stub=("Country",),
            columns=table.columns[:2],
            rows=tuple(replace(row, group="", values=row.values[:2]) for row in table.rows),
        )
        for table, title in (
            (make_groups(rng), "Sales by country"),
            (make_groups(rng), "Orders by country"),
        )
    )
    return first, second


def make_specification(rng: random.Random) -> Drawn:
    """Properties of models, with the units in a column of their own."""
    models = [f"{rng.choice('ABK')}{number}" for number in rng.sample(range(100, 999), 3)]
    rows = [
        Row(name, (unit, *(f"{rng.randint(10, 9999) / 10:.1f}" for _ in models)))
        for name, unit in rng.sample(PROPERTIES, 5)
    ]
    columns = tuple((name,) for name in ("Unit", *models))
    return Drawn("Technical data", columns, tuple(rows), stub=("Property",), units_first=True)


def make_form(rng: random.Random) -> Drawn:
    """Sections of keys with one value each and no header."""
    names = ("Van Dijk Techniek", "Blue Harbour Ltd", "Nils Aaberg", "Road 14, 4021 Hill", "Net 30")
    rows: list[Row] = []
    for section, keys in FIELDS.items():
        rows.append(Row(section))
        for key in rng.sample(keys, 3):
            value = f"{rng.choice(names)} {rng.randint(100, 9999)}"
            rows.append(Row(key, (value,), 1))
    return Drawn("Order form", ((),), tuple(rows), is_text=True)


def make_receipt(rng: random.Random) -> Drawn:
    """Items with a line for code and quantity below, then totals."""
    rows: list[Row] = []
    total = 0.0
    for item in rng.sample(ITEMS, 4):
        count, price = rng.randint(1, 4), rng.randint(100, 9000) / 100
        total += count * price
        rows.append(Row(item, (f"${count * price:.2f}",)))
        rows.append(Row(f"ART-{rng.randint(1000, 9999)}", (f"{count} @ ${price:.2f}",), group=item))
    rows += [Row("SUBTOTAL", (f"${total:.2f}",)), Row("Discount", (f"-${total / 10:.2f}",))]
    return Drawn("CORNER OFFICE SUPPLIES", ((),), (*rows, Row("TOTAL", (f"${total * 0.9:.2f}",))))


MAKERS: dict[str, Callable[[random.Random], Drawn]] = {
    "statement": make_statement,
    "groups": make_groups,
    "specification": make_specification,
    "form": make_form,
    "receipt": make_receipt,
    "two pages": make_statement,
}
