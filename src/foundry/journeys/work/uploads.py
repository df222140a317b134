"""Files that somebody sends: checked, put under ``sources/uploads``, and left to a worker.

The name is made safe, and the content must be what the name says. Nothing of a file is parsed here:
that happens in a worker's own process, with its limits.
"""

from __future__ import annotations

import os
import re
import shutil
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import replace as change
from itertools import chain, count
from pathlib import Path
from typing import IO, Literal

from foundry.errors import ChangedMeanwhile, NotFound, ReadError, RuleError, UsageError
from foundry.journeys.index import IngestOptions
from foundry.journeys.source_files.copies import remove_path
from foundry.journeys.sources import choose_paths, get_source, list_family
from foundry.journeys.work.jobs import enqueue
from foundry.messages import Message
from foundry.readers.archive import name_kind
from foundry.readers.discovery import explain_type
from foundry.readers.formats import SUPPORTED
from foundry.readers.worker_process import hash_file
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Confidentiality,
    DocumentStatus,
    FileReport,
    Job,
    UnreadFile,
    list_containers,
)
from foundry.store import Store
from foundry.workspace import Workspace

FOLDER = "sources/uploads"
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f/\\:*?"<>|\u200e\u200f\u202a-\u202e\u2066-\u2069]+')
_PROGRAMS = (b"\x7fELF", b"#!", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
_ZIP, _OLE = b"PK", b"\xd0\xcf\x11\xe0"
_OPENINGS: tuple[tuple[tuple[str, ...], tuple[bytes, ...]], ...] = (
    ((".pdf",), (b"%PDF",)),
    # With a password they are in an OLE file.
    ((".docx", ".docm", ".dotx", ".dotm", ".pptx", ".pptm", ".ppsx"), (_ZIP, _OLE)),
    ((".xlsx", ".xlsm", ".xlsb"), (_ZIP, _OLE)),
    ((".odt", ".ott", ".odp", ".ods", ".epub"), (_ZIP,)),
    ((".doc", ".dot", ".ppt", ".pps", ".xls", ".msg"), (_OLE,)),
    ((".rtf",), (b"{\\rtf",)),
    ((".png",), (b"\x89PNG",)),
    ((".jpg", ".jpeg"), (b"\xff\xd8\xff",)),
    ((".tif", ".tiff"), (b"II*\0", b"MM\0*")),
    ((".bmp",), (b"BM",)),
    ((".webp",), (b"WEBP",)),
    ((".gif",), (b"GIF8",)),
)
"""Extensions and how their files begin; all others are text."""
_MAX_NAME = 120
"""Characters of a name; the longest names that file systems take have 255 bytes."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it was sent: its name, and a stream of its bytes."""

    name: str
    content: IO[bytes]


def receive(
    workspace: Workspace,
    uploads: Sequence[Upload],
    *,
    tags: tuple[str, ...] | None = None,
    confidentiality: Confidentiality | None = None,
    replace: bool = False,
    keep_both: bool = False,
) -> tuple[list[Job], list[FileReport]]:
    """Keep files and make a job of each that changed; returns the jobs, and what needs none.

    A file whose name another one has is refused, unless it may ``replace`` that one, or gets a free
    name to ``keep_both``. A refused file is in neither folder nor index; its reason is kept among
    the unread files. Raises ``RuleError`` below the highest role.
    """
    store = workspace.maintenance()
    kept, refused = list[Path](), list[FileReport]()
    for upload in uploads:
        name = make_safe_name(upload.name)
        try:
            content = upload.content
            kept.append(_keep(workspace, name, content, replace=replace, keep_both=keep_both))
        except (ReadError, ChangedMeanwhile) as error:
            path = f"{FOLDER}/{name}"
            refused.append(FileReport(path, "failed", error.problem))
            if isinstance(error, ReadError):
                level = confidentiality or "secret"
                store.save_unread([UnreadFile(path, "failed", error.problem, level)])
    if not kept:
        return [], refused
    if confidentiality:
        _keep_level(workspace, kept, confidentiality)
    jobs, tally = enqueue(workspace, kept, IngestOptions(False, tags, confidentiality))
    return jobs, [*refused, *tally.files]


def _keep_level(workspace: Workspace, kept: Sequence[Path], level: Confidentiality) -> None:
    """Remember how confidential new files are, whoever reads them: their job may be cancelled."""
    store = workspace.maintenance()
    paths = [f"{FOLDER}/{path.name}" for path in kept]
    store.save_unread(
        [
            UnreadFile(path, "failed", Message("upload-waiting"), level)
            for path in paths
            if level != "public" and store.find_source(path) is None
        ]
    )


def make_safe_name(name: str) -> str:
    """A file name without folders, control characters and a leading dot."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    plain = _UNSAFE.sub("_", last.encode("utf-8", "replace").decode()).strip(" .")
    path = Path(plain)
    return f"{path.stem[:_MAX_NAME] or 'file'}{path.suffix[:12]}"


def _keep(
    workspace: Workspace, name: str, content: IO[bytes], *, replace: bool, keep_both: bool
) -> Path:
    """The file in its place. Raises ``ReadError``, and ``ChangedMeanwhile`` for a taken name."""
    if Path(name).suffix.lower() not in SUPPORTED:
        raise ReadError(explain_type(Path(name)), where=name)
    folder = workspace.file_inside(FOLDER, "uploads")
    folder.mkdir(parents=True, exist_ok=True)
    path, part = folder / name, folder / f".{os.urandom(6).hex()}.part"
    try:
        with part.open("xb") as file:
            shutil.copyfileobj(content, file, 1 << 20)
        _check(workspace, part, name)
        if keep_both:
            path = _find_free(path, hash_file(part))
        elif path.exists() and not replace and hash_file(path) != hash_file(part):
            raise ChangedMeanwhile("upload-name-taken", where=name, name=name)
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink()
    return path


def _find_free(path: Path, content_hash: str) -> Path:
    """The path, or the first of "NAME (2)", "NAME (3)" … that no other content has."""
    others = (path.with_name(f"{path.stem} ({number}){path.suffix}") for number in count(2))
    return next(
        one for one in chain((path,), others) if not one.exists() or hash_file(one) == content_hash
    )


def _check(workspace: Workspace, part: Path, name: str) -> None:
    size, limit = part.stat().st_size, workspace.config.ingest.max_file_mb
    if size > limit * 1_000_000:
        raise ReadError("upload-too-large", where=name, limit=limit)
    if not size:
        raise ReadError("readers-empty", where=name)
    with part.open("rb") as file:
        _require_kind(file.read(2048), Path(name).suffix.lower(), name)


def _require_kind(head: bytes, suffix: str, name: str) -> None:
    """Raise ``ReadError`` if a file begins otherwise than its name says."""
    if head.startswith(_PROGRAMS) or (head.startswith(b"MZ") and _is_binary(head)):
        raise ReadError("upload-program", where=name)
    openings = next((starts for suffixes, starts in _OPENINGS if suffix in suffixes), ())
    is_text = not _is_binary(head) and not head.startswith(b"%PDF")
    if not (any(start in head[:1024] for start in openings) if openings else is_text):
        kind = name_kind(head) or Message("upload-kind-unknown")
        raise ReadError("upload-other-kind", where=name, suffix=suffix, kind=kind)


def _is_binary(head: bytes) -> bool:
    return b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff"))


def relabel_source(
    workspace: Workspace,
    name: str,
    *,
    tags: Sequence[str] | None = None,
    confidentiality: Confidentiality | None = None,
    status: DocumentStatus | Literal["as_read"] | None = None,
) -> None:
    """Change the labels of a source and its attachments; None leaves one as it is.

    ``as_read`` takes back the status that a person said. A file attached to it that is a copy of one
    elsewhere stays as confidential as that one is.

    Raises ``NotFound``, and ``RuleError`` below the highest role.
    """
    root = get_source(workspace, name)
    below = tuple(f"{path}/" for path in (root.path, *root.copies))
    for source in list_family(workspace, [name]):
        chosen = source.tags if tags is None else tuple(dict.fromkeys(tags))
        level = confidentiality or source.confidentiality
        paths = (source.path, *source.copies)
        if source.id != root.id and not all(path.startswith(below) for path in paths):
            level = max(level, source.confidentiality, key=CONFIDENTIALITY_LEVELS.index)
        stated = source.stated if status is None else None if status == "as_read" else status
        labelled = change(source.state(stated), tags=chosen, confidentiality=level)
        workspace.maintenance().update_source(labelled)


def remove_sources(workspace: Workspace, names: Sequence[str], *, files: bool = False) -> list[str]:
    """Remove sources and their attachments from the index, with ``files`` from the disk too.

    A path is removed alone, while a copy of the file stays; an id means all paths of the source.
    Returns the paths of what was in the index. Raises ``NotFound`` before anything is removed,
    ``UsageError`` for the file of an attachment, and ``RuleError`` for a file that cannot be
    removed, or below the highest role.
    """
    store, chosen = workspace.maintenance(), list[str]()
    for name in names:
        chosen += [
            path for root in choose_paths(workspace, name) for path in _list_below(store, root)
        ]
    if files:
        for name in names:
            for path in choose_paths(workspace, name):
                _remove_file(workspace, path)
    # A job would bring them back.
    store.cancel_jobs(chosen)
    return [path for path in dict.fromkeys(chosen) if remove_path(workspace, path)]


def _list_below(store: Store, root: str) -> list[str]:
    """A path, and those of what is attached to its file."""
    known = (path for one in store.list_sources() for path in (one.path, *one.copies))
    return [root, *sorted(path for path in known if path.startswith(f"{root}/"))]


def _remove_file(workspace: Workspace, name: str) -> None:
    containers = list_containers(name)
    if containers:
        raise UsageError("upload-attached", where="file", path=name, outer=containers[-1])
    path = workspace.root / name
    cause: str | Message = Message("readers-link-outside")
    # A folder on the way may lead elsewhere by now.
    if path.parent.resolve().is_relative_to(workspace.root.resolve()):
        try:
            path.unlink(missing_ok=True)
            return
        except OSError as error:
            cause = str(error.strerror)
    raise RuleError("upload-file-stays", where=name, path=name, cause=cause)


def dismiss_unread(workspace: Workspace, path: str) -> None:
    """Forget that a file could not be read, until an ingest finds it again; the file stays.

    Raises ``NotFound``, and ``RuleError`` below the highest role.
    """
    store = workspace.maintenance()
    if path not in {file.path for file in store.list_unread()}:
        raise NotFound("upload-unknown", where="unread", path=path)
    store.remove_unread([path])


def find_job(workspace: Workspace, job_id: str) -> Job:
    """The job with that id. Raises ``NotFound``, and ``RuleError`` below the highest role."""
    found = workspace.maintenance().list_jobs([job_id])
    if not found:
        raise NotFound("work-unknown-job", where="jobs", id=job_id)
    return found[0]
