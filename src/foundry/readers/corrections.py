"""Corrections of a document: the reader's text and blocks with what people corrected in them.

What a reader made is never changed: the result is a document of its own, whose blocks say what is
corrected and what was there before. First words are put right, then headings, then headers of
tables. A correction that does not fit the document any more is left out with a reason. The lines of
a table do not show which cells are merged: above the last header row, a name holds for the empty
cells to its right.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, takewhile

from foundry.ids import hash_text
from foundry.messages import Message
from foundry.readers.document_builder import MAX_HEADING_CHARS
from foundry.readers.front.document_names import find_document_names, find_front
from foundry.readers.grid_cells import GridCell
from foundry.readers.grids import GridReading, read_grid
from foundry.records import (
    NOT_A_HEADING,
    Block,
    BlockKind,
    CorrectedPart,
    Correction,
    CorrectionKind,
    Document,
    Recognition,
    Table,
    TableCell,
)
from foundry.text.tables import TextRow, find_rows


@dataclass(frozen=True, slots=True)
class Edit:
    """The span of a text that a correction replaces; ``old`` and ``new`` are the whole words there."""

    start: int
    end: int
    correction: Correction
    old: str
    new: str


def plan_edit(text: str, block: Block, correction: Correction) -> Edit:
    """The edit of a block's text that a correction of words is."""
    start, end = block.start + correction.start, block.start + correction.end
    first, last = start, end
    while first > block.start and text[first - 1].isalnum():
        first -= 1
    while last < block.end and text[last].isalnum():
        last += 1
    new = text[first:start] + correction.after + text[end:last]
    return Edit(start, end, correction, text[first:last], new)


