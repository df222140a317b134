"""Reads DocBook 4 and 5 and DITA (topics and maps) as the page that they make.

Both name their elements by meaning, so one table of names writes sections, lists, steps, notes, tables
and code as HTML. What another file holds (an include, a reference to its content) is named, not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from html.entities import html5
from pathlib import Path, PurePosixPath

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers.archive import Element, parse_xml
from foundry.readers.web.reqif import read_reqif
from foundry.readers.web.written import (
    WrittenPage,
    build_page,
    load_bytes,
    write_cell,
    write_code,
    write_definition,
    write_heading,
)
from foundry.records import Document


def _list(names: str) -> frozenset[str]:
    return frozenset(names.split())


_SECTIONS = _list(
    """set book part chapter article appendix preface section sect1 sect2 sect3 sect4 sect5 simplesect
    reference refentry refsection refsect1 refsect2 refsect3 glossary bibliography dedication colophon
    acknowledgements topic concept task glossgroup troubleshooting learningContent example refsyn
    prereq context result postreq condition cause remedy tasktroubleshooting glossdiv index
    partintro refsynopsisdiv qandadiv"""
)
_PARAGRAPHS = _list(
    """para simpara p shortdesc cmd attribution line glossdef_p tutorialinfo question answer titleabbrev
    subtitle refpurpose glossdef glossterm_p subject desc fragref bridgehead"""
)
_BULLETS = _list("itemizedlist ul sl simplelist steps-unordered choices calloutlist bibliolist")
_NUMBERS = _list("orderedlist ol steps procedure substeps steps-informal")
_ITEMS = _list("listitem li sli step member choice substep callout biblioentry bibliomixed")
_TERM_LISTS = _list("variablelist dl glosslist parml segmentedlist")
_TERMS = _list("term dt glossterm pt")
_DEFINITIONS = _list("dd pd glossdef")
_CODE = _list(
    "programlisting screen literallayout synopsis codeblock msgblock pre lines address funcsynopsis"
)
_NOTES = _list("note important warning caution tip danger hazardstatement")
_ROWS = _list("row strow chrow property sthead chhead prophead tr")
_HEADS = _list("sthead chhead prophead")
_CELLS = _list(
    """entry stentry choption chdesc proptype propvalue propdesc proptypehd propvaluehd propdeschd
    choptionhd chdeschd td th"""
)
_TABLES = _list("table informaltable simpletable properties choicetable")
_PICTURES = _list("image graphic inlinegraphic imagedata videodata audiodata")
_SILENT = _list(
    """indexterm prolog colspec spanspec beginpage anchor data required-cleanup draft-comment remark
    topicmeta navtitle searchtitle titlealts related-links reltable indexdivs toc lot keydef ux-window
    area areaspec xi:include col colgroup"""
)
_META = _list("info bookinfo articleinfo chapterinfo sectioninfo partinfo prefaceinfo refentryinfo")
_INLINE = _list(
    """emphasis phrase code literal filename command option userinput computeroutput guilabel guibutton
    guimenu guimenuitem guisubmenu link ulink b i u tt codeph ph term keyword uicontrol filepath cmdname
    varname parmname apiname systemoutput wintitle cite citetitle acronym abbrev replaceable envar
    function varname type parameter classname productname trademark keycap email uri inlinemediaobject
    foreignphrase firstterm sup sub superscript subscript keycombo menuchoice menucascade xref footnote fn
    quote q tm state text dfn strong em package constant structfield prompt property errorname span a"""
)
_JOINED = {"menuchoice": " > ", "menucascade": " > ", "keycombo": "+"}
_MAP_ROOTS = _list("map bookmap subjectScheme")
_ROOTS = _SECTIONS | _MAP_ROOTS | {"dita", "glossentry"}
_ENTITY = re.compile(rb"&([A-Za-z_][\w.-]*);")
_MAX_LEVELS = 200
"""Deepest nesting of elements; real ones have some dozens."""
_MAX_SPAN = 100
_VERSIONS = _list("releaseinfo edition revnumber productnumber")
_DATES = _list("date pubdate revised created")


@cache
def _name_entities() -> dict[str, str]:
    # Those of HTML have the names of ISO's, which DocBook takes.
    return {name[:-1]: text for name, text in html5.items() if name.endswith(";")}


def read_xml(path: Path, options: ReadOptions) -> Document:
    """Read DocBook, DITA or ReqIF. Raises ``ReadError`` for other XML."""
    data = load_bytes(path)
    known = _name_entities()
    named = {name.decode() for name in _ENTITY.findall(data)} - {"amp", "lt", "gt", "quot", "apos"}
    root = parse_xml(data, {}, path.name, {name: known.get(name, name) for name in named})
    kind = get_local(root)
    if kind == "REQ-IF":
        return read_reqif([root], options)
    if kind not in _ROOTS:
        raise ReadError("readers-xml-unknown", name=kind[:60])
    if _is_deep(root):
        raise ReadError("readers-html-nested", limit=_MAX_LEVELS)
    page = WrittenPage(unknown=sorted(named - set(known)))
    page.html = _Writer(page, root).write_all()
    dita = path.suffix.lower() in {".dita", ".ditamap"} or get_local(root) in _MAP_ROOTS
    return build_page("dita" if dita else "docbook", page, options.name)


def get_local(element: Element) -> str:
    """The name of an element without its namespace; "" for a comment."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _is_deep(root: Element) -> bool:
    level, elements = 0, [root]
    while elements and level <= _MAX_LEVELS:
        elements = [child for element in elements for child in element]
        level += 1
    return level > _MAX_LEVELS


