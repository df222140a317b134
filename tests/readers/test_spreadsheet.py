"""Spreadsheets and CSV: every row can be understood by itself."""

from __future__ import annotations

import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from foundry.errors import ReadError
from foundry.readers.office import sheet_rows, spreadsheet
from foundry.readers.office.spreadsheet import read_spreadsheet
from foundry.records import Document
from tests.readers.office_files import options, texts, write_zip
from tests.readers.ole_files import write_ole


def read_rows(folder: Path, *rows: list[Any], top: int = 0, left: int = 0) -> Document:
    path = folder / "book.xlsx"
    with xlsxwriter.Workbook(
        str(path), {"default_date_format": "yyyy-mm-dd", "remove_timezone": True}
    ) as book:
        sheet = book.add_worksheet("Parts")
        for at, row in enumerate(rows):
            sheet.write_row(top + at, left, row)
    return read_spreadsheet(path, options(path))


def read_csv(folder: Path, content: str | bytes, name: str = "a.csv") -> Document:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_spreadsheet(path, options(path))


def values(document: Document) -> list[str]:
    """Every value with its labels: "R12 / Value: 10"."""
    return [
        f"{' / '.join([*cell.row, *cell.column])}: {cell.value}"
        for block in document.blocks
        if block.table
        for cell in block.table.cells
    ]


def test_each_row_names_its_values_under_the_name_of_the_sheet(tmp_path: Path) -> None:
    rows = [["Part", "Value", "Qty"], ["R12", "10 kΩ", 4], ["C3", "", 2]]
    document = read_rows(tmp_path, *rows)
    assert texts(document) == ["Parts", "Part | Value | Qty\nR12 | 10 kΩ | 4\nC3 |  | 2"]
    assert values(document) == ["R12 / Value: 10 kΩ", "R12 / Qty: 4", "C3 / Qty: 2"]
    assert document.blocks[1].heading_path == ("Parts",)


def test_numbers_and_dates_are_shown_as_a_spreadsheet_shows_them(tmp_path: Path) -> None:
    row = [
        "x",
        5.0,
        0.1 + 0.2,
        datetime(2026, 3, 4, tzinfo=UTC),
        datetime(2026, 3, 4, 12, 30, tzinfo=UTC),
        True,
    ]
    document = read_rows(tmp_path, ["n", "a", "b", "c", "d", "e"], row)
    assert texts(document)[1].endswith("x | 5 | 0.3 | 2026-03-04 | 2026-03-04 12:30:00 | TRUE")


def test_titles_and_empty_columns_are_not_part_of_a_table(tmp_path: Path) -> None:
    rows = [["Parts list"], [], ["Part", "Qty", "Note"], ["R1", 2, "x"]]
    document = read_rows(tmp_path, *rows, top=3, left=2)
    assert texts(document) == ["Parts", "Parts list", "Part | Qty | Note\nR1 | 2 | x"]
    assert document.title == "Parts list"


def test_one_empty_row_does_not_end_a_table_and_two_do(tmp_path: Path) -> None:
    names, row = ["Part", "Qty", "Note"], ["R1", 2, "x"]
    other = [["Name", "Age", "Town"], ["An", 31, "Gent"]]
    document = read_rows(tmp_path, names, row, [], ["R2", 3, "y"], [], [], *other)
    assert texts(document)[1:] == [
        "Part | Qty | Note\nR1 | 2 | x\nR2 | 3 | y",
        "Name | Age | Town\nAn | 31 | Gent",
    ]


def test_two_columns_of_words_are_keys_and_values(tmp_path: Path) -> None:
    document = read_rows(tmp_path, ["Customer", "Acme"], ["Town", "Gent"], ["Rev", "B"])
    assert values(document) == ["Customer: Acme", "Town: Gent", "Rev: B"]


def test_years_can_name_columns_and_numbers_cannot(tmp_path: Path) -> None:
    document = read_rows(tmp_path, ["Item", 2023, 2024], ["A", 1, 2])
    assert values(document) == ["A / 2023: 1", "A / 2024: 2"]
    document = read_rows(tmp_path, ["Item", 3, 4], ["A", 1, 2])
    assert values(document) == ["Item: 3", "Item: 4", "A: 1", "A: 2"]