class TextEdits:
    """Edits of one text in order, which do not overlap; moves offsets to the corrected text."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self.edits = sorted(edits, key=lambda edit: edit.start)
        self._starts = [edit.start for edit in self.edits]
        growths = (len(e.correction.after) - (e.end - e.start) for e in self.edits)
        self._shifts = [0, *accumulate(growths)]

    def apply(self, text: str) -> str:
        """The corrected text."""
        parts, last = [], 0
        for edit in self.edits:
            parts += [text[last : edit.start], edit.correction.after]
            last = edit.end
        return "".join([*parts, text[last:]])

    def move(self, offset: int, *, end: bool = False) -> int:
        """Where an offset is in the corrected text; within an edit, where that starts or ends."""
        index = bisect_right(self._starts, offset - 1 if end else offset)
        if index == 0:
            return offset
        edit = self.edits[index - 1]
        if offset >= edit.end:
            return offset + self._shifts[index]
        start = edit.start + self._shifts[index - 1]
        return start + len(edit.correction.after) if end else start

    def find(self, start: int, end: int) -> list[Edit]:
        """The edits within a span of the text as read."""
        return [edit for edit in self.edits if start <= edit.start and edit.end <= end]


def correct_block(block: Block, edits: TextEdits) -> Block:
    """A block of the corrected text."""
    own = edits.find(block.start, block.end)
    start, end = edits.move(block.start), edits.move(block.end, end=True)
    if not own and start == block.start and block.table is None:
        return block
    path = block.heading_path
    if block.kind == "heading" and path:
        path = (*path[:-1], _correct(path[-1], own))
    return replace(
        block,
        start=start,
        end=end,
        heading_path=path,
        table=block.table and _move_cells(block.table, edits),
        recognition=_settle_doubts(block.recognition, own),
        corrections=tuple(_describe(edit, edits) for edit in own),
    )


def _describe(edit: Edit, edits: TextEdits) -> CorrectedPart:
    start, end = edits.move(edit.start), edits.move(edit.end, end=True)
    one = edit.correction
    return CorrectedPart(one.id, one.kind, start, end, one.before, one.after, one.reason)


def _settle_doubts(recognition: Recognition | None, own: Sequence[Edit]) -> Recognition | None:
    """What OCR was unsure of, without the words that a person has read."""
    if recognition is None or not own:
        return recognition
    read = " ".join(edit.correction.words for edit in own).split()
    doubts = tuple(doubt for doubt in recognition.doubts if not {*doubt.read.split()} <= {*read})
    return replace(recognition, doubts=doubts)


def _move_cells(table: Table, edits: TextEdits) -> Table:
    cells = tuple(_move_cell(cell, edits) for cell in table.cells)
    return table if cells == table.cells else replace(table, cells=cells)


def _move_cell(cell: TableCell, edits: TextEdits) -> TableCell:
    own = edits.find(cell.start, cell.end)
    start, end = edits.move(cell.start), edits.move(cell.end, end=True)
    if not own and start == cell.start:
        return cell
    return replace(cell, start=start, end=end, value=_correct(cell.value, own))


def correct_labels(
    corrected: Sequence[Block], blocks: Sequence[Block], edits: TextEdits
) -> list[Block]:
    """The corrected blocks; tables have words right in their labels too, also where they go on."""
    made: list[Block] = []
    named: list[Edit] = []
    for block, before in zip(corrected, blocks, strict=True):
        if block.table is None or before.table is None:
            made.append(block)
            continue
        cells = [(cell.start, cell.end) for cell in before.table.cells]
        named = [
            *(named if before.table.continued else ()),
            *(
                edit
                for edit in edits.find(before.start, before.end)
                if not any(start <= edit.start and edit.end <= end for start, end in cells)
            ),
        ]
        made.append(replace(block, table=_name(block.table, named)) if named else block)
    return made


def _name(table: Table, edits: Sequence[Edit]) -> Table:
    cells = tuple(
        replace(
            cell,
            row=tuple(_correct(label, edits) for label in cell.row),
            column=tuple(_correct(label, edits) for label in cell.column),
        )
        for cell in table.cells
    )
    return replace(
        table,
        cells=cells,
        title=table.title and _correct(table.title, edits),
        unit=table.unit and _correct(table.unit, edits),
        header=tuple(_correct(line, edits) for line in table.header),
        corner=_correct(table.corner, edits),
    )


def _correct(words: str, edits: Sequence[Edit]) -> str:
    for edit in edits:
        words = replace_words(words, edit)
    return words


def replace_words(text: str, edit: Edit) -> str:
    """A title or label with the words of an edit put right, where it has them."""
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, edit.old.split())) + r"(?!\w)"
    return re.sub(pattern, lambda _match: edit.new, text)


def restore_words(text: str, block: Block, start: int, end: int) -> tuple[str, int, int]:
    """A block's words as they were read, and the span in them of ``start`` to ``end`` of the text."""
    made = ""
    last, first, stop = block.start, start - block.start, end - block.start
    for part in sorted(block.corrections, key=lambda part: part.start):
        if part.kind != "words":
            continue
        made += text[last : part.start] + part.before
        last = part.end
        # A span that ends or begins within corrected words takes all of them.
        growth = len(part.before) - (part.end - part.start)
        stop += growth if end > part.start else 0
        if start >= part.end:
            first += growth
        elif start > part.start:
            first = len(made) - len(part.before)
        if part.start < end < part.end:
            stop = len(made)
    return made + text[last : block.end], first, stop


Change = tuple[int, int, Correction]
"""The span of a heading in the text, and what it becomes."""
Span = tuple[int, int]
_SPLIT: frozenset[BlockKind] = frozenset({"heading", "paragraph", "list_item", "caption"})


# Headings


def split_block(text: str, block: Block, changes: Sequence[Change]) -> list[Block] | Message:
    """The blocks that a block becomes, in order, or why it cannot."""
    if block.kind not in _SPLIT:
        return Message("correction-not-text", kind=block.kind)
    parts: list[Block] = []
    last = block.start
    rest: BlockKind = "paragraph" if block.kind == "heading" else block.kind
    for start, end, correction in sorted(changes, key=lambda change: change[0]):
        title = " ".join(text[start:end].split())
        if len(title) > MAX_HEADING_CHARS:
            return Message("correction-heading-long", n=len(title), limit=MAX_HEADING_CHARS)
        parts += _cut(text, block, last, start, rest)
        parts.append(_make_part(block, start, end, title, correction))
        last = end
    return [*parts, *_cut(text, block, last, block.end, rest)]


