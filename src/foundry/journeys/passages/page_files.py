"""The files behind pages: those that sources were read from, and pictures of pages.

An attachment is unpacked from the file that it is in, and kept in ``.foundry/cache/originals``. A
picture in ``.foundry/cache/pages`` is known by the hash of its file's content, so it never goes
stale. Whoever asks for one has been checked before: these caches know no roles.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import tempfile
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.worker_process import hash_file
from foundry.readers.workers import ParserPool, ReadJob
from foundry.records import Box, PagePicture, PageSize, Source, list_containers
from foundry.workspace import Workspace

ORIGINALS = ".foundry/cache/originals"
"""Attachments, by the hash of their content."""
MAX_FILES = 200
"""Most attachments that are kept unpacked. A guess."""
PICTURES = ".foundry/cache/pages"
MAX_BYTES = 200_000_000
"""Size of the cache: some 1,000 pages. A guess."""
_KEPT = 0.8
"""Share of the size that is left when the pictures not used for longest are removed."""


def find_original(workspace: Workspace, source: Source) -> Path | Message:
    """The path of the file that a source was read from, or why there is none.

    The caller compares its content with the source's hash: a file of the project may have changed.
    """
    containers = list_containers(source.path)
    path = workspace.root / (containers[-1] if containers else source.path)
    if not path.is_file():
        return Message("page-file-missing", path=containers[-1] if containers else source.path)
    if not containers:
        return path
    kept = workspace.root / ORIGINALS / f"{source.content_hash}{Path(source.path).suffix.lower()}"
    if kept.is_file():
        return kept
    try:
        return _unpack(workspace, source, path, kept)
    except (ReadError, OSError):
        return Message("page-file-packed", path=source.path)


def open_original(workspace: Workspace, source: Source) -> Path | Message:
    """The same, if the file is still as it was read: what a reader may download."""
    path = find_original(workspace, source)
    if isinstance(path, Message):
        return path
    try:
        same = hash_file(path) == source.content_hash
    except OSError:
        return Message("page-file-missing", path=source.path)
    return path if same else Message("page-file-changed", path=source.path)


def _unpack(workspace: Workspace, source: Source, path: Path, kept: Path) -> Path | Message:
    """Unpack an attachment, and those around it, and keep it as ``kept``. Raises ``ReadError``."""
    names = [*list_containers(source.path)[::-1], source.path]
    settings = workspace.config.ingest
    kept.parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=kept.parent) as folder,
        ParserPool(1, settings.parse_timeout_s, settings.parse_memory_mb) as pool,
    ):
        for outer, inner in pairwise(names):
            options = ReadOptions(
                outer, workspace.passwords(), "off", Path(folder), settings.parse_timeout_s
            )
            outcome = next(pool.read_all([ReadJob(path, options)]))
            files = outcome.document.attachments if outcome.document else ()
            wanted = inner.removeprefix(f"{outer}/")
            found = next((file.path for file in files if file.name == wanted), None)
            if found is None:
                return Message("page-file-packed", path=source.path)
            path = found
        if hash_file(path) != source.content_hash:
            return Message("page-file-changed", path=source.path)
        path.replace(kept)
    _prune(kept.parent)
    return kept


def _prune(folder: Path) -> None:
    kept = (path for path in folder.iterdir() if path.is_file())
    files = sorted(kept, key=lambda path: path.stat().st_mtime)
    for path in files[:-MAX_FILES]:
        path.unlink(missing_ok=True)


class PictureCache:
    """The pictures of one project; a disk that is full or read-only only makes it slower."""

    def __init__(self, root: Path, max_bytes: int = MAX_BYTES) -> None:
        self._folder = root / PICTURES
        self._max_bytes = max_bytes

    def find(self, key: str) -> PagePicture | None:
        """The picture saved under a key, or None."""
        path = self._locate(key)
        try:
            head, _, data = path.read_bytes().partition(b"\n")
            facts = json.loads(head)
            page, region = PageSize(**facts["page"]), Box(**facts["region"])
            picture = PagePicture(data, facts["width"], facts["height"], page, region)
        except (OSError, ValueError, TypeError, KeyError):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return picture

    def save(self, key: str, picture: PagePicture) -> None:
        """Save a picture, and remove others if there is no room."""
        facts = {
            "width": picture.width,
            "height": picture.height,
            "page": asdict(picture.page),
            "region": asdict(picture.region),
        }
        path = self._locate(key)
        part = path.with_suffix(f".{secrets.token_hex(4)}.part")
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(json.dumps(facts).encode() + b"\n" + picture.data)
            part.replace(path)
            self._prune()

    def _locate(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.page"

    def _prune(self) -> None:
        files = [(entry.stat(), entry.path) for entry in os.scandir(self._folder)]
        total = sum(status.st_size for status, _ in files)
        if total <= self._max_bytes:
            return
        for status, path in sorted(files, key=lambda item: item[0].st_mtime):
            if total <= _KEPT * self._max_bytes:
                return
            Path(path).unlink(missing_ok=True)
            total -= status.st_size