def test_names_under_merged_group_names_include_the_group(tmp_path: Path) -> None:
    path = tmp_path / "g.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        sheet.merge_range(0, 1, 0, 2, "2024")
        sheet.write_row(1, 0, ["Item", "Q1", "Q2"])
        sheet.write_row(2, 0, ["A", 1, 2])
        sheet.write_row(3, 0, ["B", 3, 4])
    document = read_spreadsheet(path, options(path))
    assert values(document)[:2] == ["A / 2024 / Q1: 1", "A / 2024 / Q2: 2"]


def test_a_label_merged_over_rows_is_with_each_of_them(tmp_path: Path) -> None:
    path = tmp_path / "m.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["Group", "Part", "Qty"])
        sheet.merge_range(1, 0, 2, 0, "Power")
        sheet.write_row(1, 1, ["F1", 1])
        sheet.write_row(2, 1, ["F2", 2])
    document = read_spreadsheet(path, options(path))
    assert values(document) == ["Power / F1 / Qty: 1", "Power / F2 / Qty: 2"]


def test_hidden_sheets_are_left_out_and_named(tmp_path: Path) -> None:
    path = tmp_path / "h.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        book.add_worksheet("Open").write(0, 0, "text")
        hidden = book.add_worksheet("Secret")
        hidden.write(0, 0, "password")
        hidden.hide()
    document = read_spreadsheet(path, options(path))
    assert texts(document) == ["Open", "text"]
    assert tuple(map(str, document.warnings)) == ("Hidden sheets were left out: Secret.",)


def test_long_tables_are_cut_into_blocks_between_rows(tmp_path: Path) -> None:
    rows = "\n".join(f"R{at},{at},resistor" for at in range(5000))
    document = read_csv(tmp_path, f"Part,Qty,Kind\n{rows}\n")
    assert len(document.blocks) > 20
    assert document.text.count("Part") == 1
    assert values(document)[-1] == "R4999 / Kind: resistor"


def test_a_file_that_is_too_long_is_cut_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spreadsheet, "MAX_CHARACTERS", 100)
    document = read_csv(tmp_path, "a,b,c\n" + "1,2,3\n" * 5000)
    assert "read up to row" in str(document.warnings[0])
    assert len(document.text) < 20_000


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_delimiter_is_detected(tmp_path: Path, mark: str) -> None:
    lines = ["Part,Price,Note", 'R1,"1,5","a\nb"', "R2,2,c"]
    document = read_csv(tmp_path, "\n".join(lines).replace(",", mark).replace(f"1{mark}5", "1,5"))
    assert texts(document) == ["Part | Price | Note\nR1 | 1,5 | a b\nR2 | 2 | c"]


def test_the_sep_line_of_excel_is_not_a_row(tmp_path: Path) -> None:
    assert texts(read_csv(tmp_path, "sep=;\nA;B;C\n1;2;x\n")) == ["A | B | C\n1 | 2 | x"]


def test_a_csv_in_an_older_encoding_keeps_its_letters(tmp_path: Path) -> None:
    document = read_csv(tmp_path, "Naam;Plaats;Land\nRené;Besançon;België\n".encode("cp1252"))
    assert texts(document) == ["Naam | Plaats | Land\nRené | Besançon | België"]


def test_a_quotation_mark_that_never_closes_loses_no_rows(tmp_path: Path) -> None:
    document = read_csv(tmp_path, 'Size,Kind,Qty\n5",bolt,2\n"6,nut,3\n')
    assert "bolt" in document.text
    assert "nut" in document.text