class _Writer:
    """Writes the elements below a root as HTML."""

    def __init__(self, page: WrittenPage, root: Element) -> None:
        self._page = page
        self._root = root
        self._map = get_local(root) in _MAP_ROOTS
        self._notes: list[str] = []
        self._titles: dict[str, str] = {}
        for element in root.iter():
            name = element.get("id") or element.get("{http://www.w3.org/XML/1998/namespace}id")
            title = _find_title(element)
            if name and title is not None:
                self._titles[name] = _read_text(title)

    def write_all(self) -> str:
        self._read_properties()
        html = self._write_map(self._root) if self._map else self._write(self._root, 1, "")
        notes = (f"<p>[{number}] {note}</p>\n" for number, note in enumerate(self._notes, 1))
        return html + "".join(notes)

    def _read_properties(self) -> None:
        properties = self._page.properties
        title = _find_title(self._root)
        if title is not None:
            properties["title"] = _read_text(title)
        if status := self._root.get("status"):
            properties["status"] = status
        for parent in self._root.iter():
            kind = get_local(parent)
            if kind in _META | {"prolog", "revision", "topicmeta", "bookmeta"}:
                for child in parent.iter():
                    self._read_property(child)
            if kind in _SECTIONS and parent is not self._root:
                break

    def _read_property(self, element: Element) -> None:
        kind, text = get_local(element), _read_text(element)
        properties = self._page.properties
        if kind in _VERSIONS and text:
            properties.setdefault("version", text)
        elif kind == "vrm" and element.get("version"):
            numbers = (element.get(key) for key in ("version", "release", "modification"))
            properties["version"] = ".".join(number for number in numbers if number)
        day = element.get("modified") or element.get("date") or text
        if kind in _DATES and day and (kind == "revised" or "date" not in properties):
            properties["date"] = day

    def _write(self, element: Element, level: int, parent: str) -> str:
        kind = get_local(element)
        if element.get("conref") or element.get("conkeyref"):
            self._page.includes.append(element.get("conref") or element.get("conkeyref") or "")
        if kind == "include":
            self._page.includes.append(element.get("href") or "")
        if not kind or kind in _SILENT or kind == "include":
            return ""
        # "info" is a part of a step in DITA.
        if kind in _META and (kind != "info" or parent in _SECTIONS):
            shown = (child for child in element if get_local(child) in {"abstract", "legalnotice"})
            return "".join(self._write(child, level, kind) for child in shown)
        if kind in _SECTIONS or (kind in {"section", "refsyn"} and parent):
            return self._write_section(element, level)
        writer = _find_writer(kind)
        if writer is not None:
            return writer(self, element, level)
        inner = self._write_children(element, level, kind)
        tag = _find_tag(kind)
        if tag:
            return f"<{tag}>{inner}</{tag}>\n"
        inside = parent in _PARAGRAPHS or parent in _INLINE or parent in _TERMS or parent == "title"
        return inner if kind in _INLINE or inside else f"<div>{inner}</div>\n"

    def _write_children(self, element: Element, level: int, kind: str = "") -> str:
        parts = [escape(element.text or "", quote=False)]
        for child in element:
            parts.append(self._write(child, level, kind or get_local(element)))
            parts.append(escape(child.tail or "", quote=False))
        return "".join(parts)

    def _write_section(self, element: Element, level: int) -> str:
        title = _find_title(element)
        if title is None:
            return f"<div>{self._write_children(element, level)}</div>\n"
        inner = self._write_children(title, level, "title")
        rest = (
            self._write(child, level + 1, get_local(element))
            for child in element
            if child is not title
        )
        return write_heading("", level, inner) + "".join(rest)  # fmt: skip

    def _write_title(self, element: Element, level: int) -> str:
        return f"<figcaption>{self._write_children(element, level, 'title')}</figcaption>\n"

    def _write_code(self, element: Element, _level: int) -> str:
        return write_code("".join(element.itertext()))

    def _write_picture(self, _element: Element, _level: int) -> str:
        return "<img>"

    def _write_note(self, element: Element, level: int) -> str:
        kind = element.get("type") or get_local(element)
        kind = element.get("othertype") or kind if kind == "other" else kind
        title = _find_title(element)
        words = kind.capitalize() if title is None else _read_text(title)
        rest = (self._write(child, level, "note") + escape(child.tail or "", quote=False) for child in element if child is not title)  # fmt: skip
        text = escape(element.text or "", quote=False)
        return f"<div><p>{escape(words)}</p>{text}{''.join(rest)}</div>\n"

    def _write_footnote(self, element: Element, level: int) -> str:
        words = self._write_children(element, level, "p")
        self._notes.append(re.sub(r"</?p>", " ", words).strip())
        return f"[{len(self._notes)}]"

    def _write_link(self, element: Element, level: int) -> str:
        """A reference to a place: its own words, else the title there, else its name."""
        inner = self._write_children(element, level, "xref")
        if inner.strip():
            return inner
        target = element.get("linkend") or element.get("href") or element.get("keyref") or ""
        target = target or element.get("{http://www.w3.org/1999/xlink}href") or ""
        name = target.rpartition("#")[2].rpartition("/")[2]
        return escape(self._titles.get(name) or target.partition("#")[0] or name)

    def _write_joined(self, element: Element, level: int) -> str:
        parts = (self._write(child, level, "p") for child in element)
        return escape(_JOINED[get_local(element)]).join(parts)

    def _write_quote(self, element: Element, level: int) -> str:
        return f"“{self._write_children(element, level)}”"

    def _write_terms(self, element: Element, level: int) -> str:
        parts = []
        for entry in element:
            kinds = [(get_local(child), child) for child in entry]
            terms = [
                self._write_children(item, level, "term") for kind, item in kinds if kind in _TERMS
            ]
            if not terms:
                parts.append(self._write(entry, level, "dl"))
                continue
            rest = (self._write_children(item, level) for kind, item in kinds if kind not in _TERMS)
            parts.append(write_definition(", ".join(terms), "".join(rest)))
        return f"<dl>{''.join(parts)}</dl>\n"  # fmt: skip

    def _write_table(self, element: Element, level: int) -> str:
        """A table of CALS, of HTML or of DITA's own kinds, with its title as the caption."""
        title = _find_title(element)
        caption = "" if title is None else self._write_children(title, level, "title")
        groups = [child for child in element if get_local(child) == "tgroup"] or [element]
        parts = [f"<figcaption>{caption}</figcaption>" if caption else ""]
        for group in groups:
            columns = _number_columns(group)
            rows = (self._write_row(row, columns, head, level) for row, head in _find_rows(group))
            parts.append(f"<table>{''.join(rows)}</table>\n")
        return "".join(parts)

    def _write_row(self, row: Element, columns: dict[str, int], head: bool, level: int) -> str:
        cells = []
        for cell in row:
            kind = get_local(cell)
            if kind not in _CELLS:
                continue
            start, end = (columns.get(cell.get(key) or "", 0) for key in ("namest", "nameend"))
            across = end - start + 1 if 0 < start <= end else _read_number(cell.get("colspan"), 1)
            down = _read_number(cell.get("morerows"), 0) + 1
            down = max(down, _read_number(cell.get("rowspan"), 1))
            header = head or kind == "th" or kind.endswith("hd")
            cells.append(write_cell(self._write_children(cell, level, kind), across, down, header=header))  # fmt: skip
        return f"<tr>{''.join(cells)}</tr>\n"

    def _write_map(self, element: Element) -> str:
        title = self._page.properties.get("title")
        heading = write_heading(str(title), 1) if title else ""
        return heading + "".join(self._write_references(element))

    def _write_references(self, element: Element) -> Iterator[str]:
        """The topics of a map, as nested lists of their titles."""
        parts = []
        for child in element:
            if get_local(child) in {"title", "booktitle", "topicmeta", "bookmeta", "reltable"}:
                continue
            name = child.get("href") or child.get("conref") or ""
            if name:
                self._page.includes.append(name)
            found = next((item for item in child.iter() if get_local(item) == "navtitle"), None)
            own = None if found is None or found not in _list_own(child) else _read_text(found)
            words = child.get("navtitle") or own or PurePosixPath(name.partition("#")[0]).name
            inner = "".join(self._write_references(child))
            parts.append(f"<li>{escape(words)}{inner}</li>" if words else inner)
        if parts:
            yield f"<ul>{''.join(parts)}</ul>\n"


