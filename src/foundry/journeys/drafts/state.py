"""The state of a draft: the key, bytes and hash of its file, and why it is out of date."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from foundry.errors import UsageError
from foundry.ids import hash_bytes
from foundry.journeys.specifications import explain_refusal, get_specification
from foundry.messages import Message
from foundry.records import (
    DraftRecord,
    DraftState,
    Source,
    UsedSource,
    list_containers,
)
from foundry.workspace import Workspace

_BOM = b"\xef\xbb\xbf"


def get_draft_key(workspace: Workspace, path: Path) -> str:
    """The draft's path in the register: relative to the project if the file is inside it."""
    root = workspace.root.resolve()
    real = (root / path).resolve()
    name = real.relative_to(root).as_posix() if real.is_relative_to(root) else real.as_posix()
    # A name that is not valid UTF-8 cannot be stored; such a draft is listed as missing.
    return name.encode("utf-8", "backslashreplace").decode()


def get_draft_path(workspace: Workspace, record: DraftRecord) -> Path:
    """The path of a registered draft's file."""
    return workspace.root / record.path


def hash_draft_text(text: str) -> str:
    """The hash of a draft's text as written to its file."""
    return hash_draft_bytes(text.encode("utf-8", errors="replace"))


def read_draft_bytes(path: Path) -> bytes | None:
    """The bytes of a regular file; None if it is missing or cannot be read."""
    try:
        # Reading a pipe would block until somebody writes to it.
        return path.read_bytes() if stat.S_ISREG(os.stat(path).st_mode) else None  # noqa: PTH116
    except (OSError, RuntimeError):
        return None


def hash_draft_bytes(data: bytes) -> str:
    """SHA-256 of a text's bytes, with line feeds and without a byte order mark."""
    plain = data.removeprefix(_BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return hash_bytes(plain)


def compare_draft_bytes(data: bytes, record: DraftRecord) -> DraftState:
    """Whether a file's bytes are as Foundry wrote them or edited."""
    return "as written" if hash_draft_bytes(data) == record.content_hash else "edited"


def find_stale_reasons(workspace: Workspace, record: DraftRecord) -> tuple[Message, ...]:
    """Why the draft is out of date, a sentence each; empty if it is current."""
    return (*_check_specification(workspace, record), *_check_sources(workspace, record))


def _check_specification(workspace: Workspace, record: DraftRecord) -> Iterator[Message]:
    if record.feature is None:
        return
    try:
        feature = get_specification(workspace, record.feature)
    except UsageError:
        yield Message("draft-feature-gone", name=record.feature)
        return
    if feature.status == "broken":
        yield Message("draft-feature-broken", problem=explain_refusal(feature))
        return
    changed = feature.content_hash != record.feature_hash
    if changed:
        yield Message("draft-feature-changed", name=feature.name)
    if not feature.approved:
        code = "draft-feature-unapproved" if changed else "draft-feature-revoked"
        yield Message(code, name=feature.name)


def _check_sources(workspace: Workspace, record: DraftRecord) -> Iterator[Message]:
    for used in record.sources:
        source = workspace.store.find_source(used.path)
        if source is None:
            yield Message("draft-source-removed", path=used.path)
        elif source.content_hash != used.content_hash:
            revisions = _format_revisions(used, source)
            yield Message("draft-source-changed", path=used.path, revisions=revisions)
        elif list_correction_ids(workspace, source) != used.corrections:
            yield Message("draft-source-corrected", path=used.path)
        elif _has_changed_on_disk(workspace, source):
            yield Message("draft-source-changed-on-disk", path=used.path)


def list_correction_ids(workspace: Workspace, source: Source) -> tuple[str, ...]:
    """The ids of the corrections of a source's content, sorted."""
    corrections = workspace.store.list_corrections(source.content_hash)
    return tuple(sorted(one.id for one in corrections))


def _format_revisions(used: UsedSource, source: Source) -> Message | None:
    """``(revision A, now B)`` if both versions name a different revision."""
    before, now = used.revision or used.revision_date, source.revision or source.revision_date
    if not before or not now or before == now:
        return None
    return Message("draft-revisions", before=before, now=now)


def _has_changed_on_disk(workspace: Workspace, source: Source) -> bool:
    """Whether a source's file differs from what was ingested; False if the file is gone.

    The file of an attachment is the one that it came in.
    """
    for container in list_containers(source.path):
        source = workspace.store.find_source(container) or source
    path = workspace.root / source.path
    try:
        facts = path.stat()
        modified = datetime.fromtimestamp(facts.st_mtime, UTC)
        if facts.st_size != source.size:
            return path.is_file()
        # Hash only files with another modification time: sources can be large.
        same = abs((modified - source.modified).total_seconds()) < 1
        return not same and path.is_file() and hash_bytes(path.read_bytes()) != source.content_hash
    except OSError:
        return False


def find_empty_sections(record: DraftRecord) -> tuple[Message, ...]:
    """A message for each section without a sentence, with the reason."""
    return tuple(
        Message("draft-section-empty", title=section.title, reason=section.reason or "-")
        for section in record.sections
        if not section.sentences
    )
