"""Reads presentations (PPTX): each slide is a section with its number as the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from foundry.ports import ReadOptions
from foundry.readers.archive import Archive, Element
from foundry.readers.document_builder import (
    DocumentBuilder,
    DraftBlock,
    add_blocks,
    find_block_revision,
    find_first_heading,
    write_cell,
    write_table,
)
from foundry.readers.metadata import choose_title
from foundry.readers.office.openxml import (
    PREFIXES,
    Graphics,
    choose_branch,
    find_property_title,
    get_main_part,
    read_equation,
)
from foundry.readers.symbols import format_counter, parse_integer, raise_digits, read_in_font
from foundry.records import Document

_BODIES = ("p.txBody", "a.txBody")
_NUMBER_FORMS = {
    "arabic": "decimal",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
}
_NUMBER_STYLE = re.compile(
    r"(arabic|romanLc|romanUc|alphaLc|alphaUc)(Period|ParenR|ParenBoth|Plain)"
)
_AROUND = {"Period": ("", "."), "ParenR": ("", ")"), "ParenBoth": ("(", ")"), "Plain": ("", "")}


def read_shape_lines(shape: Element) -> list[str]:
    """The paragraphs of a shape or table cell, without bullets."""
    return [_read_words(paragraph) for paragraph in _find_paragraphs(shape)]


def read_shape_blocks(shape: Element, *, bulleted: bool) -> Iterator[DraftBlock]:
    """The paragraphs of a shape; ``bulleted`` if its text has bullets unless it says not."""
    paragraphs = [item for item in _find_paragraphs(shape) if _read_words(item).strip()]
    counts: dict[int, int] = {}
    for paragraph in paragraphs:
        text = _read_words(paragraph)
        marker = _choose_marker(paragraph, counts, bulleted=bulleted and len(paragraphs) > 1)
        yield (
            DraftBlock("list_item", f"{marker} {text}") if marker else DraftBlock("paragraph", text)
        )


def _find_paragraphs(shape: Element) -> list[Element]:
    for name in _BODIES:
        body = shape.find(name)
        if body is not None:
            return body.findall("a.p")
    return []


def _choose_marker(paragraph: Element, counts: dict[int, int], *, bulleted: bool) -> str | None:
    properties = paragraph.find("a.pPr")
    level = 0 if properties is None else parse_integer(properties.get("lvl"), 0)
    for deeper in [key for key in counts if key > level]:
        del counts[deeper]
    automatic = None if properties is None else properties.find("a.buAutoNum")
    if automatic is not None:
        count = counts.get(level, parse_integer(automatic.get("startAt"), 1) - 1) + 1
        counts[level] = count
        return _format_bullet_number(automatic.get("type", ""), count)
    counts.pop(level, None)
    if properties is not None:
        if properties.find("a.buNone") is not None:
            return None
        bulleted = bulleted or properties.find("a.buChar") is not None
    return "•" if bulleted else None


def _format_bullet_number(style: str, count: int) -> str:
    match = _NUMBER_STYLE.fullmatch(style)
    written = format_counter(count, _NUMBER_FORMS[match[1]]) if match else None
    if match is None or written is None:
        return "•"
    before, after = _AROUND[match[2]]
    return f"{before}{written}{after}"


def _read_words(paragraph: Element) -> str:
    parts: list[str] = []
    for child in paragraph:
        if child.tag in {"a.r", "a.fld"}:
            parts.append(_read_run(child))
        elif child.tag == "a.br":
            parts.append("\n")
        elif child.tag in {"a14.m", "mc.AlternateContent"}:
            choice = child.find("mc.Choice") if child.tag != "a14.m" else child
            parts += [
                f" {read_equation(item)} "
                for item in (child if choice is None else choice).iter("m.oMath")
            ]
    return "".join(parts).replace("\x0b", "\n")


def _read_run(run: Element) -> str:
    properties = run.find("a.rPr")
    text = run.findtext("a.t") or ""
    if properties is None:
        return text
    font = properties.find("a.latin")
    text = read_in_font(text, None if font is None else font.get("typeface"))
    return raise_digits(text) if parse_integer(properties.get("baseline"), 0) > 0 else text


_TITLES = frozenset({"title", "ctrTitle"})
_FURNITURE = frozenset({"dt", "ftr", "sldNum", "hdr"})
_SHAPES = frozenset({"p.sp", "p.grpSp", "p.graphicFrame", "p.pic", "p.cxnSp"})
_FRAMES = ("p.spPr/a.xfrm", "p.xfrm", "p.grpSpPr/a.xfrm")
_BULLETED = frozenset({"body", "obj"})


@dataclass(frozen=True, slots=True)
class Placeholder:
    """What a shape stands in for: kind ("title", "body" …; "" for none) and index."""

    kind: str
    index: str


@dataclass(frozen=True, slots=True)
class ShapeFrame:
    """A shape's rectangle, in the units of its slide."""

    left: int
    top: int
    right: int
    bottom: int


