"""Opens files that are a zip of parts (DOCX, ODT, PPTX, EPUB …) without trusting them.

Every part is read up to a limit, so that a zip bomb ends as an error; XML is
parsed with the standard library's expat after any document type definition with
declarations is refused, so no entity is ever expanded and no address is ever
opened. What is no zip at all is named for what it is. Knows nothing of what the
parts mean.
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
from types import TracebackType
from typing import Self
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from foundry.errors import ReadError

Element = ET.Element

MAX_PART_BYTES = 256 * 2**20
"""Largest part that is unpacked: a text of a hundred million characters."""
MAX_TOTAL_BYTES = 2 * 2**30
"""Most that all parts together may claim to unpack to."""
MAX_RATIO = 400
"""Real office files pack XML up to about 100 : 1; a bomb packs 1000 : 1."""
RATIO_FROM_BYTES = 32 * 2**20
"""Below this size a high ratio harms nobody (blank tables)."""

_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_PROLOG_END = re.compile(r"<[A-Za-z_]")
_PLAIN_DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]*>")
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_DAMAGED = "The file is damaged or not complete"
_SAVE_AGAIN = "Open it in the program that made it, save it again, or fetch a fresh copy."
_MAGICS: tuple[tuple[bytes, str], ...] = (
    (b"%PDF", "a PDF"),
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"\x1f\x8b", "a gzip file"),
    (b"PK\x03\x04", "a zip file (DOCX, XLSX, PPTX, ODT or EPUB)"),
    (_OLE_MAGIC, "an Office file of before 2007, or an encrypted one"),
)
_MIMETYPES = {
    "application/epub+zip": "an EPUB book",
    "application/vnd.oasis.opendocument.text": "an ODT document",
    "application/vnd.oasis.opendocument.presentation": "an ODP presentation",
    "application/vnd.oasis.opendocument.spreadsheet": "an ODS spreadsheet",
}


class Archive:
    """A zip file's parts by name; a context manager. All failures are ``ReadError``."""

    def __init__(self, path: Path, kind: str) -> None:
        """Open ``path``; ``kind`` is what the file should be, for messages ("a Word document")."""
        self._kind = kind
        refuse_other_kinds(path, kind)
        with _map_damage():
            self._zip = zipfile.ZipFile(path)
        self._sizes = {item.filename: item.file_size for item in self._zip.infolist()}
        if sum(self._sizes.values()) > MAX_TOTAL_BYTES:
            self.close()
            raise _build_bomb_error()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._zip.close()

    @property
    def names(self) -> tuple[str, ...]:
        """The parts' names, in the order of the file's directory."""
        return tuple(self._sizes)

    def find(self, name: str) -> bytes | None:
        """A part's bytes, or None if there is no such part."""
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

    def refuse_bombs(self) -> None:
        """Raise ``ReadError`` if XML would unpack absurdly, for files that others unpack."""
        for info in self._zip.infolist():
            if info.flag_bits & 0x1:
                raise build_encryption_error()
            if info.filename.endswith(".xml") and _is_dense(info.file_size, info):
                raise _build_bomb_error()

    def get(self, name: str) -> bytes:
        """A part's bytes. Raises ``ReadError`` if there is no such part."""
        data = self.find(name)
        if data is None:
            raise ReadError(
                f"This is a zip file, but not {self._kind}: it has no part {name!r}.",
                fix="Give the file the extension of what it is, or save it again.",
            )
        return data

    def find_xml(self, name: str, prefixes: Mapping[str, str]) -> Element | None:
        """A part parsed as XML (see ``parse_xml``), or None if there is no such part."""
        data = self.find(name)
        return None if data is None else parse_xml(data, prefixes, name)

    def get_xml(self, name: str, prefixes: Mapping[str, str]) -> Element:
        """A part parsed as XML (see ``parse_xml``). Raises ``ReadError`` if it is missing."""
        return parse_xml(self.get(name), prefixes, name)

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """The Open Packaging relations of a part: id → (last word of the type, target part).

        The package's own are those of the part "". External targets are left out.
        """
        folder, name = posixpath.split(part)
        root = self.find_xml(posixpath.join(folder, "_rels", f"{name}.rels"), {})
        found: dict[str, tuple[str, str]] = {}
        for item in [] if root is None else root.iter(_RELATIONSHIP):
            if item.get("TargetMode") == "External":
                continue
            target = unquote(item.get("Target", "")).split("#", 1)[0]
            full = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            found[item.get("Id", "")] = (item.get("Type", "").rsplit("/", 1)[-1], full)
        return found

    def related(self, part: str, kind: str) -> str | None:
        """The first part that ``part`` relates to by ``kind`` ("styles"), or None."""
        targets = (target for name, target in self.relations(part).values() if name == kind)
        return next(targets, None)