def _list_own(element: Element) -> list[Element]:
    """The children of an element and of its ``topicmeta``."""
    return [
        item for child in element for item in (child, *child) if get_local(child) == "topicmeta"
    ]


_WRITERS: tuple[tuple[frozenset[str], Callable[[_Writer, Element, int], str]], ...] = (
    (_CODE, _Writer._write_code),  # noqa: SLF001  the table of the class
    (_NOTES, _Writer._write_note),  # noqa: SLF001
    (_TABLES, _Writer._write_table),  # noqa: SLF001
    (_TERM_LISTS, _Writer._write_terms),  # noqa: SLF001
    (_PICTURES, _Writer._write_picture),  # noqa: SLF001
    (_list("footnote fn"), _Writer._write_footnote),  # noqa: SLF001
    (_list("xref ulink link topicref"), _Writer._write_link),  # noqa: SLF001
    (frozenset(_JOINED), _Writer._write_joined),  # noqa: SLF001
    (_list("quote q"), _Writer._write_quote),  # noqa: SLF001
    (_list("title caption"), _Writer._write_title),  # noqa: SLF001
)


@cache
def _find_writer(kind: str) -> Callable[[_Writer, Element, int], str] | None:
    return next((writer for kinds, writer in _WRITERS if kind in kinds), None)


