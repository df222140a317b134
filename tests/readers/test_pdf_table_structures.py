"""Tables side by side, over pages, with captions, marks and merged cells."""

from pathlib import Path

import pytest

from foundry.records import Document, Table
from tests.readers.drawn_pages import LEFT, PITCH, Sheet, cells

EDGES = (300.0, 380.0, 460.0)
NAMES = ("Low", "Mean", "High")
PROSE = "This part reports what the stations measured and what the offices counted over the years."


def get_tables(document: Document) -> list[Table]:
    return [block.table for block in document.blocks if block.table]


def add_rows(sheet: Sheet, rows: dict[str, tuple[str, ...]]) -> None:
    for label, values in rows.items():
        sheet.row(label, EDGES, values)


def add_table(sheet: Sheet) -> None:
    sheet.amounts(EDGES, NAMES, bold=True)
    sheet.line_of("Pump", bold=True)
    add_rows(sheet, {"North": ("1.5", "2.5", "3.5"), "South": ("4.5", "5.5", "6.5")})


def test_a_header_alone_at_the_foot_of_a_page_names_the_columns_on_the_next(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.line_of(PROSE)
    sheet.line_y = 720
    sheet.line_of("Table 4: Ratings of the pumps")
    sheet.amounts(EDGES, NAMES)
    sheet.line_of("Pump")
    sheet.add_page()
    sheet.line_y = 60
    add_rows(sheet, {"North": ("1.5", "2.5", "3.5"), "South": ("4.5", "5.5", "6.5")})
    document = sheet.read(tmp_path)
    assert cells(document)[("South",), ("Mean",)] == "5.5"
    assert [table.title for table in get_tables(document)] == ["Table 4: Ratings of the pumps"]
    assert "Pump Low" not in document.text


def test_words_in_columns_at_the_foot_of_a_page_are_no_header_of_other_columns(
    tmp_path: Path,
) -> None:
    sheet = Sheet()
    sheet.line_y = 720
    sheet.amounts((180, 230), ("signed", "dated"))
    sheet.line_of("Office")
    sheet.add_page()
    sheet.line_y = 60
    add_rows(sheet, {"North": ("1.5", "2.5", "3.5"), "South": ("4.5", "5.5", "6.5")})
    assert cells(sheet.read(tmp_path))[("South",), ()] == "6.5"


@pytest.mark.parametrize("below", [True, False])
def test_a_caption_belongs_to_the_nearer_table(tmp_path: Path, below: bool) -> None:
    sheet = Sheet()
    for number in (1, 2):
        if not below:
            sheet.line_of(f"Table {number}: Ratings of {number}")
        add_table(sheet)
        if below:
            sheet.line_of(f"Table {number}: Ratings of {number}")
        sheet.line_y += 2 * PITCH
    titles = [table.title for table in get_tables(sheet.read(tmp_path))]
    assert titles == ["Table 1: Ratings of 1", "Table 2: Ratings of 2"]


@pytest.mark.parametrize("line", ["All values in mV", "(mV)", "Values are in mV"])
@pytest.mark.parametrize("below", [True, False])
def test_a_line_with_the_unit_is_neither_row_nor_title(
    tmp_path: Path, line: str, below: bool
) -> None:
    sheet = Sheet()
    sheet.line_of("Table 1: Ratings of the pumps")
    if not below:
        sheet.line_of(line)
    add_table(sheet)
    if below:
        sheet.line_of(line)
    document = sheet.read(tmp_path)
    (table,) = get_tables(document)
    assert table.title == "Table 1: Ratings of the pumps"
    assert table.unit in {"in mV", "mV"}
    assert len(cells(document)) == 6


@pytest.mark.parametrize(("mark", "shown"), [("1", "2.5¹"), ("b", "2.5 ᵇ")])
def test_a_raised_mark_is_no_part_of_a_number(tmp_path: Path, mark: str, shown: str) -> None:
    sheet = Sheet()
    add_table(sheet)
    sheet.line_y -= 2 * PITCH
    sheet.set_font("helvetica", "", 6)
    sheet.text(EDGES[1] + 0.2, sheet.line_y - 4, mark)
    values = cells(sheet.read(tmp_path))
    assert values[("North",), ("Mean",)] == shown


def test_the_letter_of_an_ordinal_stays_with_its_number(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.write_at(LEFT, "Het 21")
    right = LEFT + sheet.get_string_width("Het 21")
    sheet.set_font("helvetica", "", 6)
    sheet.text(right + 0.2, sheet.line_y - 4, "e")
    sheet.write_at(right + 8, "kwartaal van het jaar")
    assert "Het 21e kwartaal" in sheet.read(tmp_path).text


def test_a_text_in_the_middle_of_two_columns_holds_for_both(tmp_path: Path) -> None:
    sheet = Sheet()
    add_table(sheet)
    sheet.row("East", EDGES, ("1,407.5", "1,408.5", "1,409.5"))
    sheet.amounts(EDGES[:1], ("7.5",))
    sheet.centred(EDGES[0], EDGES[2], "no data")
    sheet.line_of("West")
    values = cells(sheet.read(tmp_path))
    assert values[("West",), ("Mean",)] == values[("West",), ("High",)] == "no data"
    assert values[("West",), ("Low",)] == "7.5"


def test_tables_side_by_side_end_on_rows_of_their_own(tmp_path: Path) -> None:
    sheet = Sheet()
    right = {"Oats": "21.5", "Rye": "22.5", "Wheat": "23.5", "Maize": "24.5", "Barley": "25.5"}
    left = (("Harbour", "11.5"), ("Quay", "12.5"), ("Wharf", "13.5"))
    sheet.amounts((220, 480), ("2021", "2022"))
    sheet.line_y += PITCH
    for number, (label, value) in enumerate(right.items()):
        if number < len(left):
            sheet.amounts((160, 220), (str(number + 1), left[number][1]))
            sheet.write_at(LEFT, left[number][0])
        sheet.amounts((420, 480), (str(number + 7), value))
        sheet.line_of(label, x=300)
    values = cells(sheet.read(tmp_path))
    assert values[("Rye",), ("2022",)] == "22.5"
    assert values[("Quay",), ("2021",)] == "12.5"


def test_a_heading_that_begins_where_a_column_does_is_known_by_the_others(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES, NAMES)
    sheet.line_of("Pump")
    middle = 330.0
    for head, label in (("Steel", "North"), ("Cast iron and brass", "South"), ("Tin", "West")):
        sheet.centred(middle - 60, middle + 60, head)
        sheet.line_y += PITCH
        sheet.row(label, EDGES, ("1.5", "2.5", "3.5"))
    rows = {row for row, _ in cells(sheet.read(tmp_path))}
    assert rows == {("Steel", "North"), ("Cast iron and brass", "South"), ("Tin", "West")}
