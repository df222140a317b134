"""The shapes of a slide: which is the title, in what order they are read, what they say.

Order follows the page: columns from left to right where nothing crosses the gap between
them, rows from top to bottom within. Shapes of unknown place come last, in file order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from foundry.readers.archive import Element
from foundry.readers.openxml import Graphics, chosen
from foundry.readers.pieces import Piece, write_cell, write_table
from foundry.readers.pptx_text import frame_lines, frame_pieces

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
class Frame:
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
        self._shapes = [] if tree is None else list(_shapes(tree))
        self.title = next(
            (item for item in self._shapes if placeholder_of(item).kind in _TITLES), None
        )

    def in_order(self) -> list[Element]:
        """The shapes to be read after the title, in reading order."""
        shapes = [
            item
            for item in self._shapes
            if item is not self.title and placeholder_of(item).kind not in _FURNITURE
        ]
        return self._ordered(shapes)

    def pieces(self, shape: Element, graphics: Graphics) -> Iterator[Piece]:
        """What a shape says: text, a table, a chart, or the shapes of a group."""
        if shape.tag == "p.grpSp":
            for item in self._ordered(list(_shapes(shape))):
                yield from self.pieces(item, graphics)
        elif shape.tag == "p.graphicFrame":
            table = shape.find("a.graphic/a.graphicData/a.tbl")
            if table is not None:
                yield Piece("table", write_table(_rows(table)))
            yield from graphics.pieces(shape)
        elif shape.tag == "p.sp":
            bulleted = placeholder_of(shape).kind in _BULLETED
            yield from frame_pieces(shape, bulleted=bulleted)

    def find_frame(self, shape: Element) -> Frame | None:
        """A shape's rectangle, its own or the one it inherits; None if nobody says."""
        own = frame_of(shape)
        placeholder = placeholder_of(shape)
        if own is not None or not placeholder.kind or self._below is None:
            return own
        match = self._below.matching(placeholder)
        return None if match is None else self._below.find_frame(match)

    def matching(self, wanted: Placeholder) -> Element | None:
        """The placeholder that ``wanted`` inherits from: same index, else same kind."""
        for same in ("index", "kind"):
            for shape in self._shapes:
                value = getattr(placeholder_of(shape), same)
                if value and value == getattr(wanted, same):
                    return shape
        return None

    def _ordered(self, shapes: list[Element]) -> list[Element]:
        placed = [(frame, item) for item in shapes if (frame := self.find_frame(item))]
        rest = [item for item in shapes if self.find_frame(item) is None]
        return [item for _, item in order_frames(placed)] + rest


def order_frames(placed: Sequence[tuple[Frame, Element]]) -> list[tuple[Frame, Element]]:
    """Reading order: cut into columns if that leaves no lone shape, else into rows."""
    if len(placed) < 2:
        return list(placed)
    columns = _cut(placed, "left", "right")
    rows = _cut(placed, "top", "bottom")
    if len(columns) > 1 and (len(rows) == 1 or min(map(len, columns)) > 1):
        return [item for column in columns for item in order_frames(column)]
    if len(rows) > 1:
        return [item for row in rows for item in order_frames(row)]
    return sorted(placed, key=lambda item: (item[0].top, item[0].left))


def placeholder_of(shape: Element) -> Placeholder:
    """The placeholder that a shape fills."""
    found = next((item for child in list(shape)[:1] for item in child.iter("p.ph")), None)
    if found is None:
        return Placeholder("", "")
    return Placeholder(found.get("type", "obj"), found.get("idx", ""))


def frame_of(shape: Element) -> Frame | None:
    """The rectangle that a shape states itself, or None."""
    for path in _FRAMES:
        offset, extent = shape.find(f"{path}/a.off"), shape.find(f"{path}/a.ext")
        if offset is None or extent is None:
            continue
        try:
            left, top = int(offset.get("x", "")), int(offset.get("y", ""))
            return Frame(
                left, top, left + int(extent.get("cx", "")), top + int(extent.get("cy", ""))
            )
        except ValueError:
            return None
    return None


def _cut(
    placed: Sequence[tuple[Frame, Element]], low: str, high: str
) -> list[list[tuple[Frame, Element]]]:
    """Groups along one axis with a gap between them; slight overlaps count as gaps."""
    groups: list[list[tuple[Frame, Element]]] = []
    reach = 0
    for item in sorted(placed, key=lambda pair: int(getattr(pair[0], low))):
        start, end = int(getattr(item[0], low)), int(getattr(item[0], high))
        slack = (end - start) // 10
        if not groups or start + slack >= reach:
            groups.append([])
        groups[-1].append(item)
        reach = max(reach, end) if len(groups[-1]) > 1 else end
    return groups


def _shapes(parent: Iterable[Element]) -> Iterator[Element]:
    for child in parent:
        if child.tag in _SHAPES:
            yield child
        elif child.tag == "mc.AlternateContent":
            yield from _shapes(chosen(child))


def _rows(table: Element) -> Iterator[list[str]]:
    for row in table.findall("a.tr"):
        line = []
        for cell in row.findall("a.tc"):
            merged = cell.get("hMerge") in {"1", "true"} or cell.get("vMerge") in {"1", "true"}
            lines = [] if merged else frame_lines(cell)
            line.append(write_cell(Piece("paragraph", text) for text in lines))
        yield line
