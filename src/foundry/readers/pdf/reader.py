"""PDF → blocks with their page, page label, box and section.

liteparse finds the blocks, pypdfium2 the outline and the labels; Tesseract reads
scans where it is installed. A page that could not be read, or was read in a poorer
way, is named in a warning; a document without any text is an error that says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from foundry.ports import ReadOptions
from foundry.readers.document_builder import DocumentBuilder
from foundry.readers.metadata import choose_title, find_revision
from foundry.readers.ocr import INSTALL, find_tessdata
from foundry.readers.pdf.facts import PdfFacts, find_scans, read_facts, read_plain
from foundry.readers.pdf.headings import PdfPart, mark_headings
from foundry.readers.pdf.layout import (
    PageLayout,
    RawBlock,
    get_layout_error,
    read_layout,
    read_scans,
)
from foundry.readers.pdf.running_lines import remove_running_lines
from foundry.records import Document

_SPARSE = 60
"""A page with fewer letters may be a scan under a stamp or a page number."""


def read_pdf(path: Path, options: ReadOptions) -> Document:
    """Read a PDF. Raises ``ReadError`` if it is encrypted, damaged or has no text."""
    facts = read_facts(path, options)
    reading = _read_pages(path, options, facts)
    pages = [reading.pages[number] for number in sorted(reading.pages)]
    front = "\n".join(block.text for page in pages[:2] for block in page.blocks)
    pages = remove_running_lines(pages, facts.labels)
    parts = mark_headings([block for page in pages for block in page.blocks], facts.outline)
    builder = DocumentBuilder("pdf")
    for part in parts:
        _add_part(builder, part, facts)
    for sentence in reading.warnings:
        builder.warn(sentence)
    return builder.build(
        choose_title((facts.title, _find_printed_title(parts)), Path(options.name)),
        facts.pages,
        *find_revision(front),
        reason=reading.reason,
        fix=reading.fix,
    )


@dataclass(slots=True)
class _PdfPages:
    """The pages that could be read, by number, and what is to be said of the others."""

    pages: dict[int, PageLayout]
    warnings: list[str] = field(default_factory=list)
    reason: str = "This PDF holds no text: its pages are empty."
    fix: str = "Export it again from its own program."


def _read_pages(path: Path, options: ReadOptions, facts: PdfFacts) -> _PdfPages:
    reading = _PdfPages(_lay_out(path, facts))
    missing = [number for number in range(1, facts.pages + 1) if _is_missing(reading, number)]
    if missing:
        _read_without_layout(reading, path, options, missing)
    counts = {number: page.letters(_SPARSE) for number, page in reading.pages.items()}
    sparse = {number: count for number, count in counts.items() if count < _SPARSE}
    scans = find_scans(path, options, sparse) if sparse else []
    if scans:
        _read_scans(reading, path, options, facts, scans)
    return reading


def _is_missing(reading: _PdfPages, number: int) -> bool:
    # Text that runs up or down a page is left out of its layout.
    return number not in reading.pages or not reading.pages[number].blocks


def _lay_out(path: Path, facts: PdfFacts) -> dict[int, PageLayout]:
    pages: dict[int, PageLayout] = {}
    try:
        for page in read_layout(path, facts.password):
            pages[page.number] = page
    except get_layout_error():
        # The pages it could not lay out are read without layout, and said so.
        return pages
    return pages


def _read_without_layout(
    reading: _PdfPages, path: Path, options: ReadOptions, missing: list[int]
) -> None:
    poorer, lost = [], []
    for number, text in read_plain(path, options, missing).items():
        pieces = [" ".join(piece.split()) for piece in text.replace("\r", "").split("\n\n")]
        blocks = tuple(RawBlock("paragraph", piece, number) for piece in pieces if piece)
        if blocks:
            poorer.append(number)
        elif number not in reading.pages:
            lost.append(number)
        reading.pages[number] = PageLayout(number, 0.0, blocks)
    if poorer:
        reading.warnings.append(
            f"The layout of {_format_pages(poorer)} could not be read, only its text."
        )
    if lost:
        reading.warnings.append(f"Nothing could be read on {_format_pages(lost)}.")
        reading.reason = "This PDF holds no text that can be read; it may be damaged."


def _read_scans(
    reading: _PdfPages, path: Path, options: ReadOptions, facts: PdfFacts, scans: list[int]
) -> None:
    tessdata = find_tessdata()
    if options.ocr == "off":
        why, fix = "ingest.ocr is off", "Set ingest.ocr to auto."
    elif tessdata is None:
        why, fix = "Tesseract is not installed", f"Install it: {INSTALL}."
    else:
        why, fix = _run_ocr(reading, path, facts, scans)
        if not why:
            return
    which = _format_pages(scans) if len(scans) < facts.pages else f"all {facts.pages} pages"
    which = "its only page" if facts.pages == 1 else which
    verb = "is a picture" if len(scans) == 1 else "are pictures"
    sentence = f"{which[0].upper()}{which[1:]} {verb} (scans or drawings), and {why}."
    reading.reason, reading.fix = f"This PDF holds no text: {sentence}", fix
    if any(page.blocks for page in reading.pages.values()):
        reading.warnings.append(f"{sentence} {fix}")


def _run_ocr(reading: _PdfPages, path: Path, facts: PdfFacts, scans: list[int]) -> tuple[str, str]:
    """Read scans by OCR. Returns what is wrong and the fix, both empty when nothing is."""
    tessdata = find_tessdata()
    assert tessdata
    found = []
    try:
        for page in read_scans(path, facts.password, scans, tessdata):
            if page.blocks:
                reading.pages[page.number] = page
                found.append(page.number)
    except get_layout_error() as error:
        return f"OCR failed ({error})", "Run `foundry doctor`; it checks Tesseract."
    if found:
        reading.warnings.append(f"OCR read {_format_pages(found)}; its words may hold mistakes.")
    blank = [number for number in scans if number not in found]
    if not blank:
        return "", ""
    if found:
        reading.warnings.append(f"OCR found no words on {_format_pages(blank)}.")
        return "", ""
    return "OCR found no words in them", "Scan it again at a higher resolution."


def _add_part(builder: DocumentBuilder, part: PdfPart, facts: PdfFacts) -> None:
    block = part.block
    if block is None:
        builder.enter(part.title, part.level or 1)
    elif part.level:
        label = facts.labels[block.page - 1]
        builder.heading(block.text, part.level, page=block.page, page_label=label, box=block.box)
    else:
        label = facts.labels[block.page - 1]
        builder.add(block.kind, block.text, page=block.page, page_label=label, box=block.box)


def _find_printed_title(parts: Sequence[PdfPart]) -> str | None:
    """The largest heading at the top of the first page: the title as it is printed."""
    for part in parts[:4]:
        block = part.block
        if block and block.page == 1 and block.hint and len(block.text) <= 120:
            return block.text
    return None


def _format_pages(pages: Sequence[int]) -> str:
    """``page 3``, ``pages 3, 5–9``."""
    runs: list[list[int]] = []
    for number in sorted(pages):
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number, number])
    shown = [str(one) if one == two else f"{one}–{two}" for one, two in runs]
    listed = ", ".join(shown[:20]) + (" …" if len(shown) > 20 else "")
    return f"page {listed}" if len(pages) == 1 else f"pages {listed}"
