import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foundry.records import Document
from tests.readers.drawn_pages import LEFT, PITCH, Sheet, cells
from tests.readers.pdf_files import raw
from tests.readers.sample_files import list_blocks, list_headings, read_path

EDGES = (300.0, 380.0, 460.0, 540.0)
PROSE = (
    "The controller sends its packets at a fixed rate and waits for an answer from every unit.",
    "A unit that does not answer within the time set is marked as lost and shown at the rack.",
)


def statement(*, rules: bool) -> Sheet:
    sheet = Sheet()
    sheet.centred(250, 380, "Three Months Ended", rule=rules)
    sheet.centred(410, 540, "Nine Months Ended", rule=rules)
    sheet.line_y += 14
    sheet.amounts(EDGES, ("2022", "2023", "2022", "2023"), bold=True)
    sheet.line_of("(in millions)")
    sheet.row("Net sales", EDGES, ("$ 1,234", "$ 1,300", "$ 4,000", "$ 4,100"))
    sheet.row("Cost of sales", EDGES, ("(800)", "(850)", "(2,600)", "(2,700)"))
    sheet.row("Margin", EDGES, ("35.2 %", "34.6 %", "35.0 %", "34.1 %"))
    return sheet


@pytest.mark.parametrize("rules", [True, False])
def test_header_cells_stand_over_all_their_columns(tmp_path: Path, rules: bool) -> None:
    values = cells(statement(rules=rules).read(tmp_path))
    assert values[("Net sales",), ("Three Months Ended", "2023")] == "$1,300"
    assert values[("Cost of sales",), ("Nine Months Ended", "2022")] == "(2,600)"
    assert values[("Margin",), ("Nine Months Ended", "2023")] == "34.1%"
    assert len(values) == 12


def test_the_unit_in_the_corner_is_that_of_the_table(tmp_path: Path) -> None:
    document = statement(rules=True).read(tmp_path)
    tables = [block.table for block in document.blocks if block.table]
    assert [table.unit for table in tables] == ["in millions"]


def test_measures_are_values_and_no_header(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES[:2], ("2022", "2023"), bold=True)
    sheet.line_y += 14
    sheet.row("Term of leases", EDGES[:2], ("8 years", "11.6 years"))
    sheet.line_of("Discount rate", bold=True)
    sheet.row("Leases", EDGES[:2], ("2.4 %", "3.1 %"))
    values = cells(sheet.read(tmp_path))
    assert values[("Term of leases",), ("2023",)] == "11.6 years"
    assert values[("Discount rate", "Leases"), ("2022",)] == "2.4%"


def test_a_row_with_a_measure_below_a_full_header_is_data(tmp_path: Path) -> None:
    sheet = Sheet()
    for label, value in (
        ("Property", "Value"),
        ("Supply voltage", "24 V DC (18 V to 32 V)"),
        ("Current at 24 V, with all of its outputs on", "at most 420 mA"),
        ("Channels", "512"),
        ("Length of a line", "at most 250 m"),
    ):
        sheet.write_at(300, value)
        sheet.line_of(label)
    values = cells(sheet.read(tmp_path))
    assert values[("Channels",), ("Value",)] == "512"
    assert values[("Supply voltage",), ("Value",)] == "24 V DC (18 V to 32 V)"


def test_a_unit_beside_the_first_section_is_that_of_the_table(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES[:2], ("2022", "2023"), bold=True)
    sheet.line_y += 14
    sheet.write_at(300, "(In millions)")
    sheet.line_of("Stocks:", bold=True)
    sheet.row("Raw materials", EDGES[:2], ("10", "12"))
    sheet.row("Finished goods", EDGES[:2], ("20", "22"))
    document = sheet.read(tmp_path)
    assert cells(document)[("Stocks:", "Finished goods"), ("2023",)] == "22"
    assert [b.table.unit for b in document.blocks if b.table] == ["In millions"]


