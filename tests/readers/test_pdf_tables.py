from foundry.readers.pdf.tables import PrintedLine, TextItem, format_grid, group_lines, read_table
from foundry.records import Box


def item(text: str, x: float, y: float) -> TextItem:
    return TextItem(text, Box(x, y, x + 6 * len(text), y + 10))


def lines(*rows: tuple[str, ...]) -> list[PrintedLine]:
    return [PrintedLine(row, Box(0, 12 * number, 90, 0)) for number, row in enumerate(rows)]


def test_items_side_by_side_are_one_line_with_cells_at_wide_gaps() -> None:
    found = group_lines(
        [
            item("5 V", 200, 51),
            item("Supply", 10, 50),
            item("voltage", 49, 50),
            item("Rest", 10, 70),
        ]
    )
    assert [line.cells for line in found] == [("Supply voltage", "5 V"), ("Rest",)]


def test_a_continued_row_is_joined_to_the_one_above() -> None:
    grid = [
        ["guard", "turns the output", "on"],
        ["", "off at the limit", ""],
        ["free", "never", "off"],
    ]
    assert (
        read_table(grid, []).text
        == "guard | turns the output off at the limit | on\nfree | never | off"
    )


def test_a_row_with_an_empty_first_cell_and_values_stays_a_row() -> None:
    grid = [["SKU-1", "A-12", "450"], ["", "B-07", "289"]]
    assert read_table(grid, []).text == "SKU-1 | A-12 | 450\n | B-07 | 289"


def test_printed_lines_replace_a_grid_with_missing_words() -> None:
    grid = [["Name", "Volt"], ["", ""], ["Two", "2 V"]]
    printed = lines(("Name", "Volt"), ("One", "1 V"), ("Two", "2 V"))
    assert read_table(grid, printed).text == "Name | Volt\nOne | 1 V\nTwo | 2 V"


def test_words_in_another_block_are_not_missing() -> None:
    printed = lines(("Name", "Volt"), ("One", "1 V"))
    assert read_table([["Name", "Volt"]], printed, "One 1 V").text == "Name | Volt"


def test_a_column_cut_from_the_previous_one_is_joined_to_it() -> None:
    grid = [["Name", "Value", "", "Unit"], ["Range", "-8 to", "13", "V"], ["Limit", "36", "", "V"]]
    printed = lines(("Name", "Value", "Unit"), ("Range", "-8 to 13", "V"), ("Limit", "36", "V"))
    assert (
        read_table(grid, printed).text
        == "Name | Value | Unit\nRange | -8 to 13 | V\nLimit | 36 | V"
    )
    apart = lines(("Name", "Value", "Unit"), ("Range", "-8 to", "13", "V"), ("Limit", "36", "V"))
    assert read_table(grid, apart).text.splitlines()[1] == "Range | -8 to | 13 | V"


def test_empty_columns_are_left_out() -> None:
    assert read_table([["a", "", "b"], ["c", "", "d"]], []).text == "a | b\nc | d"


def test_lines_with_wide_gaps_are_rows() -> None:
    assert format_grid(["Supply voltage    5 V", "", "Current   9 mA"]) == (
        "Supply voltage | 5 V\nCurrent | 9 mA"
    )
