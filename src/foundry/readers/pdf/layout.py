"""The blocks on each page of a PDF, as found by the layout analysis of liteparse.

Blocks are converted from Markdown to plain text, a few pages at a time to save memory.
Headings and running lines are recognised later, in ``headings`` and ``running_lines``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foundry.readers.ocr import Tessdata
from foundry.readers.pdf.tables import (
    PdfTable,
    PrintedLine,
    TextItem,
    fold_letters,
    format_grid,
    group_lines,
    read_table,
)
from foundry.records import BlockKind, Box

# Small enough to keep a thousand pages out of memory, large enough for a small overhead.
_PAGES_AT_ONCE = 16
_OCR_PAGES_AT_ONCE = 4
EDGE = 0.12
"""Share of the page height, at the top and at the bottom, for running lines. A guess."""

# Backslash escapes become their character; bare asterisks and tildes are emphasis.
_MARKUP = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])|\*+|~~")
_ARTEFACTS = re.compile("[\ufffe\uffff\u00ad\u200b\u2060\ufeff]")
_SPACES = re.compile(r"[ \t\xa0]+")


@dataclass(frozen=True, slots=True)
class RawBlock:
    """A block on a page; ``hint`` is its heading level according to liteparse, or None.

    ``table`` is set for tables with known rows; ``text`` is then the text of the table.
    """

    kind: BlockKind
    text: str
    page: int
    box: Box | None = None
    hint: int | None = None
    bold: bool = False
    table: PdfTable | None = None


@dataclass(frozen=True, slots=True)
class PageLayout:
    """The blocks of a page in reading order; ``edges`` are the lines near its top and bottom."""

    number: int
    height: float
    blocks: tuple[RawBlock, ...]
    edges: tuple[PrintedLine, ...] = ()

    def count_letters(self, enough: int) -> int:
        """Count letters and digits, and stop at ``enough``."""
        count = 0
        for block in self.blocks:
            count += len(fold_letters(block.text))
            if count >= enough:
                break
        return count


def read_layout(path: Path, password: str | None) -> Iterator[PageLayout]:
    """Read the pages of a PDF in order, without those that liteparse cannot read."""
    for batch in _build_parser(password).parse_batches(path, _PAGES_AT_ONCE):
        for page in batch.result.pages:
            yield _read_page(page)


def read_scans(
    path: Path, password: str | None, pages: Sequence[int], tessdata: Tessdata
) -> Iterator[PageLayout]:
    """Read the given pages (from 1) by OCR."""
    for start in range(0, len(pages), _OCR_PAGES_AT_ONCE):
        batch = pages[start : start + _OCR_PAGES_AT_ONCE]
        parser = _build_parser(
            password,
            ocr_enabled=True,
            ocr_language=tessdata.languages,
            # Without it liteparse would download language data.
            tessdata_path=str(tessdata.folder),
            target_pages=",".join(map(str, batch)),
            num_workers=1,
        )
        for page in parser.parse(path).pages:
            yield _read_page(page)


def _build_parser(password: str | None, **more: Any) -> Any:
    # Imported here: only workers that read PDFs need its 34 MB.
    from liteparse import LiteParse

    settings: dict[str, Any] = {
        "ocr_enabled": False,
        "extract_blocks": True,
        "extract_form_fields": True,
        "extract_links": False,
        "image_mode": "off",
        # Its filter also removes table rows that are alike on every page.
        "keep_headers_footers": True,
        "continue_on_page_error": True,
        "quiet": True,
        "password": password,
        "max_pages": 1_000_000,
    }
    return LiteParse(**(settings | more))


def get_layout_error() -> type[Exception]:
    """Return the exception of liteparse, which is imported only when needed."""
    from liteparse import ParseError

    error: type[Exception] = ParseError
    return error


def _read_page(page: Any) -> PageLayout:
    # Only the items of tables and at the edges are converted; most are never needed.
    items = [item for item in page.text_items if not item.rotation]
    low, high = 1.5 * EDGE * page.height, (1 - 1.5 * EDGE) * page.height
    edges = [item for item in items if item.y < low or item.y + item.height > high]
    candidates = (_read_block(block, page, items) for block in page.blocks or ())
    blocks = [block for block in candidates if block and block.text.strip()]
    return PageLayout(
        page.page_num,
        page.height,
        (*blocks, *_read_form_fields(page)),
        tuple(group_lines(_read_item(item) for item in edges)),
    )


def _read_form_fields(page: Any) -> Iterator[RawBlock]:
    """Read what was filled in on a form, which is not part of the page's text."""
    for field in page.form_fields or ():
        name = _clean_words(field.alternate_name or field.name or "")
        value = _clean_words(field.value or "")
        if field.type in {"checkbox", "radio"}:
            value = (value or "✓") if field.checked else ""
        if value and field.type != "pushbutton":
            text = f"{name}: {value}" if name else value
            yield RawBlock(
                "paragraph", text, page.page_num, _read_box(field.rect) if field.rect else None
            )


def _read_item(item: Any) -> TextItem:
    return TextItem(_clean_words(item.text), _read_box(item))


_KINDS: dict[str, BlockKind] = {
    "heading": "paragraph",
    "paragraph": "paragraph",
    "list_item": "list_item",
    "code": "code",
    "table": "table",
    "grid_fallback": "table",
}


def _read_block(block: Any, page: Any, items: list[Any]) -> RawBlock | None:
    kind = _KINDS.get(block.kind)
    if kind is None:
        return None
    box = _read_box(block.bbox) if block.bbox else None
    table = _read_table_block(block, box, page, items) if block.kind == "table" else None
    if table:
        text = table.text
    elif block.kind == "grid_fallback":
        text = format_grid(_ARTEFACTS.sub("", line) for line in block.lines or ())
    elif block.kind == "code":
        text = "\n".join(_ARTEFACTS.sub("", line) for line in block.lines or ())
    else:
        words = _clean_words(_MARKUP.sub(r"\1", block.text or ""))
        text = f"{block.marker} {words}" if kind == "list_item" and block.marker else words
    hint = block.level if block.kind == "heading" else None
    return RawBlock(kind, text, page.page_num, box, hint, bool(block.bold), table)


def _read_table_block(block: Any, box: Box | None, page: Any, items: list[Any]) -> PdfTable:
    rows = [*([block.header] if block.header else []), *(block.rows or [])]
    grid = [[_clean_words(cell.text) for cell in row] for row in rows]
    if box is None:
        return read_table(grid, [])
    inside = [item for item in items if _is_inside(item, box)]
    others = (other for other in page.blocks if other is not block and other.text)
    elsewhere = " ".join(other.text for other in others if _is_level_with(other, box))
    return read_table(grid, group_lines(_read_item(item) for item in inside), elsewhere)


def _is_level_with(block: Any, box: Box) -> bool:
    rect = block.bbox
    return bool(rect and rect.y < box.y1 and box.y0 < rect.y + rect.height)


def _is_inside(item: Any, box: Box) -> bool:
    across, down = item.x + item.width / 2, item.y + item.height / 2
    return bool(box.x0 <= across <= box.x1 and box.y0 <= down <= box.y1)


def _read_box(rect: Any) -> Box:
    return Box(rect.x, rect.y, rect.x + rect.width, rect.y + rect.height)


def _clean_words(text: str) -> str:
    return _SPACES.sub(" ", _ARTEFACTS.sub("", text)).strip()
