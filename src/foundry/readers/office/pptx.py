"""Reads presentations (PPTX): each slide is a section with its number as the page.

Shapes are read in the order of the page: by column, then from top to bottom; a shape
without a position takes that of its layout. Speaker notes close a slide. Footers, dates,
slide numbers, comments (with a warning) and the content of masters are left out; pictures are
not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.archive import Archive, Element
from foundry.readers.document_builder import (
    DocumentBuilder,
    DraftBlock,
    add_blocks,
    draft_table,
    find_clues,
    write_cell,
)
from foundry.readers.front.document_names import FRONT_BLOCKS
from foundry.readers.grids import GridCell
from foundry.readers.office.openxml import (
    PREFIXES,
    Graphics,
    choose_branch,
    count_pictures,
    find_integer,
    get_main_part,
    note_pictures,
    read_equation,
    read_properties,
)
from foundry.readers.symbols import format_counter, parse_integer, raise_digits, read_in_font
from foundry.records import BlockKind, Document

_KIND = Message("readers-kind-powerpoint")
_TITLES = frozenset({"title", "ctrTitle"})
_FURNITURE = frozenset({"dt", "ftr", "sldNum", "hdr"})
_SHAPES = frozenset({"p.sp", "p.grpSp", "p.graphicFrame", "p.pic", "p.cxnSp"})
_FRAMES = ("p.spPr/a.xfrm", "p.xfrm", "p.grpSpPr/a.xfrm")
_BULLETED = frozenset({"body", "obj"})
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


def read_pptx(path: Path, options: ReadOptions) -> Document:
    """Read a PPTX file. Raises ``ReadError`` if it is another kind, protected or without text."""
    with Archive(path, _KIND) as archive:
        deck = _Deck(archive)
        builder = DocumentBuilder("pptx")
        start: list[DraftBlock] = []
        empty: list[str] = []
        for number, part in enumerate(deck.slides, 1):
            label = str(deck.first_number + number - 1)
            blocks = deck.read_slide(part, label)
            if blocks:
                start += blocks if len(start) < FRONT_BLOCKS else []
                add_blocks(builder, blocks, page=number, page_label=label)
            else:
                empty.append(label)
        if deck.hidden:
            builder.warn(Message("readers-slides-hidden", slides=_format_slides(deck.hidden)))
        if deck.has_comments:
            builder.warn(Message("readers-comments-left-out"))
        builder.warn(note_pictures(deck.pictures))
        if empty:
            builder.warn(Message("readers-slides-empty", slides=_format_slides(empty)))
        clues = find_clues(start, read_properties(archive))
    return builder.build(
        options.name,
        clues,
        pages=len(deck.slides),
        reason=Message("readers-slides-without-text"),
    )


def _format_slides(numbers: list[str]) -> Message:
    return Message("readers-slides", numbers=numbers, number=len(numbers))


class _Deck:
    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        main = get_main_part(archive, _KIND, "ppt/presentation.xml")
        root = archive.get_xml(main, PREFIXES)
        relations = archive.read_relations(main)
        ids = [item.get("r.id", "") for item in root.findall("p.sldIdLst/p.sldId")]
        targets = [relations[id_][1] for id_ in ids if id_ in relations]
        self.slides = [target for target in targets if target in archive.names]
        self.first_number = parse_integer(root.get("firstSlideNum"), 1)
        self.hidden: list[str] = []
        self.has_comments = False
        self.pictures = 0
        self._layouts: dict[str, SlideShapes] = {}

    def read_slide(self, part: str, label: str) -> list[DraftBlock]:
        """Read a slide, its title first; empty if there is nothing on it."""
        root = self._archive.get_xml(part, PREFIXES)
        if root.get("show") in {"0", "false"}:
            self.hidden.append(label)
        self.has_comments |= self._archive.find_related(part, "comments") is not None
        self.pictures += count_pictures(self._archive, part)
        shapes = SlideShapes(root, self._get_layout(part))
        title = " ".join(" ".join(read_shape_lines(shapes.title)).split()) if shapes.title else ""
        graphics = Graphics(self._archive, part)
        blocks = [
            block
            for shape in shapes.sort_shapes()
            for block in shapes.read_blocks(shape, graphics)
            if block.text.strip()
        ]
        blocks += self._read_notes(part)
        if not title and not blocks:
            return []
        # Without a heading, a slide would seem to belong to the one before it.
        return [DraftBlock("heading", title or f"Slide {label}", 1), *blocks]

    def _read_notes(self, part: str) -> Iterator[DraftBlock]:
        target = self._archive.find_related(part, "notesSlide")
        root = self._archive.find_xml(target, PREFIXES) if target else None
        for shape in [] if root is None else root.iter("p.sp"):
            if read_placeholder(shape).kind == "body":
                text = "\n".join(line for line in read_shape_lines(shape) if line.strip())
                if text:
                    yield DraftBlock("paragraph", f"Speaker notes: {text}")

    def _get_layout(self, part: str) -> SlideShapes | None:
        layout = self._archive.find_related(part, "slideLayout")
        if layout is None or layout not in self._archive.names:
            return None
        if layout not in self._layouts:
            master = self._archive.find_related(layout, "slideMaster")
            above = self._archive.find_xml(master, PREFIXES) if master else None
            root = self._archive.get_xml(layout, PREFIXES)
            below = None if above is None else SlideShapes(above, None)
            self._layouts[layout] = SlideShapes(root, below)
        return self._layouts[layout]


@dataclass(frozen=True, slots=True)
class Placeholder:
    """The placeholder that a shape fills: kind ("title", "body" …; "" for none) and index."""

    kind: str
    index: str


@dataclass(frozen=True, slots=True)
class ShapeFrame:
    """The rectangle of a shape, in the units of its slide."""

    left: int
    top: int
    right: int
    bottom: int


class SlideShapes:
    """The shapes of a slide, layout or master; ``below`` is the one it inherits from."""

    def __init__(self, root: Element, below: SlideShapes | None) -> None:
        self._below = below
        tree = root.find("p.cSld/p.spTree")
        self._shapes = [] if tree is None else list(_find_shapes(tree))
        self.title = next(
            (item for item in self._shapes if read_placeholder(item).kind in _TITLES), None
        )

    def sort_shapes(self) -> list[Element]:
        """Return the shapes to read after the title, in reading order."""
        shapes = [
            item
            for item in self._shapes
            if item is not self.title and read_placeholder(item).kind not in _FURNITURE
        ]
        return self._sort(shapes)

    def read_blocks(self, shape: Element, graphics: Graphics) -> Iterator[DraftBlock]:
        """Read the text, table, charts or group of a shape."""
        if shape.tag == "p.grpSp":
            for item in self._sort(list(_find_shapes(shape))):
                yield from self.read_blocks(item, graphics)
        elif shape.tag == "p.graphicFrame":
            table = shape.find("a.graphic/a.graphicData/a.tbl")
            if table is not None:
                yield draft_table(_read_grid(table))
            yield from graphics.read_blocks(shape)
        elif shape.tag == "p.sp":
            bulleted = read_placeholder(shape).kind in _BULLETED
            yield from read_shape_blocks(shape, bulleted=bulleted)

    def find_frame(self, shape: Element) -> ShapeFrame | None:
        """Return the rectangle of a shape, its own or an inherited one, or None."""
        own = find_own_frame(shape)
        placeholder = read_placeholder(shape)
        if own is not None or not placeholder.kind or self._below is None:
            return own
        match = self._below.find_match(placeholder)
        return None if match is None else self._below.find_frame(match)

    def find_match(self, wanted: Placeholder) -> Element | None:
        """Return the placeholder that ``wanted`` inherits from: same index, else same kind."""
        for field in ("index", "kind"):
            for shape in self._shapes:
                value = getattr(read_placeholder(shape), field)
                if value and value == getattr(wanted, field):
                    return shape
        return None

    def _sort(self, shapes: list[Element]) -> list[Element]:
        placed = [(frame, item) for item in shapes if (frame := self.find_frame(item))]
        rest = [item for item in shapes if self.find_frame(item) is None]
        return [item for _, item in order_frames(placed)] + rest


def order_frames(placed: Sequence[tuple[ShapeFrame, Element]]) -> list[tuple[ShapeFrame, Element]]:
    """Sort into reading order: by column if no column has a single shape, else by row."""
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
    """Return the placeholder that a shape fills; its kind is "" if there is none."""
    element = next((item for child in list(shape)[:1] for item in child.iter("p.ph")), None)
    if element is None:
        return Placeholder("", "")
    return Placeholder(element.get("type", "obj"), element.get("idx", ""))


def find_own_frame(shape: Element) -> ShapeFrame | None:
    """Return the rectangle of the shape itself, or None."""
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
    """Split shapes at gaps along one axis; an overlap of a tenth counts as a gap (a guess)."""
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


_TRUE = frozenset({"1", "true"})


def _read_grid(table: Element) -> Iterator[GridCell]:
    properties = table.find("a.tblPr")
    marks = {} if properties is None else properties.attrib
    for number, row in enumerate(table.findall("a.tr")):
        for column, cell in enumerate(row.findall("a.tc")):
            if cell.get("hMerge") in _TRUE or cell.get("vMerge") in _TRUE:
                continue
            text = write_cell(DraftBlock("paragraph", line) for line in read_shape_lines(cell))
            across = find_integer(cell.get("gridSpan")) or 1
            down = find_integer(cell.get("rowSpan")) or 1
            # The style that a table gives its first row or column sets it apart as a header.
            first = (number == 0 and "firstRow") or (column == 0 and "firstCol") or ""
            header = marks.get(first) in _TRUE
            yield GridCell(
                text, number, column, max(down, 1), max(across, 1), header=header or None
            )


def read_shape_lines(shape: Element) -> list[str]:
    """Return the paragraphs of a shape or table cell, without bullets."""
    return [_read_words(paragraph) for paragraph in _find_paragraphs(shape)]


def read_shape_blocks(shape: Element, *, bulleted: bool) -> Iterator[DraftBlock]:
    """Read the paragraphs of a shape; ``bulleted`` if they have bullets by default.

    Placeholders for body text do. Bullets defined on masters are not looked up.
    """
    paragraphs = [item for item in _find_paragraphs(shape) if _read_words(item).strip()]
    counts: dict[int, int] = {}
    for paragraph in paragraphs:
        text = _read_words(paragraph)
        marker = _choose_marker(paragraph, counts, bulleted=bulleted and len(paragraphs) > 1)
        kind: BlockKind = "list_item" if marker else "paragraph"
        yield DraftBlock(kind, f"{marker} {text}" if marker else text)


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
        match = _NUMBER_STYLE.fullmatch(automatic.get("type", ""))
        number = format_counter(count, _NUMBER_FORMS[match[1]]) if match else None
        if match is None or number is None:
            return "•"
        before, after = _AROUND[match[2]]
        return f"{before}{number}{after}"
    counts.pop(level, None)
    if properties is not None:
        if properties.find("a.buNone") is not None:
            return None
        bulleted = bulleted or properties.find("a.buChar") is not None
    return "•" if bulleted else None


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
