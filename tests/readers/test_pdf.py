import contextlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from fpdf import FPDF
from PIL import Image

from foundry.errors import ReadError
from foundry.readers.ocr import engines
from foundry.readers.ocr.engines import Tessdata, Tesseract, find_tesseract
from foundry.readers.ocr.lines import ScannedLine, ScannedWord
from tests.readers.pdf_files import BODY, Manual, encrypted, manual, raw, save, scan, scanned
from tests.readers.sample_files import find_path, list_blocks, list_headings, read_path

SECTIONS = [(1, "1 Overview"), (2, "1.1 Purpose"), (1, "2 Use"), (2, "2.1 Start"), (2, "2.2 Stop")]


def words(path: Path) -> list[str]:
    return [text for _, text in list_blocks(read_path(path))]


def test_the_outline_names_the_sections(tmp_path: Path) -> None:
    document = read_path(manual(tmp_path / "m.pdf"))
    assert list_headings(document) == SECTIONS
    assert find_path(document, "2.2 Stop is done so") == ("2 Use", "2.2 Stop")


def test_an_outline_without_numbers_takes_them_from_the_page(tmp_path: Path) -> None:
    path = manual(tmp_path / "m.pdf", outline=lambda title: title.partition(" ")[2])
    assert list_headings(read_path(path)) == SECTIONS


def test_printed_numbers_replace_a_missing_outline(tmp_path: Path) -> None:
    assert (
        list_headings(read_path(manual(tmp_path / "m.pdf", outline=lambda title: None))) == SECTIONS
    )


def test_numbers_deeper_than_the_outline_are_headings_too(tmp_path: Path) -> None:
    chapters = {"1 Overview", "2 Use"}
    path = manual(tmp_path / "m.pdf", outline=lambda title: title if title in chapters else None)
    assert list_headings(read_path(path)) == SECTIONS


def test_a_bookmark_whose_words_are_not_printed_still_opens_its_section(tmp_path: Path) -> None:
    pdf = Manual()
    pdf.add_page()
    pdf.section("1 Overview", 1, outline="1 Overview")
    pdf.paragraph("What it is.")
    pdf.ln(30)
    pdf.start_section("Annex", 0)
    pdf.paragraph("What was added.")
    document = read_path(save(pdf, tmp_path / "m.pdf"))
    assert find_path(document, "What it is.") == ("1 Overview",)
    assert find_path(document, "What was added.") == ("Annex",)
    assert "Annex" not in document.text


def test_unnumbered_headings_printed_like_numbered_ones_close_their_section(
    tmp_path: Path,
) -> None:
    pdf = Manual()
    pdf.add_page()
    for title in ("1 Overview", "2 Use", "References"):
        pdf.section(title, 1)
        pdf.paragraph(f"About {title}. " * 20)
    document = read_path(save(pdf, tmp_path / "m.pdf"))
    assert find_path(document, "About References") == ("References",)


def test_a_contents_page_opens_no_sections(tmp_path: Path) -> None:
    pdf = Manual()
    pdf.add_page()
    pdf.section("Contents", 1)
    for line in ("1 Overview", "1.1 Purpose", "2 Use", "2.1 Start"):
        pdf.section(f"{line} 2", 1)
        pdf.ln(15)
    pdf.add_page()
    pdf.section("1 Overview", 1)
    pdf.paragraph()
    pdf.section("2 Use", 1)
    pdf.paragraph()
    document = read_path(save(pdf, tmp_path / "m.pdf"))
    numbered = [title for _, title in list_headings(document) if title[0].isdigit()]
    assert numbered == ["1 Overview", "2 Use"]


def test_quantities_and_steps_are_not_sections(tmp_path: Path) -> None:
    pdf = Manual()
    pdf.add_page()
    pdf.section("1 Overview", 1)
    for line in ("3.3 V supply", "1. Open the lid", "2. Turn the key", "40 mA per channel"):
        pdf.paragraph(line)
        pdf.paragraph()
    assert list_headings(read_path(save(pdf, tmp_path / "m.pdf"))) == [(1, "1 Overview")]


def drawn(path: Path, *lines: tuple[float, Sequence[str]], outline: bool = True) -> Path:
    """A page of lines (size of print, cells) so close that the layout takes them for one table.

    Lines in print over 11 are sections, and bookmarks too if ``outline`` is set.
    """
    pdf = Manual()
    pdf.add_page()
    for size, cells in lines:
        pdf.set_font("helvetica", "B" if size > 11 else "", size)
        if size > 11 and outline:
            pdf.start_section(cells[0], cells[0].partition(" ")[0].count("."))
        for cell in cells:
            pdf.cell(60, 6, cell)
        pdf.ln()
    return save(pdf, path)


