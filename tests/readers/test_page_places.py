"""Rectangles on PDF pages cover the quoted characters and no others: those are printed in red."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from foundry.readers.pages.matching import QuotedBlock
from foundry.readers.pages.requests import (
    MAX_PIXELS,
    MAX_SIDE,
    PageRequest,
    PictureTask,
    PlaceTask,
    SizesTask,
    answer,
)
from foundry.records import Box, PagePicture, Placement
from tests.readers.red_words import RedWords, find_faults, place

PROSE = "The sensor measures the level of the tank every second and sends it on."
FILLER = [
    f"Line {number} of a paragraph that fills the page with ordinary words." for number in range(30)
]


@pytest.fixture
def page(tmp_path: Path) -> RedWords:
    return RedWords(tmp_path / "page.pdf")


def test_a_quote_over_two_lines_gets_one_rectangle_for_each(page: RedWords) -> None:
    path = page.lines(
        [
            "The sensor measures the level [[of the tank every]]",
            "[[second and sends]] it on to the desk of the operator.",
        ]
    ).save()
    placement = place(path, "of the tank every second and sends")
    assert [len(page.boxes) for page in placement.pages] == [2]
    assert find_faults(path, placement) == []


def test_of_equal_lines_only_the_cited_one_is_marked(page: RedWords) -> None:
    line = "The limit is 5 bar."
    path = page.lines([line, "", "", f"[[{line}]]", "", "", line]).save()
    placement = place(path, line, nth=1)
    assert len(placement.pages[0].boxes) == 1
    assert find_faults(path, placement) == []


def test_of_two_equal_phrases_in_a_paragraph_only_the_cited_one_is_marked(page: RedWords) -> None:
    path = page.lines(
        ["Pump A stops at 5 bar and pump B [[stops at 5 bar]] and", "pump C stops at 5 bar too."]
    ).save()
    assert find_faults(path, place(path, "stops at 5 bar", nth=1)) == []


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_rotated_page_with_a_crop_box_is_marked_as_it_is_shown(
    page: RedWords, quarters: int
) -> None:
    path = page.lines(
        [
            "The sensor measures [[the level of the tank]] every second,",
            "and sends it on to the desk.",
        ]
    ).save()
    pdf = pypdfium2.PdfDocument(path.read_bytes())
    pdf[0].set_cropbox(20, 100, 390, 480)
    pdf[0].set_rotation(90 * quarters)
    pdf.save(path)
    assert find_faults(path, place(path, "the level of the tank")) == []


def test_a_sentence_over_a_page_break_is_marked_on_both_pages(page: RedWords) -> None:
    page.lines([*FILLER, "The last sentence of this page is long and it [[does not end before]]"])
    page.pdf.add_page()
    path = page.lines(
        ["[[the next page]] begins, where the sentence goes on to its end.", *FILLER[:4]]
    ).save()
    placement = place(path, "does not end before the next page")
    assert [page.page.number for page in placement.pages] == [1, 2]
    assert find_faults(path, placement, pages=2) == []


def test_a_quote_in_the_second_of_two_columns_is_marked_there(page: RedWords) -> None:
    left = [
        "The left column has words",
        "about the level of the tank",
        "and the pumps in the cellar",
        "which run at night only as",
        "power is cheaper then, and",
        "the noise is heard by few.",
    ]
    right = [
        "The right column is about",
        "[[the level of the tank]] too,",
        "which the operator sees on",
        "the desk in the control room",
        "and on the telephone when",
        "the operator is at home.",
    ]
    for number in range(6):
        page.line(left[number], 40, 60 + 12 * number).line(right[number], 220, 60 + 12 * number)
    assert find_faults(page.save(), place(page.path, "the level of the tank", nth=1)) == []


def test_a_hyphenated_line_end_is_marked_on_both_lines(page: RedWords) -> None:
    path = page.lines(
        [
            "The station sends its data to the [[international meas-]]",
            "[[urement network]] of the institute every hour of the day.",
        ]
    ).save()
    assert find_faults(path, place(path, "international measurement network")) == []


def test_letters_set_apart_and_raised_digits_are_marked(page: RedWords) -> None:
    page.line("The volume of the basin is [[20 m]]")
    width = page.pdf.get_string_width("The volume of the basin is 20 m")
    page.pdf.set_font_size(6)
    page.line("[[3]]", 40 + width, 56)
    page.pdf.set_font_size(10)
    path = page.line(" and it is full.", 44 + width).line("[[C O N T E N T S]]", 40, 100).save()
    placement = place(path, "20 m³")
    assert [box.y0 for box in placement.pages[0].boxes] == [pytest.approx(50, abs=4)]
    assert place(path, "CONTENTS").pages[0].boxes[0].x1 == pytest.approx(
        40 + page.pdf.get_string_width("C O N T E N T S"), abs=2
    )


def test_a_cell_of_a_table_is_marked_in_its_row(page: RedWords) -> None:
    rows = [
        ("Part", "Pressure", "Flow"),
        ("Pump A", "5 bar", "12 l/s"),
        ("Pump B", "5 bar", "10 l/s"),
        ("Pump C", "5 bar", "12 l/s"),
    ]
    for column in range(3):
        for number, row in enumerate(rows):
            cell = row[column]
            page.line(f"[[{cell}]]" if number == 2 else cell, 40 + 110 * column, 60 + 14 * number)
    placement = place(page.save(), "Pump B | 5 bar | 10 l/s")
    assert len(placement.pages[0].boxes) == 3
    assert find_faults(page.path, placement) == []


def test_a_cell_of_two_lines_is_marked_in_its_row(page: RedWords) -> None:
    rows = [
        ("Part", "Use", "Flow"),
        *((f"Pump {name}", "Lifts water to", "10 l/s") for name in "ABC"),
    ]
    for column in range(3):
        for number, row in enumerate(rows):
            y = 60 + 30 * number
            cells = [row[column], "the high tank"] if column == 1 and number else [row[column]]
            for line, cell in enumerate(cells):
                page.line(f"[[{cell}]]" if number == 2 else cell, 40 + 110 * column, y + 11 * line)
    path = page.save()
    placement = place(path, "Pump B | Lifts water to the high tank | 10 l/s")
    assert len(placement.pages[0].boxes) == 4
    assert find_faults(path, placement) == []


def test_words_that_the_page_does_not_have_are_not_placed(page: RedWords) -> None:
    path = page.line(PROSE).save()

    block = QuotedBlock("Another text altogether.", 0, 12, 1, Box(30, 40, 390, 70))
    placement = answer(path, PageRequest("page.pdf", task=PlaceTask((block,))))
    assert isinstance(placement, Placement)
    assert placement.pages == ()
    assert placement.reason
    assert placement.reason.code == "page-not-placed"


def test_words_read_by_ocr_are_placed_as_the_area_of_their_block(page: RedWords) -> None:
    path = page.line(PROSE).save()
    box = Box(30, 40, 390, 70)
    block = QuotedBlock(PROSE, 4, 10, 1, box, recognised=True)
    placement = answer(path, PageRequest("page.pdf", task=PlaceTask((block,))))
    assert isinstance(placement, Placement)
    assert placement.pages[0].boxes == ()
    assert placement.pages[0].areas == (box,)


def test_a_page_of_many_metres_is_drawn_within_bounds(page: RedWords) -> None:
    path = page.line(PROSE).save()
    for size in ((200_000, 200_000), (10_000_000, 1)):
        pdf = pypdfium2.PdfDocument(path.read_bytes())
        pdf[0].set_mediabox(0, 0, *size)
        pdf.save(path)
        picture = answer(path, PageRequest("page.pdf", task=PictureTask(1, 4.0)))
        assert isinstance(picture, PagePicture)
        assert picture.width * picture.height <= MAX_PIXELS + 10_000
        assert max(picture.width, picture.height) <= MAX_SIDE + 1


def test_a_page_of_a_scan_is_drawn_in_its_own_size(tmp_path: Path) -> None:
    path = tmp_path / "scan.tif"
    first, second = (Image.new("L", size, 255) for size in ((600, 800), (400, 300)))
    first.save(path, save_all=True, append_images=[second], dpi=(200, 200))
    sizes = answer(path, PageRequest("scan.tif", task=SizesTask(1, 9)))
    assert [(page.number, round(page.width)) for page in sizes] == [(1, 216), (2, 144)]  # type: ignore[union-attr]
    picture = answer(path, PageRequest("scan.tif", task=PictureTask(2, 1.0, Box(0, 0, 72, 36))))
    assert isinstance(picture, PagePicture)
    assert (picture.width, picture.height) == (72, 36)