def parse_xml(data: bytes, prefixes: Mapping[str, str], name: str = "") -> Element:
    """Parse XML; names come back as ``prefix.local`` for the namespaces in ``prefixes``.

    Names of other namespaces keep the ``{address}local`` form (a colon would
    be taken for a name space by ``find``). Raises ``ReadError``
    for text that is not well formed and for a document type with declarations.
    """
    text: str | bytes = data
    if b"\x00" in data[:64]:
        text = data.decode("utf-16", errors="replace").lstrip("\ufeff")
    prolog = _read_prolog(text)
    if "<!DOCTYPE" in _PLAIN_DOCTYPE.sub("", prolog) or "<!ENTITY" in prolog:
        raise ReadError(
            f"Its XML declares entities ({name}), which an honest file never does: refused.",
            fix="Save the document again in the program that made it.",
        )
    try:
        # Declarations were refused above and expat opens no addresses: nothing can expand.
        root = ET.fromstring(text)  # noqa: S314
    except (ET.ParseError, LookupError, ValueError) as error:
        raise ReadError(f"{_DAMAGED}: {name or 'XML'}, {error}.", fix=_SAVE_AGAIN) from error
    _rename_elements(root, prefixes)
    return root


def _read_prolog(text: str | bytes) -> str:
    if isinstance(text, bytes):
        # Only what stands before the first element matters, and its markup is ASCII.
        text = text[: _find_first_element(text)].decode("latin-1")
    match = _PROLOG_END.search(text)
    return text[: match.start()] if match else text


def _find_first_element(data: bytes) -> int:
    match = re.search(rb"<[A-Za-z_]", data)
    return match.start() if match else len(data)


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


def refuse_other_kinds(path: Path, kind: str) -> None:
    """Raise ``ReadError`` for a file that is empty or no zip, saying what it is instead."""
    with path.open("rb") as stream:
        head = stream.read(2048)
        if head.startswith(_OLE_MAGIC):
            if _has_bytes(stream.read, _ENCRYPTED_PACKAGE, head):
                raise build_encryption_error()
            raise ReadError(
                f"This is an Office file of the format before 2007, not {kind}.",
                fix="Open it and save it in the present format (.docx, .xlsx, .pptx).",
            )
    if not head:
        raise ReadError("The file is empty (0 bytes).", fix="Fetch the file again.")
    if head.startswith(b"PK"):
        return
    found = name_kind(head)
    if found is None:
        raise ReadError(f"This is not {kind}: {_DAMAGED.lower()}.", fix=_SAVE_AGAIN)
    raise ReadError(
        f"This is {found}, not {kind}.", fix="Give the file the extension of what it is."
    )


def name_kind(head: bytes) -> str | None:
    """What a file is by its first bytes ("a PDF"), or None."""
    for magic, name in _MAGICS:
        if head.startswith(magic):
            return name
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:200].lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "an HTML page"
    if head and b"\x00" not in head and not re.search(rb"[\x01-\x08\x0e-\x1a]", head):
        return "plain text"
    return None


def name_mimetype(mimetype: str) -> str:
    """A person's word for the ``mimetype`` part of an OpenDocument or EPUB file."""
    return _MIMETYPES.get(mimetype, f"a file of type {mimetype!r}")


def build_encryption_error() -> ReadError:
    """The error for a file that opens with a password only."""
    return ReadError(
        "The file is encrypted with a password.",
        fix="Open it with its password and save a copy without one.",
    )


def _has_bytes(read: Callable[[int], bytes], needle: bytes, head: bytes) -> bool:
    window = head
    while window:
        if needle in window:
            return True
        fresh = read(2**20)
        if not fresh:
            return False
        window = window[-len(needle) :] + fresh
    return False


@contextmanager
def _map_damage() -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, struct.error) as error:
        raise ReadError(f"{_DAMAGED}: {error}.", fix=_SAVE_AGAIN) from error
    except OSError as error:
        # A directory that points outside the file asks for a place that does not exist.
        if error.errno != errno.EINVAL:
            raise
        raise ReadError(f"{_DAMAGED}: its directory is wrong.", fix=_SAVE_AGAIN) from error
    except (NotImplementedError, RuntimeError) as error:
        raise ReadError(f"The zip file cannot be unpacked: {error}.", fix=_SAVE_AGAIN) from error


def _is_dense(size: int, info: zipfile.ZipInfo) -> bool:
    return size > RATIO_FROM_BYTES and size / max(info.compress_size, 1) > MAX_RATIO


def _build_bomb_error() -> ReadError:
    return ReadError(
        "Unpacked, the file would be far larger than a document is (a zip bomb).",
        fix="Leave it out; if it is honest, split it into smaller files.",
    )
