"""Reads PDFs into blocks with their page, page label, box and section.

pdfium gives the words with their places; what they form is found here. Scans are read by OCR, if
it is installed. Pages that could not be read are named in warnings. A PDF without text
raises ``ReadError`` with the reason.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.attachments import AttachmentFolder
from foundry.readers.document_builder import BlockPlace, DocumentBuilder
from foundry.readers.front.clues import Clues
from foundry.readers.ocr.engines import find_engines
from foundry.readers.outside.checks import OutsideReading, build_word_page, open_reading
from foundry.readers.outside.page_files import cut_pages
from foundry.readers.pages.characters import read_characters
from foundry.readers.pdf.blocks import (
    PageBlock,
    Vocabulary,
    build_blocks,
    drop_known,
    is_list_item,
    join_pages,
)
from foundry.readers.pdf.facts import (
    PdfFacts,
    find_pictures,
    find_scans,
    has_pictures,
    open_pdf,
    read_facts,
    unpack_attachments,
)
from foundry.readers.pdf.flow import order_rows
from foundry.readers.pdf.headings import PdfPart, find_body_style, find_printed_title, mark_headings
from foundry.readers.pdf.lines import Row, split_asides
from foundry.readers.pdf.listings import REACH, PageRows, RunningLines, find_contents, split_code
from foundry.readers.pdf.notes import split_boxes, split_notes
from foundry.readers.pdf.pages import PageContent, read_pages
from foundry.readers.pdf.rules import Rules
from foundry.readers.pdf.scans import (
    format_pages,
    list_words,
    read_region,
    read_scans,
    start_report,
)
from foundry.readers.pdf.tables.captions import list_lines_around
from foundry.readers.pdf.tables.cells import PageTable
from foundry.readers.pdf.tables.lattice import (
    find_lattices,
    measure_lattices,
    place_ruled_tables,
)
from foundry.readers.pdf.tables.regions import find_tables
from foundry.readers.pdf.views import view_page
from foundry.readers.pdf.watermarks import Watermarks
from foundry.readers.symbols import UNKNOWN
from foundry.readers.worker_process import announce
from foundry.records import Box, Document

_SPARSE = 60
"""A page with fewer letters may be a scan with a stamp or a page number over it. A guess."""
_AT_ONCE = 48
"""Pages whose words are held at once, to keep a thousand pages out of memory."""
_TYPEWRITTEN = 0.5
"""Share of the words in letters of one width from which they say nothing about code. A guess."""

EMPTY_PDF = Message("readers-pdf-empty")


def read_pdf(path: Path, options: ReadOptions) -> Document:
    """Read a PDF. Raises ``ReadError`` if it is encrypted, damaged or without text."""
    with open_pdf(path, options) as pdf:
        facts = read_facts(pdf)
        reading = PdfReading(facts)
        reading.read(read_pages(pdf, facts.labels, pictures=has_pictures(path)))
        scans = find_scans(pdf, reading.sparse) if reading.sparse else []
        attached = AttachmentFolder(options)
        unpack_attachments(pdf, attached, reading.pinned)
        outside = _ask_outside(reading, pdf, options, scans)
        rest = [number for number in scans if not outside or number not in outside.replies]
        if rest:
            _read_scans(reading, pdf, options, rest)
        _read_pictures(reading, pdf, options, set(scans))
        if outside:
            _check_outside(reading, pdf, outside, set(scans))
    return build_document(reading, options, attached)


@dataclass(slots=True)
class PdfReading:
    """The blocks of the pages that could be read, by number, and messages about the others.

    ``seen`` are the words that OCR read, with their places, and ``outside`` what a service read.
    """

    facts: PdfFacts
    blocks: dict[int, list[PageBlock]] = field(default_factory=dict)
    contents: set[int] = field(default_factory=set)
    sparse: dict[int, int] = field(default_factory=dict)
    unknown: Counter[int] = field(default_factory=Counter)
    lost: list[int] = field(default_factory=list)
    pictures: list[int] = field(default_factory=list)
    pictured: dict[int, list[PageBlock]] = field(default_factory=dict)
    pinned: list[int] = field(default_factory=list)
    front: list[str] = field(default_factory=list)
    seen: dict[int, list[tuple[str, Box]]] = field(default_factory=dict)
    outside: dict[int, list[PdfPart]] = field(default_factory=dict)
    warnings: list[Message] = field(default_factory=list)
    reason: Message = EMPTY_PDF
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    running: RunningLines = field(default_factory=RunningLines)
    watermarks: Watermarks = field(default_factory=Watermarks)
    words: int = 0
    mono: int = 0

    def read(self, pages: Iterator[PageContent | int]) -> None:
        """Read all pages, some at a time with their neighbours on both sides."""
        before: list[PageContent] = []
        held: list[PageContent] = []
        for page in chain(pages, (0,)):
            if isinstance(page, PageContent):
                self._note(page)
                held.append(page)
            elif page:
                self.lost.append(page)
            if held and (page == 0 or len(held) >= _AT_ONCE + 2 * REACH):
                count = len(held) if page == 0 else _AT_ONCE
                self._analyse(before, held[:count], held[count:])
                before, held = held[:count][-2 * REACH :], held[count:]

    def _note(self, page: PageContent) -> None:
        count = page.count_letters(_SPARSE)
        if count < _SPARSE:
            self.sparse[page.number] = count
        unknown = sum(row.text.count(UNKNOWN) for row in page.rows)
        if unknown:
            self.unknown[page.number] += unknown
        self.words += len(page.frame.words)
        self.mono += page.mono
        if page.pinned_files:
            self.pinned.append(page.number)
        if page.has_picture:
            self.pictures.append(page.number)
        if page.number <= 2:
            self.front += [row.text for row in page.rows]
        if page.readings:
            self.seen[page.number] = list(list_words(page))

    def _analyse(
        self,
        before: Sequence[PageContent],
        pages: Sequence[PageContent],
        after: Sequence[PageContent],
    ) -> None:
        shown = [PageRows(page.number, page.rows, page.label) for page in (*before, *pages, *after)]
        numbers = range(pages[0].number, pages[-1].number + 1)
        self.running.remove(shown, numbers)
        kept = {page.number: page.rows for page in shown}
        for page in pages:
            # The lines of the page stay with it: its neighbours are compared with them.
            self.blocks[page.number] = self.build_page_blocks(page, kept[page.number])

    def take_outside(self, outside: OutsideReading) -> None:
        """Take over the checked parts that a service read, and the warnings about them."""
        self.outside = outside.parts
        self.warnings += outside.list_warnings()
        parts = [part for page in sorted(self.outside) if page <= 2 for part in self.outside[page]]
        self.front += [line for part in parts if part.block for line in part.block.text.split("\n")]

    def build_page_blocks(self, page: PageContent, rows: Sequence[Row]) -> list[PageBlock]:
        """Return the blocks of a page in reading order."""
        self.vocabulary.add(rows)
        rows, asides = split_asides(rows)
        rest, contents = find_contents(rows, page.number)
        blocks = self._build_frame(rest, page.rules, page)
        if contents:
            self.contents.add(page.number)
            above = sum(block.box.y1 <= contents.box.y0 + 1 for block in blocks)
            blocks.insert(above, contents)
        turned = [(frame, lines, page.rules.turn(frame)) for frame, lines in page.turned]
        for frame, lines, rules in [(page.frame, asides, Rules()), *turned]:
            for block in self._build_frame(lines, rules, page):
                block.box = frame.place(block.box)
                block.aside = block.aside or lines is asides
                blocks.append(block)
        for mark in self.watermarks.select_new(page.watermarks):
            blocks.append(PageBlock("paragraph", mark.text, page.number, mark.box, aside=True))
        for text, box in page.fields:
            blocks.append(PageBlock("paragraph", text, page.number, box))
        if page.readings:
            for block in blocks:
                block.recognition = page.find_recognition(block.box)
        return blocks

    def _build_frame(self, rows: Sequence[Row], rules: Rules, page: PageContent) -> list[PageBlock]:
        """Return the blocks of rows in one writing direction, in reading order."""
        lattices = find_lattices(rules)
        whole = measure_lattices(lattices)
        rows, asides = split_boxes(rows, rules, whole)
        rows, notes = split_notes(rows, whole)
        blocks: list[PageBlock] = []
        for group in order_rows(rows, whole):
            parts = self._find_parts(place_ruled_tables(group, lattices), rules, page)
            blocks += build_blocks(parts, page.number, self.vocabulary)
        for group in [*asides, notes]:
            for note in build_blocks(group, page.number, self.vocabulary):
                note.aside = True
                below = (i for i, block in enumerate(blocks) if block.box.y1 > note.box.y0 + 1)
                blocks.insert(next(below, len(blocks)), note)
        return blocks

    def _find_parts(
        self, parts: Sequence[Row | PageTable], rules: Rules, page: PageContent
    ) -> list[Row | PageTable | PageBlock]:
        """Find code and tables among the rows of a page."""
        if not page.mono or self.mono > _TYPEWRITTEN * self.words:
            return [*find_tables(parts, rules)]
        found: list[Row | PageTable | PageBlock] = []
        for part in split_code(parts, page.number):
            if isinstance(part, PageBlock):
                found.append(part)
            else:
                found += find_tables(part, rules)
        return found


def build_document(
    reading: PdfReading, options: ReadOptions, attached: AttachmentFolder, kind: str = "pdf"
) -> Document:
    """The document of all pages; ``kind`` is its type. Raises ``ReadError`` without blocks."""
    facts = reading.facts
    ordered = [reading.blocks[number] for number in sorted(reading.blocks)]
    blocks = join_pages(ordered, reading.vocabulary)
    for index, block in enumerate(blocks):
        if block.table:
            block.table.lines_above = tuple(list_lines_around(blocks, index))
    printed = find_printed_title(blocks, find_body_style(blocks))
    builder = DocumentBuilder(kind)
    attached.finish(builder)
    if attached.names:
        # Before the first heading: they belong to no section.
        builder.add("paragraph", f"Attachments: {', '.join(attached.names)}")
    _add_parts(builder, mark_headings(blocks, facts.outline, reading.contents), reading)
    if reading.lost:
        pages = format_pages(reading.lost)
        builder.warn(Message("readers-pdf-lost", pages=pages))
        if not blocks:
            reading.reason = Message("readers-pdf-unreadable")
    if reading.unknown:
        count, pages = reading.unknown.total(), format_pages(sorted(reading.unknown))
        builder.warn(Message("readers-pdf-unknown-signs", number=count, pages=pages))
    if attached.names and not blocks:
        builder.warn(reading.reason)
    for sentence in reading.warnings:
        builder.warn(sentence)
    return builder.build(
        options.name,
        Clues(
            facts.properties,
            printed=printed,
            heading=_find_heading(reading),
            cover="\n".join(reading.front),
            watermarks=tuple(reading.watermarks.texts),
        ),
        pages=facts.pages,
        reason=reading.reason,
    )


def _find_heading(reading: PdfReading) -> str | None:
    """The first heading that a service read."""
    parts = (part for page in sorted(reading.outside) for part in reading.outside[page])
    return next((part.block.text for part in parts if part.level and part.block), None)


def _read_scans(reading: PdfReading, pdf: Any, options: ReadOptions, scans: list[int]) -> None:
    pages = reading.facts.pages
    why = _run_ocr(reading, pdf, options, scans)
    if why is None:
        return
    if pages == 1:
        pictures = Message("readers-pdf-only-page")
    elif len(scans) == pages:
        pictures = Message("readers-pdf-all-pages", number=pages)
    else:
        some = format_pages(scans)
        pictures = Message("readers-pdf-some-pages", pages=some, number=len(scans))
    problem = Message("readers-pdf-pictures", pictures=pictures, why=why)
    reading.reason = Message("readers-pdf-no-text", problem=problem)
    if any(reading.blocks.values()):
        reading.warnings.append(Message("readers-pdf-pictures-left", problem=problem))


def _ask_outside(
    reading: PdfReading, pdf: Any, options: ReadOptions, scans: list[int]
) -> OutsideReading | None:
    """Have pages read by the service, if any; pages without text also by OCR, to compare."""
    outside = open_reading(options)
    if outside is None:
        return None
    pages = range(1, reading.facts.pages + 1) if outside.service.all_pages else scans
    outside.read(pages, cut_pages(pdf, pages))
    both = [number for number in scans if number in outside.replies]
    engines = find_engines(options.ocr)
    if both and engines:
        report = start_report(engines, options.time_s, pictures=True)
        reading.read(read_scans(pdf, both, report))
    announce("read", 0, 0)
    return outside


def _check_outside(reading: PdfReading, pdf: Any, outside: OutsideReading, scans: set[int]) -> None:
    for number in outside.replies:
        own = None
        if number not in scans:
            with contextlib.closing(pdf[number - 1]) as page:
                own = read_characters(page)
        words = reading.seen.get(number)
        local = reading.blocks if number in scans else reading.pictured
        seen = build_word_page(words) if words else None
        local[number] = outside.check(number, own, seen, local.get(number, []))
    reading.take_outside(outside)


def _run_ocr(
    reading: PdfReading, pdf: Any, options: ReadOptions, scans: list[int]
) -> Message | None:
    """Read scans by OCR. Return the problem, or None."""
    engines = find_engines(options.ocr)
    if not engines:
        return engines.why
    report = start_report(engines, options.time_s)
    reading.read(read_scans(pdf, scans, report))
    reading.warnings += report.list_warnings()
    if report.done:
        return None
    if report.problem:
        return Message("readers-pdf-ocr-failed", cause=report.problem)
    return Message("readers-pdf-ocr-no-words")


def _read_pictures(reading: PdfReading, pdf: Any, options: ReadOptions, scans: set[int]) -> None:
    """Read the pictures on pages of text by OCR, while there is time; name those not read."""
    pages = [number for number in reading.pictures if number not in scans]
    engines = find_engines(options.ocr)
    report = start_report(engines, options.time_s, pictures=True)
    for number in pages:
        if not engines or report.is_late:
            report.late.append(number)
            continue
        page = pdf[number - 1]
        seen = reading.blocks.get(number, [])
        for edges in find_pictures(page):
            found = read_region(page, view_page(page).show_box(*edges), number, report)
            if found:
                content, *corner = found
                words = [(word, _move_box(box, *corner)) for word, box in list_words(content)]
                reading.seen.setdefault(number, []).extend(words)
                blocks = reading.build_page_blocks(content, content.rows)
                new = [replace(block, box=_move_box(block.box, *corner)) for block in blocks]
                reading.pictured[number] = [
                    *reading.pictured.get(number, []),
                    *drop_known(new, seen),
                ]
        page.close()
    report.done = [number for number in pages if reading.pictured.get(number)]
    reading.warnings += report.list_warnings()
    if report.late:
        pictures = format_pages(report.late)
        reading.warnings.append(Message("readers-pdf-pictures-unread", pages=pictures))


def _move_box(box: Box, x: float, y: float) -> Box:
    return Box(box.x0 + x, box.y0 + y, box.x1 + x, box.y1 + y)


def _add_parts(builder: DocumentBuilder, parts: Iterable[PdfPart], reading: PdfReading) -> None:
    """Add all parts, and after the text of each page what was read in pictures and by a service."""
    behind = sorted({*reading.pictured, *reading.outside}, reverse=True)
    for part in parts:
        while behind and part.block and behind[-1] < part.block.page:
            _add_behind(builder, reading, behind.pop())
        _add_part(builder, part, reading.facts)
    for page in reversed(behind):
        _add_behind(builder, reading, page)


def _add_behind(builder: DocumentBuilder, reading: PdfReading, page: int) -> None:
    blocks = [PdfPart(block) for block in reading.pictured.get(page, ())]
    for part in (*reading.outside.get(page, ()), *blocks):
        _add_part(builder, part, reading.facts)


def _add_part(builder: DocumentBuilder, part: PdfPart, facts: PdfFacts) -> None:
    block = part.block
    if block is None:
        builder.open_section(part.title, part.level or 1)
        return
    label = facts.labels[block.page - 1]
    place: BlockPlace = {"page": block.page, "page_label": label, "box": block.box}
    if block.recognition:
        place["recognition"] = block.recognition
    if part.level:
        builder.add_heading(block.text, part.level, **place)
    elif block.table:
        builder.add_table(block.table.read(), block.table.lines_above, **place)
    else:
        kind = "list_item" if is_list_item(block) else block.kind
        builder.add(kind, block.text, **place)
