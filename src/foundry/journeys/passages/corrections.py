"""Corrections of what readers made of the sources: making, listing and undoing them.

A correction is kept with the hash of the file's bytes. It is made from the text as it was read, so
the order in which corrections are made or undone changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from foundry.clock import get_now
from foundry.errors import NotFound, ReadError, RuleError, UsageError
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
from foundry.journeys.passages.texts import find_words
from foundry.journeys.source_files import open_parser_pool
from foundry.journeys.sources import get_source
from foundry.journeys.specifications import require_person
from foundry.messages import Message
from foundry.ports import Progress, ReadOptions
from foundry.readers.corrections import correct_document
from foundry.readers.table_corrections import (
    TABLE_KINDS,
    count_header_columns,
    count_header_rows,
    find_next_table,
    find_table_rows,
    name_column,
    name_end,
    parse_cells,
    parse_rows,
)
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
from foundry.text.tables import TextRow, find_rows
from foundry.workspace import Workspace

MAX_REASON = 500
"""Longest reason, in code points. A guess: a few sentences."""
_LEAST_ID = 8


@dataclass(frozen=True, slots=True)
class CorrectionRequest:
    """What to correct, and how.

    ``words`` are those of the source as read; ``block`` is a block's number from 1, for one of
    several blocks with the words, or for a whole block; ``cell`` ("B3") and ``row`` ("3", "3-5") are
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


@dataclass(frozen=True, slots=True)
class NumberedBlock:
    """A block as it was read, with its number from 1 and its text.

    ``lines`` are the rows of a table, whose offsets are those of the source; the first
    ``header_rows`` name its columns, None for other blocks.
    """

    number: int
    block: Block
    text: str
    header_rows: int | None = None
    lines: tuple[TextRow, ...] = ()

    @property
    def rows(self) -> list[list[str]]:
        """The words of a table's cells, row by row."""
        first = self.block.start
        return [[self.text[a - first : b - first] for a, b in row.cells] for row in self.lines]


def list_blocks(
    workspace: Workspace, source: Source, page: int | None = None, words: str | None = None
) -> list[NumberedBlock]:
    """The blocks of a source as they were read, those of a page or with some words."""
    return [
        one
        for one in _number(_get_reading(workspace, source))
        if page in {None, one.block.page} and (not words or find_words(one.text, words, limit=1))
    ]


def _number(reading: Reading) -> Iterator[NumberedBlock]:
    for number, block in enumerate(reading.blocks, 1):
        text = reading.text[block.start : block.end]
        if block.kind != "table":
            yield NumberedBlock(number, block, text)
            continue
        rows = tuple(find_table_rows(reading.text, block))
        yield NumberedBlock(number, block, text, count_header_rows(block), rows)


def _get_reading(workspace: Workspace, source: Source) -> Reading:
    """What the reader made of a source; without corrections the source itself."""
    store = workspace.store
    reading = store.find_reading(source.id)
    if reading is not None:
        return reading
    blocks = tuple(store.source_blocks(source.id))
    return Reading(source.title, store.source_text(source.id), blocks)


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
            refused = correct_document(_build_document(workspace, source), own).refused
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
) -> Correction:
    """Correct the source with this id or path, and index it again; returns the correction.

    Raises ``UsageError`` for a request that does not fit the source or what was corrected in it
    before, and ``RuleError`` below the highest role.
    """
    store = workspace.maintenance()
    said = require_person(author), _require_reason(request.reason)
    _plan(workspace, name, request, said)
    with hold_project(workspace, {"command": "correction add"}, progress) as run:
        # Somebody else may have corrected the same meanwhile, or the file may have changed.
        chosen = _plan(workspace, name, request, said)
        correction = chosen[-1]
        apply_corrections(workspace, correction.content_hash, chosen, progress)
        store.finish_run(run, {"correction": correction.id})
    return correction


def _plan(
    workspace: Workspace, name: str, request: CorrectionRequest, said: tuple[str, str]
) -> list[Correction]:
    """The corrections of a source, the new one last. Raises if it does not fit."""
    source = get_source(workspace, name)
    correction = _build(source, _get_reading(workspace, source), request, said)
    known = workspace.store.list_corrections(source.content_hash)
    if any(one.id == correction.id for one in known):
        raise RuleError("correction-known", where=source.path, id=correction.id)
    document = _build_document(workspace, source)
    overlay = correct_document(document, [*known, correction])
    if correction.id in overlay.refused:
        raise UsageError(overlay.refused[correction.id], where=source.path)
    if correction.kind in TABLE_KINDS and _is_same(
        overlay.document, correct_document(document, known).document
    ):
        raise UsageError("correction-same", where=source.path)
    return [*known, correction]


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
    dump_document(_build_document(workspace, source), path)
    known = workspace.store.list_corrections(source.content_hash, source.path)
    others = [one for one in known if one.content_hash != source.content_hash]
    request = build_cut_request(workspace, ReadOptions(source.path), [*corrections, *others])
    job = ReadJob(path, replace(request, content_hash=source.content_hash))
    outcome = next(pool.read_all([job]))
    cut = get_cut(outcome)
    if cut is None:
        raise outcome.error or ReadError("readers-not-started")
    return cut


def _build_document(workspace: Workspace, source: Source) -> Document:
    """The document that a reader made of a source."""
    reading = _get_reading(workspace, source)
    return Document(
        reading.text,
        reading.blocks,
        source.type,
        reading.title,
        pages=source.pages,
        revision=source.revision,
        revision_date=source.revision_date,
        names=source.names,
        warnings=source.warnings,
    )


# From a request to a correction


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
    blocks = list(_number(reading))
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
