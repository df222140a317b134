"""Reads PDFs into blocks with their page, page label, box and section.

liteparse finds the blocks, pypdfium2 the outline and the labels, and Tesseract, if
installed, reads scans. Pages that could not be read, or not with their layout, are named
in warnings. A PDF without text raises ``ReadError`` with the reason.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.attachments import AttachmentFolder
from foundry.readers.document_builder import BlockPlace, DocumentBuilder
from foundry.readers.metadata import choose_title, find_revision
from foundry.readers.ocr import INSTALL, Tessdata, find_tessdata
from foundry.readers.pdf.facts import (
    PdfFacts,
    find_scans,
    read_facts,
    read_plain,
    unpack_attachments,
)
from foundry.readers.pdf.headings import mark_headings
from foundry.readers.pdf.layout import (
    PageLayout,
    RawBlock,
    get_layout_error,
    read_layout,
    read_scans,
)
from foundry.readers.pdf.outline import PdfPart
from foundry.readers.pdf.running_lines import remove_running_lines
from foundry.records import Document

_SPARSE = 60
"""A page with fewer letters may be a scan with a stamp or a page number over it. A guess."""


def read_pdf(path: Path, options: ReadOptions) -> Document:
    """Read a PDF. Raises ``ReadError`` if it is encrypted, damaged or without text."""
    facts = read_facts(path, options)
    reading = _read_pages(path, options, facts)
    pages = [reading.pages[number] for number in sorted(reading.pages)]
    front = "\n".join(block.text for page in pages[:2] for block in page.blocks)
    pages = remove_running_lines(pages, facts.labels)
    parts = mark_headings([block for page in pages for block in page.blocks], facts.outline)
    builder = DocumentBuilder("pdf")
    if _add_attachments(builder, path, options) and not parts:
        builder.warn(reading.reason)
    for part in parts:
        _add_part(builder, part, facts)
    for sentence in reading.warnings:
        builder.warn(sentence)
    return builder.build(
        choose_title((facts.title, _find_printed_title(parts)), Path(options.name)),
        find_revision(front),
        pages=facts.pages,
        reason=reading.reason,
    )


def _add_attachments(builder: DocumentBuilder, path: Path, options: ReadOptions) -> bool:
    """Name the files inside the PDF as its first words; False if there are none."""
    folder = AttachmentFolder(options)
    unpack_attachments(path, options, folder)
    folder.finish(builder)
    if folder.names:
        builder.add("paragraph", f"Attachments: {', '.join(folder.names)}")
    return bool(folder.names)


EMPTY_PDF = Message("readers-pdf-empty")


@dataclass(slots=True)
class _PdfPages:
    """The pages that could be read, by number, and messages about the others."""

    pages: dict[int, PageLayout]
    warnings: list[Message] = field(default_factory=list)
    reason: Message = EMPTY_PDF


def _read_pages(path: Path, options: ReadOptions, facts: PdfFacts) -> _PdfPages:
    reading = _PdfPages(_lay_out(path, facts))
    # The layout analysis skips text that runs up or down a page.
    laid_out = {number for number, page in reading.pages.items() if page.blocks}
    missing = [number for number in range(1, facts.pages + 1) if number not in laid_out]
    if missing:
        _read_without_layout(reading, path, options, missing)
    counts = {number: page.count_letters(_SPARSE) for number, page in reading.pages.items()}
    sparse = {number: count for number, count in counts.items() if count < _SPARSE}
    scans = find_scans(path, options, sparse) if sparse else []
    if scans:
        _read_scans(reading, path, options, facts, scans)
    return reading


def _lay_out(path: Path, facts: PdfFacts) -> dict[int, PageLayout]:
    pages: dict[int, PageLayout] = {}
    # After an error the missing pages are read without layout, with a warning.
    with contextlib.suppress(get_layout_error()):
        for page in read_layout(path, facts.password):
            pages[page.number] = page
    return pages


def _read_without_layout(
    reading: _PdfPages, path: Path, options: ReadOptions, missing: list[int]
) -> None:
    plain, lost = [], []
    for number, text in read_plain(path, options, missing).items():
        paragraphs = [" ".join(part.split()) for part in text.replace("\r", "").split("\n\n")]
        blocks = tuple(RawBlock("paragraph", words, number) for words in paragraphs if words)
        if blocks:
            plain.append(number)
        elif number not in reading.pages:
            lost.append(number)
        reading.pages[number] = PageLayout(number, 0.0, blocks)
    if plain:
        reading.warnings.append(Message("readers-pdf-plain", pages=_format_pages(plain)))
    if lost:
        reading.warnings.append(Message("readers-pdf-lost", pages=_format_pages(lost)))
        reading.reason = Message("readers-pdf-unreadable")


def _read_scans(
    reading: _PdfPages, path: Path, options: ReadOptions, facts: PdfFacts, scans: list[int]
) -> None:
    tessdata = find_tessdata()
    if options.ocr == "off":
        why: Message | None = Message("readers-pdf-ocr-off")
    elif tessdata is None:
        why = Message("readers-pdf-no-tesseract", install=INSTALL)
    else:
        why = _run_ocr(reading, path, facts, scans, tessdata)
    if why is None:
        return
    if facts.pages == 1:
        pictures = Message("readers-pdf-only-page")
    elif len(scans) == facts.pages:
        pictures = Message("readers-pdf-all-pages", number=facts.pages)
    else:
        pages = _format_pages(scans)
        pictures = Message("readers-pdf-some-pages", pages=pages, number=len(scans))
    problem = Message("readers-pdf-pictures", pictures=pictures, why=why)
    reading.reason = Message("readers-pdf-no-text", problem=problem)
    if any(page.blocks for page in reading.pages.values()):
        reading.warnings.append(Message("readers-pdf-pictures-left", problem=problem))


def _run_ocr(
    reading: _PdfPages, path: Path, facts: PdfFacts, scans: list[int], tessdata: Tessdata
) -> Message | None:
    """Read scans by OCR. Return the problem, or None."""
    done = []
    try:
        for page in read_scans(path, facts.password, scans, tessdata):
            if page.blocks:
                reading.pages[page.number] = page
                done.append(page.number)
    except get_layout_error() as error:
        return Message("readers-pdf-ocr-failed", cause=str(error))
    if not done:
        return Message("readers-pdf-ocr-no-words")
    reading.warnings.append(Message("readers-pdf-ocr-done", pages=_format_pages(done)))
    blank = [number for number in scans if number not in done]
    if blank:
        reading.warnings.append(Message("readers-pdf-ocr-blank", pages=_format_pages(blank)))
    return None


def _add_part(builder: DocumentBuilder, part: PdfPart, facts: PdfFacts) -> None:
    block = part.block
    if block is None:
        builder.open_section(part.title, part.level or 1)
        return
    label = facts.labels[block.page - 1]
    place: BlockPlace = {"page": block.page, "page_label": label, "box": block.box}
    if part.level:
        builder.add_heading(block.text, part.level, **place)
    else:
        builder.add(block.kind, block.text, **place)


def _find_printed_title(parts: Sequence[PdfPart]) -> str | None:
    """Return the heading at the top of the first page, which is usually the title, or None."""
    for part in parts[:4]:
        block = part.block
        if block and block.page == 1 and block.hint and len(block.text) <= 120:
            return block.text
    return None


def _format_pages(pages: Sequence[int]) -> Message:
    """Format page numbers: ``page 3``, ``pages 3, 5–9``."""
    runs: list[list[int]] = []
    for number in sorted(pages):
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number, number])
    parts = [str(first) if first == last else f"{first}–{last}" for first, last in runs]
    numbers = ", ".join(parts[:20]) + (" …" if len(parts) > 20 else "")
    return Message("readers-pages", numbers=numbers, number=len(pages))
