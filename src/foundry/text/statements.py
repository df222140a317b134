"""Splits a document into statements to check, and the rest with the reason it was skipped.

A statement is a sentence, a list item (with the sentence that introduces the list, if the item is
not a sentence itself), a table row with its header, or a caption. Headings, code, questions, links,
notes and source lists state nothing to check. Citation marks are removed from the words and kept.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from foundry.analysis import fold
from foundry.analysis.lexer import LINK_ONLY, SIGNED_NUMBER, match_marker
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.messages import Message
from foundry.records import (
    Block,
    Chunk,
    Document,
    DocumentStatement,
    Reference,
    SkippedText,
    TextRegion,
)
from foundry.text.headings import CAPTION
from foundry.text.lines import BRACKETED, UNIT_LABELS
from foundry.text.markdown import read_inline
from foundry.text.passages import Passage, find_passages
from foundry.text.references import CitationApparatus, CitationMark, find_apparatus
from foundry.text.replies import is_refusal
from foundry.text.units import find_unit

MAX_STATEMENT = 2_000
"""Longest statement that is checked, in characters. The longest sentences of contracts have about
1,500; checking one of 2,000 takes at most about 10 s of processor time with the built-in model."""
TOO_LONG = Message("skipped-too-long", limit=MAX_STATEMENT)
OPENS_LIST = Message("skipped-opens-list")
LINE_BASED_TYPES = frozenset({"markdown", "txt", "vtt", "srt"})
"""File types whose stored text is the file itself, so that line numbers are exact."""

_HEADINGS = load_shared_lexicon().headings
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_STOP_AFTER_MARK = re.compile(
    r"(?<=[^\s\x00])([\s\x00]*\x00)([\"'”’»)]*[.,;:!?][\"'”’»)]*|[\"'”’»)]+)(?=\s|\x00|$)"
)
_WRAPPED = re.compile(r"(?<=\w)([.!?])\n(?=[A-ZÀ-ÖØ-Þ])")
_LINK = re.compile(r"<?(?:https?://|www\.|mailto:)\S+>?|[^\s@]+@[^\s@]+\.\w+")
_FOLLOWING = re.compile(
    rf"\b{build_alternation(_HEADINGS.following)}(?:\s+\w+)?(?=\s*:?\s*$)"
    rf"|\b{build_alternation(_HEADINGS.list_introductions)}\b",
    re.IGNORECASE,
)
# Characters of a skipped part in a report: two lines of a terminal.
_MAX_SHOWN = 160
# Characters of the sentence before a list that are repeated with each item.
_MAX_OPENING = 500
# Shorter list items are read with their introduction even if they end in a full stop.
_MIN_ITEM_WORDS = 4


@dataclass(slots=True)
class _StatementReader:
    """The state of reading a document: the open lists, and the sentence before."""

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

    def line(self, index: int) -> int | None:
        return bisect_right(self.starts, index) if self.lined else None

    def locate(self, start: int, end: int) -> TextRegion | None:
        first, last = self.line(start), self.line(end)
        if first is None or last is None:
            return None
        columns = (start - self.starts[first - 1] + 1, end - self.starts[last - 1] + 1)
        return TextRegion(first, columns[0], last, columns[1])

    def skip(self, text: str, reason: Message, index: int) -> None:
        words = " ".join(text.replace("\x00", "").split())
        shown = words if len(words) <= _MAX_SHOWN else f"{words[: _MAX_SHOWN - 1]}…"
        self.skipped.append((index, SkippedText(shown, reason, self.line(index))))


def find_statements(
    document: Document, language: str, own_lines: Mapping[str, Message] | None = None
) -> tuple[tuple[DocumentStatement, ...], tuple[SkippedText, ...]]:
    """The statements in reading order, and the skipped parts.

    ``language`` (ISO 639-1 or "und") decides where sentences end; ``own_lines`` are as in
    ``find_apparatus``.
    """
    apparatus = find_apparatus(document, own_lines)
    chunk = _build_chunk(document, apparatus, language)
    starts = [0, *(match.end() for match in re.finditer("\n", document.text))]
    reader = _StatementReader(document, chunk, starts)
    for span in apparatus.excluded:
        first = document.text[span.start : span.end].strip().partition("\n")[0]
        reader.skip(first, span.reason, span.start)
    passages = find_passages(chunk)
    cited = _assign_marks(document.text, passages, apparatus)
    for index, passage in enumerate(passages):
        following = passages[index + 1] if index + 1 < len(passages) else None
        _read_passage(reader, passage, following, cited.get(index, ()))
    skipped = tuple(entry for _, entry in sorted(reader.skipped, key=lambda pair: pair[0]))
    return tuple(reader.statements), skipped


def _build_chunk(document: Document, apparatus: CitationApparatus, language: str) -> Chunk:
    """The whole document as one chunk; excluded spans and marks are blanked, offsets unchanged."""
    text = document.text
    parts: list[str] = []
    offset = 0
    gone = [(span.start, span.end, " ") for span in apparatus.excluded]
    gone += [(mark.start, mark.end, "\x00") for mark in apparatus.marks]
    for start, end, filler in sorted(gone):
        if start >= offset:
            parts += [text[offset:start], re.sub(r"[^\n]", filler, text[start:end])]
            offset = end
    text = "".join([*parts, text[offset:]])
    if document.type == "markdown":
        text = _QUOTED.sub(lambda match: " " * len(match[0]), text)
    # A sentence may end at a line break.
    text = _WRAPPED.sub(lambda match: f"{match[1]} ", text) if document.type == "markdown" else text
    # "Five volts [S1]." is read like "Five volts. [S1]".
    text = _STOP_AFTER_MARK.sub(lambda match: match[2] + " " * len(match[1]), text)
    blocks = tuple(_trim_fillers(text, block) for block in document.blocks)
    spaces = _blank_marks(text, blocks)
    return Chunk(
        id="", source_id="", position=0, start=0, end=len(text), text=spaces, content=spaces,
        tokens=0, language=language, blocks=tuple(b for b in blocks if b.start < b.end),
    )  # fmt: skip


def _trim_fillers(text: str, block: Block) -> Block:
    """The block without the blanked characters at its edges."""
    words = text[block.start : block.end]
    lead = len(words) - len(words.lstrip(" \n\t\r\x00"))
    return replace(
        block, start=block.start + lead, end=block.start + max(lead, len(words.rstrip("\x00 \n")))
    )


def _blank_marks(text: str, blocks: Sequence[Block]) -> str:
    """Turns marks into white space, but not in tables, where a wide gap separates columns."""
    parts: list[str] = []
    offset = 0
    for block in blocks:
        if block.kind == "table":
            parts += [
                text[offset : block.start].replace("\x00", " "),
                text[block.start : block.end],
            ]
            offset = block.end
    return "".join([*parts, text[offset:].replace("\x00", " ")])


def _assign_marks(
    text: str, passages: Sequence[Passage], apparatus: CitationApparatus
) -> dict[int, tuple[Reference, ...]]:
    """Passage index → its citations: a mark belongs to the sentence around or before it."""
    starts = [passage.start for passage in passages]
    references: dict[int, tuple[Reference, ...]] = {}
    for mark in apparatus.marks:
        index = bisect_right(starts, mark.start) - 1
        if index < 0 or _is_line_start(text, mark, passages[index : index + 2]):
            index += 1
        if index < len(passages):
            references[index] = references.get(index, ()) + mark.references
    return references


def _is_line_start(text: str, mark: CitationMark, around: Sequence[Passage]) -> bool:
    """Whether a mark opens its line, and so belongs to the passage that follows."""
    if len(around) < 2:
        return False
    before, after = text[around[0].end : mark.start], text[mark.end : around[1].start]
    if "\n" not in before or "\n" in after:
        return False
    # In a paragraph that does not open with a mark itself, only the line was wrapped before it.
    opening = text[: around[0].place.start].rpartition("\n")[2].rstrip()
    return around[0].run != around[1].run or opening.endswith(("]", "】", ")"))


def _read_passage(
    reader: _StatementReader,
    passage: Passage,
    following: Passage | None,
    references: tuple[Reference, ...],
) -> None:
    """Adds a passage as a statement, or skips it with the reason."""
    if passage.kind == "table":
        _read_row(reader, passage, references)
        return
    item = _is_item(passage)
    text = clean_words(passage.text, reader.document.type)
    text = clean_caption(text) if passage.kind == "caption" else text
    reason = _find_skip_reason(passage, text, following)
    if not item:
        reader.openings.clear()
    if reason == OPENS_LIST:
        column = _get_indent(reader, passage)
        while reader.openings and reader.openings[-1][0] >= column:
            reader.openings.pop()
        reader.openings.append((column, clean_opening(text), references))
    if reason:
        reader.skip(text or passage.text, reason, passage.start)
        return
    if item:
        text, references = _prepend_opening(reader, passage, text, references)
    _add_statement(reader, passage, text, references)


def _is_item(passage: Passage) -> bool:
    """Whether a passage is a list item, also as a line of a plain-text paragraph."""
    listed = passage.kind == "paragraph" and match_marker(passage.text)
    return passage.kind == "list_item" or bool(listed)


def _find_skip_reason(passage: Passage, text: str, following: Passage | None) -> Message | None:
    if passage.kind in {"heading", "code"}:
        return Message("skipped-code" if passage.kind == "code" else "skipped-heading")
    item = _is_item(passage)
    listed = following is not None and (following.kind in {"table", "code"} or _is_item(following))
    reasons = {
        Message("skipped-no-words"): not re.search(r"\w", text),
        Message("skipped-single-word"): not item
        and len(text.split()) == 1
        and not re.search(r"\d", text),
        Message("skipped-link"): _LINK.fullmatch(text) or LINK_ONLY.fullmatch(passage.text),
        Message("skipped-question"): text.rstrip("\"'”’»)*_ ").endswith("?"),
        Message("draft-skipped-no-evidence"): is_refusal(text),
        OPENS_LIST: text.endswith(":") and (listed or item),
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def _prepend_opening(
    reader: _StatementReader, passage: Passage, text: str, references: tuple[Reference, ...]
) -> tuple[str, tuple[Reference, ...]]:
    """Puts the sentence that introduces a list before an item that is not a sentence."""
    column = _get_indent(reader, passage)
    # Office files lose indentation: there the introduction applies until the list ends.
    while reader.lined and reader.openings and reader.openings[-1][0] >= column:
        reader.openings.pop()
    whole = (
        text.endswith((".", "!")) and text[:1].isupper() and len(text.split()) >= _MIN_ITEM_WORDS
    )
    first = match_marker(passage.text) or passage.start == passage.place.start
    if not reader.openings or whole or not first:
        return text, references
    opening = " ".join(words for _, words, _ in reader.openings if words)[:_MAX_OPENING]
    inherited = [reference for _, _, cited in reader.openings for reference in cited]
    return f"{opening}: {text}", (*references, *inherited)


def _get_indent(reader: _StatementReader, passage: Passage) -> int:
    """The indentation of an item in characters; -1 for a paragraph."""
    if not _is_item(passage):
        return -1
    return passage.start - reader.starts[bisect_right(reader.starts, passage.start) - 1]


def _read_row(
    reader: _StatementReader,
    passage: Passage,
    references: tuple[Reference, ...],
) -> None:
    """Adds a row as one statement: ``label: cell; label: cell``."""
    if passage.labels:
        reader.skip(passage.text, Message("skipped-table-header"), passage.start)
        return
    columns = _apply_row_unit(
        [
            (clean_words(label, reader.document.type), clean_words(cell, reader.document.type))
            for label, cell in passage.columns
        ]
    )
    text = "; ".join(_format_cell(label, cell) for label, cell in columns if cell)
    if not re.search(r"\w", text):
        reader.skip(passage.text, Message("skipped-no-words"), passage.start)
        return
    _add_statement(reader, passage, text, references)


def _apply_row_unit(columns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Moves the unit in a column "Unit" to the bare numbers of its row."""
    unit = next((cell for label, cell in columns if fold(label) in UNIT_LABELS and cell), None)
    if unit is None or find_unit(unit) is None:
        return columns
    return [
        (label, f"{cell} {unit}" if SIGNED_NUMBER.fullmatch(cell) else cell)
        for label, cell in columns
        if fold(label) not in UNIT_LABELS
    ]


