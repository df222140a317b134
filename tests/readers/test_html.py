"""Web pages: the content under its headings, without the site."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.readers.web.html import read_html
from foundry.records import Document
from tests.readers.office_files import list_headings, options, texts


def read_page(folder: Path, body: str, head: str = "", encoding: str = "utf-8") -> Document:
    path = folder / "page.html"
    path.write_bytes(f"<html><head>{head}</head><body>{body}</body></html>".encode(encoding))
    return read_html(path, options(path))


def test_menus_scripts_and_footers_are_left_out(tmp_path: Path) -> None:
    body = (
        "<header><a href='/'>Acme</a></header><nav><a>Home</a></nav><h1>Manual</h1><p>Text.</p>"
        "<script>evil()</script><div class='cookie-banner'>Cookies?</div><footer>© Acme</footer>"
    )
    assert texts(read_page(tmp_path, body)) == ["Manual", "Text."]


def test_the_main_element_is_the_content(tmp_path: Path) -> None:
    body = f"<div>Shop</div><h1>Title</h1><main><h2>A</h2><p>{'word ' * 20}</p></main>"
    assert list_headings(read_page(tmp_path, body)) == ["Title", "A"]
    assert "Shop" not in read_page(tmp_path, body).text


def test_a_page_that_is_all_menu_is_read_whole(tmp_path: Path) -> None:
    assert texts(read_page(tmp_path, "<nav><p>Only this</p></nav>")) == ["Only this"]


def test_headings_make_the_path(tmp_path: Path) -> None:
    document = read_page(tmp_path, "<h1>A</h1><h2>B <a>¶</a></h2><p>x</p><h2>C</h2><p>y</p>")
    assert [block.heading_path for block in document.blocks if block.kind == "paragraph"] == [
        ("A", "B"),
        ("A", "C"),
    ]


def test_hidden_elements_are_not_text(tmp_path: Path) -> None:
    body = "<p>seen<span style='display: none'> unseen</span></p><p hidden>x</p><del>old</del>"
    assert texts(read_page(tmp_path, body)) == ["seen"]


def test_white_space_collapses_and_line_breaks_stay(tmp_path: Path) -> None:
    body = "<p>one\n   two&nbsp;three<br>\n four caf&eacute; m<sup>2</sup></p>"
    assert texts(read_page(tmp_path, body)) == ["one two three\nfour café m²"]


def test_list_items_carry_their_markers(tmp_path: Path) -> None:
    body = "<ol start=3><li>c<ul><li>dot</li></ul></li><li>d</li></ol><ol type=A><li>x</li></ol>"
    assert texts(read_page(tmp_path, body)) == ["3. c", "• dot", "4. d", "A. x"]


def test_tables_keep_rows_and_spans(tmp_path: Path) -> None:
    body = (
        "<table><caption>Values</caption><tr><th>A<th>B<th>C</tr>"
        "<tr><td rowspan=2>x<td colspan=2>wide</tr><tr><td>1<td>2</tr></table>"
    )
    document = read_page(tmp_path, body)
    assert texts(document) == ["Values", "A | B | C\nx | wide\n | 1 | 2"]
    assert document.blocks[0].kind == "caption"


def test_code_keeps_its_lines_and_definitions_their_terms(tmp_path: Path) -> None:
    body = "<pre>  a = 1\n    b</pre><dl><dt>Volt<dd>unit<dd>name</dl>"
    assert texts(read_page(tmp_path, body)) == ["a = 1\n  b", "Volt: unit", "name"]


def test_aligned_columns_in_a_preformatted_text_are_a_table(tmp_path: Path) -> None:
    document = read_page(tmp_path, "<pre>Name  Max\nVolt  3.6\nAmp   2.5\nTemp   85</pre>")
    assert texts(document) == ["Name | Max\nVolt | 3.6\nAmp | 2.5\nTemp | 85"]


def test_the_declared_encoding_is_used(tmp_path: Path) -> None:
    document = read_page(tmp_path, "<p>€ café</p>", "<meta charset='windows-1252'>", "cp1252")
    assert texts(document) == ["€ café"]


def test_the_name_of_the_site_is_cut_from_the_title(tmp_path: Path) -> None:
    head = "<title>Intervals – Manual – Acme</title>"
    assert read_page(tmp_path, "<h1>Intervals</h1><p>x</p>", head).title == "Intervals"
    assert read_page(tmp_path, "<p>x</p>", head).title == "Intervals – Manual – Acme"


@pytest.mark.parametrize("content", [b"<html></html>", b"<script>x</script>"])
def test_a_page_without_text_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(content)
    with pytest.raises(ReadError, match="no text"):
        read_html(path, options(path))


def test_binary_data_is_not_a_page(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"\x00\x01\x02" * 100)
    with pytest.raises(ReadError):
        read_html(path, options(path))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("<div>" * 3_000 + "words", "nested more than 2,000 levels deep"),
        ("<ul><li>x" * 3_000, "nested more than 2,000 levels deep"),
        ("<div><!--</div>-->" * 3_000, "nested more than 2,000 levels deep"),
        ("<div><a title='</div>'>" * 3_000, "nested more than 2,000 levels deep"),
        (f"<p {' '.join(f'a{n}=1' for n in range(3_000))}>", "more than 2,000 attributes"),
    ],
)
def test_markup_that_parsers_choke_on_is_refused(tmp_path: Path, body: str, reason: str) -> None:
    with pytest.raises(ReadError, match=reason):
        read_page(tmp_path, body)


@pytest.mark.parametrize(
    "body",
    [
        "<p>a<br>x" * 3_000,
        "<ul>" + "<li><b>x" * 3_000 + "</ul>",
        "<p><span id=n /><a name=m />x</p>" * 3_000,
        "<svg>" + "<path d='1 2' />" * 3_000 + "</svg>x",
        f"<p title='{'a ' * 3_000}'>x</p>",
        "<table>" + "<tr><td>x<td>y" * 3_000 + "</table>",
    ],
)
def test_long_pages_without_deep_nesting_are_read(tmp_path: Path, body: str) -> None:
    assert "x" in read_page(tmp_path, body).text


def test_a_link_to_the_place_itself_is_no_text(tmp_path: Path) -> None:
    text = '<dl><dt>open()<a href="#open">¶</a></dt><dd>Opens it.</dd></dl>'
    assert "¶" not in read_page(tmp_path, text).text