def _cut(text: str, block: Block, start: int, end: int, kind: BlockKind) -> Iterator[Block]:
    """What is left of a block beside its new headings."""
    words = text[start:end]
    if any(map(str.isalnum, words)):
        start, end = start + len(words) - len(words.lstrip()), start + len(words.rstrip())
        path = block.heading_path[:-1] if block.kind == "heading" else block.heading_path
        yield _narrow(block, start, end, kind=kind, path=path)


def _make_part(block: Block, start: int, end: int, title: str, correction: Correction) -> Block:
    mark = CorrectedPart(
        *(correction.id, correction.kind, start, end),
        *(correction.before, correction.after, correction.reason),
    )
    if correction.after == NOT_A_HEADING:
        part = _narrow(block, start, end, kind="paragraph", path=block.heading_path[:-1])
    else:
        whole = block.kind == "heading" and (start, end) == (block.start, block.end)
        # The title of a heading has no marks of the file, which its text may have.
        title = block.heading_path[-1] if whole and block.heading_path else title
        level = int(correction.after)
        part = _narrow(block, start, end, kind="heading", path=(title,), level=level)
    return replace(part, corrections=(*part.corrections, mark))


def _narrow(
    block: Block,
    start: int,
    end: int,
    *,
    kind: BlockKind,
    path: tuple[str, ...],
    level: int | None = None,
) -> Block:
    own = tuple(part for part in block.corrections if start <= part.start and part.end <= end)
    return replace(
        block, kind=kind, start=start, end=end, heading_path=path, level=level, corrections=own
    )


_Stack = list[tuple[int, str]]
"""The open sections, outermost first: level and title."""


def rebuild_paths(before: Sequence[Block], after: Sequence[Sequence[Block]]) -> list[list[Block]]:
    """The blocks under the headings as they are now; ``after`` has what each block became.

    A heading's path ends with its title. Sections without a heading in the text stay where they
    were: they are found by comparing each block's path with the headings before it.
    """
    read: _Stack = []
    now: _Stack = []
    made: list[list[Block]] = []
    for block, parts in zip(before, after, strict=True):
        heading = block.kind == "heading" and bool(block.heading_path)
        if heading:
            _close(read, block.level or 6)
        _follow(block.heading_path[:-1] if heading else block.heading_path, read, now)
        if heading:
            read.append((block.level or 6, block.heading_path[-1]))
        made.append([_place(part, now) for part in parts])
    return made


def _place(part: Block, now: _Stack) -> Block:
    if part.kind == "heading" and part.heading_path:
        _close(now, part.level or 6)
        now.append((part.level or 6, part.heading_path[-1]))
    path = tuple(title for _, title in now)
    return part if path == part.heading_path else replace(part, heading_path=path)


def _close(stack: _Stack, level: int) -> None:
    while stack and stack[-1][0] >= level:
        stack.pop()


def _follow(path: tuple[str, ...], read: _Stack, now: _Stack) -> None:
    """Open and close sections that have no heading in the text, in both stacks."""
    known = tuple(title for _, title in read)
    if path == known:
        return
    shared = 0
    while shared < min(len(path), len(known)) and path[shared] == known[shared]:
        shared += 1
    del read[shared:]
    for title in path[shared:]:
        level = min((read[-1][0] if read else 0) + 1, 6)
        read.append((level, title))
        _close(now, level)
        now.append((level, title))
    if len(path) == shared:
        _close(now, (read[-1][0] if read else 0) + 1)


# Tables


