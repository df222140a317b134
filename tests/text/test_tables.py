"""A table's values in words: labels, unit, what a piece of a table needs above it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foundry.records import Table, TableCell
from foundry.text.tables import (
    add_unit,
    describe_cell,
    describe_row,
    find_rows,
    list_missing_lines,
    read_table_unit,
    spread_signs,
)


def make_table(unit: str | None, value: str = "9,467", row: str = "Zone EUR") -> Table:
    """A table of one value, which stands at the offset 11 of its text."""
    cell = TableCell((row,), ("Sales",), value, 11, 11 + len(value))
    return Table("Zones", unit, cells=(cell,), header=(" | Sales",))


def test_a_cell_is_one_sentence_with_its_labels_and_its_unit() -> None:
    table = make_table("In millions of CHF: January–June 2023")
    said = describe_cell(table, table.cells[0])
    assert said == "Zone EUR, Sales, January–June 2023: 9,467 million CHF"


@pytest.mark.parametrize(
    ("unit", "value", "said"),
    [
        ("$ in millions", "14,694", "$14,694 million"),
        ("in millions", "$14,694", "$14,694 million"),
        ("Dollars in millions, except per share data", "(5)", "(5) million Dollars"),
        ("in miljoenen euro", "1.250", "1.250 miljoen euro"),
        ("£ million", "1,284.6", "£1,284.6 million"),
        ("bedragen x € 1.000", "1.250", "€1.250 duizend"),
        ("in millions", "21.4%", "21.4%"),
        (None, "12", "12"),
    ],
)
def test_a_number_gets_the_unit_of_its_table(unit: str | None, value: str, said: str) -> None:
    table = make_table(unit, value)
    assert add_unit(table, table.cells[0]) == said


def test_a_row_that_the_unit_excepts_stays_as_it_is() -> None:
    table = make_table("In millions, except per share amounts", "0.25", "Earnings per share")
    assert add_unit(table, table.cells[0]) == "0.25"
    assert read_table_unit(table.unit).words == "million"


def test_a_column_in_a_unit_of_its_own_has_not_the_unit_of_its_table() -> None:
    table = make_table("In millions", "8.6")
    cell = replace(table.cells[0], column=("Remaining term (years)",))
    assert add_unit(table, cell) == "8.6"
    assert add_unit(table, replace(cell, column=("Value (EUR)",))) == "8.6 million"


def test_an_amount_per_share_has_no_scale() -> None:
    table = make_table("In millions", "$2.35", "Diluted earnings per share")
    assert add_unit(table, table.cells[0]) == "$2.35"


@pytest.mark.parametrize(
    ("column", "signs"),
    [
        (["$14,694", "4,166", "(2,758)", "–", "$12,831", "17"], ["", "$", "$", "", "", ""]),
        (["10%", "(12)", "33", "7%"], ["", "%", "%", ""]),
        (["$680", "2,483", "$0.27", "0.25", "$0.97"], ["", "", "", "$", ""]),
        (["$680", "2,483", "7%"], ["", "", ""]),
        (["€ 680", "2021", "€ 590"], ["", "", ""]),
    ],
    ids=["first and total", "percent", "shares between", "two signs", "year"],
)
def test_bare_numbers_have_the_sign_printed_above_and_below(
    column: list[str], signs: list[str]
) -> None:
    assert spread_signs(column) == signs


def test_a_sign_from_the_column_is_said_with_the_value() -> None:
    table = make_table("In millions", "(2,758)")
    (cell,) = table.cells
    assert add_unit(table, replace(cell, sign="$")) == "$(2,758) million"
    assert add_unit(table, replace(cell, sign="%")) == "(2,758)%"


def test_a_row_is_read_with_the_name_of_each_column() -> None:
    assert describe_row(make_table("in thousands"), 0, 30) == "Zone EUR; Sales: 9,467 thousand"


def test_a_piece_of_a_table_needs_title_unit_and_header() -> None:
    table = make_table("in thousands")
    assert list_missing_lines(table, "", "Zone EUR | 9,467", 0) == [
        *(
            "Zones",
            "in thousands",
            " | Sales",
        )
    ]
    assert (
        list_missing_lines(table, "Zones (in thousands)\n", " | Sales\nZone EUR | 9,467", 0) == []
    )


def test_a_bar_within_a_value_separates_no_cells() -> None:
    value = TableCell(("Filter",), ("Command",), "ps | sort", 9, 18)
    (row,) = find_rows("Filter | ps | sort | 2", 0, (value,))
    assert row.cells == ((0, 6), (9, 18), (21, 22))


def test_a_row_of_dashes_is_a_rule_and_no_row() -> None:
    assert [row.start for row in find_rows("a | b\n--|--\n1 | 2", 10)] == [10, 22]


def test_a_row_of_dashes_that_are_values_is_a_row() -> None:
    nil = TableCell((), ("2022",), "–", 6, 7)
    assert [row.start for row in find_rows("2022\n– | –", 1, (nil,))] == [1, 6]
