"""Sources and their parts: blocks, documents, summaries, chunks, quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, NamedTuple, cast

from foundry.doc import HIDDEN, Doc
from foundry.messages import Message
from foundry.records.corrections import CorrectedPart
from foundry.records.kinds import (
    BlockKind,
    DocumentStatus,
    FactConfidence,
    FactName,
    FactOrigin,
    Language,
    NameKind,
    NamePlace,
    Page,
    Revision,
    RevisionDate,
    SourcePath,
)
from foundry.records.tables import Table
from foundry.roles import Confidentiality


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page in points (1/72 inch), measured from the page's top left corner."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Doubt:
    """Words that two OCR engines read differently: ``read`` is in the text, ``other`` is not."""

    read: str
    other: str


@dataclass(frozen=True, slots=True)
class Recognition:
    """How surely OCR read a text: the ``confidence`` of its least sure line, 0–1.

    ``doubts`` are the words in which a second engine read other digits, signs or units. ``reader``
    names the service outside that read it, if one did: its ``confidence`` is then the share of its
    words that OCR here read as well, or None where nothing here could read them.
    """

    confidence: float | None
    doubts: tuple[Doubt, ...] = ()
    reader: str = ""


def join_recognitions(parts: Iterable[Recognition | None]) -> Recognition | None:
    """How surely OCR read a text in parts: as its least sure part; None if it read none."""
    read = [part for part in parts if part]
    if not read:
        return None
    doubts = dict.fromkeys(doubt for part in read for doubt in part.doubts)
    known = [part.confidence for part in read if part.confidence is not None]
    least = min(known) if len(known) == len(read) else None
    reader = next((part.reader for part in read if part.reader), "")
    return Recognition(least, tuple(doubts), reader)


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a source in reading order.

    ``start`` and ``end`` span the block's own words in the source text (for a cue, its words
    without the timing line). ``heading_path`` names its sections, outermost first, each with
    its printed number ("3.2 Intervals"); the path of a heading block ends with its own
    heading. ``level`` is 1–6 for headings and None for other blocks. ``table`` is what a block of
    kind "table" says, cell by cell. ``recognition`` is None for text that needed no OCR.
    ``corrections`` are what a person corrected in it.
    """

    kind: BlockKind
    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    level: int | None = None
    page: int | None = None
    page_label: str | None = None
    box: Box | None = None
    time_start: float | None = None
    time_end: float | None = None
    speaker: str | None = None
    table: Table | None = None
    recognition: Recognition | None = None
    corrections: tuple[CorrectedPart, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of a file, kept beside what became of it by corrections."""

    title: str
    text: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class DocumentName:
    """A name that a document is about or defines, on its front or on a ``page`` of its text.

    An organisation's name without its legal form is an alias; an "identifier" is a type number in the title.
    """

    name: str
    kind: NameKind
    aliases: Annotated[
        tuple[str, ...], Doc("defined short names, abbreviations, no legal form")
    ] = ()
    place: Annotated[NamePlace, Doc("front: on the title page, so all of it is about this")] = (
        "text"
    )
    page: Page = None


@dataclass(frozen=True, slots=True)
class Fact:
    """What a document says of itself, or a person says of it: ``status``, "draft", "cover"."""

    name: FactName
    value: str
    origin: Annotated[FactOrigin, Doc("where it is said")]
    confidence: FactConfidence


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file inside another one; ``path`` is its copy, None if it was not unpacked."""

    name: str
    path: Path | None
    size: int


@dataclass(frozen=True, slots=True)
class Document:
    """A file as a reader returns it: its text, its blocks in order, its metadata.

    ``blocks`` do not overlap and are sorted by ``start``. ``warnings`` are sentences for a
    person ("3 of 12 pages are scanned and OCR is not installed"). ``attachments`` are the files
    inside it, which are documents of their own.
    """

    text: str
    blocks: tuple[Block, ...]
    type: str
    title: str
    pages: int | None = None
    revision: str | None = None
    revision_date: str | None = None
    facts: tuple[Fact, ...] = ()
    names: tuple[DocumentName, ...] = ()
    warnings: tuple[Message, ...] = ()
    attachments: tuple[Attachment, ...] = ()


_CONTAINERS = (".eml", ".msg", ".pdf")


def list_containers(path: str) -> list[str]:
    """The paths of the files that a file was attached to, innermost first; mostly none.

    An attachment's path continues that of its file: ``sources/offer.eml/price list.xlsx``.
    """
    containers = []
    while (path := path.rpartition("/")[0]).lower().endswith(_CONTAINERS):
        containers.append(path)
    return containers


_ISO_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")


@dataclass(frozen=True, slots=True)
class Source:
    """One ingested file, identified by its path in the project.

    ``path`` is POSIX and relative to the project, or continues that of the file that it was
    attached to (``list_containers``); ``content_hash`` is the SHA-256 of the file's
    bytes; ``type`` is the reader's name ("pdf", "docx", "vtt" …); ``language`` is an ISO 639-1
    code or "und"; ``revision`` and ``revision_date`` are those printed in the source, or None;
    ``recipe`` is a hash of the settings and versions that produced its chunks, which are
    rebuilt if it changes. ``copies`` are the other paths of files with the same bytes. Revisions of
    one document have one ``chain``; the later one has the greater ``chain_place``.
    """

    id: Annotated[str, Doc("src_…")]
    path: SourcePath
    content_hash: Annotated[str, Doc("SHA-256 of the file")]
    title: str
    type: Annotated[str, Doc("the reader: pdf, docx, vtt …")]
    language: Language
    size: Annotated[int, Doc("bytes")]
    modified: datetime
    ingested: datetime
    pages: int | None = None
    tags: tuple[str, ...] = ()
    confidentiality: Confidentiality = "public"
    revision: Revision = None
    revision_date: RevisionDate = None
    facts: Annotated[
        tuple[Fact, ...], Doc("title, revision, date, status, each with its origin")
    ] = ()
    names: Annotated[tuple[DocumentName, ...], HIDDEN] = ()
    warnings: Annotated[tuple[Message, ...], Doc("what could not be read")] = ()
    recipe: Annotated[str, HIDDEN] = ""
    chunks: int = 0
    copies: Annotated[tuple[SourcePath, ...], Doc("further paths of a file with these bytes")] = ()
    chain: Annotated[str, HIDDEN] = ""
    chain_place: Annotated[int, HIDDEN] = 0

    @property
    def status(self) -> Annotated[DocumentStatus | None, Doc("null if nothing says it")]:
        """Whether it holds, as it says itself or a person says."""
        said = (fact.value for fact in self.facts if fact.name == "status")
        return cast("DocumentStatus | None", next(said, None))

    def state(self, status: DocumentStatus | None) -> Source:
        """The source with the status that a person says it has; None for the one that it says itself."""
        read = tuple(fact for fact in self.facts if fact.origin != "person")
        said = (Fact("status", status, "person", "high"),) if status else ()
        return replace(self, facts=(*said, *read))

    @property
    def stated(self) -> DocumentStatus | None:
        """The status that a person says it has."""
        return self.status if any(fact.origin == "person" for fact in self.facts) else None

    @property
    def is_set_aside(self) -> bool:
        """Whether it does not hold, or not yet: a draft, a proposal, or an archived text."""
        return self.status not in {None, "final"}

    @property
    def dated(self) -> str:
        """The ISO date by which it is filtered: as printed, else that of the file, in UTC."""
        # A date printed in words cannot be compared.
        if self.revision_date and _ISO_DATE.fullmatch(self.revision_date):
            return self.revision_date
        moment = self.modified
        return (moment.astimezone(UTC) if moment.tzinfo else moment).date().isoformat()


class SourceOutline(NamedTuple):
    """What a list shows, sorts and counts of a source; a tuple, because a list may have ten thousand.

    ``dated`` is the date by which it is filtered; times are ISO 8601.
    """

    id: str
    path: str
    title: str
    type: str
    confidentiality: Confidentiality
    revision: str | None
    dated: str
    size: int
    pages: int | None
    modified: str
    ingested: str
    content_hash: str
    warned: bool
    tags: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    status: DocumentStatus | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """A source in a few sentences: at most ``ingest.summary_max_tokens`` tokens."""

    source_id: str
    text: str
    model: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive blocks of one source: the unit of retrieval.

    ``text`` is the unchanged source text from ``start`` to ``end``. ``content`` is what is
    indexed and embedded: the same words without the file's syntax (such as subtitle timings), and
    above a piece of a table its title, unit and header.
    ``prefix`` is the context put before it for embedding. ``heading_path`` is the path shared
    by all its blocks.
    """

    id: str
    source_id: str
    position: int
    start: int
    end: int
    text: str
    content: str
    tokens: int
    language: str
    heading_path: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    prefix: str = ""
    blocks: tuple[Block, ...] = ()

    def cut(self, start: int, end: int) -> str:
        """The words between two offsets in the source text."""
        return self.text[max(start - self.start, 0) : max(end - self.start, 0)]

    @property
    def embedded_text(self) -> str:
        """What the embedding model reads (decision 22): prefix, blank line, content."""
        return f"{self.prefix}\n\n{self.content}" if self.prefix else self.content


@dataclass(frozen=True, slots=True)
class Quote:
    """The exact words of a source that support a statement, with their position.

    ``corrections`` say which of them a person corrected, and what the reader had made of them.
    ``doubtful`` are the values among them whose row or column in their table is in doubt.
    """

    evidence_id: str
    text: str
    start: int
    end: int
    page: int | None = None
    page_label: str | None = None
    section: str | None = None
    time: float | None = None
    box: Box | None = None
    recognition: Recognition | None = None
    corrections: tuple[CorrectedPart, ...] = ()
    doubtful: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageSize:
    """A page as it is shown: its number from 1, its printed label, its size in points."""

    number: int
    width: float
    height: float
    label: str | None = None


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page with the quoted words that are on it.

    ``boxes`` are rectangles over exactly those characters, one for each line and more where a line
    has cells. ``areas`` are the boxes of whole blocks, whose words are only in a picture or a form.
    """

    page: PageSize
    boxes: tuple[Box, ...] = ()
    areas: tuple[Box, ...] = ()

    def list_shares(self, boxes: tuple[Box, ...]) -> tuple[Box, ...]:
        """Boxes as shares of the page's width and height, 0 to 1 from the top left."""
        width, height = self.page.width, self.page.height
        return tuple(
            Box(box.x0 / width, box.y0 / height, box.x1 / width, box.y1 / height) for box in boxes
        )


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line of words as it is printed on a page, with the box around it in points."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class PageWords:
    """A page with its lines in the order of the file; none for a picture that nobody has read."""

    page: PageSize
    lines: tuple[PageLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a span of a source's text is on its pages, in order.

    ``reason`` says why nothing, or only a part, could be placed; it is None if all was.
    """

    pages: tuple[MarkedPage, ...] = ()
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A picture of a page or of a ``region`` of it, in points; ``data`` is a WebP."""

    data: bytes
    width: int
    height: int
    page: PageSize
    region: Box
