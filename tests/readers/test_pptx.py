"""Presentations: one section per slide, in reading order."""

from __future__ import annotations

from pathlib import Path

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.util import Inches

from foundry.errors import ReadError
from foundry.readers.office.pptx import read_pptx
from foundry.records import Document
from tests.readers.office_files import list_headings, options, texts

TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def read(folder: Path, deck: object) -> Document:
    path = folder / "deck.pptx"
    deck.save(str(path))  # type: ignore[attr-defined]
    return read_pptx(path, options(path))


def box(slide: object, text: str, left: float, top: float) -> None:
    frame = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(0.5))  # type: ignore[attr-defined]
    frame.text_frame.text = text


def test_a_slide_is_a_section_with_its_number_as_page(tmp_path: Path) -> None:
    deck = Presentation()
    for title in ("Goals", "Plan"):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = f"about {title}"
    document = read(tmp_path, deck)
    assert list_headings(document) == ["Goals", "Plan"]
    assert (document.blocks[-1].page, document.blocks[-1].page_label) == (2, "2")
    assert document.pages == 2


def test_bullets_of_the_body_are_list_items_and_notes_are_marked(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Goals"
    slide.placeholders[1].text = "one\ntwo"
    slide.notes_slide.notes_text_frame.text = "Slowly."
    assert texts(read(tmp_path, deck)) == ["Goals", "• one", "• two", "Speaker notes: Slowly."]


def test_text_is_read_by_column_not_in_file_order(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for text, left, top in (("d", 5, 3), ("b", 1, 3), ("c", 5, 2), ("a", 1, 2.02)):
        box(slide, text, left, top)
    assert texts(read(tmp_path, deck)) == ["Slide 1", "a", "b", "c", "d"]


def test_tables_groups_and_charts_are_read(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    box(slide.shapes.add_group_shape(), "grouped", 1, 0)
    place = (Inches(1), Inches(2), Inches(4), Inches(1))
    grid = slide.shapes.add_table(2, 2, *place).table
    for at, text in enumerate(["A", "B", "1", "2"]):
        grid.cell(at // 2, at % 2).text = text
    data = CategoryChartData()
    data.categories = ["x"]
    data.add_series("S", (1.5,))
    slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(4), Inches(3), Inches(2), data
    )
    assert texts(read(tmp_path, deck))[1:] == ["grouped", "A | B\n1 | 2", " | S\nx | 1.5"]


def test_slides_without_text_are_counted_and_named(tmp_path: Path) -> None:
    deck = Presentation()
    box(deck.slides.add_slide(deck.slide_layouts[6]), "text", 1, 1)
    deck.slides.add_slide(deck.slide_layouts[6])
    document = read(tmp_path, deck)
    assert document.pages == 2
    assert tuple(map(str, document.warnings)) == ("Without text: slide 2 (pictures are not read).",)


def test_a_presentation_without_any_text_is_an_error(tmp_path: Path) -> None:
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    with pytest.raises(ReadError, match="no text on these slides"):
        read(tmp_path, deck)


def test_comments_on_slides_are_named(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Goals"
    part = Part(
        PackURI("/ppt/comments/comment1.xml"), "application/xml", deck.part.package, b"<a/>"
    )
    slide.part.relate_to(part, f"{TYPES}/comments")
    assert [warning.code for warning in read(tmp_path, deck).warnings] == [
        "readers-comments-left-out"
    ]