RATINGS = [
    (11.0, ("Limit", "Symbol", "Value")),
    *[(11.0, (f"Volt {n}", "V", f"{n} V")) for n in (3, 5, 8)],
]
PORTS = [
    (11.0, ("Port", "Kind", "Length")),
    *[(11.0, (f"Line {n}", "DMX", f"{n} m")) for n in (2, 4, 6)],
]
TWO_TABLES = [
    (18.0, ("1 Data",)),
    (14.0, ("1.1 Ratings",)),
    *RATINGS,
    (14.0, ("1.2 Ports",)),
    *PORTS,
]


@pytest.mark.parametrize("outline", [True, False])
def test_a_heading_merged_into_a_table_splits_it(tmp_path: Path, outline: bool) -> None:
    document = read_path(drawn(tmp_path / "m.pdf", *TWO_TABLES, outline=outline))
    assert find_path(document, "Volt 8 | V | 8 V") == ("1 Data", "1.1 Ratings")
    assert find_path(document, "Port | Kind | Length") == ("1 Data", "1.2 Ports")
    assert (2, "1.2 Ports") in list_headings(document)


def test_rows_that_may_belong_to_either_section_go_under_their_parent(
    tmp_path: Path,
) -> None:
    pdf = Manual()
    pdf.add_page()
    pdf.section("1 Data", 1, outline="1 Data")
    pdf.section("1.1 Ratings", 2, outline="1.1 Ratings")
    for number in range(12):
        if number == 6:
            pdf.start_section("1.2 Ports", 1)
        pdf.multi_cell(0, 5.5, f"Line {number} of one block.", new_x="LMARGIN", new_y="NEXT")
    pdf.add_page()
    pdf.paragraph("What comes after.")
    document = read_path(save(pdf, tmp_path / "m.pdf"))
    assert find_path(document, "Line 0") == ("1 Data",)
    assert find_path(document, "What comes after.") == ("1 Data", "1.2 Ports")


def test_blocks_know_their_page_and_its_label(tmp_path: Path) -> None:
    pdf = Manual()
    for label in ("preface", "more preface"):
        pdf.add_page(label_style="r")
        pdf.paragraph(f"This is {label}.")
    pdf.add_page(label_style="D", label_start=1)
    pdf.paragraph("This is the body.")
    document = read_path(save(pdf, tmp_path / "m.pdf"))
    places = [(block.page, block.page_label) for block in document.blocks]
    assert places == [(1, "i"), (2, "ii"), (3, "1")]
    assert document.pages == 3


def test_a_pdf_without_labels_gives_none(tmp_path: Path) -> None:
    document = read_path(manual(tmp_path / "m.pdf"))
    assert {block.page_label for block in document.blocks} == {None}
    assert [block.page for block in document.blocks][-1] == 2


def test_boxes_are_in_points_from_the_top_left(tmp_path: Path) -> None:
    pdf = FPDF(unit="pt")
    pdf.set_font("helvetica", size=12)
    pdf.add_page()
    pdf.text(100, 700, "Low on the page, and some more words.")
    box = read_path(save(pdf, tmp_path / "m.pdf")).blocks[0].box
    assert box
    assert 95 < box.x0 < 105
    assert 685 < box.y0 < 700 < box.y1 < 710


def test_a_rotated_page_is_read(tmp_path: Path) -> None:
    pdf = Manual()
    pdf.add_page()
    pdf.paragraph()
    pdf.add_page()
    with pdf.rotation(90, x=105, y=148):
        pdf.text(20, 148, "Turned words on a page")
    document = read_path(save(pdf, tmp_path / "m.pdf"))
    assert "Turned words" in document.text


def test_running_headers_and_page_numbers_are_left_out(tmp_path: Path) -> None:
    pdf = Manual("Controller manual, Rev. B", "Page {page} of 5")
    for number in range(5):
        pdf.add_page()
        pdf.paragraph(f"Text {number}. " * 30)
    document = read_path(save(pdf, tmp_path / "m.pdf"))
    assert "Controller manual" not in document.text
    assert "Page 3" not in document.text
    assert document.revision == "Rev. B"
    assert [block.page for block in document.blocks] == [1, 2, 3, 4, 5]


