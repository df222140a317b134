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
from itertools import chain, count
from pathlib import Path
from typing import IO

from foundry.clock import get_now
from foundry.errors import ChangedMeanwhile, NotFound, ReadError
from foundry.journeys.index import IngestOptions
from foundry.journeys.work.jobs import enqueue
from foundry.messages import Message
from foundry.readers.archive import name_kind
from foundry.readers.discovery import explain_type
from foundry.readers.formats import SUPPORTED
from foundry.readers.worker_process import hash_file
from foundry.records import (
    Confidentiality,
    FileReport,
    Job,
    RevisionLink,
    UnreadFile,
)
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
    revises: bool = False,
    author: str = "",
) -> tuple[list[Job], list[FileReport]]:
    """Keep files and make a job of each that changed; returns the jobs, and what needs none.

    A file whose name another one has is refused, unless it may ``replace`` that one, or gets a free
    name to ``keep_both``; one that ``revises`` it is linked to it as the later revision too, by
    ``author``. A refused file is in neither folder nor index; its reason is kept among
    the unread files. Raises ``RuleError`` below the highest role.
    """
    store = workspace.maintenance()
    kept, refused = list[Path](), list[FileReport]()
    for upload in uploads:
        name = make_safe_name(upload.name)
        try:
            content, both = upload.content, keep_both or revises
            kept.append(_keep(workspace, name, content, replace=replace, keep_both=both))
            if revises:
                _link_revision(workspace, kept[-1].name, name, author)
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


def _link_revision(workspace: Workspace, newer: str, older: str, author: str) -> None:
    """Link a file that waits to be read to the latest revision of the one whose name it had."""
    store, new, latest = workspace.maintenance(), f"{FOLDER}/{newer}", f"{FOLDER}/{older}"
    # Chains are rebuilt once no job is left; of what is read until then there are links.
    later = {link.older: link.newer for link in store.list_revision_links() if link.linked}
    later |= store.list_superseded()
    while latest in later and new not in (latest, later[latest]):
        latest = later.pop(latest)
    if new != latest:
        store.save_revision_link(RevisionLink(new, latest, True, author, "", get_now()))


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
