"""The ruling lines and shaded bands on a page, in points from the top left.

Tables are ruled with strokes, with thin filled boxes, or with the edges of boxes: all come as
rules here.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from foundry.readers.pdf.objects import FORM, PATH, ObjectList, list_parts
from foundry.readers.pdf.views import PageView
from foundry.readers.pdf.words import Frame, bind
from foundry.records import Box

_BOX_SEGMENTS = 6
"""A path with more segments is no plain line or box."""
_THIN = 2.5
"""Points; a box that is thinner is a line. A guess: heavy rules under tables have 2."""
_SHORT = 4.0
"""Points; shorter lines are parts of drawings. A guess."""
_MAX_OBJECTS = 20_000
"""Most objects and points that are looked at on a page, against maps and hostile files."""
_MAX_RULES = 4_000
_DEPTH = 2
"""Forms within forms that are searched for rules."""
_SHEET = 0.35
"""Share of the page that a form covers if it is the page itself; figures cover less. A guess."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Lines across (``x0, x1, y``), lines down (``y0, y1, x``), and shaded boxes."""

    across: tuple[tuple[float, float, float], ...] = ()
    down: tuple[tuple[float, float, float], ...] = ()
    bands: tuple[Box, ...] = ()

    def turn(self, frame: Frame) -> Rules:
        """Return the rules in the coordinates of a frame, where turned text is upright."""
        across = [(x0, y, x1, y) for x0, x1, y in self.across]
        down = [(x, y0, x, y1) for y0, y1, x in self.down]
        edges = ((box.x0, box.y0, box.x1, box.y1) for box in self.bands)
        across, down, bands = (
            [_order(*frame.find(x0, y0), *frame.find(x1, y1)) for x0, y0, x1, y1 in boxes]
            for boxes in (across, down, edges)
        )
        if frame.turns % 2:
            across, down = down, across
        return Rules(
            tuple((x0, x1, y) for x0, y, x1, _ in across),
            tuple((y0, y1, x) for x, y0, _, y1 in down),
            tuple(Box(*edges) for edges in bands),
        )


_Matrix = tuple[float, float, float, float, float, float]
_PLAIN: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_Edges = tuple[float, float, float, float]
"""Left, top, right and bottom, as in a box: those are slower to make."""


def read_rules(objects: ObjectList, view: PageView) -> Rules:
    """Read the rules among the objects of a page; a page with too many of them, such as a map, has none."""
    boxes = list(islice(_list_boxes(objects, view), _MAX_RULES + 1))
    if len(boxes) > _MAX_RULES:
        return Rules()
    across, down, bands = [], [], []
    width, height = view.size
    for (x0, y0, x1, y1), thing in boxes:
        wide, high = x1 - x0, y1 - y0
        if high <= _THIN < wide:
            across.append((x0, x1, (y0 + y1) / 2))
        elif wide <= _THIN < high:
            down.append((y0, y1, (x0 + x1) / 2))
        elif wide > _SHORT and high > _SHORT and not (wide > 0.95 * width and high > 0.9 * height):
            if thing is None or _is_outlined(thing):
                across += [(x0, x1, y0), (x0, x1, y1)]
                down += [(y0, y1, x0), (y0, y1, x1)]
            else:
                bands.append(Box(x0, y0, x1, y1))
    across = [line for line in across if line[1] - line[0] >= _SHORT]
    down = [line for line in down if line[1] - line[0] >= _SHORT]
    return Rules(tuple(across), tuple(down), tuple(bands))


@cache
def _bind_calls() -> tuple[Any, Any]:
    """The functions of pdfium that are called for every path of a page."""
    from pypdfium2 import raw

    place, number = ctypes.c_void_p, ctypes.c_int
    return (
        bind(raw.FPDFPath_CountSegments, number, place),
        bind(raw.FPDFPageObj_GetBounds, number, place, *[place] * 4),
    )


