"""Reads scanned pages of a PDF by OCR, with the Tesseract that liteparse has built in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from foundry.readers.ocr import Tessdata
from foundry.readers.pdf.pages import PageContent, build_page
from foundry.readers.pdf.words import PLAIN, Frame, Word

_PAGES_AT_ONCE = 4
# Share of the height of a recognised word: its baseline, and its size of print. Guesses.
_BASE, _SIZE = 0.8, 0.9


def read_scans(
    path: Path, password: str | None, pages: Sequence[int], tessdata: Tessdata
) -> Iterator[PageContent]:
    """Read the given pages (from 1) by OCR. Raises ``get_scan_error()``."""
    # Imported here: only workers that read scans need its 34 MB.
    from liteparse import LiteParse

    for start in range(0, len(pages), _PAGES_AT_ONCE):
        parser = LiteParse(
            ocr_enabled=True,
            ocr_language=tessdata.languages,
            # Without it liteparse would download language data.
            tessdata_path=str(tessdata.folder),
            target_pages=",".join(map(str, pages[start : start + _PAGES_AT_ONCE])),
            num_workers=1,
            emit_word_boxes=True,
            extract_links=False,
            image_mode="off",
            keep_headers_footers=True,
            continue_on_page_error=True,
            quiet=True,
            password=password,
            max_pages=1_000_000,
        )
        for page in parser.parse(path).pages:
            frame = Frame(0, page.width, page.height, list(_list_words(page)))
            yield build_page(page.page_num, frame)


def get_scan_error() -> type[Exception]:
    """Return the exception of liteparse, which is imported only when needed."""
    from liteparse import ParseError

    error: type[Exception] = ParseError
    return error


def _list_words(page: Any) -> Iterator[Word]:
    for item in page.text_items:
        base, size = item.y + _BASE * item.height, _SIZE * item.height
        for word in item.words or [item]:
            if word.text.strip():
                yield Word(word.text.strip(), (word.x, word.x + word.width), base, size, PLAIN)
