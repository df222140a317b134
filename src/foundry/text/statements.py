"""A document, whoever wrote it → its statements, and the rest with the reason why it is none.

A statement is a sentence, an item of a list (with the sentence that opens the list,
where the item is no sentence itself), a row of a table with its header, or a caption.
Headings, code, questions, links, notes and lists of sources state nothing to check.
Marks of citation are taken out of the words and kept. Judges nothing.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from foundry.analysis import fold
from foundry.records import Block, Chunk, Document, DocumentStatement, Reference, SkippedText
from foundry.text.lines import UNIT_LABELS
from foundry.text.passages import Passage, find_passages, label_cells
from foundry.text.references import CitationApparatus, CitationMark, find_apparatus
from foundry.text.replies import is_refusal
from foundry.text.units import find_unit

OPENS_LIST = "opens a list (checked with its items)"
LINE_BASED_TYPES = frozenset({"md", "txt", "vtt", "srt"})
"""Types whose stored text is the file itself, so that lines can be counted."""

_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_STOP_AFTER_MARK = re.compile(r"(?<=[^\s\x00])([\s\x00]*\x00)([.,;:!?])(?=\s|\x00|$)")
_WRAPPED = re.compile(r"(?<=\w)([.!?])\n(?=[A-ZÀ-ÖØ-Þ])")
_BULLET = re.compile(r"^\s*(?:[-*+•·▪◦–]|\(?\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_LETTER = re.compile(r"^\s*\(?(?:[a-zA-Z]|[ivx]{1,5})[.)]\s+")
_CAPTION = re.compile(
    r"^(?:table|tabel|figure|figuur|fig\.?|afbeelding|listing)\s+\d+(?:[.-]\d+)*\s*[.:–—-]?\s*",
    re.IGNORECASE,
)
_LINK = re.compile(r"<?(?:https?://|www\.|mailto:)\S+>?|\S+@\S+\.\w+")
_LINK_OR_IMAGE = re.compile(r"\s*(?:[-*+]\s+)?!?\[[^\]]*\]\([^)]*\)\s*")
_FOLLOWING = re.compile(
    r"\b(?:the|de|het|these|deze)?\s*(?:following|onderstaande|volgende)(?:\s+\w+)?(?=\s*:?\s*$)"
    r"|\b(?:as follows|als volgt|below|hieronder)\b",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    [
        *("property", "item", "parameter", "name", "value", "description", "requirement", "part"),
        *("eigenschap", "onderdeel", "naam", "waarde", "omschrijving", "eis", "grootheid"),
    ]
)
_UNIT_IN_LABEL = re.compile(r"\s*[(\[]\s*([^()\[\]\s]{1,8})\s*[)\]]\s*$")
_BARE_NUMBER = re.compile(r"[-+−±]?\s?\d[\d.,]*")
_OWN_NOTE = re.compile(r"LOW CONFIDENCE\b")
_MAX_SHOWN = 160
_MIN_ITEM_WORDS = 4


@dataclass(slots=True)
class _StatementReader:
    """What is known while a text is read: lists that are open, and the sentence before."""

    document: Document
    chunk: Chunk
    starts: Sequence[int]
    statements: list[DocumentStatement] = field(default_factory=list)
    skipped: list[tuple[int, SkippedText]] = field(default_factory=list)
    openings: list[tuple[int, str, tuple[Reference, ...]]] = field(default_factory=list)
    before: str = ""

    @property
    def lined(self) -> bool:
        return self.document.type in LINE_BASED_TYPES

    def line(self, at: int) -> int | None:
        return bisect_right(self.starts, at) if self.lined else None

    def skip(self, text: str, reason: str, at: int) -> None:
        words = " ".join(text.replace("\x00", "").split())
        shown = words if len(words) <= _MAX_SHOWN else f"{words[: _MAX_SHOWN - 1]}…"
        self.skipped.append((at, SkippedText(shown, reason, self.line(at))))


def find_statements(
    document: Document, language: str
) -> tuple[tuple[DocumentStatement, ...], tuple[SkippedText, ...]]:
    """The statements in reading order, and what was skipped.

    ``language`` (ISO 639-1 or "und") decides where sentences end.
    """
    apparatus = find_apparatus(document)
    chunk = _build_chunk(document, apparatus, language)
    starts = [0, *(match.end() for match in re.finditer("\n", document.text))]
    reading = _StatementReader(document, chunk, starts)
    for aside in apparatus.asides:
        first = document.text[aside.start : aside.end].strip().partition("\n")[0]
        reading.skip(first, aside.reason, aside.start)
    passages = find_passages(chunk)
    cited = _assign_marks(document.text, passages, apparatus)
    for at, passage in enumerate(passages):
        following = passages[at + 1] if at + 1 < len(passages) else None
        _read_passage(reading, passage, following, cited.get(at, ()))
    skipped = tuple(entry for _, entry in sorted(reading.skipped, key=lambda pair: pair[0]))
    return tuple(reading.statements), skipped


def _build_chunk(document: Document, apparatus: CitationApparatus, language: str) -> Chunk:
    """The whole document as one chunk, asides and marks blanked out, every offset as it was."""
    text = document.text
    parts: list[str] = []
    at = 0
    gone = [(aside.start, aside.end, " ") for aside in apparatus.asides]
    gone += [(mark.start, mark.end, "\x00") for mark in apparatus.marks]
    for start, end, filler in sorted(gone):
        if start >= at:
            parts += [text[at:start], re.sub(r"[^\n]", filler, text[start:end])]
            at = end
    text = "".join([*parts, text[at:]])
    if document.type == "md":
        text = _QUOTED.sub(lambda match: " " * len(match[0]), text)
    # A sentence may end where its line was wrapped.
    text = _WRAPPED.sub(lambda match: f"{match[1]} ", text) if document.type == "md" else text
    # "Five volts [S1]." ends at its stop, as if the mark came after it.
    text = _STOP_AFTER_MARK.sub(lambda match: match[2] + " " * len(match[1]), text)
    blocks = tuple(_trim_fillers(text, block) for block in document.blocks)
    spaces = _blank_marks(text, blocks)
    return Chunk(
        id="", source_id="", position=0, start=0, end=len(text), text=spaces, content=spaces,
        tokens=0, language=language, blocks=tuple(b for b in blocks if b.start < b.end),
    )  # fmt: skip


def _trim_fillers(text: str, block: Block) -> Block:
    """The block without what was blanked out at its edges."""
    words = text[block.start : block.end]
    lead = len(words) - len(words.lstrip(" \n\t\r\x00"))
    return replace(
        block, start=block.start + lead, end=block.start + max(lead, len(words.rstrip("\x00 \n")))
    )


def _blank_marks(text: str, blocks: Sequence[Block]) -> str:
    """Marks as white space, but not in tables, where a wide gap would part two columns."""
    parts: list[str] = []
    at = 0
    for block in blocks:
        if block.kind == "table":
            parts += [text[at : block.start].replace("\x00", " "), text[block.start : block.end]]
            at = block.end
    return "".join([*parts, text[at:].replace("\x00", " ")])


def _assign_marks(
    text: str, passages: Sequence[Passage], apparatus: CitationApparatus
) -> dict[int, tuple[Reference, ...]]:
    """Passage → what it cites: a mark belongs to the sentence that it stands in or behind."""
    starts = [passage.start for passage in passages]
    found: dict[int, tuple[Reference, ...]] = {}
    for mark in apparatus.marks:
        at = bisect_right(starts, mark.start) - 1
        if at < 0 or _is_line_start(text, mark, passages[at : at + 2]):
            at += 1
        if at < len(passages):
            found[at] = found.get(at, ()) + mark.references
    return found


def _is_line_start(text: str, mark: CitationMark, around: Sequence[Passage]) -> bool:
    """A mark before the first word of its line belongs to what follows."""
    if len(around) < 2:
        return False
    before, after = text[around[0].end : mark.start], text[mark.end : around[1].start]
    return "\n" in before and "\n" not in after


def _read_passage(
    reading: _StatementReader,
    passage: Passage,
    following: Passage | None,
    references: tuple[Reference, ...],
) -> None:
    """Make a statement of a passage, or skip it with its reason."""
    if passage.kind == "table":
        _read_row(reading, passage, following, references)
        return
    item = _is_item(passage)
    text = _clean_words(passage.text, reading.document.type)
    text = _LETTER.sub("", text) if item else text
    text = _CAPTION.sub("", text) if passage.kind == "caption" else text
    reason = _find_skip_reason(passage, text, following)
    if not item:
        reading.openings.clear()
    if reason == OPENS_LIST:
        _open_list(reading, passage, text, references)
    if reason:
        reading.skip(text or passage.text, reason, passage.start)
        return
    if item:
        text, references = _prepend_opening(reading, passage, text, references)
    _add_statement(reading, passage, text, references)


def _is_item(passage: Passage) -> bool:
    """An item of a list, also where a plain text has it as a line of a paragraph."""
    listed = passage.kind == "paragraph" and _BULLET.match(passage.text)
    return passage.kind == "list_item" or bool(listed)


def _find_skip_reason(passage: Passage, text: str, following: Passage | None) -> str | None:
    if passage.kind in {"heading", "code"}:
        return passage.kind
    item = _is_item(passage)
    listed = following is not None and (following.kind in {"table", "code"} or _is_item(following))
    reasons = {
        "no words": not re.search(r"\w", text),
        "single word": not item and len(text.split()) == 1 and not re.search(r"\d", text),
        "link": _LINK.fullmatch(text) or _LINK_OR_IMAGE.fullmatch(passage.text),
        "question": text.rstrip("\"'”’»)*_ ").endswith("?"),
        "says that evidence is missing": is_refusal(text) or _OWN_NOTE.match(text),
        OPENS_LIST: text.endswith(":") and (listed or item),
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def _open_list(
    reading: _StatementReader, passage: Passage, text: str, references: tuple[Reference, ...]
) -> None:
    column = _get_indent(reading, passage)
    while reading.openings and reading.openings[-1][0] >= column:
        reading.openings.pop()
    opening = " ".join(_FOLLOWING.sub(" ", text.rstrip(": ")).split())
    reading.openings.append((column, opening, references))


def _prepend_opening(
    reading: _StatementReader, passage: Passage, text: str, references: tuple[Reference, ...]
) -> tuple[str, tuple[Reference, ...]]:
    """An item that is no sentence itself, together with the sentence that opens its list."""
    column = _get_indent(reading, passage)
    # Office files show no indentation: there an item that opens a list holds until it ends.
    while reading.lined and reading.openings and reading.openings[-1][0] >= column:
        reading.openings.pop()
    whole = (
        text.endswith((".", "!")) and text[:1].isupper() and len(text.split()) >= _MIN_ITEM_WORDS
    )
    first = _BULLET.match(passage.text) or passage.start == passage.place.start
    if not reading.openings or whole or not first:
        return text, references
    opening = " ".join(words for _, words, _ in reading.openings if words)
    inherited = [one for _, _, several in reading.openings for one in several]
    return f"{opening}: {text}", (*references, *inherited)


def _get_indent(reading: _StatementReader, passage: Passage) -> int:
    """How far an item is indented; paragraphs stand before every item."""
    if not _is_item(passage):
        return -1
    return passage.start - reading.starts[bisect_right(reading.starts, passage.start) - 1]


def _read_row(
    reading: _StatementReader,
    passage: Passage,
    following: Passage | None,
    references: tuple[Reference, ...],
) -> None:
    """A row as one statement: ``label: cell; label: cell``."""
    heads = bool(following and following.run == passage.run and following.header == passage.cells)
    if heads and passage.cells:
        reading.skip(passage.text, "table header", passage.start)
        return
    columns = _apply_row_unit(
        [
            (_clean_words(label, reading.document.type), _clean_words(cell, reading.document.type))
            for label, cell in label_cells(passage, reading.chunk)
        ]
    )
    text = "; ".join(_format_cell(label, cell) for label, cell in columns if cell)
    if not re.search(r"\w", text):
        reading.skip(passage.text, "no words", passage.start)
        return
    _add_statement(reading, passage, text, references)


def _apply_row_unit(columns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The unit of a column "Unit" goes to the bare numbers of its row."""
    unit = next((cell for label, cell in columns if fold(label) in UNIT_LABELS and cell), None)
    if unit is None or find_unit(unit) is None:
        return columns
    return [
        (label, f"{cell} {unit}" if _BARE_NUMBER.fullmatch(cell) else cell)
        for label, cell in columns
        if fold(label) not in UNIT_LABELS
    ]