def test_a_header_with_the_chapter_title_is_left_out(tmp_path: Path) -> None:
    pdf = Manual("x")
    for number in range(6):
        pdf.header_text = f"Chapter {'ABC'[number // 2]} of the manual        {number + 1}"
        pdf.add_page()
        pdf.paragraph(f"Text {number}. " * 30)
    assert "of the manual" not in read_path(save(pdf, tmp_path / "m.pdf")).text


def test_table_rows_that_are_alike_on_every_page_stay(tmp_path: Path) -> None:
    pdf = Manual()
    pdf.add_page()
    pdf.rows([("Part", "Volt"), *[(f"Part {number}", f"{number}.5 V") for number in range(150)]])
    text = read_path(save(pdf, tmp_path / "m.pdf")).text
    missing = [number for number in range(150) if f"Part {number} | {number}.5 V" not in text]
    assert missing == []


def test_identical_pages_keep_their_text(tmp_path: Path) -> None:
    pdf = Manual()
    for _ in range(4):
        pdf.add_page()
        pdf.paragraph()
    assert read_path(save(pdf, tmp_path / "m.pdf")).text.count("fixed rate") == 4


def test_a_sentence_at_the_top_of_every_page_stays_whole(tmp_path: Path) -> None:
    pdf = Manual()
    for number in range(4):
        pdf.add_page()
        pdf.section(f"Annex {'ABCD'[number]} Forms", 1)
        pdf.paragraph("This form is filled in by the installer and kept with the unit.")
    text = read_path(save(pdf, tmp_path / "m.pdf")).text
    assert text.count("This form is filled in by the installer and kept with the unit.") == 4


def test_tables_keep_their_rows(tmp_path: Path) -> None:
    pdf = Manual()
    pdf.add_page()
    pdf.paragraph()
    rows = [
        ("Parameter", "Min", "Max"),
        ("Supply voltage", "4.5 V", "5.5 V"),
        ("Current", "", "9 mA"),
    ]
    pdf.rows(rows)
    document = read_path(save(pdf, tmp_path / "m.pdf"))
    assert list_blocks(document)[-1] == (
        "table",
        "Parameter | Min | Max\nSupply voltage | 4.5 V | 5.5 V\nCurrent |  | 9 mA",
    )


def test_a_cell_over_several_lines_stays_in_its_row(tmp_path: Path) -> None:
    pdf = Manual()
    pdf.add_page()
    long = "turns the output off when the load takes more than the limit for the time set"
    pdf.rows([("Mode", "Meaning", "Default"), ("guard", long, "on"), ("free", "never", "off")])
    assert f"guard | {long} | on" in read_path(save(pdf, tmp_path / "m.pdf")).text


def test_markdown_characters_in_the_text_are_kept(tmp_path: Path) -> None:
    pdf = Manual()
    pdf.add_page()
    pdf.paragraph("Set my_value * 2 to [high] and use C:\\temp, **not** #5 of the list.")
    expected = "Set my_value * 2 to [high] and use C:\\temp, **not** #5 of the list."
    assert words(save(pdf, tmp_path / "m.pdf")) == [expected]


def test_hyphenated_words_are_joined(tmp_path: Path) -> None:
    pdf = Manual()
    pdf.add_page()
    pdf.multi_cell(0, 6, "The voltage of the con-\ntroller is well-known to every engineer.")
    assert words(save(pdf, tmp_path / "m.pdf")) == [
        "The voltage of the controller is well-known to every engineer."
    ]


def test_words_cut_by_automatic_hyphenation_are_joined(tmp_path: Path) -> None:
    lines = ["The voltage of the con~", "troller is known."]
    drawn = " ".join(f"1 0 0 1 40 {360 - 12 * n} Tm ({line}) Tj" for n, line in enumerate(lines))
    path = raw(tmp_path / "m.pdf", f"BT /F 10 Tf {drawn} ET")
    assert words(path) == ["The voltage of the controller is known."]


@pytest.mark.parametrize(
    ("printed", "read"),
    [("C O N T E N T S", "CONTENTS"), ("A B C D E F G", "A B C D E F G"), ("x y z", "x y z")],
)
def test_the_letters_of_a_word_set_apart_are_joined(
    tmp_path: Path, printed: str, read: str
) -> None:
    pdf = Manual()
    pdf.add_page()
    pdf.cell(0, 6, printed)
    assert words(save(pdf, tmp_path / "m.pdf")) == [read]


def test_brackets_that_are_higher_than_letters_do_not_cut_a_paragraph(tmp_path: Path) -> None:
    lines = ("The unit now sends at a rate", "that we set [as it seems]", "at one of our units.")
    content = " T* ".join(f"({line}) Tj" for line in lines)
    path = raw(tmp_path / "m.pdf", f"BT /F 11 Tf 13 TL 50 300 Td {content} ET", ascent=500)
    assert words(path) == [" ".join(lines)]