def test_a_long_section_below_the_header_is_part_of_the_table(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES, ("2020", "2021", "2022", "2023"), bold=True)
    sheet.line_y += 14
    sheet.line_of("(In millions)", x=376)
    sheet.line_of('Items included in the category "All Other":', bold=True)
    sheet.row("Contributions", EDGES, ("1", "2", "3", "4"))
    sheet.row("Restructuring", EDGES, ("5", "6", "7", "8"))
    values = cells(sheet.read(tmp_path))
    assert len(values) == 8
    assert all(column and len(row) == 2 for row, column in values)


def test_justified_lines_with_wide_gaps_are_no_table(tmp_path: Path) -> None:
    sheet = Sheet()
    lines = (
        ((40, "Devices"), (300, "Sales,"), (350, "of"), (390, "devices,"), (470, "including")),
        ((40, ""), (300, "screens, tablets, accessories")),
        ((40, "Games"), (300, "Sales of"), (366, "consoles,"), (438, "games"), (500, "and 365")),
        ((40, "Search"), (300, "Sales"), (343, "from"), (407, "search,"), (480, "without fees")),
    )
    for line in lines:
        for x, text in line:
            sheet.write_at(x, text)
        sheet.line_y += 14
    assert not cells(sheet.read(tmp_path))


def test_lists_side_by_side_are_no_table(tmp_path: Path) -> None:
    sheet = Sheet()
    for line in (
        ("Racks", "Fans", "Doors"),
        ("Cables", "Pumps", "Locks"),
        ("Boxes", "Hoses", "Keys"),
    ):
        for x, text in zip((40, 200, 360), line, strict=True):
            sheet.write_at(x, "\x95")
            sheet.write_at(x + 15, text)
        sheet.line_y += 14
    assert not cells(sheet.read(tmp_path))


def test_two_pages_on_one_sheet_are_read_one_after_the_other(tmp_path: Path) -> None:
    sheet = Sheet()
    for number in range(14):
        more = " and it goes on to the end." if number == 5 else "."
        sheet.line_y = 60 + 15 * number
        sheet.write_at(40, f"On the left is item {number}{more}")
        sheet.line_y += 0 if number % 4 == 0 else 7.5
        sheet.write_at(380, f"On the right is item {number}{more}")
    text = sheet.read(tmp_path).text
    assert text.index("left is item 13") < text.index("right is item 0")


def test_a_label_on_two_lines_is_one_row(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES[:2], ("2022", "2023"), bold=True)
    sheet.line_y += 16
    sheet.row("Net sales", EDGES[:2], ("10", "12"))
    sheet.line_y += 1
    sheet.line_of("Net increase in cash and cash")
    sheet.line_y -= 2
    sheet.row("equivalents", EDGES[:2], ("3", "4"))
    sheet.row("Total", EDGES[:2], ("13", "16"))
    labels = {row for row, _ in cells(sheet.read(tmp_path))}
    assert labels == {("Net sales",), ("Net increase in cash and cash equivalents",), ("Total",)}


def test_indented_rows_belong_to_the_row_above_them(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES[:2], ("2022", "2023"), bold=True)
    sheet.line_y += 14
    sheet.line_of("Assets:")
    sheet.row("Cash", EDGES[:2], ("10", "12"), indent=12)
    sheet.row("Stocks", EDGES[:2], ("20", "22"), indent=12)
    values = cells(sheet.read(tmp_path))
    assert values[("Assets:", "Stocks"), ("2023",)] == "22"


def test_a_raised_mark_stays_with_its_word(tmp_path: Path) -> None:
    sheet = statement(rules=True)
    sheet.line_y -= 14
    sheet.set_font("helvetica", size=10)
    end = 40 + sheet.get_string_width("Margin")
    sheet.set_font("helvetica", size=6)
    sheet.text(end + 0.3, sheet.line_y - 4, "1")
    assert "Margin¹ |" in sheet.read(tmp_path).text


def test_tables_side_by_side_are_two(tmp_path: Path) -> None:
    sheet = Sheet()
    edges = ((150.0, 220.0), (440.0, 520.0))
    for side, (x, names) in enumerate(((40.0, "ABC"), (330.0, "XYZ"))):
        sheet.line_y = 60.0
        sheet.amounts(edges[side], ("Sales", "Staff"), bold=True)
        sheet.line_of("Country", x=x, bold=True)
        for name in names:
            sheet.amounts(edges[side], (f"{ord(name)}", f"{ord(name) * 2}"))
            sheet.line_of(f"Land {name}", x=x)
    values = cells(sheet.read(tmp_path))
    assert values[("Land A",), ("Sales",)] == "65"
    assert values[("Land Z",), ("Staff",)] == "180"


