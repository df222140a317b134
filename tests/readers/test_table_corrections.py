"""What people say of a table's rows, columns and merged cells, laid over what a reader made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from foundry.readers.corrections import correct_document, restore_words
from foundry.readers.document_builder import DocumentBuilder, read_cells
from foundry.readers.grids import GridCell, build_cells
from foundry.readers.table_corrections import name_column, parse_cells, parse_rows
from foundry.records import CorrectionKind, Document, Table
from foundry.text.tables import describe_cell
from tests.readers.test_corrections import correct, make_correction, words_of

Said = tuple[int, CorrectionKind, str] | tuple[int, CorrectionKind, str, str]
MASSES = (("Part", "Mass"), ("Pump", "12"), ("Hose", "3"))
STARTS = (
    ("", "Cold", "", "Warm", ""),
    ("", "A", "s", "A", "s"),
    ("Pump", "12", "30", "9", "20"),
    ("Hose", "3", "4", "5", "6"),
)


def build(*tables: Sequence[Sequence[str]], between: str = "") -> Document:
    """A document whose blocks are these tables."""
    builder = DocumentBuilder("docx")
    for number, rows in enumerate(tables):
        if number and between:
            builder.add("paragraph", between)
        builder.add_table(read_cells(build_cells(rows)))
    return builder.build("Data")


def say(document: Document, *said: Said) -> list[list[str]]:
    """What each table says after these corrections, cell by cell."""
    return show(correct(document, *(make_correction(document, *one) for one in said)))


def show(document: Document) -> list[list[str]]:
    """What each table says; what goes on in a further block is with it."""
    tables: list[list[str]] = []
    for table in (block.table for block in document.blocks):
        if table is not None:
            cells = [describe_cell(table, cell) for cell in table.cells]
            tables[len(tables) - table.continued :] = [
                [*(tables[-1] if table.continued else []), *cells]
            ]
    return tables


def refuse(document: Document, *said: Said) -> list[str]:
    """The codes of the corrections that are left out."""
    made = [make_correction(document, *one) for one in said]
    return [problem.code for problem in correct_document(document, made).refused.values()]


def test_rows_that_the_reader_took_for_a_header_are_values_again() -> None:
    cells = [
        GridCell(cell.text, cell.row, cell.column, header=cell.row < 2)
        for cell in build_cells(MASSES)
    ]
    builder = DocumentBuilder("docx")
    builder.add_table(read_cells(cells))
    read = builder.build("Data")
    assert show(read) == [["Hose, Mass, 12: 3"]]
    assert say(read, (0, "header", "1")) == [["Pump, Mass: 12", "Hose, Mass: 3"]]


def test_a_table_has_no_header_where_a_person_sees_none() -> None:
    assert say(build(MASSES), (0, "header", "0")) == [["Part: Mass", "Pump: 12", "Hose: 3"]]


def test_a_row_above_the_header_is_the_title() -> None:
    read = build([("Weights of parts",), *MASSES])
    document = correct(read, make_correction(read, 0, "header", "2-2"))
    table = document.blocks[0].table
    assert table
    assert (table.title, table.header) == ("Weights of parts", ("Weights of parts", "Part | Mass"))
    assert show(document) == [["Pump, Mass: 12", "Hose, Mass: 3"]]


def test_a_header_further_down_holds_from_there_on() -> None:
    read = build([*MASSES, ("Seal", "Width"), ("Ring", "7")])
    assert say(read, (0, "header", "1"), (0, "header", "4-4")) == [
        ["Pump, Mass: 12", "Hose, Mass: 3", "Ring, Width: 7"]
    ]


def test_the_first_columns_name_the_rows() -> None:
    read = build([("Part", "Size", "Stock"), ("Pump", "small", "few"), ("Pump", "large", "many")])
    assert say(read, (0, "columns", "2")) == [
        ["Pump, small, Stock: few", "Pump, large, Stock: many"]
    ]
    assert say(read, (0, "columns", "0"))[0][0] == "Part: Pump"


def test_a_merged_name_holds_for_all_its_columns() -> None:
    read = build(STARTS)
    said: tuple[Said, ...] = ((0, "header", "2"), (0, "span", "C1:C1,B1:C1"))
    assert refuse(read, *said) == ["correction-span-overlap"]
    assert say(read, (0, "header", "2"), (0, "span", "B1:C1,D1:E1"))[0][:4] == [
        "Pump, Cold, A: 12",
        "Pump, Cold, s: 30",
        "Pump, Warm, A: 9",
        "Pump, Warm, s: 20",
    ]


def test_a_name_in_the_middle_of_its_columns_and_rows_holds_for_all_of_them() -> None:
    rows = [
        ("", "", "Cold", ""),
        ("", "A", "s", "min"),
        ("", "1", "2", "3"),
        ("Pump", "4", "5", "6"),
    ]
    made = say(build(rows), (0, "header", "2"), (0, "span", "B1:D1,A3:A4"))
    assert made[0][0] == "Pump, Cold, A: 1"
    assert made[0][5] == "Pump, Cold, min: 6"


def test_words_of_one_merged_cell_that_were_read_as_two_are_one_name() -> None:
    read = build([("Part", "Rated", "mass"), ("Pump", "12", ""), ("Hose", "3", "")])
    assert say(read, (0, "header", "1"), (0, "span", "B1:C1")) == [
        ["Pump, Rated mass: 12", "Hose, Rated mass: 3"]
    ]


def test_a_row_is_left_out_of_the_text_and_of_the_labels() -> None:
    read = build([*MASSES[:2], ("DRAFT", ""), MASSES[2]])
    assert show(read) == [["Pump, Mass: 12", "DRAFT, Hose, Mass: 3"]]
    document = correct(read, make_correction(read, 0, "row", "", "DRAFT"))
    assert document.text == "Part | Mass\nPump | 12\nHose | 3"
    assert show(document) == [["Pump, Mass: 12", "Hose, Mass: 3"]]


def test_rows_at_the_top_and_at_the_end_are_left_out() -> None:
    read = build([("DRAFT", ""), ("COPY", ""), *MASSES, ("page 3", "")])
    said: list[Said] = [(0, "row", "", words) for words in ("COPY", "DRAFT", "page 3")]
    made = [make_correction(read, *one) for one in said]
    document = correct(read, *made)
    assert words_of(document) == ["Part | Mass\nPump | 12\nHose | 3"]
    assert show(document) == [["Pump, Mass: 12", "Hose, Mass: 3"]]
    assert {part.id for part in document.blocks[0].corrections} == {one.id for one in made}


def test_words_that_are_left_out_are_no_title_either() -> None:
    read = build([("DRAFT",), *MASSES])
    assert read.blocks[0].table
    document = correct(
        replace(
            read,
            blocks=(replace(read.blocks[0], table=replace(read.blocks[0].table, title="DRAFT")),),
        ),
        make_correction(read, 0, "row", "", "DRAFT"),
    )
    assert document.blocks[0].table
    assert document.blocks[0].table.title is None


def test_a_row_that_was_two_in_print_becomes_two() -> None:
    read = build([("Part Pump", "Mass 12"), ("Hose", "3"), ("Lid", "4")])
    row = "Part Pump | Mass 12"
    assert say(read, (0, "row", "Part | Mass\nPump | 12", row)) == [
        ["Pump, Mass: 12", "Hose, Mass: 3", "Lid, Mass: 4"]
    ]


def test_all_lines_of_a_header_row_that_was_read_as_one_are_the_header() -> None:
    read = build([("Part", "Cold A", "s"), ("Pump", "1", "2"), ("Hose", "3", "4")])
    rows = "| Cold |\nPart | A | s"
    made = say(read, (0, "row", rows, "Part | Cold A | s"), (0, "header", "1"))
    assert made[0][:2] == ["Pump, Cold, A: 1", "Pump, Cold, s: 2"]


def test_a_table_is_split_into_two_with_headers_of_their_own() -> None:
    read = build([*MASSES, ("Seal", "Width"), ("Ring", "7")])
    said: tuple[Said, ...] = ((0, "split", "4"), (0, "header", "1"), (0, "header", "4-4"))
    assert say(read, *said) == [["Pump, Mass: 12", "Hose, Mass: 3"], ["Ring, Width: 7"]]
    document = correct(read, *(make_correction(read, *one) for one in said))
    assert words_of(document)[1] == "Seal | Width\nRing | 7"


def test_all_rows_of_a_part_that_is_split_off_may_be_left_out() -> None:
    read = build([*MASSES, ("Seal", "7"), ("Ring", "8")])
    said: tuple[Said, ...] = ((0, "split", "4"), (0, "row", "", "Seal | 7\nRing | 8"))
    assert say(read, *said) == [["Pump, Mass: 12", "Hose, Mass: 3"]]


def test_a_table_without_labels_gets_none_by_a_row_that_is_left_out() -> None:
    builder = DocumentBuilder("xlsx")
    builder.add("table", "Part: R1 | Value: 10\nDRAFT\nPart: R2 | Value: 12")
    read = builder.build("Data")
    document = correct(read, make_correction(read, 0, "row", "", "DRAFT"))
    assert document.blocks[0].table is None
    assert words_of(document) == ["Part: R1 | Value: 10\nPart: R2 | Value: 12"]


def test_a_table_goes_on_in_the_next_one_over_words_between_them() -> None:
    read = build(MASSES, [("Lid", "4"), ("Cap", "5")], between="page 3")
    document = correct(read, make_correction(read, 0, "merge", "Lid | 4"))
    assert show(document) == [["Pump, Mass: 12", "Hose, Mass: 3", "Lid, Mass: 4", "Cap, Mass: 5"]]
    tables = [block.table for block in document.blocks if block.table]
    assert [table.header for table in tables] == [("Part | Mass",)] * 2


def test_a_header_that_is_repeated_in_the_next_table_is_no_value() -> None:
    read = build(MASSES, [("Part", "Mass"), ("Lid", "4")])
    assert say(read, (0, "merge", "Part | Mass"))[0][2:] == ["Lid, Mass: 4"]


def test_rows_keep_their_numbers_whatever_is_corrected() -> None:
    rows = [("DRAFT", ""), *MASSES, ("Seal", "Width"), ("Ring", "7")]
    read = build(rows, [("Disc", "8"), ("Plug", "9")])
    said: tuple[Said, ...] = (
        (0, "row", "", "DRAFT"),
        (0, "header", "2-2"),
        (0, "split", "5"),
        (0, "header", "5-5"),
        (0, "merge", "Disc | 8"),
        (0, "words", "13", "12"),
        (1, "words", "90", "9"),
    )
    made = [
        ["Pump, Mass: 13", "Hose, Mass: 3"],
        ["Ring, Width: 7", "Disc, Width: 8", "Plug, Width: 90"],
    ]
    assert say(read, *said) == made
    assert say(read, *reversed(said)) == made


def test_what_is_not_corrected_stays_as_the_reader_knew_it() -> None:
    cells = [
        GridCell("Cold", 0, 1, column_span=2),
        *(GridCell(text, 1, column + 1) for column, text in enumerate(("A", "s"))),
        GridCell("Assets", 2, 0),
        GridCell("Cash", 3, 0, indent=9),
        GridCell("1", 3, 1),
        GridCell("2", 3, 2),
        GridCell("DRAFT", 4, 0),
        GridCell("Loans", 5, 0, indent=9),
        GridCell("both", 5, 1, column_span=2),
        GridCell("Debts", 6, 0),
        GridCell("5", 6, 1),
    ]
    builder = DocumentBuilder("docx")
    builder.add_table(read_cells(cells))
    read = builder.build("Data")
    made = say(read, (0, "row", "", "DRAFT"))
    assert made == [
        [
            "Assets, Cash, Cold, A: 1",
            "Assets, Cash, Cold, s: 2",
            "Assets, Loans: both",
            "Debts, Cold, A: 5",
        ]
    ]


def test_a_value_for_several_rows_is_none_of_the_row_below_one_that_is_left_out() -> None:
    cells = [
        *build_cells([("Part", "Mass", "Use"), ("Pump", "12"), ("Copy", "12"), ("Hose", "3")]),
        GridCell("all", 1, 2, row_span=2),
        GridCell("one", 3, 2),
    ]
    builder = DocumentBuilder("docx")
    builder.add_table(read_cells(cells))
    read = builder.build("Data")
    assert show(read)[0].count("Copy, Use: all") == 1
    made = say(read, (0, "row", "", "Copy | 12"))
    assert made == [["Pump, Mass: 12", "Pump, Use: all", "Hose, Mass: 3", "Hose, Use: one"]]


def test_a_person_ends_the_doubt_of_a_table() -> None:
    read = build([("Part", "Mass", "Mass"), ("Pump", "12", "13"), ("Hose", "3", "4")])
    assert [block.table and block.table.certain for block in read.blocks] == [False]
    document = correct(read, make_correction(read, 0, "columns", "1"))
    assert [block.table and block.table.certain for block in document.blocks] == [True]


def test_values_are_slices_of_the_corrected_text() -> None:
    read = build([("DRAFT", ""), *STARTS], [("Lid", "1", "2", "3", "4")] * 2)
    said: tuple[Said, ...] = (
        (0, "row", "", "DRAFT"),
        (0, "words", "120", "12"),
        (0, "span", "B2:C2,D2:E2"),
        (0, "row", "Hose | 3\nTube | 7", "Hose | 3 | 4 | 5 | 6"),
        (0, "merge", "Lid | 1 | 2 | 3 | 4"),
    )
    document = correct(read, *(make_correction(read, *one) for one in said))
    cells = [cell for block in document.blocks if block.table for cell in block.table.cells]
    assert all(document.text[cell.start : cell.end] == cell.value for cell in cells)
    assert all(
        block.start <= cell.start < cell.end <= block.end
        for block in document.blocks
        if block.table
        for cell in block.table.cells
    )


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ((0, "header", "3"), "correction-header-rows"),
        ((0, "header", "3-9"), "correction-header-rows"),
        ((0, "columns", "2"), "correction-outside"),
        ((0, "span", "A1:C1"), "correction-outside"),
        ((0, "span", "A3:A4"), "correction-outside"),
        ((0, "span", "A1:A2"), "correction-span-words"),
        ((0, "split", "1"), "correction-no-rows"),
        ((0, "split", "4"), "correction-outside"),
        ((0, "row", ""), "correction-no-rows"),
        ((0, "merge", "Lid | 4"), "correction-no-next-table"),
    ],
)
def test_what_does_not_fit_the_table_is_left_out(said: Said, code: str) -> None:
    assert refuse(build(MASSES), said) == [code]


def test_a_block_that_is_no_table_has_no_rows() -> None:
    read = build(MASSES, MASSES, between="Words.")
    assert (
        refuse(read, (1, "header", "1"), (1, "merge", "Part | Mass"), (1, "row", "x"))
        == ["correction-not-table"] * 3
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((0, "header", "1"), (0, "header", "2")),
        ((0, "header", "0"), (0, "header", "2")),
        ((0, "columns", "0"), (0, "columns", "1")),
        ((0, "span", "B1:C1"), (0, "span", "A1:B1")),
        ((0, "split", "2"), (0, "header", "2")),
        ((0, "row", "", "Pump | 12 | 30 | 9 | 20"), (0, "words", "13", "12")),
        ((0, "row", "", "Pump | 12 | 30 | 9 | 20"), (0, "row", "x | 1", "Pump | 12 | 30 | 9 | 20")),
    ],
)
def test_of_two_that_change_the_same_the_first_holds(first: Said, second: Said) -> None:
    assert refuse(build(STARTS), first, second) == ["correction-twice"]
    assert refuse(build(STARTS), second, first) == ["correction-twice"]


def test_merged_tables_have_one_number_of_columns_with_names() -> None:
    read = build(STARTS, STARTS)
    line = read.text.splitlines()[0].strip()
    said: tuple[Said, ...] = ((0, "columns", "2"), (1, "columns", "1"), (0, "merge", line))
    assert refuse(read, *said) == ["correction-twice"]


def test_the_next_table_must_be_the_one_that_was_seen() -> None:
    read = build(MASSES, MASSES)
    assert refuse(read, (0, "merge", "Seal | Width")) == ["correction-block-gone"]


def test_a_row_that_is_left_out_is_in_the_words_as_read() -> None:
    read = build([*MASSES[:2], ("DRAFT", ""), MASSES[2]])
    document = correct(read, make_correction(read, 0, "row", "", "DRAFT"))
    block = document.blocks[0]
    whole, start, end = restore_words(document.text, block, block.start, block.end)
    assert whole.split() == words_of(read)[0].split()
    assert (start, end) == (0, len(whole))
    start = document.text.index("3")
    whole, first, last = restore_words(document.text, block, start, start + 1)
    assert whole[first:last] == "3"


def test_a_table_of_thousands_of_rows_is_corrected_in_all_its_blocks() -> None:
    read = build([("Lamp", "red"), *((f"lamp {n}", str(n)) for n in range(3000))])
    last = read.blocks[-1].table
    assert last
    assert last.continued
    tables: list[Table | None] = [
        block.table for block in correct(read, make_correction(read, 0, "header", "0")).blocks
    ]
    assert len(tables) == len(read.blocks) > 5
    assert all(table and not table.header and not table.cells[0].column for table in tables)


def test_a_block_in_the_middle_of_a_long_table_has_rows_of_its_own() -> None:
    read = build([("Lamp", "red"), *((f"lamp {n}", str(n)) for n in range(3000))])
    row = read.text[read.blocks[2].start :].splitlines()[1]
    made = say(read, (2, "row", "", row), (3, "split", "1"))
    assert [len(cells) for cells in made] == [
        sum(len(block.table.cells) for block in read.blocks[:3] if block.table) - 1,
        sum(len(block.table.cells) for block in read.blocks[3:] if block.table),
    ]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("3", (2, 3)),
        ("3-5", (2, 5)),
        ("0", None),
        ("5-3", None),
        ("²", None),
        ("", None),
        ("a", None),
    ],
)
def test_rows_are_numbers_from_one(text: str, rows: tuple[int, int] | None) -> None:
    found = parse_rows(text)
    assert (found and (found.start, found.stop)) == rows


@pytest.mark.parametrize("text", ["3B", "B0", "B", "", "B1:C1:D1", "B1:", "AAAA1", "B²"])
def test_cells_are_letters_with_a_number(text: str) -> None:
    assert parse_cells(text) is None


@pytest.mark.parametrize("number", [0, 25, 26, 701, 702])
def test_columns_have_the_letters_of_a_spreadsheet(number: int) -> None:
    area = parse_cells(f"{name_column(number).lower()}2")
    assert area
    assert (area.columns.start, area.rows.start) == (number, 1)
