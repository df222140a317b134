"""What is drawn on a page of a PDF, listed once for those who look for rules and for pictures.

A page may have thousands of objects, most of them words: listing them takes half as long as reading
the page. An object is its address in pdfium, which holds while the page is open.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import Any

from foundry.readers.pdf.words import bind, bind_untyped

PATH, IMAGE, FORM = 2, 3, 5  # FPDF_PAGEOBJ_…
_MAX_PARTS = 20_000
"""Most objects of a form that are looked at, against hostile files."""


@dataclass(frozen=True, slots=True)
class ObjectList:
    """Objects in the order in which they are drawn, and their kinds."""

    things: list[int]
    kinds: list[int]

    def select(self, *kinds: int) -> list[int]:
        """Return the objects of some kinds."""
        if not any(kind in self.kinds for kind in kinds):
            return []
        both = zip(self.things, self.kinds, strict=True)
        return [thing for thing, kind in both if kind in kinds]


def list_objects(page: Any) -> ObjectList:
    """Return the objects of an open page; those inside of a form are no objects of the page."""
    from pypdfium2 import raw

    get_object, get_type, *_ = _bind_calls()
    address = ctypes.cast(page.raw, ctypes.c_void_p)
    count = raw.FPDFPage_CountObjects(page.raw)
    things = list(map(get_object, repeat(address), range(count)))
    return ObjectList(things, list(map(get_type, things)))


def list_parts(form: int) -> ObjectList:
    """Return the objects of a form, a drawing within a page."""
    _, get_type, count, get_part = _bind_calls()
    things = list(map(get_part, repeat(form), range(min(count(form), _MAX_PARTS))))
    return ObjectList(things, list(map(get_type, things)))


@cache
def _bind_calls() -> tuple[Any, Any, Any, Any]:
    from pypdfium2 import raw

    place, number = ctypes.c_void_p, ctypes.c_int
    return (
        bind_untyped(raw.FPDFPage_GetObject, place),
        bind(raw.FPDFPageObj_GetType, number, place),
        bind(raw.FPDFFormObj_CountObjects, number, place),
        bind(raw.FPDFFormObj_GetObject, place, place, ctypes.c_ulong),
    )