def test_a_table_that_runs_over_pages_keeps_its_header_and_section(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES[:2], ("2022", "2023"), bold=True)
    sheet.line_y += 14
    sheet.line_of("Assets:")
    for number in range(4):
        if number == 2:
            sheet.add_page()
            sheet.line_y = 60.0
        sheet.row(f"Item {number}", EDGES[:2], (f"{number}1", f"{number}2"), indent=12)
    document = sheet.read(tmp_path)
    assert cells(document)[("Assets:", "Item 3"), ("2023",)] == "32"
    assert [block.page for block in document.blocks] == [1, 2]


def test_a_heading_at_the_foot_is_a_section_of_the_table_that_goes_on(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.line_y = 640.0
    sheet.amounts(EDGES[:2], ("2022", "2023"), bold=True)
    sheet.line_y += 14
    for number in range(4):
        sheet.row(f"Item {number}", EDGES[:2], (f"{number}1", f"{number}2"))
    sheet.line_y += 4
    sheet.line_of("Liabilities of the parent", bold=True)
    sheet.add_page()
    sheet.line_y = 60.0
    for number in range(4):
        sheet.row(f"Debt {number}", EDGES[:2], (f"{number}3", f"{number}4"))
    document = sheet.read(tmp_path)
    assert cells(document)[("Liabilities of the parent", "Debt 3"), ("2023",)] == "34"


def test_another_bold_header_starts_another_table(tmp_path: Path) -> None:
    sheet = Sheet()
    for name in ("Supply", "Outputs"):
        sheet.amounts(EDGES[:2], (f"Min {name}", "Max"), bold=True)
        sheet.line_of("Parameter", bold=True)
        for number in range(4):
            sheet.row(f"{name} {number}", EDGES[:2], (f"{number}1", f"{number}2"))
    document = sheet.read(tmp_path)
    assert [block.kind for block in document.blocks] == ["table", "table"]


def test_a_titled_header_at_the_foot_is_that_of_the_next_page(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.line_y = 640.0
    for name in ("Supply", "Outputs"):
        sheet.line_of(name, bold=True)
        sheet.row("", EDGES[:2], ("Lowest", "Highest"))
        sheet.row("Parameter", EDGES[:2], (f"{name} in", f"{name} out"))
        if name == "Outputs":
            sheet.add_page()
            sheet.line_y = 60.0
        for number in range(4):
            sheet.row(f"{name} {number}", EDGES[:2], (f"{number}1", f"{number}2"))
    document = sheet.read(tmp_path)
    assert cells(document)[("Outputs 3",), ("Highest Outputs out",)] == "32"


def test_prose_around_a_table_stays_whole(tmp_path: Path) -> None:
    sheet = Sheet()
    for line in PROSE:
        sheet.line_of(line)
    sheet.line_y += 20
    sheet.row("Net sales", EDGES, ("1", "2", "3", "4"))
    sheet.row("Cost", EDGES, ("5", "6", "7", "8"))
    sheet.line_y += 20
    for line in PROSE:
        sheet.line_of(line)
    kinds = list_blocks(sheet.read(tmp_path))
    assert [kind for kind, _ in kinds] == ["paragraph", "table", "paragraph"]
    assert kinds[0][1] == kinds[2][1] == " ".join(PROSE)


def test_columns_of_text_are_read_one_after_the_other(tmp_path: Path) -> None:
    sheet = Sheet()
    words = " ".join(PROSE * 4).split()
    for x in (40.0, 320.0):
        sheet.line_y = 60.0
        for start in range(0, 40, 5):
            sheet.line_of(" ".join(words[start : start + 5]).ljust(30), x=x)
    text = sheet.read(tmp_path).text
    assert text.replace("\n\n", " ").count(" ".join(words[:40])) == 2


def test_captions_units_and_addresses_are_no_headings(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.line_of("Results of the year", bold=True, size=14)
    for line in ("(Dollars in millions)", "Table 3: Sales by region", "jan@example.org", "$ 1,234"):
        sheet.line_y += 20
        sheet.line_of(line, bold=True)
        for _ in range(3):
            sheet.line_of(PROSE[0])
    assert list_headings(sheet.read(tmp_path)) == [(1, "Results of the year")]


def test_notes_of_one_series_are_siblings_below_their_item(tmp_path: Path) -> None:
    sheet = Sheet()
    for line in ("PART I", "Item 1. Statements", "Note 21 Taxes", "Note 22 Debt", "Note 23 Leases"):
        sheet.line_y += 20
        sheet.line_of(line, bold=True, size=13 if line == "PART I" else 11)
        for _ in range(3):
            sheet.line_of(PROSE[0])
    levels = [level for level, _ in list_headings(sheet.read(tmp_path))]
    assert levels[2] == levels[3] == levels[4] > levels[0]


def test_a_title_on_two_lines_is_one(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.line_of("A study of controllers and of", size=20)
    sheet.line_y += 8
    sheet.line_of("the racks that they stand in", size=20)
    sheet.line_y += 30
    for line in PROSE * 3:
        sheet.line_of(line)
    title = "A study of controllers and of the racks that they stand in"
    assert sheet.read(tmp_path).title == title


def test_contents_are_a_part_of_their_own(tmp_path: Path) -> None:
    sheet = Sheet()
    for number, name in enumerate(("Overview", "Use", "Care", "Repair"), 3):
        sheet.line_of(f"{name} {'. ' * 60}{number}")
    sheet.line_y += 20
    sheet.line_of(PROSE[0])
    kinds = [block.kind for block in sheet.read(tmp_path).blocks]
    assert kinds == ["contents", "paragraph"]


AMOUNTS = st.sampled_from(("", "-", "7", "(31)", "1,204", "$ 88", "4.5 %", "12,000"))


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_what_is_drawn_is_what_is_read(tmp_path: Path, data: st.DataObject) -> None:
    width = data.draw(st.integers(2, 4))
    rows = data.draw(
        st.lists(st.lists(AMOUNTS, min_size=width, max_size=width), min_size=3, max_size=9)
    )
    # A row and a column without any value are no part of a table.
    rows[0] = ["5"] * width
    rows = [[*row[:-1], row[-1] or "9"] for row in rows]
    sheet = Sheet()
    sheet.amounts(EDGES[:width], [f"Head {letter}" for letter in "ABCD"[:width]], bold=True)
    sheet.line_y += 14
    for number, row in enumerate(rows):
        sheet.row(f"Label {number}", EDGES[:width], row)
    drawn = {
        ((f"Label {number}",), (f"Head {'ABCD'[column]}",)): value.replace(" ", "")
        for number, row in enumerate(rows)
        for column, value in enumerate(row)
        if value
    }
    assert cells(sheet.read(tmp_path)) == drawn


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_every_word_is_in_exactly_one_block(tmp_path: Path, data: st.DataObject) -> None:
    sheet = Sheet()
    drawn: Counter[str] = Counter()
    for number in range(data.draw(st.integers(3, 25))):
        for x in data.draw(st.sets(st.sampled_from((40, 170, 300, 430)), min_size=1)):
            words = [f"w{number}x{x}n{k}" for k in range(data.draw(st.integers(1, 3)))]
            sheet.write_at(x, " ".join(words), bold=data.draw(st.booleans()), size=6)
            drawn.update(words)
        sheet.line_y += data.draw(st.sampled_from((9, 12, 30)))
    assert Counter(re.findall(r"\w+", sheet.read(tmp_path).text)) == drawn


def test_a_block_diagram_is_not_a_table(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.set_font("helvetica", "", 8)
    for y, names in ((120, ("X1", "Regulator", "J4")), (170, ("X4", "Processor", "X2"))):
        for x, name in zip((60, 200, 340), names, strict=True):
            sheet.rect(x, y, 80, 34)
            sheet.text(x + 20, y + 14, name)
            sheet.text(x + 20, y + 24, "24 V")
    assert not any(block.table for block in sheet.read(tmp_path).blocks)


def test_rows_in_cells_of_their_own_are_not_joined(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES[:2], ("2022", "2023"), bold=True)
    sheet.line_y += 2 * PITCH
    sheet.row("Revenue", EDGES[:2], ("100", "90"))
    sheet.line_y += 4
    sheet.line_of("Operating expenses")
    sheet.line_y -= 1
    for label in ("Research", "Sales"):
        sheet.shade((220, *EDGES[:2]))
        sheet.row(label, EDGES[:2], ("30", "20"), indent=10)
        sheet.line_y += 4
    assert cells(sheet.read(tmp_path))[("Operating expenses", "Research"), ("2023",)] == "20"


def test_an_empty_shaded_row_does_not_split_a_table(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES[:2], ("2022", "2023"), bold=True)
    sheet.line_y += 2 * PITCH
    sheet.row("Cash from sales", EDGES[:2], ("30", "20"))
    sheet.row("Free cash", EDGES[:2], ("10", "5"))
    sheet.shade((220, *EDGES[:2]))
    sheet.line_y += 2 * PITCH
    sheet.row("Cash from loans", EDGES[:2], ("7", "8"))
    sheet.row("Cash from shares", EDGES[:2], ("1", "2"))
    assert cells(sheet.read(tmp_path))[("Cash from loans",), ("2023",)] == "8"


def test_a_line_with_the_unit_ends_the_table_above_it(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES[:2], ("2022", "2023"), bold=True)
    sheet.line_y += PITCH
    sheet.row("Segment A", EDGES[:2], ("30", "20"))
    sheet.row("Segment B", EDGES[:2], ("10", "5"))
    sheet.line_y += PITCH
    sheet.line_of("Changes were:")
    sheet.line_of("(In millions)")
    sheet.row("Beginning of period", EDGES[1:2], ("25",))
    sheet.row("End of period", EDGES[1:2], ("40",))
    document = sheet.read(tmp_path)
    tables = [block.table for block in document.blocks if block.table]
    assert cells(document)[("Beginning of period",), ()] == "25"
    assert (tables[1].title, tables[1].unit) == ("Changes were:", "In millions")


def test_values_and_axes_of_a_chart_are_no_table(tmp_path: Path) -> None:
    sheet = Sheet()
    for values in (
        ("$9.3", "", "$2.7", ""),
        ("$2.6", "$5.8", "", "$0.5"),
        ("$6.0", "", "$1.9", ""),
    ):
        sheet.amounts(EDGES, values)
        sheet.line_y += PITCH
    sheet.amounts(EDGES, ("Q1 2022", "Q1 2023", "Q1 2022", "Q1 2023"))
    document = sheet.read(tmp_path)
    assert not any(block.table for block in document.blocks)
    assert "$5.8" in document.text


def test_words_behind_amounts_are_their_labels(tmp_path: Path) -> None:
    sheet = Sheet()
    for value, text in (("(1,350)", "Lower margin"), ("(235)", "Other costs"), ("69", "Other")):
        sheet.write_at(160, text)
        sheet.amounts((140,), (value,))
        sheet.line_y += PITCH
    values = cells(sheet.read(tmp_path))
    assert values == {
        (("Lower margin",), ()): "(1,350)",
        (("Other costs",), ()): "(235)",
        (("Other",), ()): "69",
    }


def test_rules_of_a_page_that_was_put_on_another_sheet_are_seen(tmp_path: Path) -> None:
    words = [("Unit", 60, 350), ("Voltage", 160, 350), ("Lamp", 60, 330), ("Rack", 160, 330)]
    words.append(("Notes", 350, 20))
    texts = " ".join(f"BT /F 9 Tf {x} {y} Td ({text}) Tj ET" for text, x, y in words)
    lines = "".join(f" 50 {y} m 250 {y} l" for y in (322, 342, 362))
    lines += "".join(f" {x} 322 m {x} 362 l" for x in (50, 150, 250))
    path = raw(tmp_path / "m.pdf", "q .9 0 0 .9 10 20 cm /X Do Q", form=f"{texts} {lines} S")
    assert list_blocks(read_path(path))[0] == ("table", "Unit | Voltage\nLamp | Rack")


def test_values_a_little_below_their_label_are_in_its_row(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES, ("2020", "2021", "2022", "2023"), bold=True)
    sheet.line_y += 2 * PITCH
    sheet.row("Net income", EDGES, ("5", "6", "7", "8"))
    sheet.amounts(EDGES, ("", "0.97", "", "0.66"))
    sheet.write_at(40, "Earnings per share")
    sheet.line_y += 3
    sheet.amounts(EDGES, ("0.20", "", "0.58", ""))
    values = cells(sheet.read(tmp_path))
    assert values[("Earnings per share",), ("2022",)] == "0.58"
    assert values[("Earnings per share",), ("2023",)] == "0.66"


def test_a_wide_label_on_two_lines_below_a_section_stays_in_its_table(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES[2:], ("2022", "2023"), bold=True)
    sheet.line_y += PITCH
    sheet.row("Debt", EDGES[2:], ("5", "6"))
    sheet.row("Taxes", EDGES[2:], ("7", "8"))
    sheet.line_of("Equity:")
    sheet.line_of("Common stock, 4,127 issued and outstanding (4,070 issued and outstanding as of")
    sheet.line_y -= 2
    sheet.row("2021)", EDGES[2:], ("30", "28"))
    values = cells(sheet.read(tmp_path))
    assert [column for (row, column), value in values.items() if value == "28"] == [("2023",)]


def test_large_values_with_words_below_them_are_no_table(tmp_path: Path) -> None:
    sheet = Sheet()
    for texts in (
        ("$15.3B", "42.6%", "$0.25"),
        ("Revenue", "Margin", "Earnings"),
        ("up", "up", "up"),
    ):
        for x, text in zip((40, 200, 360), texts, strict=True):
            sheet.write_at(x, text)
        sheet.line_y += PITCH
    assert not any(block.table for block in sheet.read(tmp_path).blocks)


def test_names_and_values_above_a_header_are_no_labels_of_its_columns(tmp_path: Path) -> None:
    sheet = Sheet()
    for left, one, right, two in (
        ("Order:", "A-17", "Placed:", "2 May"),
        ("Customer:", "Lane Ltd", "Terms:", "30 days net"),
        ("Contact:", "J. Moss", "Freight:", "paid"),
    ):
        for x, text in ((110, one), (300, right), (360, two)):
            sheet.write_at(x, text)
        sheet.line_of(left)
    sheet.write_at(380, "Unit", bold=True)
    sheet.amounts(EDGES[:1], ("Count",), bold=True)
    sheet.line_of("Item", bold=True)
    for item, count in (("Fan", "12"), ("Rack", "3")):
        sheet.write_at(380, "pieces")
        sheet.row(item, EDGES[:1], (count,))
    values = cells(sheet.read(tmp_path))
    assert values[("Rack",), ("Unit",)] == "pieces"
    assert values[("Terms:",), ()] == "30 days net"
    assert len(values) == 10


def test_tables_whose_rules_have_a_gap_between_them_are_two(tmp_path: Path) -> None:
    sheet = Sheet()
    for number, line in enumerate(
        (
            ("Parameter", "Rating", "Pin", "Name"),
            ("Input", "-3 V to 6 V", "1", "IN"),
            ("Output", "5 V", "2", "GND"),
            ("Storage", "-65 °C to 90 °C", "3", "EN"),
        )
    ):
        for x, text in zip((LEFT, 120, 240, 290), line, strict=True):
            sheet.write_at(x, text, bold=not number)
        if number in {0, 3}:
            sheet.line(LEFT - 4, sheet.line_y + 4, 224, sheet.line_y + 4)
            sheet.line(234, sheet.line_y + 4, 350, sheet.line_y + 4)
        sheet.line_y += PITCH
    values = cells(sheet.read(tmp_path))
    assert values[("2",), ("Name",)] == "GND"
    assert values[("Output",), ("Rating",)] == "5 V"


def test_percent_signs_in_a_column_of_units_are_no_part_of_the_amounts(tmp_path: Path) -> None:
    sheet = Sheet()
    for label, most, unit in (
        ("Property", "Max", "Unit"),
        ("Voltage", "80", "mV"),
        ("Accuracy", "2.5", "%"),
        ("Delay", "14", "ms"),
    ):
        sheet.write_at(312, unit)
        sheet.row(label, EDGES[:1], (most,))
    values = cells(sheet.read(tmp_path))
    assert values[("Accuracy",), ("Max",)] == "2.5"
    assert values[("Accuracy",), ("Unit",)] == "%"
    assert values[("Voltage",), ("Max",)] == "80"


def test_dates_below_the_last_column_of_each_pair_hold_for_the_pair(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES, ("Assets", "Debts", "Assets", "Debts"), bold=True)
    sheet.line_y += 1.8 * PITCH
    sheet.amounts(EDGES, ("", "May 2022", "", "May 2021"), bold=True)
    sheet.line_y += PITCH
    sheet.row("Swaps", EDGES, ("12", "(13)", "14", "(15)"))
    sheet.row("Options", EDGES, ("22", "(23)", "24", "(25)"))
    values = cells(sheet.read(tmp_path))
    assert values[("Swaps",), ("Assets", "May 2022")] == "12"
    assert values[("Options",), ("Assets", "May 2021")] == "24"
    assert len(values) == 8


def test_a_label_between_the_header_and_the_first_row_is_part_of_the_table(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.amounts(EDGES[:1], ("Obligations",), bold=True)
    sheet.line_y += PITCH
    sheet.line_of("Fiscal Year:", bold=True)
    sheet.row("Until the next year", EDGES[:1], ("50",))
    sheet.row("2024", EDGES[:1], ("188",))
    sheet.row("2025 and later", EDGES[:1], ("167",))
    values = cells(sheet.read(tmp_path))
    assert values[("Fiscal Year:", "2024"), ("Obligations",)] == "188"
    assert len(values) == 3


def grid(sheet: Sheet, xs: Sequence[float], ys: Sequence[float]) -> None:
    """Draw rules down at ``xs`` and across at ``ys``, these from the labels to the last amounts."""
    for x in xs:
        sheet.line(x, ys[0], x, ys[-1])
    for y in ys:
        sheet.line(LEFT - 4, y, EDGES[1] + 4, y)


@pytest.mark.parametrize("xs", [(200, 310), (LEFT - 4, 200, 310, EDGES[1] + 4)])
def test_a_drawn_box_around_several_rows_is_read_row_by_row(
    tmp_path: Path, xs: Sequence[float]
) -> None:
    sheet = Sheet()
    top = sheet.line_y - PITCH
    sheet.row("Country", EDGES[:2], ("2022", "2023"))
    ruled = sheet.line_y - 0.7 * PITCH
    sheet.row("Malta", EDGES[:2], ("15 455", "13 951"))
    sheet.row("Poland", EDGES[:2], ("35 190", "44 307"))
    grid(sheet, xs, (top, ruled, sheet.line_y))
    values = cells(sheet.read(tmp_path))
    assert values[("Malta",), ("2023",)] == "13 951"
    assert values[("Poland",), ("2022",)] == "35 190"


def test_headings_over_three_columns_share_them_out(tmp_path: Path) -> None:
    sheet = Sheet()
    edges = (260.0, 300.0, 340.0, 400.0, 440.0, 480.0)
    sheet.centred(280, 300, "Men")
    sheet.centred(420, 440, "Women")
    sheet.line_y += PITCH
    sheet.amounts(edges, ("Low", "Mid", "High") * 2)
    sheet.line_y += PITCH
    sheet.row("Malta", edges, ("11", "12", "13", "14", "15", "16"))
    sheet.row("Poland", edges, ("21", "22", "23", "24", "25", "26"))
    values = cells(sheet.read(tmp_path))
    assert values[("Malta",), ("Men", "Low")] == "11"
    assert values[("Poland",), ("Women", "High")] == "26"


def test_a_heading_in_the_middle_labels_the_rows_below_it(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.row("Region", EDGES, ("2020", "2021", "2022", "2023"))
    for heading, label in (("Exports", "Malta"), ("Imports", "Poland")):
        sheet.centred(280, 330, heading)
        sheet.line_y += PITCH
        sheet.row(label, EDGES, ("1", "2", "3", "4"))
    values = cells(sheet.read(tmp_path))
    assert values[("Exports", "Malta"), ("2020",)] == "1"
    assert values[("Imports", "Poland"), ("2023",)] == "4"


def test_columns_of_the_same_labels_are_in_doubt(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.row("Region", EDGES, ("Low", "High", "Low", "High"))
    sheet.row("Malta", EDGES, ("1", "2", "3", "4"))
    sheet.row("Poland", EDGES, ("5", "6", "7", "8"))
    (table,) = [block.table for block in sheet.read(tmp_path).blocks if block.table]
    assert not table.certain


@pytest.mark.parametrize("quarters", [1, 3])
@pytest.mark.parametrize("rules", [True, False])
def test_a_turned_table_is_read_like_an_upright_one(
    tmp_path: Path, quarters: int, rules: bool
) -> None:
    document = statement(rules=rules).read_turned(tmp_path, quarters)
    assert cells(document) == cells(statement(rules=rules).read(tmp_path))


@pytest.mark.parametrize("quarters", [1, 3])
def test_numbers_of_one_digit_are_in_a_turned_table(tmp_path: Path, quarters: int) -> None:
    sheet = Sheet()
    sheet.row("Region", EDGES, ("2020", "2021", "2022", "2023"))
    sheet.row("Malta", EDGES, ("1", "-", "3", "12"))
    sheet.row("Poland", EDGES, ("5", "6", "-", "8"))
    values = cells(sheet.read_turned(tmp_path, quarters))
    assert values[("Malta",), ("2021",)] == "-"
    assert values[("Poland",), ("2023",)] == "8"


def share_out(*headings: tuple[float, str]) -> Sheet:
    """Seven columns of 60 points with headings in the middle of some."""
    sheet, edges = Sheet(), [180.0 + 60 * n for n in range(7)]
    for middle, text in headings:
        sheet.centred(middle, middle, text)
    sheet.line_y += 18
    for edge, text in zip(edges, ("Low", "Mid", "High", "Cost", "Rate", "Sum", "All"), strict=True):
        sheet.centred(edge - 60, edge, text)
    sheet.line_y += PITCH
    sheet.row("Malta", edges, ("11", "12", "13", "14", "15", "16", "17"))
    sheet.row("Poland", edges, ("21", "22", "23", "24", "25", "26", "27"))
    return sheet


def test_headings_share_out_the_columns_as_evenly_as_their_places_allow(tmp_path: Path) -> None:
    values = cells(share_out((210, "Men"), (390, "Women")).read(tmp_path))
    assert values[("Malta",), ("Men", "High")] == "13"
    assert values[("Poland",), ("Women", "Cost")] == "24"
    assert values[("Poland",), ("All",)] == "27"


def test_only_columns_that_may_have_another_heading_are_in_doubt(tmp_path: Path) -> None:
    def list_doubtful(document: Document) -> list[str]:
        (table,) = [block.table for block in document.blocks if block.table]
        return [cell.value for cell in table.cells if not cell.certain]

    # "Women" is in the middle of three columns and of five.
    ambiguous = share_out((210, "Men"), (390, "Women")).read(tmp_path)
    assert list_doubtful(ambiguous) == ["11", "13", "17", "21", "23", "27"]
    assert not list_doubtful(share_out((210, "Men"), (420, "Women")).read(tmp_path))


def test_a_section_ends_before_an_indented_row_that_has_no_room_on_its_line(
    tmp_path: Path,
) -> None:
    sheet = Sheet()
    sheet.amounts((130, 200), ("2020", "2021"))
    sheet.line_y += PITCH
    for section, labels in (("Rural areas", ("Netherlands", "Spain")), ("Towns", ("Malta",))):
        sheet.line_of(section)
        for label in labels:
            sheet.row(label, (130, 200), ("1", "2"), indent=9)
    values = cells(sheet.read(tmp_path))
    assert values[("Rural areas", "Netherlands"), ("2020",)] == "1"
    assert values[("Towns", "Malta"), ("2021",)] == "2"
