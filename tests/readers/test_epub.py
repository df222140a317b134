"""EPUB books: chapters in reading order with their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.readers.web.epub import read_epub
from foundry.records import Document
from tests.readers.office_files import options, texts, write_zip

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OPS/book.opf"/></rootfiles></container>'
)
PACKAGE = (
    '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
    "<metadata><dc:title>The Book</dc:title></metadata><manifest>"
    '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    '<item id="x" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    '<item id="b" href="ch%202.xhtml" media-type="application/xhtml+xml"/>'
    '<item id="a" href="ch1.xhtml" media-type="application/xhtml+xml"/></manifest>'
    '<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>'
)
NCX = (
    '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://x/ncx.dtd">'
    '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel>'
    '<text>Chapter Two</text></navLabel><content src="ch%202.xhtml"/></navPoint></navMap></ncx>'
)


def read(folder: Path, **more: str) -> Document:
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": PACKAGE,
        "OPS/nav.xhtml": "<html><body><nav><a href='ch1.xhtml'>Chapter One</a></nav></body></html>",
        "OPS/toc.ncx": NCX,
        "OPS/ch1.xhtml": "<html><body><h1>One</h1><p>first&nbsp;text</p></body></html>",
        "OPS/ch 2.xhtml": "<html><body><p>second text</p></body></html>",
        **more,
    }
    path = write_zip(folder / "b.epub", parts)
    return read_epub(path, options(path))


def test_chapters_come_in_spine_order_and_get_missing_names_from_the_contents(
    tmp_path: Path,
) -> None:
    document = read(tmp_path)
    assert texts(document) == ["One", "first text", "Chapter Two", "second text"]
    assert document.title == "The Book"


def test_a_missing_chapter_is_a_warning(tmp_path: Path) -> None:
    package = PACKAGE.replace("ch1.xhtml", "lost.xhtml")
    document = read(tmp_path, **{"OPS/book.opf": package})
    assert tuple(map(str, document.warnings)) == (
        "A chapter is missing from the file: OPS/lost.xhtml.",
    )


def test_a_protected_book_is_refused_but_obfuscated_fonts_are_not(tmp_path: Path) -> None:
    def locked(part: str, method: str) -> str:
        return (
            '<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData>'
            f'<e:EncryptionMethod Algorithm="{method}"/><e:CipherData><e:CipherReference '
            f'URI="{part}"/></e:CipherData></e:EncryptedData></encryption>'
        )

    fonts = locked("OPS/a.otf", "http://www.idpf.org/2008/embedding")
    assert read(tmp_path, **{"META-INF/encryption.xml": fonts}).blocks
    text = locked("OPS/ch1.xhtml", "http://www.w3.org/2001/04/xmlenc#aes256-cbc")
    with pytest.raises(ReadError, match="protected"):
        read(tmp_path, **{"META-INF/encryption.xml": text})


def test_a_word_file_is_not_a_book(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "b.epub", {"word/document.xml": "<a/>"})
    with pytest.raises(ReadError, match="not an EPUB book"):
        read_epub(path, options(path))


def test_a_chapter_that_the_spine_repeats_is_read_once(tmp_path: Path) -> None:
    package = PACKAGE.replace('<itemref idref="a"/>', '<itemref idref="a"/>' * 1_000)
    document = read(tmp_path, **{"OPS/book.opf": package})
    assert texts(document).count("first text") == 1
