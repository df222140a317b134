"""Words put right in a text, and in all that says where in the text it is."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from foundry.records import Block, CorrectedPart, Correction, Recognition, Table, TableCell


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
