"""Makes the files that a service is sent: each page as a PDF of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any

from foundry.readers.outside.replies import OutsidePage
from foundry.readers.pdf.facts import get_pdfium_error
from foundry.readers.pdf.scans import POINTS
from foundry.readers.pdf.views import view_page


def cut_pages(pdf: Any, numbers: Iterable[int]) -> Iterator[tuple[OutsidePage, bytes]]:
    """Yield pages of an open PDF as files; skips those that cannot be opened, which count as missed."""
    # Imported here: only workers that send pages make PDFs.
    from pypdfium2 import PdfDocument

    for number in numbers:
        with (
            contextlib.suppress(get_pdfium_error()),
            contextlib.closing(PdfDocument.new()) as alone,
            contextlib.closing(pdf[number - 1]) as page,
        ):
            view, content = view_page(page), BytesIO()
            alone.import_pages(pdf, [number - 1])
            alone.save(content)
            yield OutsidePage(number, *view.size, view.rotation), content.getvalue()


def wrap_pictures(pictures: Iterable[tuple[Any, float]]) -> Iterator[tuple[OutsidePage, bytes]]:
    """Yield each Pillow picture, given with its dpi, as a page."""
    for number, (picture, dpi) in enumerate(pictures, 1):
        content = BytesIO()
        picture.save(content, "PDF", resolution=dpi)
        size = picture.width * POINTS / dpi, picture.height * POINTS / dpi
        yield OutsidePage(number, *size), content.getvalue()