class SlideShapes:
    """The shapes of one slide, layout or master; ``below`` is what it inherits from."""

    def __init__(self, root: Element, below: SlideShapes | None) -> None:
        self._below = below
        tree = root.find("p.cSld/p.spTree")
        self._shapes = [] if tree is None else list(_find_shapes(tree))
        self.title = next(
            (item for item in self._shapes if read_placeholder(item).kind in _TITLES), None
        )

    def in_order(self) -> list[Element]:
        """The shapes to be read after the title, in reading order."""
        shapes = [
            item
            for item in self._shapes
            if item is not self.title and read_placeholder(item).kind not in _FURNITURE
        ]
        return self._ordered(shapes)

    def pieces(self, shape: Element, graphics: Graphics) -> Iterator[DraftBlock]:
        """What a shape says: text, a table, a chart, or the shapes of a group."""
        if shape.tag == "p.grpSp":
            for item in self._ordered(list(_find_shapes(shape))):
                yield from self.pieces(item, graphics)
        elif shape.tag == "p.graphicFrame":
            table = shape.find("a.graphic/a.graphicData/a.tbl")
            if table is not None:
                yield DraftBlock("table", write_table(_read_rows(table)))
            yield from graphics.pieces(shape)
        elif shape.tag == "p.sp":
            bulleted = read_placeholder(shape).kind in _BULLETED
            yield from read_shape_blocks(shape, bulleted=bulleted)

    def find_frame(self, shape: Element) -> ShapeFrame | None:
        """A shape's rectangle, its own or the one it inherits; None if nobody says."""
        own = find_own_frame(shape)
        placeholder = read_placeholder(shape)
        if own is not None or not placeholder.kind or self._below is None:
            return own
        match = self._below.matching(placeholder)
        return None if match is None else self._below.find_frame(match)

    def matching(self, wanted: Placeholder) -> Element | None:
        """The placeholder that ``wanted`` inherits from: same index, else same kind."""
        for same in ("index", "kind"):
            for shape in self._shapes:
                value = getattr(read_placeholder(shape), same)
                if value and value == getattr(wanted, same):
                    return shape
        return None

    def _ordered(self, shapes: list[Element]) -> list[Element]:
        placed = [(frame, item) for item in shapes if (frame := self.find_frame(item))]
        rest = [item for item in shapes if self.find_frame(item) is None]
        return [item for _, item in order_frames(placed)] + rest


def order_frames(placed: Sequence[tuple[ShapeFrame, Element]]) -> list[tuple[ShapeFrame, Element]]:
    """Reading order: cut into columns if that leaves no lone shape, else into rows."""
    if len(placed) < 2:
        return list(placed)
    columns = _cut_groups(placed, "left", "right")
    rows = _cut_groups(placed, "top", "bottom")
    if len(columns) > 1 and (len(rows) == 1 or min(map(len, columns)) > 1):
        return [item for column in columns for item in order_frames(column)]
    if len(rows) > 1:
        return [item for row in rows for item in order_frames(row)]
    return sorted(placed, key=lambda item: (item[0].top, item[0].left))


def read_placeholder(shape: Element) -> Placeholder:
    """The placeholder that a shape fills."""
    found = next((item for child in list(shape)[:1] for item in child.iter("p.ph")), None)
    if found is None:
        return Placeholder("", "")
    return Placeholder(found.get("type", "obj"), found.get("idx", ""))


def find_own_frame(shape: Element) -> ShapeFrame | None:
    """The rectangle that a shape states itself, or None."""
    for path in _FRAMES:
        offset, extent = shape.find(f"{path}/a.off"), shape.find(f"{path}/a.ext")
        if offset is None or extent is None:
            continue
        try:
            left, top = int(offset.get("x", "")), int(offset.get("y", ""))
            return ShapeFrame(
                left, top, left + int(extent.get("cx", "")), top + int(extent.get("cy", ""))
            )
        except ValueError:
            return None
    return None


def _cut_groups(
    placed: Sequence[tuple[ShapeFrame, Element]], low: str, high: str
) -> list[list[tuple[ShapeFrame, Element]]]:
    """Groups along one axis with a gap between them; slight overlaps count as gaps."""
    groups: list[list[tuple[ShapeFrame, Element]]] = []
    reach = 0
    for item in sorted(placed, key=lambda pair: int(getattr(pair[0], low))):
        start, end = int(getattr(item[0], low)), int(getattr(item[0], high))
        slack = (end - start) // 10
        if not groups or start + slack >= reach:
            groups.append([])
        groups[-1].append(item)
        reach = max(reach, end) if len(groups[-1]) > 1 else end
    return groups


