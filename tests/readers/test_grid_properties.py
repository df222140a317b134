"""Generated tables of any header depth, with spans, missing cells and sections, are read as drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from foundry.craft.chunking import chunk_document
from foundry.readers.document_builder import DocumentBuilder, read_cells
from foundry.readers.grids import GridCell
from foundry.records import Document

Key = tuple[tuple[str, ...], tuple[str, ...], str]
_CELL = re.compile(r"[^|\n]*[^|\s]")
WORDS = ("Revenue", "Cost of sales", "Licences", "Other income", "Interest", "Research", "Tax")


@dataclass
class Drawn:
    """The cells of a table and, as drawn, every value with its labels."""

    cells: list[GridCell] = field(default_factory=list)
    values: list[Key] = field(default_factory=list)


@st.composite
def tables(draw: st.DrawFn) -> Drawn:
    """Two or more columns under a header of 1–3 rows, whose upper rows span columns below them."""
    depth = draw(st.integers(1, 3))
    groups = draw(st.lists(st.integers(1, 3), min_size=2, max_size=3)) if depth > 1 else [3]
    width = sum(groups)
    table, columns = Drawn(), [[f"{2020 + at}"] for at in range(width)]
    for level in range(depth - 1):
        first = 0
        for number, span in enumerate(groups):
            name = f"Group {level}{number}"
            table.cells.append(GridCell(name, level, first + 1, 1, span))
            for column in range(first, first + span):
                columns[column].insert(level, name)
            first += span
    table.cells += [GridCell(names[-1], depth - 1, at + 1) for at, names in enumerate(columns)]
    _draw_rows(draw, table, depth, [tuple(names) for names in columns])
    return table


def _draw_rows(draw: st.DrawFn, table: Drawn, row: int, columns: list[tuple[str, ...]]) -> None:
    for number in range(draw(st.integers(1, 3))):
        section = draw(st.booleans())
        if section:
            table.cells.append(GridCell(f"Section {number}", row, 0))
            row += 1
        for name in draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True)):
            label = f"{name} {number}"
            path = (f"Section {number}", label) if section else (label,)
            table.cells.append(GridCell(label, row, 0, indent=2.0 * section))
            present = draw(st.sets(st.sampled_from(range(len(columns))), min_size=1))
            for at in sorted(present):
                value = f"{row},{at:03}"
                table.cells.append(GridCell(value, row, at + 1))
                table.values.append((path, columns[at], value))
            row += 1


def read(cells: list[GridCell]) -> Document:
    """The document with one table."""
    builder = DocumentBuilder("html")
    builder.add("paragraph", "Figures (in thousands)")
    builder.add_table(read_cells(cells))
    return builder.build("Figures")


def list_values(document: Document) -> list[Key]:
    """Every value with its labels, in reading order."""
    found = [block.table for block in document.blocks if block.table]
    return [(cell.row, cell.column, cell.value) for table in found for cell in table.cells]


@given(tables())
def test_what_was_drawn_is_what_is_read(table: Drawn) -> None:
    document = read(table.cells)
    assert list_values(document) == table.values
    assert all(
        document.text[cell.start : cell.end] == cell.value
        for block in document.blocks
        for cell in (block.table.cells if block.table else ())
    )


@given(tables(), st.integers(110, 150))
def test_every_piece_of_a_table_repeats_its_header(table: Drawn, most: int) -> None:
    document = read(table.cells)
    chunks = chunk_document(
        document, source_id="src_1", language="en", title="", bounds=(10, most), overlap=(0, 0),
        count=lambda text: len(text.split()),
    )  # fmt: skip
    assert all(len(chunk.content.split()) <= most for chunk in chunks)
    for chunk in chunks:
        held = [column for _, column, value in table.values if value in chunk.text]
        assert {name for column in held for name in column} <= {
            name.strip() for name in _CELL.findall(chunk.content)
        }


@given(tables())
def test_a_currency_sign_in_a_column_of_its_own_changes_no_label(table: Drawn) -> None:
    signed = []
    for cell in table.cells:
        apart = 2 * cell.column
        signed.append(
            GridCell(cell.text, cell.row, max(apart - 1, 0), 1, 2 * cell.column_span, cell.indent)
            if cell.column and cell.text.replace(",", "").isdigit() is False
            else GridCell(cell.text, cell.row, apart, 1, 1, cell.indent)
        )
    values = [cell for cell in signed if "," in cell.text]
    signed += [GridCell("$", cell.row, cell.column - 1) for cell in values]
    found = [(row, column, value.lstrip("$")) for row, column, value in list_values(read(signed))]
    assert found == table.values