def test_the_title_is_the_property_unless_a_program_made_it_up(tmp_path: Path) -> None:
    pdf = Manual()
    pdf.set_title("Wiring guide")
    pdf.add_page()
    pdf.paragraph()
    assert read_path(save(pdf, tmp_path / "m.pdf")).title == "Wiring guide"
    other = manual(tmp_path / "n.pdf")
    assert read_path(other).title == "n"


@pytest.mark.parametrize(
    ("known", "title"),
    [
        ("04.01.2023 Document of the filing", "Pump manual"),
        ("Pump manual, issue 7", "Pump manual"),
        ("The pump manual", "The pump manual"),
    ],
)
def test_a_property_of_which_the_page_says_nothing_is_not_the_title(
    tmp_path: Path, known: str, title: str
) -> None:
    pdf = Manual()
    pdf.set_title(known)
    pdf.add_page()
    pdf.section("Pump manual", 1)
    pdf.paragraph()
    assert read_path(save(pdf, tmp_path / "m.pdf")).title == title


def test_an_encrypted_pdf_needs_its_password(tmp_path: Path) -> None:
    path = encrypted(tmp_path / "m.pdf", "open sesame")
    with pytest.raises(ReadError, match="encrypted") as caught:
        read_path(path, passwords=("wrong",))
    assert "ingest.passwords_from" in caught.value.fix
    assert "7.5 V" in read_path(path, passwords=("wrong", "open sesame")).text


@pytest.mark.parametrize("keep", [0.0, 0.001, 0.3, 0.7])
def test_a_truncated_pdf_is_an_error_or_gives_text(tmp_path: Path, keep: float) -> None:
    path = manual(tmp_path / "m.pdf")
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    with contextlib.suppress(ReadError):
        assert read_path(path).text


def test_a_file_that_only_looks_like_a_pdf_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "m.pdf"
    path.write_text("just words")
    with pytest.raises(ReadError, match="not a PDF"):
        read_path(path)


def test_an_empty_page_is_an_error_not_an_empty_document(tmp_path: Path) -> None:
    pdf = Manual()
    pdf.add_page()
    with pytest.raises(ReadError, match="pages are empty"):
        read_path(save(pdf, tmp_path / "m.pdf"))


@pytest.mark.usefixtures("no_tesseract")
def test_a_page_with_only_a_drawing_is_reported_as_a_picture(tmp_path: Path) -> None:
    pdf = Manual()
    pdf.add_page()
    pdf.rect(20, 20, 60, 40)
    with pytest.raises(ReadError, match="only page is a picture"):
        read_path(save(pdf, tmp_path / "m.pdf"))


@pytest.fixture
def no_tesseract(monkeypatch: pytest.MonkeyPatch) -> None:
    use_tesseract(monkeypatch, None)


def use_tesseract(monkeypatch: pytest.MonkeyPatch, tesseract: Tesseract | None) -> None:
    monkeypatch.setattr(engines, "find_rapidocr", lambda: None)
    monkeypatch.setattr(engines, "find_tesseract", lambda: tesseract)


@pytest.mark.usefixtures("no_tesseract")
def test_scans_without_tesseract_are_an_error_with_a_fix(tmp_path: Path) -> None:
    path = scanned(tmp_path / "m.pdf", ["one", "two", "three"])
    with pytest.raises(ReadError, match="All 3 pages are pictures") as caught:
        read_path(path)
    assert "Tesseract is not installed" in caught.value.message
    assert "apt install tesseract-ocr" in caught.value.fix


@pytest.mark.usefixtures("no_tesseract")
def test_a_partly_scanned_document_names_its_scans(tmp_path: Path) -> None:
    document = read_path(scanned(tmp_path / "m.pdf", ["one", "two"], typed="Typed words."))
    assert "Typed words." in document.text
    assert str(document.warnings[0]).startswith("2 pages are pictures: pages 2–3")


def test_with_ocr_off_scans_are_an_error_with_a_reason(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"ingest\.ocr is off"):
        read_path(scanned(tmp_path / "m.pdf", ["one"]), ocr="off")


def test_failed_ocr_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_tesseract(monkeypatch, Tesseract("false", Tessdata(tmp_path, "eng")))
    document = read_path(scanned(tmp_path / "m.pdf", ["one"], typed="Typed words."))
    assert "OCR failed" in str(document.warnings[0])