def count_header_rows(text: str, block: Block) -> int:
    """How many of a table's first rows name its columns, as it was read."""
    table = block.table
    if table is None or not table.cells or table.continued:
        return 0
    rows = _find_rows(text, [block])
    return sum(1 for _ in takewhile(lambda row: row.end <= table.cells[0].start, rows))


def reread_header(
    text: str, block: Block, following: Iterable[Block], rows: int
) -> list[Block] | Message:
    """A table's blocks with ``rows`` header rows, or why there are none.

    ``block`` begins the table; those of the ``following`` that go on with it belong to it.
    """
    if block.kind != "table":
        return Message("correction-not-table", kind=block.kind)
    if block.table is not None and block.table.continued:
        return Message("correction-table-continued")
    own = takewhile(lambda one: one.table is not None and one.table.continued, following)
    blocks = [block, *own]
    lines = _find_rows(text, blocks)
    first = sum(line.end <= block.end for line in lines)
    if not 0 <= rows < first:
        return Message("correction-header-rows", n=first, most=max(first - 1, 0))
    cells = [
        GridCell(text[start:end], number, column, start=start, end=end)
        for number, line in enumerate(lines)
        for column, (start, end) in enumerate(line.cells)
        if start < end
    ]
    reading = read_grid(_spread(cells, rows), header=rows).name(())
    starts = (max(block.start, text.rfind("\n", 0, line.start) + 1) for line in lines[:rows])
    header = tuple(text[at : line.end] for at, line in zip(starts, lines, strict=False))
    spans = {id(cell): (cell.start, cell.end) for row in reading.rows for cell in row}
    table = reading.build_table(spans, header)
    if table is None:
        return Message("correction-no-values")
    return [_take(part, table, reading) for part in blocks]


def _take(block: Block, table: Table, reading: GridReading) -> Block:
    """A block with its part of a table, which keeps what other lines of the source say of it."""
    cells = tuple(cell for cell in table.cells if block.start <= cell.start < block.end)
    known = block.table or Table(title=reading.title, unit=reading.unit)
    made = replace(known, cells=cells, header=table.header, corner=table.corner)
    return replace(block, table=made)


def _find_rows(text: str, blocks: Sequence[Block]) -> list[TextRow]:
    """The rows of a table that is in successive blocks."""
    start, values = blocks[0].start, [cell for b in blocks if b.table for cell in b.table.cells]
    return find_rows(text[start : blocks[-1].end], start, values)


def _spread(cells: Sequence[GridCell], rows: int) -> list[GridCell]:
    """The cells; those above the last header row reach over the empty ones to their right."""
    width = max((cell.column for cell in cells), default=0) + 1
    made: list[GridCell] = []
    for cell, after in zip(cells, [*cells[1:], None], strict=True):
        if cell.row < rows - 1 and cell.column > 0:
            end = after.column if after is not None and after.row == cell.row else width
            cell = replace(cell, column_span=end - cell.column)  # noqa: PLW2901
        made.append(cell)
    return made


@dataclass(frozen=True, slots=True)
class Overlay:
    """A corrected document, and by id why a correction was left out."""

    document: Document
    refused: Mapping[str, Message]


def correct_document(document: Document, corrections: Sequence[Correction]) -> Overlay:
    """The document with corrections; of two that clash the first holds. The same if none applies."""
    draft = _Draft(document, corrections)
    for kind in ("words", "heading", "header"):
        draft.keep_apart(kind)
    edits = draft.correct_words()
    draft.correct_headings(edits)
    draft.correct_headers()
    return Overlay(draft.build(edits), draft.refused)


