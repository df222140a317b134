"""Grids of cells → tables whose values have their labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foundry.readers.grid_cells import classify
from foundry.readers.grids import GridCell, build_cells, read_grid
from foundry.records import Table

CellDraft = str | tuple[str, int]


def build_grid(
    rows: Sequence[Sequence[CellDraft]],
) -> list[GridCell]:
    """A grid from rows of texts; ``(text, columns)`` spans columns, leading spaces indent."""
    cells = []
    for number, row in enumerate(rows):
        column = 0
        for draft in row:
            text, span = draft if isinstance(draft, tuple) else (draft, 1)
            indent = len(text) - len(text.lstrip())
            cells.append(GridCell(text, number, column, 1, span, indent))
            column += span
    return cells


def read(rows: Sequence[Sequence[CellDraft]], above: Sequence[str] = ()) -> Table:
    text, table = read_grid(build_grid(rows)).name(above).write()
    assert table is not None
    assert all(text[cell.start : cell.end] == cell.value for cell in table.cells)
    return table


def find(table: Table, value: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return next((cell.row, cell.column) for cell in table.cells if cell.value == value)


def test_a_value_has_the_labels_of_a_header_of_two_rows() -> None:
    table = read(
        [
            ["", ("Three Months Ended", 2), ("Nine Months Ended", 2)],
            ["(In millions)", "2022", "2021", "2022", "2021"],
            ["Net sales", "14,694", "14,544", "40,001", "39,002"],
        ]
    )
    assert find(table, "40,001") == (("Net sales",), ("Nine Months Ended", "2022"))
    assert table.unit == "In millions"
    assert table.certain


def test_a_row_of_asterisks_behind_a_number_takes_no_time_to_judge() -> None:
    assert classify("1 " + "*" * 200 + "x") == "text"


def test_a_sign_in_a_cell_of_its_own_belongs_to_its_value() -> None:
    table = read(
        [
            ["", ("2022", 3), ("2021", 3)],
            ["Sales", "$", "14,694", "", "$", "14,544", ""],
            ["Costs", "", "(1,625", ")", "", "(1,440", ")"],
        ]
    )
    assert find(table, "$14,544") == (("Sales",), ("2021",))
    assert find(table, "(1,625)") == (("Costs",), ("2022",))


def test_a_row_of_amounts_labels_no_other_row() -> None:
    table = read([["Loss", "(2,370)", "(3,547)"], ["Backlog", "329,824", "296,882"]])
    assert {cell.column for cell in table.cells} == {()}
    assert not table.certain


def test_a_heading_without_values_labels_the_rows_indented_below_it() -> None:
    rows = [["", "2022"], ["Assets", ""], ["  Cash", "5"], ["    Total", "6"], ["Goodwill", "7"]]
    table = read(rows)
    assert find(table, "5")[0] == ("Assets", "Cash")
    assert find(table, "7")[0] == ("Goodwill",)


def test_a_lone_indented_total_is_no_part_of_the_row_above() -> None:
    table = read([["", "2022"], ["Cash", "5"], ["Other", "6"], ["  Total", "11"], ["Debt", "3"]])
    assert find(table, "11")[0] == ("Total",)


def test_two_columns_of_words_are_labels_and_values() -> None:
    table = read([["Restaurant", "Docling"], ["Server", "Quack"]])
    assert find(table, "Docling") == (("Restaurant",), ())
    assert table.certain


def test_the_unit_comes_from_the_line_above() -> None:
    table = read([["", "2022"], ["Sales", "5"]], above=["Segments", "($ millions)"])
    assert (table.title, table.unit) == ("Segments", "$ millions")


def test_totals_below_a_list_are_no_parts_of_its_last_row() -> None:
    rows = [["", "2022"], ["Cash", "5"], ["Other", "6"], ["  Total", "11"], ["  Grand total", "12"]]
    assert find(read(rows), "12")[0] == ("Grand total",)


def test_a_row_with_parts_labels_them() -> None:
    table = read(
        [["", "2022"], ["Margin", "34"], ["  Costs", "2"], ["  Shares", "1"], ["Tax", "9"]]
    )
    assert find(table, "1")[0] == ("Margin", "Shares")
    assert find(table, "9")[0] == ("Tax",)


def test_an_empty_row_above_a_heading_labels_nothing() -> None:
    table = read([["", "2022"], ["Commitments"], ["Equity:"], ["  Stock", "5"], ["  Other", "6"]])
    assert find(table, "5")[0] == ("Equity:", "Stock")


def test_fields_have_the_heading_above_them() -> None:
    table = read([["Customer"], ["Name:", "Bob", "City:", "Rome"], ["Delivery"], ["Date:", "May"]])
    assert find(table, "Rome")[0] == ("Customer", "City:")
    assert find(table, "May")[0] == ("Delivery", "Date:")


def test_a_heading_above_its_like_holds_for_all_headings_below_it() -> None:
    table = read(
        [
            ["", "Level", "Cost"],
            ["June 30:"],
            ["Debt:"],
            ["Bonds", "1", "11"],
            ["Shares:"],
            ["Funds", "2", "22"],
            ["September 30:"],
            ["Debt:"],
            ["Bonds", "1", "33"],
        ]
    )
    assert find(table, "11")[0] == ("June 30:", "Debt:", "Bonds")
    assert find(table, "22")[0] == ("June 30:", "Shares:", "Funds")
    assert find(table, "33")[0] == ("September 30:", "Debt:", "Bonds")


def test_the_total_of_an_inner_section_ends_it() -> None:
    rows = [["", "Cost"], ["June 30:"], ["Debt:"], ["Bonds", "1"], ["Notes", "2"], ["  Sum", "3"]]
    table = read([*rows, ["Cash", "40"], ["All", "43"]])
    assert find(table, "3")[0] == ("June 30:", "Debt:", "Sum")
    assert find(table, "40")[0] == ("June 30:", "Cash")


def test_a_section_ends_at_its_total_if_a_later_row_adds_up_the_totals() -> None:
    rows = [["", "2022"], ["Debt"], ["Bonds", "1"], ["Notes", "2"], ["  Sum", "3"]]
    rows += [["Shares"], ["Funds", "4"], ["Others", "5"], ["  Sum", "9"], ["Cash", "30"]]
    assert find(read([*rows, ["All", "42"]]), "30")[0] == ("Cash",)
    assert find(read([*rows, ["All", "39"]]), "30")[0] == ("Shares", "Cash")


def test_a_row_that_adds_up_several_sections_belongs_to_none() -> None:
    rows = [["", "2022"], ["Hedges:"], ["Bonds", "1"], ["Notes", "2"], ["Others:"], ["Swaps", "4"]]
    table = read([*rows, ["  Gross", "7"], ["Offset", "(3)"]])
    assert find(table, "4")[0] == ("Others:", "Swaps")
    assert find(table, "7")[0] == ("Gross",)
    assert find(table, "(3)")[0] == ("Offset",)


def test_a_total_with_the_words_of_its_heading_ends_the_section() -> None:
    rows = [["", "2022"], ["Equity:"], ["  Stock", "5"], ["  Earnings", "6"]]
    table = read([*rows, ["    Total equity", "11"], ["     Total debt and equity", "40"]])
    assert find(table, "11")[0] == ("Equity:", "Total equity")
    assert find(table, "40")[0] == ("Total debt and equity",)


def test_an_item_without_values_that_refers_to_a_note_is_no_heading() -> None:
    rows = [["", "2022"], ["Liabilities:"], ["Loans", "5"], ["Contingencies (Note 12)"]]
    table = read([*rows, ["Leases", "7"]])
    assert find(table, "7")[0] == ("Liabilities:", "Leases")


def test_a_box_to_check_names_no_column() -> None:
    table = read([["Large company", "☒", "Small company"], ["Other", "☐", "New company"]])
    assert find(table, "☐") == (("Other",), ())


def test_a_row_that_begins_with_an_amount_names_no_columns() -> None:
    rows = [GridCell("$17", 0, 0, bold=True), GridCell("Income 2022", 0, 1, bold=True)]
    rows += [GridCell("(1,350)", 1, 0), GridCell("Lower margin", 1, 1)]
    assert read_grid(rows).header == 0


def test_a_dollar_sign_on_the_first_and_last_row_is_that_of_all_values_between() -> None:
    rows = [
        ["", "2022", "2021"],
        ["Sales", "$9", "$8"],
        ["Costs", "(5)", "4"],
        ["Profit", "$4", "5"],
    ]
    assert [cell.sign for cell in read(rows).cells] == ["", "", "$", "", "", ""]


def test_a_header_cell_over_all_columns_below_the_header_heads_its_rows() -> None:
    rows = [["Role", "2024", "2025"], [("Office", 3)], ["Engineer", "90", "95"]]
    drafts = build_grid([*rows, [("Site", 3)], ["Engineer", "100", "105"]])
    cells = [replace(cell, header=cell.row < 2 or None) for cell in drafts]
    _, table = read_grid(cells).write()
    assert table is not None
    assert find(table, "90") == (("Office", "Engineer"), ("2024",))
    assert find(table, "105") == (("Site", "Engineer"), ("2025",))


def test_names_that_reach_down_beside_a_group_of_columns_are_the_header() -> None:
    rows = [["Article", ("Price", 2)], ["", "1-9", "10-49"], ["Anchor", "0.62", "0.55"]]
    cells = [
        replace(cell, row_span=2) if cell.text == "Article" else cell
        for cell in build_grid(rows)
        if cell.text
    ]
    _, table = read_grid(cells).write()
    assert table is not None
    assert find(table, "0.55") == (("Anchor",), ("Price", "10-49"))


def test_numbers_of_one_shape_before_words_label_their_rows() -> None:
    rows = [["Article", "Description", "Price"], ["10.204", "Anchor", "0.62"]]
    table = read([*rows, ["10.311", "Plug", "0.55"]])
    assert find(table, "0.55") == (("10.311",), ("Price",))


def test_a_period_above_the_row_labels_begins_the_labels_of_all_columns() -> None:
    rows = [["Three Months Ended June 30,", "2023", "2022"], ["Revenue", "12", "10"]]
    table = read([*rows, ["Cost", "7", "6"]])
    assert find(table, "6") == (("Cost",), ("Three Months Ended June 30,", "2022"))


def test_a_label_that_repeats_leaves_it_to_the_next_column_to_tell_rows_apart() -> None:
    rows = (
        ("Sector", "Sex", "2022", "2023"),
        ("Farming", "Men", "11", "12"),
        ("", "Women", "13", "..."),
        ("Trade", "Men", "21", "22"),
        ("", "Women", "23", "24"),
    )
    values = {(v.row, v.column): v.cell.text for v in read_grid(build_cells(rows)).values}
    assert values[("Farming", "Women"), ("2022",)] == "13"
    assert values[("Trade", "Men"), ("2023",)] == "22"


def test_a_word_in_another_is_no_total_of_a_section() -> None:
    rows = (("", "2022"), ("Men:", ""), ("Farming", "1"), ("Government", "2"), ("Trade", "3"))
    values = {v.row: v.cell.text for v in read_grid(build_cells(rows)).values}
    assert values[("Men:", "Trade")] == "3"


def test_conditions_tell_the_rows_of_a_merged_label_apart() -> None:
    rows = [
        ("Mode", "Description", "Clock", "Typical"),
        ("Running", "CPU on", "240 MHz", "30 ~ 68 mA"),
        ("", "", "160 MHz", "27 ~ 44 mA"),
        ("", "CPU off", "80 MHz", "20 mA"),
        ("Asleep", "Timer", "–", "5 µA"),
    ]
    merged = {"Running": 3, "CPU on": 2}
    cells = (replace(cell, row_span=merged.get(cell.text, 1)) for cell in build_cells(rows))
    values = read_grid(cells).values
    assert [(value.row, value.cell.text) for value in values][1:] == [
        (("Running", "CPU on", "160 MHz"), "27 ~ 44 mA"),
        (("Running", "CPU off", "80 MHz"), "20 mA"),
        (("Asleep", "Timer", "–"), "5 µA"),
    ]


def test_only_columns_with_the_labels_of_another_are_in_doubt() -> None:
    table = read([["", "Low", "High", "Low"], ["Malta", "1", "2", "3"], ["Spain", "4", "5", "6"]])
    assert [cell.value for cell in table.cells if not cell.certain] == ["1", "3", "4", "6"]


def test_a_heading_in_doubt_is_one_for_the_rows_below_it() -> None:
    rows = [["", "2022"], ["Assets", ""], ["  Cash", "5"], ["Goodwill", "7"]]
    cells = [
        replace(cell, indent=2.0 * cell.text.startswith(" "), certain=cell.text != "Assets")
        for cell in build_cells(rows)
    ]
    assert [value.certain for value in read_grid(cells).values] == [False, True]


def test_rows_that_repeat_labels_belong_to_the_row_above_them() -> None:
    rows = [
        ["", "2022"],
        ["Margin", "34"],
        ["  Shares", "2"],
        ["  Deals", "1"],
        ["Net margin", "37"],
    ]
    rows += [["Income", "66"], ["  Shares", "9"], ["  Taxes", "8"], ["Net income", "83"]]
    table = read(rows)
    assert find(table, "9")[0] == ("Income", "Shares")
    assert find(table, "8")[0] == ("Income", "Taxes")
    assert find(table, "83")[0] == ("Net income",)


def test_pairs_of_a_label_and_its_value_have_no_header() -> None:
    table = read([["Billing:", "Net 30"], ["Terms:", "Corporate"], ["Commission:", "10%"]])
    assert find(table, "10%") == (("Commission:",), ())
    assert find(table, "Net 30") == (("Billing:",), ())


def test_a_row_without_labels_has_the_label_carried_down_in_doubt() -> None:
    rows = [
        ["Code", "Place", "Expected", "Actual"],
        ["A1", "East", "450", ""],
        ["", "West", "", "289"],
    ]
    table = read([*rows, ["B2", "North", "920", ""], ["", "", "", "935"]])
    (cell,) = [cell for cell in table.cells if cell.value == "935"]
    assert cell.row == ("B2",)
    assert not cell.certain


def test_a_column_without_its_groups_heading_is_in_doubt() -> None:
    rows = [["", "Men", "", "Women", "Women"], ["", "Count", "Rate", "Count", "Rate"]]
    table = read([*rows, ["North", "11", "22", "33", "44"], ["South", "55", "66", "77", "88"]])
    certain = {cell.value: cell.certain for cell in table.cells}
    assert not certain["22"]
    assert certain["44"]