@pytest.mark.skipif(find_tesseract() is None, reason="Tesseract is not installed")
def test_scans_are_read_by_tesseract(tmp_path: Path) -> None:
    document = read_path(
        scanned(tmp_path / "m.pdf", ["Voltage is 24 V"], typed="Typed words."), ocr="tesseract"
    )
    assert "Voltage" in document.text
    assert document.blocks[-1].page == 2
    assert str(document.warnings[0]).startswith("OCR (Tesseract) read page 2")


def write_beside_picture(path: Path, width: float) -> Path:
    pdf = Manual()
    pdf.add_page()
    pdf.paragraph("The plate says what the unit needs. " * 10)
    pdf.image(scan("230 V"), w=width)
    return save(pdf, path)


@pytest.mark.usefixtures("no_tesseract")
def test_a_picture_beside_text_is_named_and_a_logo_is_not(tmp_path: Path) -> None:
    document = read_path(write_beside_picture(tmp_path / "a.pdf", 120))
    assert [warning.code for warning in document.warnings] == ["readers-pdf-pictures-unread"]
    assert read_path(write_beside_picture(tmp_path / "b.pdf", 30)).warnings == ()


class PlateReader:
    """An OCR engine that reads one line in every picture."""

    name = "Scripted"

    def read(self, picture: Image.Image, dpi: float) -> list[ScannedLine]:
        words = [ScannedWord("230", 60, 100, 160, 150), ScannedWord("V", 180, 100, 210, 150)]
        return [ScannedLine(words, 0.9)]


def test_a_picture_beside_text_is_read_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_tesseract(monkeypatch, None)
    monkeypatch.setattr(engines, "find_rapidocr", PlateReader)
    document = read_path(write_beside_picture(tmp_path / "a.pdf", 120))
    assert document.text.endswith("\n\n230 V")
    box = document.blocks[-1].box
    assert box is not None
    assert (round(box.x0), round(box.y0) > 100) == (43, True)


def test_what_stands_over_a_picture_as_text_is_there_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_tesseract(monkeypatch, None)
    monkeypatch.setattr(engines, "find_rapidocr", PlateReader)
    path = tmp_path / "a.pdf"
    pdf = Manual()
    pdf.add_page()
    pdf.paragraph("The plate says what the unit needs. " * 5)
    top = pdf.get_y()
    pdf.image(scan("230 V"), w=120)
    pdf.set_y(top + 8)
    pdf.paragraph("230 V.")
    assert read_path(save(pdf, path)).text.count("230 V") == 1


CODE = "def find(names):\n    for name in names:\n        yield name[0]"


def write_code(path: Path, code: str, *, prose: str = "helvetica", frame: bool = False) -> Path:
    """Write a page with a paragraph, lines in Courier, and a paragraph."""
    pdf = Manual()
    pdf.add_page()
    pdf.set_font(prose, size=11)
    pdf.paragraph()
    pdf.set_font("courier", size=9)
    pdf.multi_cell(0, 4.5, code, border=frame, new_x="LMARGIN", new_y="NEXT", align="L")
    pdf.ln(3)
    pdf.set_font(prose, size=11)
    pdf.paragraph()
    return save(pdf, path)


@pytest.mark.parametrize("frame", [False, True])
def test_code_keeps_its_lines_and_spaces(tmp_path: Path, frame: bool) -> None:
    blocks = list_blocks(read_path(write_code(tmp_path / "m.pdf", CODE, frame=frame)))
    assert [kind for kind, _ in blocks] == ["paragraph", "code", "paragraph"]
    assert blocks[1][1] == CODE


@pytest.mark.parametrize(
    ("lines", "prose"),
    [
        (CODE, "courier"),
        ("J. Smith\nLake Road 12\n2514 AB The Hague", "helvetica"),
        ("Pump          2   12.50\nValve [A1]    1    8.00", "helvetica"),
    ],
)
def test_typewritten_text_is_not_code(tmp_path: Path, lines: str, prose: str) -> None:
    document = read_path(write_code(tmp_path / "m.pdf", lines, prose=prose))
    assert "code" not in [kind for kind, _ in list_blocks(document)]


def test_the_last_line_of_a_paragraph_in_typewriter_letters_stays_with_it(tmp_path: Path) -> None:
    pdf = Manual()
    pdf.add_page()
    pdf.multi_cell(0, 5.5, BODY.strip() + " Call", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("courier", size=10)
    pdf.cell(0, 5.5, "unit.find(names)")
    document = read_path(save(pdf, tmp_path / "m.pdf"))
    assert "code" not in [kind for kind, _ in list_blocks(document)]
