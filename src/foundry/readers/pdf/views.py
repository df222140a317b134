"""How a page of a PDF is shown: points of the file → points from the top left."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from foundry.records import Box


@dataclass(frozen=True, slots=True)
class PageView:
    """How a page is shown: its box in the file's points, and its rotation in quarters."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as shown."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.rotation % 2 else (width, height)

    def show_box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Return a box of the file as shown."""
        (x0, y0), (x1, y1) = self.show(left, bottom), self.show(right, top)
        return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))

    def show(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the file as shown, in points from the top left."""
        if self.rotation == 1:
            return y - self.bottom, x - self.left
        if self.rotation == 2:
            return self.right - x, y - self.bottom
        if self.rotation == 3:
            return self.top - y, self.right - x
        return x - self.left, self.top - y


def view_page(page: Any) -> PageView:
    """Return how an open page is shown."""
    from pypdfium2 import raw

    rect = raw.FS_RECTF()
    if not raw.FPDF_GetPageBoundingBox(page.raw, ctypes.byref(rect)):
        width, height = page.get_size()
        return PageView(0.0, 0.0, width, height, 0)
    low, high = sorted((rect.bottom, rect.top))
    return PageView(rect.left, low, rect.right, high, page.get_rotation() // 90 % 4)
