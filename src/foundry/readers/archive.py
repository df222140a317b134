"""Opens zip-based files (DOCX, ODT, PPTX, EPUB …) without trusting them.

Each part is read up to a limit, so a zip bomb ends as an error. XML with entity
declarations is refused before its first element is parsed, so no entity is expanded and no
address is opened. A file of another kind is named in the error.
"""

from __future__ import annotations

import errno
import functools
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self
from urllib.parse import unquote
from xml.etree import ElementTree as ET
from xml.parsers import expat

from foundry.errors import ReadError
from foundry.messages import Message

Element = ET.Element

MAX_PART_BYTES = 256 * 2**20
"""Largest part that is unpacked: XML of a text of about a hundred million characters."""
MAX_TOTAL_BYTES = 2 * 2**30
"""Most bytes that all parts together may claim. A guess, large enough for videos in slides."""
MAX_RATIO = 400
"""Real office files compress XML up to about 100 : 1, bombs 1000 : 1; this lies in between."""
RATIO_FROM_BYTES = 32 * 2**20
"""Below this size a high ratio is harmless (blank tables)."""

_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_MAX_PROLOG = 64 * 2**10
"""Longest XML prolog in bytes: declaration, comments, document type. Real ones have a hundred."""
_MARKUP = re.compile(rb"[^>]*>?")
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_MAGICS: tuple[tuple[bytes, Message], ...] = (
    (b"%PDF", Message("readers-kind-pdf")),
    (b"\x89PNG", Message("readers-kind-image-png")),
    (b"\xff\xd8\xff", Message("readers-kind-image-jpeg")),
    (b"GIF8", Message("readers-kind-image-gif")),
    (b"II*\x00", Message("readers-kind-image-tiff")),
    (b"MM\x00*", Message("readers-kind-image-tiff")),
    (b"Rar!", Message("readers-kind-rar")),
    (b"7z\xbc\xaf", Message("readers-kind-7zip")),
    (b"\x1f\x8b", Message("readers-kind-gzip")),
    (b"PK\x03\x04", Message("readers-kind-zip-document")),
    (_OLE_MAGIC, Message("readers-kind-office-old")),
    (b"\x7fELF", Message("readers-kind-program")),
    (b"MZ\x90", Message("readers-kind-program")),
    (b"SQLite format 3", Message("readers-kind-sqlite")),
)
_MIMETYPES = {
    "application/epub+zip": Message("readers-kind-epub"),
    "application/vnd.oasis.opendocument.text": Message("readers-kind-odt"),
    "application/vnd.oasis.opendocument.presentation": Message("readers-kind-odp"),
    "application/vnd.oasis.opendocument.spreadsheet": Message("readers-kind-ods"),
}