_TAGS: tuple[tuple[frozenset[str], str], ...] = (
    (_PARAGRAPHS, "p"),
    (_BULLETS, "ul"),
    (_NUMBERS, "ol"),
    (_ITEMS, "li"),
    (_list("superscript sup"), "sup"),
    (_list("blockquote lq"), "blockquote"),
)


@cache
def _find_tag(kind: str) -> str | None:
    return next((tag for kinds, tag in _TAGS if kind in kinds), None)


def _read_number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 6 else default


def _find_title(element: Element) -> Element | None:
    """The title of an element: its own, or that of its information."""
    for child in element:
        kind = get_local(child)
        if kind in {"title", "mainbooktitle", "refname", "glossterm"}:
            # The term of an entry in a list is no title.
            return child if kind != "glossterm" or get_local(element) == "glossentry" else None
        if kind in _META | {"booktitle", "refnamediv"}:
            found = _find_title(child)
            if found is not None:
                return found
    return None


def _read_text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def _number_columns(group: Element) -> dict[str, int]:
    """The number of each named column, from 1."""
    columns: dict[str, int] = {}
    number = 0
    for child in group:
        if get_local(child) == "colspec":
            stated = child.get("colnum") or ""
            number = _read_number(stated, number + 1)
            columns[child.get("colname") or ""] = min(number, _MAX_SPAN)
    return columns


def _find_rows(group: Element, *, head: bool = False) -> Iterator[tuple[Element, bool]]:
    for child in group:
        kind = get_local(child)
        if kind in _ROWS:
            yield child, head or kind in _HEADS
        elif kind in {"thead", "tbody", "tfoot"}:
            yield from _find_rows(child, head=kind == "thead")


_DITA_HEAD = re.compile(r"DITA|urn:oasis:names:tc:dita|\bclass=[\"'][-+] (?:topic|map)/")
_DOCBOOK_HEAD = re.compile(r"DocBook|docbook\.org/ns", re.IGNORECASE)
_REQIF_HEAD = re.compile(r"<(?:\w+:)?REQ-IF\b")


def is_known_xml(head: str) -> bool:
    """Whether the first kilobytes of an XML file show DocBook, DITA or ReqIF."""
    return any(known.search(head) for known in (_DITA_HEAD, _DOCBOOK_HEAD, _REQIF_HEAD))
