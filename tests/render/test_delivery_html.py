"""The page: notes lead both ways, nothing is loaded from elsewhere, everything has its name."""

from __future__ import annotations

from itertools import pairwise

from selectolax.lexbor import LexborHTMLParser

from foundry.render.delivery import FORMATS
from tests.render.deliveries import chapter, delivery, record


def page() -> LexborHTMLParser:
    return LexborHTMLParser(FORMATS["html"](delivery()).decode())


def test_every_link_within_the_page_leads_somewhere() -> None:
    read = page()
    known = {node.attributes["id"] for node in read.css("[id]")}
    inner = [str(node.attributes["href"])[1:] for node in read.css("a[href^='#']")]
    assert len(inner) > 10
    assert set(inner) <= known


def test_a_mark_leads_to_its_note_and_the_note_back_to_every_mark() -> None:
    read = page()
    marks = [str(node.attributes["id"]) for node in read.css("a[role=doc-noteref]")]
    backs = [str(node.attributes["href"])[1:] for node in read.css("a[role=doc-backlink]")]
    assert sorted(marks) == sorted(backs)
    assert len(marks) == 4


def test_nothing_is_loaded_from_anywhere() -> None:
    read = page()
    assert read.css("script, img, link, iframe, object, embed") == []
    style = read.css_first("style")
    assert style is not None
    assert "url(" not in style.text()
    assert "@import" not in style.text()


def test_the_page_names_its_language_its_parts_and_its_title_once() -> None:
    read = page()
    html = read.css_first("html")
    assert html is not None
    assert html.attributes["lang"] == "en"
    assert len(read.css("h1")) == len(read.css("main")) == len(read.css("nav")) == 1
    assert all(cell.attributes["scope"] == "col" for cell in read.css("th"))


def test_every_id_is_unique() -> None:
    ids = [node.attributes["id"] for node in page().css("[id]")]
    assert len(ids) == len(set(ids))


def test_headings_skip_no_level() -> None:
    levels = [int(node.tag[1]) for node in page().css("h1, h2, h3, h4, h5, h6")]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_a_chapter_in_another_language_says_so() -> None:
    made = FORMATS["html"](delivery(chapter(draft=record(language="nl")))).decode()
    languages = [node.attributes.get("lang") for node in LexborHTMLParser(made).css("section")]
    assert languages == ["nl", None, None, None, None]
