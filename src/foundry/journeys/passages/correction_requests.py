"""What somebody wants to correct in a source, and the correction that it makes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from foundry.clock import get_now
from foundry.errors import UsageError
from foundry.ids import hash_text, make_correction_id
from foundry.journeys.passages.blocks import NumberedBlock, ReadBlock, number_blocks
from foundry.journeys.passages.texts import find_words
from foundry.readers.table_corrections import (
    TABLE_KINDS,
    count_header_columns,
    find_next_table,
    name_column,
    name_end,
    parse_cells,
    parse_rows,
)
from foundry.readers.text_edits import TextEdits
from foundry.records import NOT_A_HEADING, Block, Correction, CorrectionKind, Reading, Source
from foundry.text.spotlight import clean_line
from foundry.text.tables import find_rows

_WORD = re.compile(r"\S+")
MAX_REASON = 500
"""Longest reason, in code points. A guess: a few sentences."""


@dataclass(frozen=True, slots=True)
class CorrectionRequest:
    """What to correct, and how.

    ``words`` are those of the source as read; ``block`` is a block's number from 1, for one of
    several blocks with the words, or for a whole block; ``start`` is the offset of the words in that
    block, for one of several places; ``cell`` ("B3") and ``row`` ("3", "3-5") are
    parts of a table, as ``NumberedBlock.rows`` numbers them. Exactly one of the others is given:
    ``read`` is what the words, the cell or, one a line, the rows say in print, ``drop`` leaves the
    rows out, ``heading`` is the level 1–6 or "text". Of the whole table, ``header_rows`` says how many
    first rows name the columns or which ("3-4"), ``header_columns`` how many first columns name the
    rows, ``span`` which cells are one ("B1:D1,E1:F1"); ``split`` begins another table at the row, and
    ``merge`` makes the next table one with it.
    """

    words: str | None = None
    block: int | None = None
    read: str | None = None
    heading: str | None = None
    header_rows: int | str | None = None
    reason: str = ""
    cell: str | None = None
    row: str | None = None
    drop: bool = False
    header_columns: int | None = None
    span: str | None = None
    split: bool = False
    merge: bool = False
    start: int | None = None


def request_words(block: ReadBlock, edits: TextEdits, written: str) -> CorrectionRequest:
    """The request that makes a block say what a person wrote.

    It goes from the first to the last changed word. Raises ``UsageError`` if there is none.
    """
    now = [match.span() for match in _WORD.finditer(block.words)]
    old, new = [block.words[a:b] for a, b in now], written.split()
    if old == new or not now:
        raise UsageError("correction-same")
    most = min(len(old), len(new))
    first = next((n for n in range(most) if old[n] != new[n]), most)
    last = next((n for n in range(most - first) if old[-1 - n] != new[-1 - n]), most - first)
    if first + last in {len(old), len(new)}:
        # Words are only added or left out: the one beside them is given too.
        first, last = (first - 1, last) if first else (first, max(last - 1, 0))
    shift = block.start
    start = edits.restore(shift + now[first][0]) - block.read.block.start
    end = edits.restore(shift + now[-1 - last][1], end=True) - block.read.block.start
    read = " ".join(new[first : len(new) - last])
    words = block.read.text[start:end]
    return CorrectionRequest(words, block.read.number, read=read, start=start)


def require_reason(text: str) -> str:
    """The reason on one line. Raises ``UsageError`` for none, or a long one."""
    reason = clean_line(text)
    if not reason or len(reason) > MAX_REASON:
        code = "correction-reason-long" if reason else "correction-reason-missing"
        raise UsageError(code, where="--reason", limit=MAX_REASON)
    return reason


def build_correction(
    source: Source, reading: Reading, request: CorrectionRequest, said: tuple[str, str]
) -> Correction:
    """The correction that a request makes of a source. Raises ``UsageError`` if it does not fit."""
    kind = _choose_kind(request)
    place, start, end = _find_place(source, reading, request, kind)
    if request.cell and start == end:
        # The words of an empty cell are put into its row.
        request, kind = _fill_cell(place, request), "row"
        place, start, end = _find_part(request, kind, place, start, end)
    words = place.text[start:end]
    before, after = _describe_change(reading, request, kind, (place, start, end))
    if before == after and kind not in TABLE_KINDS:
        raise UsageError("correction-same", where=source.path)
    block_hash = hash_text(place.text)
    parts = (block_hash, str(place.number), kind, str(start), str(end), after)
    return Correction(
        make_correction_id(source.content_hash, *parts),
        source.path,
        source.content_hash,
        source.confidentiality,
        kind,
        place.number,
        block_hash,
        start,
        end,
        words,
        before,
        after,
        reason=said[1],
        author=said[0],
        created=get_now(),
    )


def _choose_kind(request: CorrectionRequest) -> CorrectionKind:
    kinds: list[tuple[CorrectionKind, object]] = [
        ("row" if request.row is not None else "words", request.read),
        ("row", request.drop or None),
        ("heading", request.heading),
        ("header", request.header_rows),
        ("columns", request.header_columns),
        ("span", request.span),
        ("split", request.split or None),
        ("merge", request.merge or None),
    ]
    given = [kind for kind, value in kinds if value is not None]
    if len(given) != 1:
        raise UsageError("correction-kind", where="--read, --drop, --heading, …")
    part = {"words": request.cell, "row": request.row, "split": request.row}.get(given[0], "")
    if request.words is None and (request.block is None or part is None):
        raise UsageError("correction-place-missing", where="WORDS, --block")
    return given[0]


def _find_place(
    source: Source, reading: Reading, request: CorrectionRequest, kind: CorrectionKind
) -> tuple[NumberedBlock, int, int]:
    """The block that is meant, and the span of the words in it."""
    blocks = list(number_blocks(reading))
    if request.block is not None:
        if not 1 <= request.block <= len(blocks):
            raise UsageError(
                "correction-no-block", where=source.path, n=request.block, most=len(blocks)
            )
        blocks = [blocks[request.block - 1]]
    if request.words is None:
        found = [(blocks[0], 0, len(blocks[0].text))]
    else:
        found = [
            (one, *span)
            for one in blocks
            for span in find_words(one.text, request.words, exact=True)
            if request.start in {None, span[0]}
        ]
    if kind == "heading":
        found = [_widen(*place) for place in found]
    if kind in {"row", *TABLE_KINDS} or request.cell:
        parts = (_find_part(request, kind, *place) for place in found)
        found = list({(part[0].number, *part[1:]): part for part in parts}.values())
    if not found:
        raise UsageError("correction-words-missing", where=source.path, words=request.words)
    if len(found) > 1:
        numbers = [str(number) for number in dict.fromkeys(one.number for one, *_ in found)]
        code = "correction-words-several" if len(numbers) > 1 else "correction-words-twice"
        raise UsageError(code, where=source.path, words=request.words, n=len(found), blocks=numbers)
    return found[0]


def _find_part(
    request: CorrectionRequest, kind: CorrectionKind, place: NumberedBlock, start: int, end: int
) -> tuple[NumberedBlock, int, int]:
    """Return the part of a table that is meant: a cell, rows, the rows with the words, or all of it."""
    first, lines = place.block.start, place.lines
    if place.block.kind != "table":
        raise UsageError("correction-not-table", where="--block", kind=place.block.kind)
    if request.cell and kind == "words":
        start, end = _get_cell(place, request.cell)
        return place, start - first, end - first
    if kind not in {"row", "split"}:
        return place, 0, len(place.text)
    if request.row is None:
        found = [row for row in lines if row.start < first + end and first + start < row.end]
    else:
        rows = parse_rows(request.row)
        if rows is None:
            raise UsageError("correction-cells-wrong", where="--row", cells=request.row)
        if rows.stop > len(lines):
            width = max((len(row.cells) for row in lines), default=0)
            raise UsageError(name_end(len(lines), width), where="--row")
        found = list(lines[rows.start : rows.stop])
    return place, found[0].start - first, found[-1].end - first


def _widen(place: NumberedBlock, start: int, end: int) -> tuple[NumberedBlock, int, int]:
    """The whole heading for its title, whose text may have marks of the file around it."""
    block = place.block
    title = block.heading_path[-1] if block.kind == "heading" and block.heading_path else None
    whole = title is not None and " ".join(place.text[start:end].split()) == title
    return (place, 0, len(place.text)) if whole else (place, start, end)


def _get_cell(place: NumberedBlock, name: str) -> tuple[int, int]:
    """Return the span of a cell; an empty span at the end of its row if the row is shorter."""
    area = parse_cells(name)
    if area is None or len(area.rows) * len(area.columns) > 1:
        raise UsageError("correction-cells-wrong", where="--cell", cells=name)
    column, width = area.columns.start, max((len(row.cells) for row in place.lines), default=0)
    if area.rows.stop > len(place.lines) or column >= width:
        raise UsageError(name_end(len(place.lines), width), where="--cell")
    row = place.lines[area.rows.start]
    return row.cells[column] if column < len(row.cells) else (row.end, row.end)


def _fill_cell(place: NumberedBlock, request: CorrectionRequest) -> CorrectionRequest:
    """Turn a request to fill an empty cell into one to rewrite its row."""
    area = parse_cells(request.cell or "")
    if area is None:
        return request
    words = [*place.rows[area.rows.start]]
    words += [""] * (area.columns.stop - len(words))
    words[area.columns.start] = _require_printed(place.block, "", request.read or "")
    return replace(request, cell=None, row=str(area.rows.stop), read=" | ".join(words))


def _describe_change(
    reading: Reading,
    request: CorrectionRequest,
    kind: CorrectionKind,
    where: tuple[NumberedBlock, int, int],
) -> tuple[str, str]:
    """What is there as it was read, and what it becomes."""
    place, start, end = where
    block, words = place.block, place.text[start:end]
    if kind == "words":
        return words, _require_printed(block, words, request.read or "")
    if kind == "row":
        return words, "" if request.drop else _require_rows(words, request.read or "")
    if kind == "heading":
        level = str(block.level) if block.kind == "heading" else NOT_A_HEADING
        whole = len(words) == block.end - block.start
        return level if whole else NOT_A_HEADING, _require_level(request.heading or "")
    if kind == "header":
        return str(place.header_rows), _require_header(str(request.header_rows))
    if kind == "columns":
        return str(count_header_columns(reading.text, block)), str(request.header_columns)
    if kind == "span":
        after = _require_areas(request.span or "")
    elif kind == "split":
        after = str(sum(line.start <= block.start + start for line in place.lines))
    else:
        following = find_next_table(reading.text, reading.blocks, place.number - 1)
        after = following[1] if following else ""
    return "", after


def _require_rows(words: str, text: str) -> str:
    """Return the rows as printed, one per line."""
    rows = [clean_line(line) for line in text.splitlines() if line.strip()]
    if not rows or len(find_rows("\n".join(rows), 0)) < len(rows):
        raise UsageError("correction-read-missing", where="--read")
    if words[0] == words[-1] == "|":
        rows = [f"| {row.strip('| ')} |" for row in rows]
    return "\n".join(rows)


def _require_header(text: str) -> str:
    """Return which rows name the columns: "2" for the first two, or "3-4"."""
    if text.isascii() and text.isdigit():
        return str(int(text))
    rows = parse_rows(text)
    if rows is None:
        raise UsageError("correction-cells-wrong", where="--header-rows", cells=text)
    return str(rows.stop) if rows.start == 0 else f"{rows.start + 1}-{rows.stop}"


def _require_areas(text: str) -> str:
    areas = [parse_cells(part) for part in text.split(",")]
    corners = [
        (
            f"{name_column(area.columns.start)}{area.rows.start + 1}",
            f"{name_column(area.columns.stop - 1)}{area.rows.stop}",
        )
        for area in areas
        if area
    ]
    if len(corners) < len(areas) or any(first == last for first, last in corners):
        raise UsageError("correction-cells-wrong", where="--span", cells=text)
    return ",".join(f"{first}:{last}" for first, last in corners)


def _require_printed(block: Block, words: str, text: str) -> str:
    """The words as printed, on one line. Raises ``UsageError`` where they would change a table."""
    printed = clean_line(text)
    if not printed:
        raise UsageError("correction-read-missing", where="--read")
    if block.kind == "table" and any(mark in words + printed for mark in "|\n"):
        raise UsageError("correction-cells", where="--read")
    return printed


def _require_level(text: str) -> str:
    if text != NOT_A_HEADING and text not in {"1", "2", "3", "4", "5", "6"}:
        raise UsageError("correction-level", where="--heading", level=text)
    return text
