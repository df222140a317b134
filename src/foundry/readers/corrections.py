"""Corrections of a document: the reader's text and blocks with what people corrected in them.

What a reader made is never changed: the result is a document of its own, whose blocks say what is
corrected and what was there before. First words and rows are put right, then headings, then the
structure of tables. A correction that does not fit the document any more is left out with a reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from foundry.ids import hash_text
from foundry.messages import Message
from foundry.readers.document_builder import MAX_HEADING_CHARS
from foundry.readers.front.document_names import find_document_names, find_front
from foundry.readers.table_corrections import TABLE_KINDS, check, clash, correct_tables
from foundry.readers.text_edits import Edit, TextEdits, plan_edit, replace_words
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
        title=(table.title and _correct(table.title, edits).strip(" –")) or None,
        unit=table.unit and _correct(table.unit, edits),
        header=tuple(_correct(line, edits) for line in table.header),
        corner=_correct(table.corner, edits),
    )


def _correct(words: str, edits: Sequence[Edit]) -> str:
    for edit in edits:
        words = replace_words(words, edit)
    return words


def restore_words(text: str, block: Block, start: int, end: int) -> tuple[str, int, int]:
    """A block's words as they were read, and the span in them of ``start`` to ``end`` of the text."""
    made = ""
    last, first, stop = block.start, start - block.start, end - block.start
    for part in sorted(block.corrections, key=lambda part: part.start):
        if part.kind not in {"words", "row"}:
            continue
        before = part.before if part.after else f"\n{part.before}\n"
        made += text[last : part.start] + before
        last = part.end
        # A span that ends or begins within corrected words takes all of them.
        growth = len(before) - (part.end - part.start)
        stop += growth if end > part.start else 0
        if start >= part.end:
            first += growth
        elif start > part.start:
            first = len(made) - len(before)
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


@dataclass(frozen=True, slots=True)
class Overlay:
    """A corrected document, and by id why a correction was left out.

    ``parts`` has what each block of the reader became, ``edits`` what changed in its text.
    """

    document: Document
    refused: Mapping[str, Message]
    parts: Sequence[Sequence[Block]]
    edits: TextEdits


def correct_document(document: Document, corrections: Sequence[Correction]) -> Overlay:
    """The document with corrections; of two that clash the first holds. The same if none applies."""
    draft = _Draft(document, corrections)
    draft.keep_apart()
    edits = draft.correct_words()
    draft.correct_headings(edits)
    draft.correct_tables(edits)
    return Overlay(draft.build(edits), draft.refused, draft.parts, edits)


class _Draft:
    """A document while it is corrected; ``parts`` has what each block of the reader became."""

    def __init__(self, document: Document, corrections: Sequence[Correction]) -> None:
        self._document = document
        self.refused: dict[str, Message] = {}
        self.parts: list[list[Block]] = [[block] for block in document.blocks]
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

    def keep_apart(self) -> None:
        """Leave out what does not fit its block, or changes the same as an earlier correction."""
        kept: list[tuple[int, Correction]] = []
        for number, one in self._found:
            others = [other for place, other in kept if place == number]
            clashing = next((other for other in others if clash(one, other)), None)
            if clashing is not None:
                problem: Message | None = Message("correction-twice", id=clashing.id)
            else:
                problem = check(self._document, number, one, others)
            if problem is None:
                kept.append((number, one))
            else:
                self.refused[one.id] = problem
        self._found = kept

    def _list(self, *kinds: CorrectionKind) -> list[tuple[int, Correction]]:
        return [(number, one) for number, one in self._found if one.kind in kinds]

    def correct_words(self) -> TextEdits:
        """Put the words right, in the text and in what the blocks say of it."""
        blocks = self._document.blocks
        edits = TextEdits(
            plan_edit(self._document.text, blocks[number], one)
            for number, one in self._list("words", "row")
        )
        if edits.edits:
            self._text = edits.apply(self._document.text)
            corrected = [correct_block(block, edits) for block in blocks]
            self.parts = [[block] for block in correct_labels(corrected, blocks, edits)]
        return edits

    def correct_headings(self, edits: TextEdits) -> None:
        """Make headings of words, change their levels, and move what is below them."""
        changes: dict[int, list[tuple[int, int, Correction]]] = {}
        for number, one in self._list("heading"):
            start = self._document.blocks[number].start
            span = edits.move(start + one.start), edits.move(start + one.end, end=True)
            changes.setdefault(number, []).append((*span, one))
        for number, spans in changes.items():
            made = split_block(self._text, self.parts[number][0], spans)
            if isinstance(made, Message):
                self.refused |= dict.fromkeys((one.id for *_, one in spans), made)
            else:
                self.parts[number] = made
        if changes or edits.edits:
            self.parts = rebuild_paths(self._document.blocks, self.parts)

    def correct_tables(self, edits: TextEdits) -> None:
        """Read the tables again whose rows or structure people have corrected."""
        said: dict[int, list[Correction]] = {}
        for number, one in self._list("row", *TABLE_KINDS):
            said.setdefault(number, []).append(one)
        made, refused = correct_tables(self._document, (self._text, edits), self.parts, said)
        for number, blocks in made.items():
            self.parts[number] = blocks
        self.refused |= refused

    def build(self, edits: TextEdits) -> Document:
        """The corrected document; words that are corrected on its front are so in its title."""
        if not self._found:
            return self._document
        document = self._document
        blocks = tuple(chain.from_iterable(self.parts))
        title, names = document.title, document.names
        if edits.edits:
            front = find_front(document.blocks)
            last = front[-1].end if front else 0
            for edit in edits.edits:
                named = edit.correction.kind == "words" and edit.end <= last
                title = replace_words(title, edit) if named else title
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
