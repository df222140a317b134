"""A table in a plain text: its header may take several lines, and two rows may be read as one."""

from __future__ import annotations

from bench.plain_texts import read_barred_table

Labelled = tuple[tuple[str, ...], tuple[str, ...], str]


def read(text: str, *above: str) -> list[Labelled]:
    table = read_barred_table(text, 0, above)
    assert table is not None
    return [(cell.row, cell.column, cell.value) for cell in table.cells]


def test_years_may_head_the_columns_of_a_barred_table() -> None:
    assert read("Division | 2023 | 2022\nPumps | 48 | 51") == [
        (("Pumps",), ("2023",), "48"),
        (("Pumps",), ("2022",), "51"),
    ]


def test_a_second_line_of_years_belongs_to_the_header() -> None:
    text = "Quarter ended July 1, | Quarter ended July 2,\n2023 | 2022\nPumps | 48 | 51"
    assert read(text)[1] == (("Pumps",), ("Quarter ended July 2, 2022",), "51")


def test_a_currency_sign_in_a_cell_of_its_own_is_no_value() -> None:
    assert read("Due | Fair value\nWithin a year | $ | 480") == [
        (("Within a year",), ("Fair value",), "480")
    ]


def test_a_row_with_more_values_than_names_has_no_labels() -> None:
    assert read("Due | Value\nSoon | 4 | 8") == [(("Soon",), (), "4"), (("Soon",), (), "8")]


def test_lines_above_name_groups_of_columns() -> None:
    above = ("Three Months Ended Nine Months Ended", "May 30, May 31, May 30, May 31,")
    cells = read("Pumps | 7 | 6 | 20 | 19\nFans | 3 | 2 | 9 | 8", *above, "2022 2021 2022 2021")
    assert cells[2] == (("Pumps",), ("Nine Months Ended May 30 2022",), "20")


def test_years_on_lines_of_their_own_name_columns() -> None:
    cells = read("Pumps | $ | 7 | $ 6\nFans |  | 3 | 2", "Year ended June 30,", "2022", "2021")
    assert [column for _, (column,), _ in cells[:2]] == [
        "Year ended June 30 2022",
        "Year ended June 30 2021",
    ]


def test_rows_that_are_printed_as_one_are_split_at_their_seam() -> None:
    cells = read("Cost of pumps Gross margin | $ | 12 8 | 10 7\nOther |  | 1 | 2", "2022 2021")
    assert cells[:2] == [
        (("Cost of pumps",), ("2022",), "12"),
        (("Gross margin",), ("2022",), "8"),
    ]


def test_the_sign_of_the_next_value_is_not_part_of_a_cell() -> None:
    cells = read("First quarter | 17 $ | 4,600 | 21 $ | 6,200\nSum | 1 | 2 | 3 | 4")
    assert [value for _, _, value in cells[:4]] == ["17", "4,600", "21", "6,200"]


def test_a_label_in_several_cells_is_one_label() -> None:
    assert read("Total | cash and | funds | $ | 27,598 | 28,801", "2023 2022")[0] == (
        ("Total cash and funds",),
        ("2023",),
        "27,598",
    )


def test_lines_of_periods_alone_are_no_table() -> None:
    assert read_barred_table("May 30, | May 31,\n2022 | 2021", 0) is None


def test_periods_and_years_on_one_line_above_name_the_columns() -> None:
    above = "Quarter ended June 30, Half year ended June 30, 2022 2023 2022 2023"
    assert read("Pumps | 7 | 6 | 20 | 19\nFans | 3 | 2 | 9 | 8", above)[1] == (
        ("Pumps",),
        ("Quarter ended June 30 2023",),
        "6",
    )


def test_header_lines_with_bars_above_name_the_columns() -> None:
    above = ("| Three Months Ended | | Nine Months Ended |", "2023 | % Change | 2023 | % Change")
    cells = read("Pumps | 7 | 6 % | 20 | 19 %\nFans | 3 | 2 % | 9 | 8 %", *above)
    assert [column for _, (column,), _ in cells[1:3]] == [
        "Three Months Ended % Change",
        "Nine Months Ended 2023",
    ]


def test_a_second_header_names_the_columns_of_the_rows_below_it() -> None:
    text = (
        "| May 1, 2022\n | Cost | Value\nBonds | 5 | 6\n"
        " | January | 2, 2022\n | Cost | Value\nBonds | 7 | 8"
    )
    assert read(text)[-1] == (("Bonds",), ("January 2, 2022 Value",), "8")


def test_a_label_with_a_colon_after_a_row_is_not_part_of_it() -> None:
    rows = read("Lease of pumps Other costs: | $ | 12 | $ 10\nFuel |  | 3 | 2", "2022 2021")
    assert rows[0] == (("Lease of pumps",), ("2022",), "12")


def test_the_end_of_a_paragraph_names_no_column() -> None:
    above = ("Losses were larger in the first nine", "months of 2021).", "(In millions)")
    assert read("Due | Value\nSoon | $ | 480\nLater | 210", *above)[0][1] == ("Value",)