class Archive:
    """The parts of a zip file by name; a context manager. Raises only ``ReadError``."""

    def __init__(self, path: Path, kind: Message) -> None:
        """Open ``path``; ``kind`` says in errors what it should be (Message("readers-kind-word"))."""
        self._kind = kind
        refuse_other_kinds(path, kind)
        with _map_damage():
            self._zip = zipfile.ZipFile(path)
        self._sizes = {item.filename: item.file_size for item in self._zip.infolist()}
        if sum(self._sizes.values()) > MAX_TOTAL_BYTES:
            self._zip.close()
            raise _build_bomb_error()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._zip.close()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parts, in the order of the zip directory."""
        return tuple(self._sizes)

    def find(self, name: str) -> bytes | None:
        """Return the bytes of a part, or None if it is missing."""
        if name not in self._sizes:
            return None
        info = self._zip.getinfo(name)
        if info.flag_bits & 0x1:
            raise build_encryption_error()
        with _map_damage(), self._zip.open(info) as stream:
            data = stream.read(MAX_PART_BYTES + 1)
        if len(data) > MAX_PART_BYTES or _is_dense(len(data), info):
            raise _build_bomb_error()
        return data

    def peek(self, name: str, size: int) -> bytes:
        """Return the first bytes of a part that exists."""
        with _map_damage(), self._zip.open(name) as stream:
            return stream.read(size)

    def find_bytes(self, name: str, needle: bytes) -> bool:
        """Whether a part exists and contains these bytes."""
        return needle in (self.find(name) or b"")

    def refuse_bombs(self) -> None:
        """Raise ``ReadError`` for absurd compression, before a library unpacks the file."""
        for info in self._zip.infolist():
            if info.flag_bits & 0x1:
                raise build_encryption_error()
            if info.filename.endswith(".xml") and _is_dense(info.file_size, info):
                raise _build_bomb_error()

    def get(self, name: str) -> bytes:
        """Return the bytes of a part. Raises ``ReadError`` if it is missing."""
        data = self.find(name)
        if data is None:
            raise ReadError("readers-part-missing", kind=self._kind, part=name)
        return data

    def find_xml(self, name: str, prefixes: Mapping[str, str]) -> Element | None:
        """Parse a part with ``parse_xml``; None if it is missing."""
        data = self.find(name)
        return None if data is None else parse_xml(data, prefixes, name)

    def get_xml(self, name: str, prefixes: Mapping[str, str]) -> Element:
        """Parse a part with ``parse_xml``. Raises ``ReadError`` if it is missing."""
        return parse_xml(self.get(name), prefixes, name)

    def find_properties(self, part: str | None, prefixes: Mapping[str, str]) -> Element | None:
        """Return the XML of a part; None if the part is missing or broken."""
        try:
            return self.find_xml(part, prefixes) if part else None
        except ReadError:
            # Broken properties must not cost the document.
            return None

    def read_relations(self, part: str) -> dict[str, tuple[str, str]]:
        """Return the Open Packaging relations of a part: id → (type, target part).

        The type is its last word ("styles"). The part "" is the package itself. External
        targets are left out.
        """
        folder, name = posixpath.split(part)
        root = self.find_xml(posixpath.join(folder, "_rels", f"{name}.rels"), {})
        relations: dict[str, tuple[str, str]] = {}
        for item in [] if root is None else root.iter(_RELATIONSHIP):
            if item.get("TargetMode") == "External":
                continue
            target = unquote(item.get("Target", "")).split("#", 1)[0]
            full = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            relations[item.get("Id", "")] = (item.get("Type", "").rsplit("/", 1)[-1], full)
        return relations

    def find_related(self, part: str, kind: str) -> str | None:
        """Return the first part that ``part`` relates to as ``kind`` ("styles"), or None."""
        targets = (target for name, target in self.read_relations(part).values() if name == kind)
        return next(targets, None)


def parse_xml(
    data: bytes,
    prefixes: Mapping[str, str],
    name: str = "",
    entities: Mapping[str, str] | None = None,
) -> Element:
    """Parse XML and shorten names to ``prefix.local`` for the namespaces in ``prefixes``.

    Other names keep the form ``{address}local``; a dot is used because ``find`` would take
    a colon for a namespace. ``entities`` are the texts of names that the file's document type
    declares elsewhere. Raises ``ReadError`` for malformed XML and for declarations of entities.
    """
    encoding = None
    if b"\x00" in data[:64]:
        data = data.decode("utf-16", errors="replace").lstrip("\ufeff").encode("utf-8", "replace")
        encoding = "utf-8"
    try:
        _refuse_declarations(data, encoding, name)
        # Safe: declarations were refused above, and expat opens no addresses.
        parser = ET.XMLParser(encoding=encoding)  # noqa: S314
        parser.entity.update(entities or {})
        root = ET.fromstring(data, parser)  # noqa: S314
    except (ET.ParseError, expat.ExpatError, LookupError, ValueError) as error:
        raise ReadError("readers-damaged", cause=f"{name or 'XML'}, {error}") from error
    _rename_elements(root, prefixes)
    return root


def _refuse_declarations(data: bytes, encoding: str | None, name: str) -> None:
    """Parse up to the first element. Raises ``ReadError`` if the document type has declarations."""

    def refuse(_name: str, _system: str | None, _public: str | None, has_subset: int) -> None:
        if has_subset:
            raise ReadError("readers-entities", part=name)

    started: list[str] = []
    parser = expat.ParserCreate(encoding)
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = lambda tag, _: started.append(tag)
    # An exception stops expat only at the end of the data it was given: one piece of markup a
    # call, so that no element is parsed after a declaration.
    for piece in _MARKUP.finditer(data, 0, _MAX_PROLOG):
        parser.Parse(piece.group())
        if started:
            return
    if len(data) > _MAX_PROLOG:
        raise ReadError("readers-long-prolog", part=name, kilobytes=_MAX_PROLOG // 2**10)


def _rename_elements(root: Element, prefixes: Mapping[str, str]) -> None:
    @functools.cache
    def short(name: str) -> str:
        address, closing, local = name[1:].rpartition("}")
        prefix = prefixes.get(address) if closing else None
        return f"{prefix}.{local}" if prefix else name

    for element in root.iter():
        element.tag = short(element.tag)
        if element.attrib:
            element.attrib = {short(key): value for key, value in element.attrib.items()}


def refuse_other_kinds(path: Path, kind: Message) -> None:
    """Raise ``ReadError`` for a file that is empty or not a zip, naming what it is."""
    with path.open("rb") as stream:
        head = stream.read(2048)
        if head.startswith(_OLE_MAGIC):
            if _has_bytes(stream.read, _ENCRYPTED_PACKAGE, head):
                raise build_encryption_error()
            raise ReadError("readers-office-old", kind=kind)
    if not head:
        raise ReadError("readers-no-bytes")
    if head.startswith(b"PK"):
        return
    actual = name_kind(head)
    if actual is None:
        raise ReadError("readers-not-of-kind", kind=kind)
    raise build_wrong_kind_error(actual, kind)


def build_wrong_kind_error(actual: Message, expected: Message) -> ReadError:
    """Build the error for a file with the extension of another kind (Message("readers-kind-pdf"))."""
    return ReadError("readers-wrong-kind", actual=actual, expected=expected)


def find_binary_kind(data: bytes) -> Message | None:
    """Name a binary format by its first bytes (Message("readers-kind-pdf")), or None."""
    return next((name for magic, name in _MAGICS if data.startswith(magic)), None)


def name_kind(head: bytes) -> Message | None:
    """Name the kind of a file by its first bytes (Message("readers-kind-pdf"), Message("readers-kind-text")), or None."""
    binary = find_binary_kind(head)
    if binary:
        return binary
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:200].lower()
    if start.startswith(b"{\\rtf"):
        return Message("readers-kind-rtf")
    if start.startswith((b"<!doctype html", b"<html")):
        return Message("readers-kind-html")
    if head and b"\x00" not in head and not re.search(rb"[\x01-\x08\x0e-\x1a]", head):
        return Message("readers-kind-text")
    return None


def name_mimetype(mimetype: str) -> Message:
    """Name the ``mimetype`` part of an OpenDocument or EPUB file in plain words."""
    return _MIMETYPES.get(mimetype) or Message("readers-kind-of-type", type=mimetype)


def build_encryption_error() -> ReadError:
    """Build the error for a file that needs a password."""
    return ReadError("readers-encrypted")


def _has_bytes(read: Callable[[int], bytes], needle: bytes, head: bytes) -> bool:
    window = head
    while window:
        if needle in window:
            return True
        block = read(2**20)
        if not block:
            return False
        window = window[-len(needle) :] + block
    return False


@contextmanager
def _map_damage() -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, struct.error) as error:
        raise ReadError("readers-damaged", cause=str(error)) from error
    except OSError as error:
        # A zip directory that points outside the file gives EINVAL.
        if error.errno != errno.EINVAL:
            raise
        raise ReadError("readers-damaged", cause=Message("readers-zip-directory")) from error
    except (NotImplementedError, RuntimeError) as error:
        raise ReadError("readers-not-unpacked", cause=str(error)) from error


def _is_dense(size: int, info: zipfile.ZipInfo) -> bool:
    return size > RATIO_FROM_BYTES and size / max(info.compress_size, 1) > MAX_RATIO


def _build_bomb_error() -> ReadError:
    return ReadError("readers-bomb")
