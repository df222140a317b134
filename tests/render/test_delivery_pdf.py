"""The PDF, opened again: its text, pages, bookmarks and properties."""

from __future__ import annotations

import sys

import pypdfium2
import pytest

from foundry.errors import ExtraMissing
from foundry.records import CitationNote
from foundry.render.delivery import FORMATS
from tests.render.deliveries import MARKDOWN, chapter, delivery
from tests.render.test_delivery import hostile


def opened(made: bytes) -> tuple[pypdfium2.PdfDocument, list[str]]:
    document = pypdfium2.PdfDocument(made)
    return document, [page.get_textpage().get_text_bounded() for page in document]


@pytest.fixture(scope="module")
def pdf() -> tuple[pypdfium2.PdfDocument, list[str]]:
    return opened(FORMATS["pdf"](delivery()))


def test_the_pages_have_cover_contents_text_and_appendices(
    pdf: tuple[pypdfium2.PdfDocument, list[str]],
) -> None:
    _, pages = pdf
    assert len(pages) == 6
    assert "DX-4 handbook" in pages[0]
    assert "Contents" in pages[1]
    assert "Page 3 of 6" in pages[2]
    assert "Source register" in pages[3]


def test_a_footnote_is_on_the_page_of_its_mark(
    pdf: tuple[pypdfium2.PdfDocument, list[str]],
) -> None:
    _, pages = pdf
    assert "datasheet.pdf §3.1, p. 2" in pages[2]
    assert "Replace it cold." in pages[2]
    assert sum(page.count("datasheet.pdf §3.1") for page in pages) == 1


def test_bookmarks_and_properties_are_set(
    pdf: tuple[pypdfium2.PdfDocument, list[str]],
) -> None:
    document, _ = pdf
    titles = [item.get_title() for item in document.get_toc()]
    assert [title.split()[0] for title in titles[:3]] == ["1", "1.1", "1.2"]
    assert document.get_metadata_value("Title") == "DX-4 handbook"
    assert document.get_metadata_value("CreationDate").startswith("D:20260305")
    assert document.is_tagged()


def test_no_heading_is_the_last_line_of_a_page() -> None:
    section = "## Head\n\nThe fuse is rated 3.15 A.[^1] It is slow.[^2]\n\n"
    _, pages = opened(FORMATS["pdf"](delivery(chapter(section * 40))))
    assert len(pages) > 7
    assert all(page.count("Head") == page.count("It is slow.") for page in pages[3:6])


def test_a_note_in_a_heading_is_printed_once() -> None:
    _, pages = opened(FORMATS["pdf"](delivery(chapter("## Head[^1]\n\nText.[^1]\n"))))
    assert sum(page.count("datasheet.pdf §3.1") for page in pages) == 1


def test_a_note_in_the_header_of_a_split_table_is_printed_once() -> None:
    rows = "".join(f"| {number} | x |\n" for number in range(90))
    text = f"| a[^1] | b |\n|--|--|\n{rows}"
    _, pages = opened(FORMATS["pdf"](delivery(chapter(text))))
    assert sum(page.count("datasheet.pdf §3.1") for page in pages) == 1


def test_endless_words_stay_on_the_page() -> None:
    word = "W" * 300
    document, pages = opened(
        FORMATS["pdf"](delivery(chapter(f"| a | b |\n|--|--|\n| {word} | x |\n")))
    )
    page = document[2]
    boxes = [item.get_bounds() for item in page.get_objects()]
    assert "".join(pages[2].split()).count("W") == 300
    assert max(box[2] for box in boxes) <= page.get_width()


def test_characters_without_a_glyph_do_not_stop_the_document() -> None:
    document, _ = opened(FORMATS["pdf"](delivery(chapter("中文 العربية 🙂 \U0001f9ff \ue000"))))
    assert len(document) == 6


def test_hostile_text_stays_text() -> None:
    _, pages = opened(FORMATS["pdf"](hostile()))  # type: ignore[arg-type]
    shown = "".join("".join(pages).split()).replace("\u200b", "").replace("\ufffe", "")
    assert '#read("/etc/passwd")' in shown
    assert "<script>alert(1)</script>" in shown
    assert "root:" not in shown


def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(ExtraMissing) as caught:
        FORMATS["pdf"](delivery())
    assert "[export]" in caught.value.fix


def test_a_long_footnote_continues_on_the_next_page() -> None:
    notes = (CitationNote(1, "a.md", tuple(f"Sentence {number} of it." for number in range(120))),)
    _, pages = opened(FORMATS["pdf"](delivery(chapter(MARKDOWN), notes=notes)))
    assert "Sentence 119 of it." in "".join(pages)