def _format_cell(label: str, cell: str) -> str:
    """A cell with its label; a unit in the label moves to a bare number."""
    unit = BRACKETED.search(label)
    last = unit is not None and not label[unit.end() :].strip()
    if unit and last and find_unit(unit[1] or unit[2]) and SIGNED_NUMBER.fullmatch(cell):
        label, cell = label[: unit.start()].rstrip(), f"{cell} {unit[1] or unit[2]}"
    return cell if not label or fold(label) in _HEADINGS.generic_labels else f"{label}: {cell}"


def _add_statement(
    reader: _StatementReader, passage: Passage, text: str, references: tuple[Reference, ...]
) -> None:
    place = passage.place
    if len(text) > MAX_STATEMENT:
        cut = text.rfind(" ", MAX_STATEMENT // 2, MAX_STATEMENT)
        cut = MAX_STATEMENT if cut < 0 else cut
        reader.skip(text[cut:], TOO_LONG, min(passage.start + cut, passage.end))
        text = text[:cut]
    reader.statements.append(
        DocumentStatement(
            text=text,
            start=passage.start,
            end=passage.end,
            kind=passage.kind,
            page=place.page,
            page_label=place.page_label,
            heading_path=place.heading_path,
            references=tuple(dict.fromkeys(references)),
            subject=reader.before,
            words=reader.document.text[passage.start : passage.end],
            region=reader.locate(passage.start, passage.end),
        )
    )
    reader.before = text


def join_opening(opening: str, item: str) -> str:
    """A list item behind the sentence that introduces its list, as a statement has it."""
    return f"{clean_opening(opening)}: {item}"


def clean_opening(text: str) -> str:
    """The sentence that introduces a list, without "the following" and its colon."""
    return " ".join(_FOLLOWING.sub(" ", text.rstrip(": ")).split())


def clean_caption(text: str) -> str:
    """A caption without its number: "Table 3: Pin assignment" is "Pin assignment"."""
    return CAPTION.sub("", text)


def clean_words(text: str, kind: str) -> str:
    """The words on one line, without markup, bullets and blanked characters.

    ``kind`` is the type of the file; Markdown as it is written has marks, links and entities that
    are no words.
    """
    text = text.replace("\x00", " ")
    marker = match_marker(text)
    text = text[marker.end() :] if marker else text
    text = text[4:] if marker and text[:4].lower() in {"[ ] ", "[x] "} else text
    text = read_inline(text) if kind == "markdown" else " ".join(text.split())
    return re.sub(r"\s+([.,;:!?])(?=\s|$)", r"\1", text)