class _Draft:
    """A document while it is corrected; ``parts`` has what each block of the reader became."""

    def __init__(self, document: Document, corrections: Sequence[Correction]) -> None:
        self._document = document
        self.refused: dict[str, Message] = {}
        self._parts: list[list[Block]] = [[block] for block in document.blocks]
        self._text = document.text
        self._found: list[tuple[int, Correction]] = []
        numbers: dict[str, list[int]] = {}
        for number, block in enumerate(document.blocks if corrections else ()):
            words = document.text[block.start : block.end]
            numbers.setdefault(hash_text(words), []).append(number)
        for correction in corrections:
            place = _find_block(correction, numbers)
            if isinstance(place, Message):
                self.refused[correction.id] = place
            else:
                self._found.append((place, correction))

    def keep_apart(self, kind: CorrectionKind) -> None:
        """Leave out what corrects again what an earlier correction of the kind does."""
        kept: list[tuple[int, Correction]] = []
        for number, one in self._found:
            clash = next(
                (
                    other
                    for place, other in kept
                    if place == number
                    and one.kind == other.kind == kind
                    and one.start < other.end
                    and other.start < one.end
                ),
                None,
            )
            if clash is None:
                kept.append((number, one))
            else:
                self.refused[one.id] = Message("correction-twice", id=clash.id)
        self._found = kept

    def _list(self, kind: CorrectionKind) -> list[tuple[int, Correction]]:
        return [(number, one) for number, one in self._found if one.kind == kind]

    def correct_words(self) -> TextEdits:
        """Put the words right, in the text and in what the blocks say of it."""
        blocks = self._document.blocks
        edits = TextEdits(
            plan_edit(self._document.text, blocks[number], one)
            for number, one in self._list("words")
        )
        if edits.edits:
            self._text = edits.apply(self._document.text)
            corrected = [correct_block(block, edits) for block in blocks]
            self._parts = [[block] for block in correct_labels(corrected, blocks, edits)]
        return edits

    def correct_headings(self, edits: TextEdits) -> None:
        """Make headings of words, change their levels, and move what is below them."""
        changes: dict[int, list[tuple[int, int, Correction]]] = {}
        for number, one in self._list("heading"):
            start = self._document.blocks[number].start
            span = edits.move(start + one.start), edits.move(start + one.end, end=True)
            changes.setdefault(number, []).append((*span, one))
        for number, spans in changes.items():
            made = split_block(self._text, self._parts[number][0], spans)
            if isinstance(made, Message):
                self.refused |= dict.fromkeys((one.id for *_, one in spans), made)
            else:
                self._parts[number] = made
        if changes or edits.edits:
            self._parts = rebuild_paths(self._document.blocks, self._parts)

    def correct_headers(self) -> None:
        """Read tables again with as many header rows as they have."""
        for number, one in self._list("header"):
            following = chain.from_iterable(self._parts[number + 1 :])
            made = reread_header(self._text, self._parts[number][0], following, int(one.after))
            if isinstance(made, Message):
                self.refused[one.id] = made
                continue
            for offset, block in enumerate(made):
                self._parts[number + offset] = [_mark(block, one)]

    def build(self, edits: TextEdits) -> Document:
        """The corrected document; words that are corrected on its front are so in its title."""
        if not self._found:
            return self._document
        document = self._document
        blocks = tuple(chain.from_iterable(self._parts))
        title, names = document.title, document.names
        if edits.edits:
            front = find_front(document.blocks)
            last = front[-1].end if front else 0
            for edit in edits.edits:
                title = replace_words(title, edit) if edit.end <= last else title
            names = find_document_names(self._text, blocks, title)
        return replace(document, text=self._text, blocks=blocks, title=title, names=names)


def _find_block(correction: Correction, numbers: Mapping[str, Sequence[int]]) -> int | Message:
    """The index of a correction's block: that with its text, of several the one at its number."""
    same = numbers.get(correction.block_hash, ())
    if correction.block - 1 in same:
        return correction.block - 1
    if len(same) == 1:
        return same[0]
    return Message("correction-block-several" if same else "correction-block-gone")


def _mark(block: Block, correction: Correction) -> Block:
    part = CorrectedPart(
        correction.id,
        correction.kind,
        block.start,
        block.end,
        correction.before,
        correction.after,
        correction.reason,
    )
    return replace(block, corrections=(*block.corrections, part))
