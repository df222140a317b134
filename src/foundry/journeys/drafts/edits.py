"""What people do to a draft: change its text, remark on its sentences, compare two of its texts.

Two people can work at once: replaced texts are kept, changes that do not touch each other are merged, and
a conflicting change is refused with the newer text.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from foundry.analysis import detect_language
from foundry.clock import get_now
from foundry.craft.footnotes import split_draft
from foundry.craft.revisions import QuoteTracer, compare_revisions
from foundry.errors import ChangedMeanwhile, FoundryError, NotFound, RuleError, UsageError
from foundry.journeys.drafts.content import (
    CheckMemory,
    DraftSentence,
    DraftText,
    build_key,
    fold_words,
    get_text,
    list_statements,
    normalise,
    read_draft_text,
    view_draft_text,
)
from foundry.journeys.drafts.register import (
    DraftStatus,
    build_used_source,
    get_draft,
    get_draft_status,
    keep_text,
)
from foundry.journeys.drafts.state import get_draft_key, hash_draft_text
from foundry.journeys.drafts.verification import find_noted_source
from foundry.journeys.specifications import require_person
from foundry.journeys.verify import check_statements
from foundry.messages import Message
from foundry.ports import Progress
from foundry.records import Block, DraftNote, DraftRecord, KeptText
from foundry.records.revisions import ChangeKind, TraceKind
from foundry.render.files import write_document
from foundry.text.merge import merge_texts
from foundry.text.passages import Passage
from foundry.text.spotlight import clean_line
from foundry.workspace import Workspace

_LOCK = "drafts"


@dataclass(frozen=True, slots=True)
class DraftContent:
    """A draft with its text as it is now, the remarks on it, and the ``versions`` that it had."""

    status: DraftStatus
    text: DraftText
    notes: tuple[PlacedNote, ...]
    versions: tuple[KeptText, ...]

    @property
    def content_hash(self) -> str:
        """The hash with which a change says what was read."""
        return self.text.content_hash


def get_content(workspace: Workspace, name: str) -> DraftContent:
    """What a reviewer sees of a draft. Raises like ``get_draft`` and ``read_draft_text``."""
    record = get_draft(workspace, name)
    return _build_content(workspace, read_draft_text(workspace, record))


def _build_content(workspace: Workspace, text: DraftText) -> DraftContent:
    versions = tuple(workspace.store.list_texts(text.record.path))
    status = get_draft_status(workspace, text.record)
    return DraftContent(status, text, place_notes(text), versions)


@dataclass(frozen=True, slots=True)
class DraftEdit:
    """A draft after a change, ``merged`` if somebody else had changed it meanwhile.

    ``changed`` are the indices of its sentences that were checked for it, unless ``unchecked`` says
    why none could be.
    """

    content: DraftContent
    merged: bool
    changed: tuple[int, ...]
    unchecked: Message | None = None

    @property
    def content_hash(self) -> str:
        """The hash with which the next change says what was read."""
        return self.content.content_hash


def change_draft_text(
    workspace: Workspace,
    path: Path,
    text: str,
    reviewed: str,
    progress: Progress = lambda _step: None,
) -> DraftEdit:
    """Write a text made from the one whose hash is ``reviewed``, and check the sentences that are new.

    If the file changed meanwhile, the two changes are merged if they do not touch each other; otherwise
    raises ``ChangedMeanwhile`` with the text and the hash of the file.
    """
    key = get_draft_key(workspace, path)
    if not reviewed:
        raise UsageError("draft-hash-missing", where="If-Match", path=key)
    with workspace.store.lock(_LOCK):
        record = get_draft(workspace, key)
        now = get_text(workspace, record)
        wanted = _merge(workspace, record, now, normalise(text), reviewed)
        keep_text(workspace, record, now)
        record = _add_cited(workspace, record, wanted)
        write_document(path, wanted, overwrite=True)
        keep_text(workspace, record, wanted)
    before = {build_key(one) for one in list_statements(record, now)}
    unchecked = _check(workspace, record, wanted, before, progress)
    shown = view_draft_text(workspace, record, wanted)
    changed = [at for at, one in enumerate(shown.sentences) if one.key not in before]
    content = _build_content(workspace, shown)
    return DraftEdit(content, wanted != normalise(text), tuple(changed), unchecked)


def _merge(workspace: Workspace, record: DraftRecord, now: str, text: str, reviewed: str) -> str:
    content = hash_draft_text(now)
    if content == reviewed:
        return text
    base = workspace.store.find_text(record.path, reviewed)
    merged = merge_texts(base.text, now, text) if base else None
    if merged is None:
        facts = {"path": record.path, "hash": content, "text": now}
        raise ChangedMeanwhile("draft-edited-meanwhile", where=record.path, **facts)
    return merged


def _add_cited(workspace: Workspace, record: DraftRecord, text: str) -> DraftRecord:
    """The draft with the sources that a text newly cites: they decide who may see it."""
    sources = {source.path: source for source in workspace.store.list_sources()}
    notes = split_draft(text).definitions
    named = {find_noted_source(note, record, sources) for note in notes}
    new = sorted({path for path in named if path} - {used.path for used in record.sources})
    if new:
        added = (build_used_source(workspace, sources[path]) for path in new)
        record = replace(record, sources=(*record.sources, *added))
        workspace.store.save_draft(record)
    return record


def _check(
    workspace: Workspace,
    record: DraftRecord,
    text: str,
    before: set[tuple[str, ...]],
    progress: Progress,
) -> Message | None:
    """Check the new statements; returns why if that is not possible, as the text is saved already."""
    memory, statements = CheckMemory(workspace), list_statements(record, text)
    try:
        checked = check_statements(
            workspace,
            statements,
            lambda one: build_key(one) not in before and memory.find(one) is None,
            detect_language(text),
            progress,
        )
    except FoundryError as error:
        return error.problem
    memory.keep(checked)
    return None


# Remarks


@dataclass(frozen=True, slots=True)
class PlacedNote:
    """A remark and the sentence that it is on now: the same one, the most similar one, or none.

    ``now`` is the sentence if its words have changed.
    """

    note: DraftNote
    kind: TraceKind
    sentence: int | None
    now: str = ""


def place_notes(text: DraftText) -> tuple[PlacedNote, ...]:
    """The remarks on a draft, each with the sentence that it is on now."""
    passages = list(map(_build_passage, text.sentences))
    tracer = QuoteTracer("", passages)
    said = [fold_words(one.claimed.text) for one in text.sentences]
    placed = []
    for note in text.record.notes:
        words = fold_words(note.sentence)
        if words in said:
            placed.append(PlacedNote(note, "kept", said.index(words)))
            continue
        near = tracer.trace(note.sentence).now
        at = passages.index(near) if near else None
        now = near.text if near else ""
        placed.append(PlacedNote(note, "changed" if near else "lost", at, now))
    return tuple(placed)


def add_note(
    workspace: Workspace, name: str, sentence: str, text: str, by: str
) -> tuple[PlacedNote, ...]:
    """Remark on a sentence of a draft; returns all remarks. Raises ``UsageError`` for an unknown one."""
    person, said = require_person(by), clean_line(text)
    record = get_draft(workspace, name)
    known = {fold_words(one.text) for one in list_statements(record, get_text(workspace, record))}
    if not said or fold_words(sentence) not in known:
        code = "draft-note-nowhere" if said else "draft-note-empty"
        raise UsageError(code, where="sentence" if said else "text", path=record.path)
    time = get_now().replace(microsecond=0)
    note = DraftNote(f"note_{secrets.token_hex(8)}", clean_line(sentence), said, person, time)
    return _change_notes(workspace, record.path, lambda notes: (*notes, note))


def resolve_note(
    workspace: Workspace, name: str, note_id: str, by: str, *, done: bool
) -> tuple[PlacedNote, ...]:
    """Say who resolved a remark, or that it is open again; returns all remarks."""
    resolved = require_person(by) if done else ""
    record = get_draft(workspace, name)
    _get_note(record, note_id)
    return _change_notes(
        workspace,
        record.path,
        lambda notes: tuple(
            replace(one, resolved=resolved) if one.id == note_id else one for one in notes
        ),
    )


def remove_note(workspace: Workspace, name: str, note_id: str, who: str) -> tuple[PlacedNote, ...]:
    """Remove a remark of ``who``; the highest role may remove any. Returns the others."""
    record = get_draft(workspace, name)
    note = _get_note(record, note_id)
    if not workspace.principal.sees_all and note.by != who:
        raise RuleError("draft-note-of-another", where=record.path, by=note.by)
    return _change_notes(
        workspace, record.path, lambda notes: tuple(one for one in notes if one.id != note_id)
    )


def _get_note(record: DraftRecord, note_id: str) -> DraftNote:
    for note in record.notes:
        if note.id == note_id:
            return note
    raise NotFound("draft-note-unknown", where=record.path, id=note_id)


_Notes = tuple[DraftNote, ...]


def _change_notes(
    workspace: Workspace, path: str, change: Callable[[_Notes], _Notes]
) -> tuple[PlacedNote, ...]:
    with workspace.store.lock(_LOCK):
        record = get_draft(workspace, path)
        record = replace(record, notes=change(record.notes))
        workspace.store.save_draft(record)
    return place_notes(read_draft_text(workspace, record))


# Two texts


@dataclass(frozen=True, slots=True)
class DraftChange:
    """A sentence that only one of two texts of a draft has, or that they word differently."""

    kind: ChangeKind
    old: DraftSentence | None
    new: DraftSentence | None


@dataclass(frozen=True, slots=True)
class DraftComparison:
    """How a draft differs from another text, sentence by sentence in its own order."""

    old: DraftText
    new: DraftText
    same: int
    changes: tuple[DraftChange, ...]


def compare_drafts(workspace: Workspace, name: str, other: str = "") -> DraftComparison:
    """How a draft differs from ``other``: another draft, or the hash of an earlier text of its own.

    The default is what the run before wrote. Raises ``UsageError`` if there is none.
    """
    record = get_draft(workspace, name)
    new, old = read_draft_text(workspace, record), _find_other(workspace, record, other)
    passages = [list(map(_build_passage, one.sentences)) for one in (old, new)]
    known = [
        dict(zip((one.start for one in part), text.sentences, strict=True))
        for part, text in zip(passages, (old, new), strict=True)
    ]
    changes, same = compare_revisions(*passages)
    return DraftComparison(
        old,
        new,
        same,
        tuple(
            DraftChange(
                one.kind,
                known[0][one.old.start] if one.old else None,
                known[1][one.new.start] if one.new else None,
            )
            for one in changes
        ),
    )


def _find_other(workspace: Workspace, record: DraftRecord, other: str) -> DraftText:
    kept = workspace.store.list_texts(record.path, other or None)
    if not other:
        kept = [one for one in kept if one.written and one.content_hash != record.content_hash]
    if kept:
        return view_draft_text(workspace, record, kept[0].text)
    if not other:
        raise UsageError("draft-no-other-run", where=record.path, path=record.path)
    return read_draft_text(workspace, get_draft(workspace, other))


def _build_passage(sentence: DraftSentence) -> Passage:
    claimed = sentence.claimed
    block = Block(claimed.kind, claimed.start, claimed.end, claimed.heading_path)
    return Passage(claimed.kind, claimed.text, ((claimed.start, claimed.end),), (block,), 0)
