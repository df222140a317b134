"""The structure of a document put right: its headings with their sections, its tables' headers.

The lines of a table do not show which cells are merged: above the last header row, a name holds for
the empty cells to its right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from foundry.messages import Message
from foundry.readers.document_builder import MAX_HEADING_CHARS
from foundry.readers.grid_cells import GridCell
from foundry.readers.grids import GridReading, read_grid
from foundry.records import NOT_A_HEADING, Block, BlockKind, CorrectedPart, Correction, Table
from foundry.text.tables import TextRow, find_rows

Change = tuple[int, int, Correction]
"""The span of a heading in the text, and what it becomes."""
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
    made = replace(
        known, cells=cells, header=table.header, corner=table.corner, certain=table.certain
    )
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
