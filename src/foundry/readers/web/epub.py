"""Reads EPUB books: the chapters in reading order.

A chapter file without a heading gets its name in the table of contents (nav or ncx), which
itself is left out. Books with digital rights management are refused. EPUB has no stable
pages.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.archive import Archive, Element, build_wrong_kind_error, name_mimetype
from foundry.readers.document_builder import (
    DocumentBuilder,
    DraftBlock,
    add_blocks,
    find_clues,
)
from foundry.readers.front.document_names import FRONT_BLOCKS
from foundry.readers.web.html import decode_html, read_page, read_words
from foundry.records import Document

_KIND = Message("readers-kind-epub")
_MIMETYPE = "application/epub+zip"
_PREFIXES = {
    "urn:oasis:names:tc:opendocument:xmlns:container": "ocf",
    "http://www.idpf.org/2007/opf": "opf",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.daisy.org/z3986/2005/ncx/": "ncx",
    "http://www.w3.org/2001/04/xmlenc#": "enc",
}
_PAGES = frozenset({"application/xhtml+xml", "text/html"})
_FONT_SCHEMES = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


def read_epub(path: Path, options: ReadOptions) -> Document:
    """Read an EPUB. Raises ``ReadError`` if it is another kind, protected or without text."""
    with Archive(path, _KIND) as archive:
        book = _Book(archive)
        builder = DocumentBuilder("epub")
        start: list[DraftBlock] = []
        for part in book.list_chapters():
            blocks = book.read_chapter(part, builder)
            start += blocks if len(start) < FRONT_BLOCKS else []
            add_blocks(builder, blocks)
    clues = find_clues(start, book.properties)
    return builder.build(options.name, clues, reason=Message("readers-epub-empty"))


class _Book:
    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        mimetype = archive.find("mimetype")
        if mimetype is not None and mimetype.strip() != _MIMETYPE.encode():
            actual = name_mimetype(mimetype.decode("ascii", "replace").strip())
            raise build_wrong_kind_error(actual, _KIND)
        container = archive.get_xml("META-INF/container.xml", _PREFIXES)
        roots = [item.get("full-path", "") for item in container.iter("ocf.rootfile")]
        self._opf = next(filter(None, roots), "content.opf")
        self._package = archive.get_xml(self._opf, _PREFIXES)
        self._items = {item.get("id", ""): item for item in self._package.iter("opf.item")}
        root = archive.find_xml("META-INF/encryption.xml", _PREFIXES)
        self._locked = frozenset() if root is None else frozenset(_list_locked(root))
        self._names = dict(self._read_contents())
        self.properties = {
            name: self._package.findtext(f"opf.metadata/dc.{name}") for name in ("title", "date")
        }

    def list_chapters(self) -> Iterator[str]:
        """Yield the page files in reading order, each once, without the table of contents."""
        listed: set[str] = set()
        for reference in self._package.iter("opf.itemref"):
            item = self._items.get(reference.get("idref", ""))
            if item is None or "nav" in (item.get("properties") or "").split():
                continue
            part = self._resolve(self._opf, item.get("href", ""))
            if item.get("media-type") in _PAGES and part not in listed:
                listed.add(part)
                yield part

    def read_chapter(self, part: str, builder: DocumentBuilder) -> list[DraftBlock]:
        """Read a page file; its name in the table of contents replaces a missing heading."""
        if part in self._locked:
            raise ReadError("readers-epub-protected")
        data = self._archive.find(part)
        if data is None:
            builder.warn(Message("readers-epub-chapter-missing", part=part))
            return []
        decoded = decode_html(data)
        builder.warn(decoded.warning)
        blocks = read_page(decoded.text, whole=True).blocks
        name = self._names.get(part)
        if name and blocks and not any(block.level for block in blocks):
            blocks.insert(0, DraftBlock("heading", name, 1))
        return blocks

    def _read_contents(self) -> Iterator[tuple[str, str]]:
        """Yield the page files in the table of contents with their names."""
        for item in self._items.values():
            target = self._resolve(self._opf, item.get("href", ""))
            if "nav" in (item.get("properties") or "").split():
                data = self._archive.find(target)
                links = LexborHTMLParser(decode_html(data).text).css("nav a[href]") if data else []
                for link in reversed(links):
                    yield self._resolve(target, link.attributes.get("href") or ""), read_words(link)
            elif item.get("media-type") == "application/x-dtbncx+xml":
                yield from self._read_ncx(target)

    def _read_ncx(self, part: str) -> Iterator[tuple[str, str]]:
        try:
            root = self._archive.find_xml(part, _PREFIXES)
        except ReadError:
            # A broken table of contents costs names, not text.
            return
        points = [] if root is None else list(root.iter("ncx.navPoint"))
        for point in reversed(points):
            label = point.findtext("ncx.navLabel/ncx.text") or ""
            content = point.find("ncx.content")
            if content is not None:
                yield self._resolve(part, content.get("src", "")), " ".join(label.split())

    @staticmethod
    def _resolve(base: str, reference: str) -> str:
        target = unquote(reference.split("#", 1)[0])
        return posixpath.normpath(posixpath.join(posixpath.dirname(base), target))


def _list_locked(root: Element) -> Iterator[str]:
    for item in root.iter("enc.EncryptedData"):
        method = item.find("enc.EncryptionMethod")
        # Obfuscated fonts are common and leave the text readable.
        if method is not None and method.get("Algorithm", "").startswith(_FONT_SCHEMES):
            continue
        for reference in item.iter("enc.CipherReference"):
            yield unquote(reference.get("URI", ""))
