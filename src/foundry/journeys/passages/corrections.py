"""Corrections of what readers made of the sources: making, listing and undoing them.

A correction is kept with the hash of the file's bytes. It is made from the text as it was read, so
the order in which corrections are made or undone changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from foundry.clock import get_now
from foundry.errors import ChangedMeanwhile, NotFound, ReadError, RuleError, UsageError
from foundry.ids import hash_text, make_correction_id
from foundry.journeys.file_chunks import CutDocument, cut_again, dump_document, get_cut
from foundry.journeys.index import (
    IngestedFile,
    IngestOptions,
    build_cut_request,
    embed_pending,
    hold_project,
    open_index,
    save_cut,
)
from foundry.journeys.passages.blocks import (
    NumberedBlock,
    ReadBlock,
    SourceBlocks,
    build_document,
    get_reading,
    number_blocks,
)
from foundry.journeys.passages.texts import find_words
from foundry.journeys.source_files import open_parser_pool
from foundry.journeys.sources import get_source
from foundry.journeys.specifications import require_person
from foundry.messages import Message
from foundry.ports import Progress, ReadOptions
from foundry.readers.corrections import Overlay, correct_document
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
from foundry.readers.workers import ParserPool, ReadJob
from foundry.records import (
    NOT_A_HEADING,
    Block,
    Correction,
    CorrectionKind,
    CorrectionState,
    Document,
    Reading,
    Source,
)
from foundry.text.spotlight import clean_line
from foundry.text.tables import find_rows
from foundry.workspace import Workspace

_WORD = re.compile(r"\S+")
MAX_REASON = 500
"""Longest reason, in code points. A guess: a few sentences."""
_LEAST_ID = 8


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


def list_corrections(workspace: Workspace, source: Source | None = None) -> list[CorrectionState]:
    """The corrections, of all sources or of one, oldest first; each with why it is not applied."""
    store = workspace.store
    if source is None:
        corrections = store.list_corrections()
    else:
        corrections = store.list_corrections(source.content_hash, source.path)
    reasons: dict[str, dict[str, Message]] = {}
    for content_hash in {one.content_hash for one in corrections}:
        reasons[content_hash] = _find_reasons(workspace, content_hash, corrections)
    return [CorrectionState(one, reasons[one.content_hash].get(one.id)) for one in corrections]


def _find_reasons(
    workspace: Workspace, content_hash: str, corrections: Sequence[Correction]
) -> dict[str, Message]:
    """Correction id → why it is not applied to the sources with these bytes."""
    store = workspace.store
    own = [one for one in corrections if one.content_hash == content_hash]
    sources = store.find_content(content_hash)
    if not sources:
        return {one.id: _explain_absence(workspace, one) for one in own}
    reasons: dict[str, Message] = {}
    for source in sources:
        blocks = store.source_blocks(source.id)
        applied = {part.id for block in blocks for part in block.corrections}
        missing = [one for one in own if one.id not in applied]
        if missing:
            refused = correct_document(
                build_document(source, get_reading(workspace, source)), own
            ).refused
            pending = Message("correction-pending", path=source.path)
            reasons |= {one.id: refused.get(one.id, pending) for one in missing}
    return reasons


def _explain_absence(workspace: Workspace, correction: Correction) -> Message:
    known = workspace.store.find_source(correction.path)
    code = "correction-file-changed" if known else "correction-source-gone"
    return Message(code, path=correction.path)


def get_correction(workspace: Workspace, name: str) -> CorrectionState:
    """The correction with this id, or the only one whose id begins so. Raises ``NotFound``."""
    found = [
        one
        for one in workspace.store.list_corrections()
        if one.id == name or (len(name) >= _LEAST_ID and one.id.startswith(name))
    ]
    if len(found) != 1:
        raise NotFound("correction-unknown", where=str(workspace.root), id=name)
    reasons = _find_reasons(workspace, found[0].content_hash, found)
    return CorrectionState(found[0], reasons.get(found[0].id))


def add_correction(
    workspace: Workspace,
    name: str,
    request: CorrectionRequest,
    author: str,
    progress: Progress = lambda _step: None,
    *,
    reviewed: str = "",
) -> Correction:
    """Correct the source with this id or path, and index it again; returns the correction.

    ``reviewed`` is the ``name_state`` of the block that ``author`` saw. Raises ``UsageError`` for a
    request that does not fit the source or what was corrected in it before, ``ChangedMeanwhile`` if
    somebody else corrected the block, and ``RuleError`` below the highest role.
    """
    store = workspace.maintenance()
    said = require_person(author), _require_reason(request.reason)
    _plan(workspace, name, request, said, reviewed)
    with hold_project(workspace, {"command": "correction add"}, progress) as run:
        # Somebody else may have corrected the same meanwhile, or the file may have changed.
        plan = _plan(workspace, name, request, said, reviewed)
        apply_corrections(workspace, plan.made.content_hash, [*plan.known, plan.made], progress)
        store.finish_run(run, {"correction": plan.made.id})
    return plan.made


@dataclass(frozen=True, slots=True)
class CorrectionPreview:
    """What a correction would change.

    ``before`` and ``after`` are the blocks that it concerns, ``start`` and ``end`` span what changes
    in the text of the source as it is now.
    """

    correction: Correction
    before: tuple[ReadBlock, ...]
    after: tuple[ReadBlock, ...]
    start: int
    end: int


def preview_correction(
    workspace: Workspace, name: str, request: CorrectionRequest
) -> CorrectionPreview:
    """What a request would change, without changing it. Raises as ``add_correction``."""
    workspace.maintenance()
    source = get_source(workspace, name)
    plan = _plan(workspace, name, request, ("", clean_line(request.reason)))
    made, reading = plan.made, get_reading(workspace, source)
    numbers = [made.block]
    if made.kind == "merge":
        following = find_next_table(reading.text, reading.blocks, made.block - 1)
        numbers += [following[0] + 1] if following else []
    before, after = (
        tuple(
            SourceBlocks(source.type, reading, one.document.text, one.parts, one.edits).get(number)
            for number in numbers
        )
        for one in (plan.before, plan.after)
    )
    start, end = before[0].start, before[-1].end
    if made.kind in {"words", "row"}:
        first = reading.blocks[made.block - 1].start
        start = plan.before.edits.move(first + made.start)
        end = plan.before.edits.move(first + made.end, end=True)
    return CorrectionPreview(made, before, after, start, end)


@dataclass(frozen=True, slots=True)
class _Plan:
    """A new correction and the ones before it, and the document without and with it."""

    made: Correction
    known: Sequence[Correction]
    before: Overlay
    after: Overlay


def _plan(
    workspace: Workspace,
    name: str,
    request: CorrectionRequest,
    said: tuple[str, str],
    reviewed: str = "",
) -> _Plan:
    """Make a correction of a source. Raises if it does not fit."""
    source = get_source(workspace, name)
    reading = get_reading(workspace, source)
    known = workspace.store.list_corrections(source.content_hash)
    made = _build(source, reading, request, said)
    if reviewed:
        _require_reviewed(source, [one for one in known if one.block == made.block], reviewed)
    if any(one.id == made.id for one in known):
        raise RuleError("correction-known", where=source.path, id=made.id)
    document = build_document(source, reading)
    before, after = (correct_document(document, some) for some in (known, [*known, made]))
    if made.id in after.refused:
        raise UsageError(after.refused[made.id], where=source.path)
    if made.kind in TABLE_KINDS and _is_same(after.document, before.document):
        raise UsageError("correction-same", where=source.path)
    return _Plan(made, known, before, after)


def name_state(corrections: Sequence[Correction], block: int) -> str:
    """The state of a block, for who corrects it: the ids of its corrections."""
    return " ".join(["state", *(one.id for one in corrections if one.block == block)])


def _require_reviewed(source: Source, own: Sequence[Correction], reviewed: str) -> None:
    """Raise ``ChangedMeanwhile`` if others corrected a block since somebody looked at it."""
    seen = set(reviewed.split()[1:])
    added = [one for one in own if one.id not in seen]
    if added:
        author = added[-1].author
        raise ChangedMeanwhile("correction-meanwhile", where=source.path, author=author)
    if seen - {one.id for one in own}:
        raise ChangedMeanwhile("correction-undone-meanwhile", where=source.path)


def _is_same(one: Document, other: Document) -> bool:
    """Whether two documents are equal apart from the marks of their corrections."""
    return [replace(block, corrections=()) for block in one.blocks] == [
        replace(block, corrections=()) for block in other.blocks
    ]


def remove_correction(
    workspace: Workspace, name: str, progress: Progress = lambda _step: None
) -> CorrectionState:
    """Undo a correction; the source is as it was read again. Raises as ``add_correction``."""
    store = workspace.maintenance()
    correction = get_correction(workspace, name).correction
    content_hash = correction.content_hash
    with hold_project(workspace, {"command": "correction remove"}, progress) as run:
        left = [one for one in store.list_corrections(content_hash) if one.id != correction.id]
        apply_corrections(workspace, content_hash, left, progress)
        store.remove_correction(correction.id)
        store.finish_run(run, {"correction": correction.id})
    return CorrectionState(correction, Message("correction-undone"))


def apply_corrections(
    workspace: Workspace,
    content_hash: str,
    corrections: Sequence[Correction],
    progress: Progress,
) -> None:
    """Save every source with these bytes again, with exactly these corrections, and embed it."""
    sources = workspace.store.find_content(content_hash)
    with (
        TemporaryDirectory(prefix="foundry-", ignore_cleanup_errors=True) as folder,
        open_parser_pool(workspace, cut_again) as pool,
    ):
        for source in sources:
            file = IngestedFile(source.path, content_hash, source.size, source.modified)
            cut = _cut_again(workspace, source, corrections, pool, Path(folder) / source.id)
            save_cut(workspace, file, cut, source, IngestOptions(), corrections=corrections)
    if sources:
        open_index(workspace)
        embed_pending(workspace, progress, [source.id for source in sources])


def _cut_again(
    workspace: Workspace,
    source: Source,
    corrections: Sequence[Correction],
    pool: ParserPool,
    path: Path,
) -> CutDocument:
    """A source with these corrections, cut within the limits of an ingest."""
    dump_document(build_document(source, get_reading(workspace, source)), path)
    known = workspace.store.list_corrections(source.content_hash, source.path)
    others = [one for one in known if one.content_hash != source.content_hash]
    request = build_cut_request(workspace, ReadOptions(source.path), [*corrections, *others])
    job = ReadJob(path, replace(request, content_hash=source.content_hash))
    outcome = next(pool.read_all([job]))
    cut = get_cut(outcome)
    if cut is None:
        raise outcome.error or ReadError("readers-not-started")
    return cut


# From a request to a correction


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


def _require_reason(text: str) -> str:
    reason = clean_line(text)
    if not reason or len(reason) > MAX_REASON:
        code = "correction-reason-long" if reason else "correction-reason-missing"
        raise UsageError(code, where="--reason", limit=MAX_REASON)
    return reason


def _build(
    source: Source, reading: Reading, request: CorrectionRequest, said: tuple[str, str]
) -> Correction:
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
