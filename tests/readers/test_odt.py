"""OpenDocument texts and presentations."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.readers.office.odt import read_odt
from foundry.records import Document
from tests.readers.office_files import list_headings, options, texts, write_zip

_SPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("draw", "drawing"),
        ("style", "style"),
        ("presentation", "presentation"),
        ("manifest", "manifest"),
    )
)
_TEXT = "application/vnd.oasis.opendocument.text"
OUTLINE = (
    "<office:styles><text:outline-style>"
    '<text:outline-level-style text:level="1" style:num-format="1"/>'
    '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>'
    "</text:outline-style></office:styles>"
)


def read(
    folder: Path,
    body: str,
    *,
    styles: str = "",
    automatic: str = "",
    more: dict[str, str] | None = None,
) -> Document:
    content = (
        f"<office:document-content {_SPACES}><office:automatic-styles>{automatic}"
        f"</office:automatic-styles><office:body>{body}</office:body></office:document-content>"
    )
    if "office:presentation" not in body:
        content = content.replace("<office:body>", "<office:body><office:text>")
        content = content.replace("</office:body>", "</office:text></office:body>")
    parts = {
        "mimetype": _TEXT,
        "content.xml": content,
        "styles.xml": f"<office:document-styles {_SPACES}>{styles}</office:document-styles>",
        **(more or {}),
    }
    path = write_zip(folder / "a.odt", parts)
    return read_odt(path, options(path))


def heading(text: str, level: int, more: str = "") -> str:
    return f'<text:h text:outline-level="{level}" {more}>{text}</text:h>'


def test_outline_numbers_are_computed(tmp_path: Path) -> None:
    body = heading("A", 1) + heading("B", 2) + heading("C", 1) + heading("D", 2)
    document = read(tmp_path, body, styles=OUTLINE)
    assert list_headings(document) == ["1 A", "1.1 B", "2 C", "2.1 D"]


def test_a_style_without_a_list_removes_a_heading_from_the_numbering(tmp_path: Path) -> None:
    style = '<style:style style:name="P1" style:list-style-name=""/>'
    body = heading("Voorwoord", 1, 'text:style-name="P1"') + heading("A", 1)
    assert list_headings(read(tmp_path, body, styles=OUTLINE, automatic=style)) == [
        "Voorwoord",
        "1 A",
    ]


def test_a_restarted_heading_uses_its_start_value(tmp_path: Path) -> None:
    more = 'text:restart-numbering="true" text:start-value="7"'
    document = read(tmp_path, heading("A", 1) + heading("B", 1, more), styles=OUTLINE)
    assert list_headings(document) == ["1 A", "7 B"]


def test_list_items_carry_their_markers(tmp_path: Path) -> None:
    style = (
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1" '
        'style:num-format="a" style:num-suffix=")"/><text:list-level-style-bullet text:level="2" '
        'text:bullet-char="–"/></text:list-style>'
    )
    inner = "<text:list><text:list-item><text:p>x</text:p></text:list-item></text:list>"
    items = f"<text:list-item><text:p>p</text:p>{inner}</text:list-item><text:list-item><text:p>q</text:p></text:list-item>"
    listed = f'<text:list text:style-name="L">{items}</text:list>'
    again = listed.replace("<text:list ", '<text:list text:continue-numbering="true" ')
    document = read(tmp_path, listed + again, automatic=style)
    assert texts(document) == ["a) p", "– x", "b) q", "c) p", "– x", "d) q"]


def test_spaces_tabs_and_notes_are_kept_and_comments_dropped(tmp_path: Path) -> None:
    note = (
        "<text:note><text:note-citation>1</text:note-citation><text:note-body>"
        "<text:p>ISO 9001</text:p></text:note-body></text:note>"
    )
    body = (
        f'<text:p>a<text:s text:c="2"/>b\n  c{note}<office:annotation><text:p>hm</text:p>'
        "</office:annotation></text:p>"
    )
    document = read(tmp_path, body)
    assert texts(document) == ["a  b c[1]", "[1] ISO 9001"]
    assert tuple(map(str, document.warnings)) == ("Comments were left out.",)


def test_tracked_deletions_and_tables_of_contents_are_left_out(tmp_path: Path) -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>weg</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes>"
        "<text:table-of-content><text:index-body><text:p>A 1</text:p></text:index-body>"
        "</text:table-of-content><text:p>blijft</text:p>"
    )
    assert texts(read(tmp_path, body)) == ["blijft"]


def test_tables_keep_rows_and_covered_cells(tmp_path: Path) -> None:
    def cell(text: str) -> str:
        return f"<table:table-cell><text:p>{text}</text:p></table:table-cell>"

    body = (
        f"<table:table><table:table-header-rows><table:table-row>{cell('A')}{cell('B')}"
        f"{cell('C')}</table:table-row></table:table-header-rows><table:table-row>{cell('w')}"
        f"<table:covered-table-cell/>{cell('x')}</table:table-row></table:table>"
    )
    assert texts(read(tmp_path, body)) == ["A | B | C\nw |  | x"]


def test_slides_are_sections_with_pages(tmp_path: Path) -> None:
    def frame(kind: str, text: str) -> str:
        return f'<draw:frame presentation:class="{kind}"><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>'

    body = (
        f"<office:presentation><draw:page>{frame('outline', 'body')}{frame('title', 'One')}"
        f"{frame('footer', 'Acme')}<presentation:notes>{frame('notes', 'slow')}</presentation:notes>"
        "</draw:page></office:presentation>"
    )
    document = read(tmp_path, body)
    assert texts(document) == ["One", "body", "Speaker notes: slow"]
    assert document.blocks[1].page == document.pages == 1


def test_an_encrypted_document_is_refused(tmp_path: Path) -> None:
    manifest = (
        f"<manifest:manifest {_SPACES}><manifest:file-entry><manifest:encryption-data/>"
        "</manifest:file-entry></manifest:manifest>"
    )
    with pytest.raises(ReadError, match="encrypted with a password"):
        read(tmp_path, "<text:p>x</text:p>", more={"META-INF/manifest.xml": manifest})


def test_a_spreadsheet_with_the_wrong_extension_is_named(tmp_path: Path) -> None:
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    with pytest.raises(ReadError, match="ODS spreadsheet"):
        read(tmp_path, "<text:p>x</text:p>", more={"mimetype": kind})