def test_an_empty_workbook_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no filled cells"):
        read_rows(tmp_path)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"%PDF-1.7 x", "This is a PDF"),
        (b"PK\x03\x04 cut off", "damaged"),
        (b"", "empty"),
    ],
)
def test_the_error_names_a_file_that_is_not_a_workbook(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(content)
    with pytest.raises(ReadError, match=reason):
        read_spreadsheet(path, options(path))


def test_a_zip_that_is_not_a_workbook_is_an_error(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.xlsx", {"readme.txt": "hello"})
    with pytest.raises(ReadError, match="damaged"):
        read_spreadsheet(path, options(path))


def test_one_forgotten_cell_far_away_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "far.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Parts")
        for row, cells in enumerate([["Part", "Value"], ["R12", 10], ["C3", 20]]):
            sheet.write_row(row, 0, cells)
        sheet.merge_range(4, 0, 4, 1, "merged")
        sheet.write(1_048_575, 16_383, "forgotten")
    document = read_spreadsheet(path, options(path))
    assert texts(document) == [
        "Parts", "Part | Value\nR12 | 10\nC3 | 20", "merged", "forgotten",
    ]  # fmt: skip


def test_a_sheet_that_does_not_state_its_size_is_measured(tmp_path: Path) -> None:
    path = tmp_path / "far.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Parts")
        sheet.write(0, 0, "near")
        sheet.write(1_048_575, 16_383, "far")
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    name = "xl/worksheets/sheet1.xml"
    parts[name] = re.sub(rb"<dimension[^>]*>", b"", parts[name])
    write_zip(path, parts)
    assert texts(read_spreadsheet(path, options(path))) == ["Parts", "near", "far"]


def test_empty_rows_below_a_header_do_not_part_it_from_its_values(tmp_path: Path) -> None:
    names = ["", "Sales", "Profit"]
    document = read_rows(
        tmp_path,
        ["In millions of CHF: 2023"],
        names,
        [],
        ["Zone EUR", 9467, 1570],
        ["Zone AOA", 1, 2],
    )
    assert values(document)[0] == "Zone EUR / Sales: 9467"
    assert [block.table.unit for block in document.blocks if block.table] == [
        "In millions of CHF: 2023"
    ]


def test_tables_side_by_side_are_read_one_after_the_other(tmp_path: Path) -> None:
    document = read_rows(
        tmp_path,
        ["Item", "Qty", "", "Town", "Age"],
        ["A", 1, "", "Gent", 3],
        ["B", 2, "", "Pau", 4],
    )
    assert values(document) == ["A / Qty: 1", "B / Qty: 2", "Gent / Age: 3", "Pau / Age: 4"]


def test_rows_beyond_the_labelled_ones_name_their_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet_rows, "_MAX_LABELLED", 100)
    document = read_csv(tmp_path, "Part,Qty,Kind\n" + "R1,2,x\n" * 1500)
    assert texts(document)[-1].endswith("Part: R1 | Qty: 2 | Kind: x")


def test_the_notes_of_cells_follow_the_rows_of_their_sheet(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        for name in ("Parts", "Costs"):
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, ["Part", name])
            sheet.write_row(1, 0, ["R12", 4])
        sheet.write_comment("B2", "without\nVAT")
    document = read_spreadsheet(path, options(path))
    assert texts(document)[-1] == "B2 (note): without VAT"
    assert document.blocks[-1].heading_path == ("Costs",)


def test_threads_of_comments_are_named(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["Part", "R12"])
        sheet.write_comment("B1", "[Threaded comment] Your version of Excel …")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/threadedComments/threadedComment1.xml", "<ThreadedComments/>")
    document = read_spreadsheet(path, options(path))
    assert [warning.code for warning in document.warnings] == ["readers-comments-left-out"]
    assert "Threaded" not in document.text


@pytest.mark.parametrize(("record", "expected"), [(0x1C, True), (0x1D, False)])
def test_notes_in_an_old_workbook_are_noticed(tmp_path: Path, record: int, expected: bool) -> None:
    stream = b"\x09\x08\x04\x00abcd" + record.to_bytes(2, "little") + b"\x02\x00xy"
    path = write_ole(tmp_path / "a.xls", {"Workbook": stream.ljust(5000, b"\xff")})
    assert spreadsheet._has_old_notes(path) is expected