def _list_boxes(
    objects: ObjectList, view: PageView, place: _Matrix = _PLAIN, depth: int = _DEPTH
) -> Iterator[tuple[_Edges, Any]]:
    """The edges of drawn objects with their address in pdfium, or None for parts of objects.

    ``place`` is where the form is of which they are parts.
    """
    from pypdfium2 import raw

    count_segments, get_bounds = _bind_calls()
    paths = objects.select(PATH)[:_MAX_OBJECTS]
    edges = (ctypes.c_float * (4 * len(paths)))()
    start = ctypes.addressof(edges)
    places = (range(start + 4 * side, start + 4 * len(edges), 16) for side in range(4))
    found = list(map(get_bounds, paths, *places))
    values = iter(memoryview(edges).cast("B").cast("f").tolist())
    for thing, ok, box in zip(paths, found, zip(*[values] * 4, strict=True), strict=True):
        if count_segments(thing) > _BOX_SEGMENTS:
            yield from _list_segments(raw, thing, view, place)
        elif ok:
            yield _show_box(view, *_move(place, *box[:2]), *_move(place, *box[2:])), thing
    for form in objects.select(FORM) if depth else ():
        if depth < _DEPTH or _is_sheet(raw, form, view):
            inner = _join(_read_matrix(raw, form), place)
            yield from _list_boxes(list_parts(form), view, inner, depth - 1)


def _is_sheet(raw: Any, form: int, view: PageView) -> bool:
    """Whether a form holds most of the page, as programs that put sheets together leave it."""
    sides = [ctypes.c_float() for _ in range(4)]
    if not raw.FPDFPageObj_GetBounds(ctypes.cast(form, raw.FPDF_PAGEOBJECT), *sides):
        return False
    left, bottom, right, top = (side.value for side in sides)
    width, height = view.size
    return (right - left) * (top - bottom) > _SHEET * width * height


def _read_matrix(raw: Any, thing: int) -> _Matrix:
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(ctypes.cast(thing, raw.FPDF_PAGEOBJECT), ctypes.byref(matrix))
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _join(first: _Matrix, then: _Matrix) -> _Matrix:
    a, b, c, d, e, f = first
    (a, b), (c, d) = (
        (x * then[0] + y * then[2], x * then[1] + y * then[3]) for x, y in ((a, b), (c, d))
    )
    return a, b, c, d, *_move(then, e, f)


def _move(place: _Matrix, x: float, y: float) -> tuple[float, float]:
    if place is _PLAIN:
        return x, y
    a, b, c, d, e, f = place
    return a * x + c * y + e, b * x + d * y + f


def _is_outlined(thing: Any) -> bool:
    """Whether the edges of a box can be seen: they have another colour than what is inside."""
    from pypdfium2 import raw

    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pointer = ctypes.cast(thing, raw.FPDF_PAGEOBJECT)
    raw.FPDFPath_GetDrawMode(pointer, ctypes.byref(fill), ctypes.byref(stroke))
    if not stroke.value:
        return False
    line = _read_colour(raw.FPDFPageObj_GetStrokeColor, pointer)
    return not fill.value or line != _read_colour(raw.FPDFPageObj_GetFillColor, pointer)


def _read_colour(function: Any, pointer: Any) -> tuple[int, ...]:
    parts = [ctypes.c_uint() for _ in range(4)]
    function(pointer, *map(ctypes.byref, parts))
    return tuple(part.value for part in parts)


def _list_segments(
    raw: Any, address: int, view: PageView, place: _Matrix
) -> Iterator[tuple[_Edges, Any]]:
    """The straight lines of a path, such as a whole grid that is drawn at once."""
    thing = ctypes.cast(address, raw.FPDF_PAGEOBJECT)
    matrix = _join(_read_matrix(raw, address), place)
    x, y = ctypes.c_float(), ctypes.c_float()
    last: tuple[float, float] | None = None
    for index in range(min(raw.FPDFPath_CountSegments(thing), _MAX_OBJECTS)):
        segment = raw.FPDFPath_GetPathSegment(thing, index)
        raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        point = _move(matrix, x.value, y.value)
        # 0 is a line, 1 a curve, 2 a move.
        if raw.FPDFPathSegment_GetType(segment) == 0 and last is not None:
            yield _show_box(view, *last, *point), None
        last = point


def _show_box(view: PageView, left: float, bottom: float, right: float, top: float) -> _Edges:
    return _order(*view.show(left, bottom), *view.show(right, top))


def _order(x0: float, y0: float, x1: float, y1: float) -> _Edges:
    if x0 > x1:
        x0, x1 = x1, x0
    return (x0, y0, x1, y1) if y0 <= y1 else (x0, y1, x1, y0)
