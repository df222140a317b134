"""Corrections of what readers made of the sources: making, listing and undoing them.

A correction is kept with the hash of the file's bytes. It is made from the text as it was read, so
the order in which corrections are made or undone changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from foundry.errors import ChangedMeanwhile, NotFound, ReadError, RuleError, UsageError
from foundry.journeys.file_chunks import CutDocument, cut_again, dump_document, get_cut
from foundry.journeys.index import (
    IngestedFile,
    IngestOptions,
    build_cut_request,
    embed_pending,
    finish_run,
    hold_project,
    open_index,
    save_cut,
)
from foundry.journeys.passages.blocks import (
    ReadBlock,
    SourceBlocks,
    build_document,
    get_reading,
)
from foundry.journeys.passages.correction_requests import (
    CorrectionRequest,
    build_correction,
    require_reason,
)
from foundry.journeys.source_files import open_parser_pool
from foundry.journeys.sources import get_source
from foundry.journeys.specifications import require_person
from foundry.messages import Message
from foundry.ports import Progress, ReadOptions
from foundry.readers.corrections import Overlay, correct_document
from foundry.readers.table_corrections import (
    TABLE_KINDS,
    find_next_table,
)
from foundry.readers.workers import ParserPool, ReadJob
from foundry.records import (
    Correction,
    CorrectionState,
    Document,
    Source,
)
from foundry.text.spotlight import clean_line
from foundry.workspace import Workspace

_LEAST_ID = 8


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
    said = require_person(author), require_reason(request.reason)
    _plan(workspace, name, request, said, reviewed)
    with hold_project(workspace, {"command": "correction add"}, progress) as run:
        # Somebody else may have corrected the same meanwhile, or the file may have changed.
        plan = _plan(workspace, name, request, said, reviewed)
        apply_corrections(workspace, plan.made.content_hash, [*plan.known, plan.made], progress)
        finish_run(workspace, run, {"correction": plan.made.id}, progress)
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
    made = build_correction(source, reading, request, said)
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
        finish_run(workspace, run, {"correction": correction.id}, progress)
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
