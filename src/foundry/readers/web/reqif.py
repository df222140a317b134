"""Reads requirements in ReqIF: each under its heading, with its identifier and its other attributes.

An object with a chapter name is a heading, and its place in the hierarchy is its level. What no
specification names comes first. Pictures and files inside a value are named, not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from xml.etree import ElementTree as ET

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.archive import Archive, Element, parse_xml
from foundry.readers.web.written import WrittenPage, build_page, write_heading, write_table
from foundry.records import Document

_XHTML = "http://www.w3.org/1999/xhtml"
_TEXTS = ("ReqIF.Text", "ReqIF.Description", "Object Text", "Text", "Description")
_HEADINGS = ("ReqIF.ChapterName", "Object Heading")
_IDENTIFIERS = ("ReqIF.ForeignID", "Object Identifier")
_NAMES = ("ReqIF.Name",)
# Tags before the first word, below which an identifier belongs.
_LEAD = re.compile(r"(?:\s|<(?:div|p|span|b|strong|i|em)\b[^<>]*>)*", re.IGNORECASE)
_MAX_LEVELS = 200


@dataclass(slots=True)
class _Object:
    """A requirement or heading: its attributes as HTML, by the names that its type gives them."""

    name: str
    values: dict[str, str] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)


def read_reqif_archive(path: Path, options: ReadOptions) -> Document:
    """Read the ReqIF files of a .reqifz archive as one document."""
    with Archive(path, Message("readers-kind-reqif")) as archive:
        parts = [name for name in archive.names if name.lower().endswith(".reqif")]
        roots = [parse_xml(archive.get(name), {}, name) for name in parts]
    return read_reqif(roots, options)


def read_reqif(roots: Sequence[Element], options: ReadOptions) -> Document:
    """Read the exchange files of requirements that belong together."""
    page = WrittenPage()
    for root in roots:
        _shorten_names(root)
        title = root.findtext(".//REQ-IF-HEADER/TITLE") or ""
        if title.strip():
            page.properties.setdefault("title", title.strip())
        if made := root.findtext(".//REQ-IF-HEADER/CREATION-TIME"):
            page.properties.setdefault("date", made.strip())
        page.html += _Reader(root).write(title.strip())
    return build_page("reqif", page, options.name)


def _shorten_names(root: Element) -> None:
    for element in root.iter():
        address, _, local = str(element.tag).rpartition("}")
        if address[1:] != _XHTML:
            element.tag = local


class _Reader:
    """Finds what a file names: attributes, values of enumerations, objects and their relations."""

    def __init__(self, root: Element) -> None:
        self._root = root
        self._names = {
            element.get("IDENTIFIER", ""): element.get("LONG-NAME") or ""
            for element in root.iter()
            if element.get("IDENTIFIER")
        }
        self._objects = {
            item.get("IDENTIFIER", ""): self._read_object(item)
            for item in root.iterfind(".//SPEC-OBJECTS/SPEC-OBJECT")
        }
        self._written: set[str] = set()
        self._read_relations()

    def write(self, title: str) -> str:
        specifications = [
            self._write_specification(item)
            for item in self._root.iterfind(".//SPECIFICATIONS/SPECIFICATION")
        ]
        loose = (item for name, item in self._objects.items() if name not in self._written)
        before = "".join(_write_object(item, None) for item in loose)
        return f"{write_heading(title, 1) if title and before else ''}{before}{''.join(specifications)}"

    def _write_specification(self, item: Element) -> str:
        name = item.get("LONG-NAME") or item.get("DESC") or item.get("IDENTIFIER") or ""
        return write_heading(name, 1) + "".join(self._write_children(item, 2))

    def _write_children(self, parent: Element, level: int) -> Iterator[str]:
        if level > _MAX_LEVELS:
            raise ReadError("readers-html-nested", limit=_MAX_LEVELS)
        for place in parent.iterfind("CHILDREN/SPEC-HIERARCHY"):
            name = (place.findtext("OBJECT/SPEC-OBJECT-REF") or "").strip()
            below = place.find("CHILDREN/SPEC-HIERARCHY") is not None
            item = self._objects.get(name)
            if item is not None and name not in self._written:
                self._written.add(name)
                yield _write_object(item, level, below=below)
            yield from self._write_children(place, level + 1)

    def _read_object(self, item: Element) -> _Object:
        found = _Object(item.get("LONG-NAME") or item.get("IDENTIFIER") or "")
        for value in item.iterfind("VALUES/*"):
            reference = value.find("DEFINITION/*")
            name = self._names.get((reference.text or "").strip() if reference is not None else "")
            found.values[name or "?"] = self._read_value(value)
        return found

    def _read_value(self, value: Element) -> str:
        if value.tag == "ATTRIBUTE-VALUE-ENUMERATION":
            names = (
                self._names.get((ref.text or "").strip(), "") for ref in value.iterfind("VALUES/*")
            )
            return escape(", ".join(name for name in names if name))
        html = value.find("THE-VALUE")
        if html is None:
            return escape(value.get("THE-VALUE") or "")
        return "".join(_write_xhtml(child) for child in html)  # fmt: skip

    def _read_relations(self) -> None:
        for relation in self._root.iterfind(".//SPEC-RELATIONS/SPEC-RELATION"):
            source, target = (
                self._objects.get((relation.findtext(f"{end}/SPEC-OBJECT-REF") or "").strip())
                for end in ("SOURCE", "TARGET")
            )
            if source and target:
                reference = (relation.findtext("TYPE/*") or "").strip()
                kind = self._names.get(reference) or relation.get("LONG-NAME") or ""
                source.links.append(
                    " ".join(filter(None, (escape(kind), _find_identifier(target))))
                )


def _find_identifier(item: _Object) -> str:
    stated = next((item.values[name] for name in _IDENTIFIERS if item.values.get(name)), "")
    return stated or escape(item.name)


def _write_object(item: _Object, level: int | None, *, below: bool = False) -> str:
    """A heading, or a requirement: identifier and text, and a row with its other attributes.

    One that has others below it opens a section too.
    """
    identifier = _find_identifier(item)
    values = item.values
    chapter, name = (_find(values, names) for names in (_HEADINGS, _NAMES))
    text = _find(values, _TEXTS)
    used = {*_HEADINGS, *_IDENTIFIERS, *_NAMES}
    used |= {next((name for name in _TEXTS if values.get(name)), "")}
    rest = {key: value for key, value in values.items() if key not in used and value}
    if item.links:
        rest["→"] = ", ".join(item.links)
    parts = []
    if level is not None and (chapter or below):
        title = chapter or f"{identifier} {name}".strip()
        parts.append(write_heading("", level, title))
    elif chapter:
        parts.append(f"<p>{chapter}</p>\n")
    if text or not chapter:
        words = name if name and text != name else ""
        parts.append(_write_text(": ".join(filter(None, (identifier, words))), text))
    if rest:
        header = ["ID", *(escape(key.removeprefix("ReqIF.")) for key in rest)]
        parts.append(write_table(header, [[identifier, *rest.values()]]))
    return "".join(parts)


def _find(values: dict[str, str], names: Sequence[str]) -> str:
    return next((values[name] for name in names if values.get(name)), "")


def _write_text(identifier: str, html: str) -> str:
    """The identifier as the first words of a text that is HTML."""
    lead = _LEAD.match(html)
    at = lead.end() if lead else 0
    if html[at : at + 1] == "<":
        return f"<p>{identifier}</p><div>{html}</div>\n"
    separator = ": " if html[at:] else ""
    return f"<div>{html[:at]}{identifier}{separator}{html[at:]}</div>\n"


def _write_xhtml(element: Element) -> str:
    """A value as HTML, whose objects are pictures or files."""
    for item in list(element.iter()):
        tag = str(item.tag).rpartition("}")[2]
        item.tag = "img" if tag == "object" else tag
        if tag == "object":
            # What is inside stands for those that cannot show it.
            item[:], item.text = [], None
    element.tail = None
    return ET.tostring(element, encoding="unicode", method="html")
