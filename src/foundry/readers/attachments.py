"""Files inside other files: the attachments of e-mail and of PDF.

A reader hands them over as files in ``ReadOptions.temporary``; an ingest reads each as a source of
its own. Without that folder they are only named. Names are made safe: the last part of a path,
without control characters, once each.
"""

from __future__ import annotations

import hashlib
import mimetypes
import os
import tempfile
import unicodedata
from pathlib import Path, PurePosixPath

from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.document_builder import DocumentBuilder
from foundry.records import Attachment
from foundry.text.spotlight import escape_controls

MAX_NUMBER = 200
"""Most attachments of one file that are read; a guess, ten times what real mail has."""
MAX_BYTES = 500_000_000
"""Most bytes that the attachments of one file take together; a PDF may compress them."""
_MAX_NAME = 120
"""Longest name in characters: file systems allow 255 bytes."""
_UNSAFE = str.maketrans({"/": "_", "\\": "_", ":": "_"})


class AttachmentFolder:
    """Takes the attachments of one file as they are found."""

    def __init__(self, options: ReadOptions) -> None:
        self._folder = options.temporary
        self._files: dict[str, Attachment] = {}
        self._seen: dict[tuple[str, bytes], str] = {}
        self._room = MAX_BYTES
        self._cut = 0

    @property
    def is_full(self) -> bool:
        """Whether the next attachment is one too many: do not unpack it."""
        return len(self._files) >= MAX_NUMBER or self._room <= 0

    def add(self, name: str | None, data: bytes, media_type: str = "") -> str:
        """Take an attachment, and return its safe name; ``name`` is the one in the file, if any.

        The same file again, which a PDF can list and pin to a page, is taken once.
        """
        key = (name or "", hashlib.sha256(data).digest())
        if key in self._seen:
            return self._seen[key]
        self._room -= len(data)
        safe = self._choose_name(name or "", media_type)
        path = self._write(data, Path(safe).suffix) if self._folder else None
        self._files[safe.casefold()] = Attachment(safe, path, len(data))
        self._seen[key] = safe
        return safe

    def skip(self, number: int = 1) -> None:
        """Count attachments that were not unpacked because the folder is full."""
        self._cut += number

    @property
    def names(self) -> tuple[str, ...]:
        """The safe names of the attachments so far."""
        return tuple(file.name for file in self._files.values())

    def finish(self, builder: DocumentBuilder) -> None:
        """Give the attachments to the document."""
        names = self.names
        if self._folder is not None:
            builder.attach(tuple(self._files.values()))
        elif names:
            builder.warn(Message("readers-attachments-named", names=names))
        if self._cut:
            builder.warn(
                Message("readers-attachments-cut", read=len(names), all=len(names) + self._cut)
            )

    def _choose_name(self, name: str, media_type: str) -> str:
        # The last part only, so that "../../etc/passwd" names a file beside the others.
        name = unicodedata.normalize("NFC", name).replace("\\", "/")
        name = PurePosixPath(name).name if name.strip("./ ") else ""
        printable = escape_controls(name.encode("utf-8", "replace").decode()).translate(_UNSAFE)
        safe = Path(" ".join(printable.split()).lstrip(".") or "attachment")
        suffix = safe.suffix or mimetypes.guess_extension(media_type) or ""
        suffix = suffix if len(suffix) < _MAX_NAME // 2 else ""
        stem = safe.stem[: _MAX_NAME - len(suffix)].strip() or "attachment"
        name, number = f"{stem}{suffix}", 1
        while name.casefold() in self._files:
            number += 1
            name = f"{stem} ({number}){suffix}"
        return name

    def _write(self, data: bytes, suffix: str) -> Path:
        descriptor, path = tempfile.mkstemp(suffix, dir=self._folder)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        return Path(path)