def _find_shapes(parent: Iterable[Element]) -> Iterator[Element]:
    for child in parent:
        if child.tag in _SHAPES:
            yield child
        elif child.tag == "mc.AlternateContent":
            yield from _find_shapes(choose_branch(child))


def _read_rows(table: Element) -> Iterator[list[str]]:
    for row in table.findall("a.tr"):
        line = []
        for cell in row.findall("a.tc"):
            merged = cell.get("hMerge") in {"1", "true"} or cell.get("vMerge") in {"1", "true"}
            lines = [] if merged else read_shape_lines(cell)
            line.append(write_cell(DraftBlock("paragraph", text) for text in lines))
        yield line


_KIND = "a PowerPoint presentation"


def read_pptx(path: Path, options: ReadOptions) -> Document:
    """Read a PPTX; raises ``ReadError`` when it is none, is locked or has no text."""
    with Archive(path, _KIND) as archive:
        deck = _Deck(archive)
        builder = DocumentBuilder("pptx")
        start: list[DraftBlock] = []
        empty: list[str] = []
        for number, part in enumerate(deck.slides, 1):
            label = str(deck.first_number + number - 1)
            pieces = deck.read_slide(part, label)
            if pieces:
                start += pieces if len(start) < 60 else []
                add_blocks(builder, pieces, page=number, page_label=label)
            else:
                empty.append(label)
        _add_warnings(builder, deck, empty)
        title = choose_title(
            (find_property_title(archive), find_first_heading(start)), Path(options.name)
        )
    return builder.build(
        title,
        len(deck.slides),
        *find_block_revision(start),
        reason="There is no text on these slides.",
        fix="Export the presentation as a PDF, and install Tesseract to have pictures read.",
    )


def _add_warnings(builder: DocumentBuilder, deck: _Deck, empty: list[str]) -> None:
    if deck.hidden:
        numbers = ", ".join(deck.hidden)
        builder.warn(f"Hidden in the show, but read: {_name_slides(deck.hidden)} {numbers}.")
    if empty:
        builder.warn(
            f"Without text: {_name_slides(empty)} {', '.join(empty)} (pictures are not read)."
        )


def _name_slides(numbers: list[str]) -> str:
    return "slide" if len(numbers) == 1 else "slides"


class _Deck:
    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        main = get_main_part(archive, _KIND, "ppt/presentation.xml")
        root = archive.get_xml(main, PREFIXES)
        relations = archive.relations(main)
        ids = [item.get("r.id", "") for item in root.findall("p.sldIdLst/p.sldId")]
        targets = [relations[id_][1] for id_ in ids if id_ in relations]
        self.slides = [target for target in targets if target in archive.names]
        self.first_number = parse_integer(root.get("firstSlideNum"), 1)
        self.hidden: list[str] = []
        self._layouts: dict[str, SlideShapes] = {}

    def read_slide(self, part: str, label: str) -> list[DraftBlock]:
        """A slide's pieces, its title first; none if nothing stands on it."""
        root = self._archive.get_xml(part, PREFIXES)
        if root.get("show") in {"0", "false"}:
            self.hidden.append(label)
        shapes = SlideShapes(root, self._layout(part))
        title = " ".join(" ".join(read_shape_lines(shapes.title)).split()) if shapes.title else ""
        graphics = Graphics(self._archive, part)
        pieces = [piece for shape in shapes.in_order() for piece in shapes.pieces(shape, graphics)]
        pieces = [piece for piece in pieces if piece.text.strip()]
        pieces += self._notes(part)
        if not title and not pieces:
            return []
        # Without a heading of its own, a slide would seem to belong to the one before it.
        return [DraftBlock("heading", title or f"Slide {label}", 1), *pieces]

    def _notes(self, part: str) -> Iterator[DraftBlock]:
        target = self._archive.related(part, "notesSlide")
        root = self._archive.find_xml(target, PREFIXES) if target else None
        for shape in [] if root is None else root.iter("p.sp"):
            if read_placeholder(shape).kind == "body":
                text = "\n".join(line for line in read_shape_lines(shape) if line.strip())
                if text:
                    yield DraftBlock("paragraph", f"Speaker notes: {text}")

    def _layout(self, part: str) -> SlideShapes | None:
        layout = self._archive.related(part, "slideLayout")
        if layout is None or layout not in self._archive.names:
            return None
        if layout not in self._layouts:
            master = self._archive.related(layout, "slideMaster")
            above = self._archive.find_xml(master, PREFIXES) if master else None
            root = self._archive.get_xml(layout, PREFIXES)
            below = None if above is None else SlideShapes(above, None)
            self._layouts[layout] = SlideShapes(root, below)
        return self._layouts[layout]