def _format_cell(label: str, cell: str) -> str:
    """A cell with its label; a unit in the label goes to a bare number."""
    unit = _UNIT_IN_LABEL.search(label)
    if unit and find_unit(unit[1]) and _BARE_NUMBER.fullmatch(cell):
        label, cell = label[: unit.start()], f"{cell} {unit[1]}"
    return cell if not label or fold(label) in _GENERIC else f"{label}: {cell}"


def _add_statement(
    reading: _StatementReader, passage: Passage, text: str, references: tuple[Reference, ...]
) -> None:
    place = passage.place
    reading.statements.append(
        DocumentStatement(
            text=text,
            start=passage.start,
            end=passage.end,
            kind=passage.kind,
            line=reading.line(passage.start),
            page=place.page,
            page_label=place.page_label,
            heading_path=place.heading_path,
            references=tuple(dict.fromkeys(references)),
            subject=reading.before,
        )
    )
    reading.before = text


def _clean_words(text: str, kind: str) -> str:
    """The words as a reader sees them, on one line: without markup, bullets and fillers."""
    text = _BULLET.sub("", text.replace("\x00", " "))
    if kind == "md":
        text = "".join(_read_inline(text)).replace("**", "").replace("__", "")
    text = " ".join(html.unescape(text).split() if kind == "md" else text.split())
    return re.sub(r"\s+([.,;:!?])(?=\s|$)", r"\1", text)


def _read_inline(text: str) -> Iterator[str]:
    """The texts of Markdown's inline elements."""
    for token in _get_parser().parseInline(text):
        for child in token.children or []:
            if child.type in {"text", "code_inline", "image"}:
                yield child.content
            elif child.type in {"softbreak", "hardbreak"}:
                yield " "


@cache
def _get_parser() -> Any:
    # Imported here: office files need no Markdown.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")
