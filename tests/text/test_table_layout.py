"""How a table's block is laid out: merged cells, headers and doubts from the labels of its values."""

from __future__ import annotations

from foundry.records import Block, Table, TableCell
from foundry.text.table_layout import TableLayout

TEXT = "Part | Start | \n | Hot | Cold\nPump | 12 | 9\nHose | 3 |"


def build(text: str = TEXT, *, certain: bool = True) -> Block:
    """A table with a merged header, and a value of two columns in its last row."""

    def value(row: str, column: str, words: str, after: int = 0) -> TableCell:
        start = text.index(words, text.index(row) + after)
        labels = (("Start", column), words, start, start + len(words))
        return TableCell((row,), *labels, certain=certain)

    cells = (value("Pump", "Hot", "12"), value("Pump", "Cold", "9"))
    cells += (value("Hose", "Hot", "3"), value("Hose", "Cold", "3"))
    header = ("Part | Start | ", " | Hot | Cold")
    return Block("table", 0, len(text), table=Table(cells=cells, header=header))


def test_a_merged_header_spans_the_columns_that_it_names() -> None:
    first = next(TableLayout(TEXT, build()).lay_out())
    assert [(cell.scope, cell.column_span) for cell in first] == [("col", 1), ("col", 2)]


def test_a_merged_value_covers_the_empty_cell_beside_it() -> None:
    last = list(TableLayout(TEXT, build()).lay_out())[-1]
    assert [(cell.scope, cell.column_span) for cell in last] == [("row", 1), ("", 2)]


def test_a_span_never_covers_words() -> None:
    text = TEXT.replace("3 |", "3 | x")
    last = list(TableLayout(text, build(text)).lay_out())[-1]
    assert [text[cell.start : cell.end] for cell in last] == ["Hose", "3", "x"]
    assert {cell.column_span for cell in last} == {1}


def test_only_values_in_doubt_are_doubtful() -> None:
    rows = list(TableLayout(TEXT, build(certain=False)).lay_out())
    assert [[cell.certain for cell in row] for row in rows] == [
        [True, True],
        [True, True, True],
        [True, False, False],
        [True, False],
    ]


def test_header_rows_below_the_first_are_found_by_their_words() -> None:
    text = "CONFIDENTIAL\nPart | Mass\nPump | 12"
    start = text.index("12")
    cell = TableCell(("Pump",), ("Mass",), "12", start, start + 2)
    table = Table(cells=(cell,), header=("Part | Mass",))
    rows = TableLayout(text, Block("table", 0, len(text), table=table)).lay_out()
    assert [[cell.scope for cell in row] for row in rows] == [["row"], ["col", "col"], ["row", ""]]
