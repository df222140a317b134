"""The supported file formats and their readers.

``read`` turns any failure, that of a hostile file included, into a ``ReadError`` with the
file's name. It writes nothing and opens no address but that of a configured service. Parsers
can hang or crash: run them in a ``ParserPool``.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Mapping
from pathlib import Path

from foundry.errors import FoundryError, ReadError
from foundry.messages import Message
from foundry.ports import Reader, ReadOptions
from foundry.readers.office.docx import read_docx
from foundry.readers.office.libreoffice import read_old_office
from foundry.readers.office.odt import read_odt
from foundry.readers.office.pptx import read_pptx
from foundry.readers.office.rtf import read_rtf
from foundry.readers.office.spreadsheet import read_spreadsheet
from foundry.readers.pdf.images import read_image
from foundry.readers.pdf.reader import read_pdf
from foundry.readers.text_files import read_text
from foundry.readers.transcripts import read_srt, read_vtt
from foundry.readers.web.api_descriptions import is_known_api, read_json, read_yaml
from foundry.readers.web.asciidoc import read_asciidoc
from foundry.readers.web.email import read_email, read_outlook
from foundry.readers.web.epub import read_epub
from foundry.readers.web.html import read_html
from foundry.readers.web.markdown import read_markdown
from foundry.readers.web.notebooks import read_notebook
from foundry.readers.web.reqif import read_reqif_archive
from foundry.readers.web.structured_xml import is_known_xml, read_xml
from foundry.records import Document


def _read_restructured(path: Path, options: ReadOptions) -> Document:
    # Imported here: only workers that read such a file need docutils, and workers start often.
    from foundry.readers.web.restructured import read_restructured

    return read_restructured(path, options)


READERS_VERSION = 10
"""Increase it when the same file gives a different document: sources are then read again."""

_FORMATS: tuple[tuple[str, Reader], ...] = (
    (".pdf", read_pdf),
    (".md .markdown .mdx", read_markdown),
    (".rst .rest", _read_restructured),
    (".adoc .asciidoc", read_asciidoc),
    (".ipynb", read_notebook),
    (".txt .text", read_text),
    (".vtt", read_vtt),
    (".srt", read_srt),
    (".json", read_json),
    (".yaml .yml", read_yaml),
    (".xml .dita .ditamap .dbk .docbook .reqif", read_xml),
    (".reqifz", read_reqif_archive),
    (".docx .docm .dotx .dotm", read_docx),
    (".doc .dot .ppt .pps", read_old_office),
    (".odt .ott .odp", read_odt),
    (".rtf", read_rtf),
    (".pptx .pptm .ppsx", read_pptx),
    (".xlsx .xlsm .xls .xlsb .ods .csv .tsv .tab", read_spreadsheet),
    (".html .htm .xhtml", read_html),
    (".epub", read_epub),
    (".eml", read_email),
    (".msg", read_outlook),
    (".png .jpg .jpeg .tif .tiff .bmp .webp .gif", read_image),
)
READERS = {suffix: reader for suffixes, reader in _FORMATS for suffix in suffixes.split()}
"""Extension, in lower case with its dot → reader."""

MAX_CHARACTERS = 64_000_000
"""Longest text of one file, some 30,000 pages: an ingest takes about 18 bytes of memory for each
character, 1.2 GB in all, and saves a file in one transaction."""

SUPPORTED = frozenset(READERS)
"""The extensions that Foundry reads."""


_SHOWN_KINDS: Mapping[str, Callable[[str], bool]] = {
    ".xml": is_known_xml,
    ".yaml": is_known_api,
    ".yml": is_known_api,
}
_HEAD_BYTES = 8192


def shows_its_kind(path: Path) -> bool:
    """Whether the start of a file shows a kind that is read, where its extension alone does not.

    Most XML and YAML is no document. A file that cannot be opened is judged by its extension.
    """
    is_known = _SHOWN_KINDS.get(path.suffix.lower())
    try:
        if is_known is None or not stat.S_ISREG(path.stat().st_mode):
            return True
        with path.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
    except OSError:
        return True
    return is_known(head.replace(b"\x00", b"").decode("utf-8", "replace"))


def read(path: Path, options: ReadOptions) -> Document:
    """Read a file into a document that has text. Raises ``ReadError``."""
    try:
        status = path.stat()
        # Opening a named pipe would block forever.
        if not stat.S_ISREG(status.st_mode):
            raise ReadError("readers-not-regular")
        if status.st_size == 0:
            raise ReadError("readers-empty")
        document = _get_reader(path)(path, options)
        if len(document.text) > MAX_CHARACTERS:
            length, limit = len(document.text), MAX_CHARACTERS
            raise ReadError("readers-text-too-long", length=length, limit=limit)
    except FoundryError as error:
        if isinstance(error, ReadError) and not error.where:
            error.where = options.name
        raise
    except OSError as error:
        raise build_open_error(error, options.name) from error
    except Exception as error:
        # The only place that catches whatever a parser may raise.
        kind = path.suffix.lstrip(".").upper()
        cause = _describe_error(error)
        raise ReadError(
            "readers-parser-failed", where=options.name, kind=kind, cause=cause
        ) from error
    return document


def build_open_error(error: OSError, name: str) -> ReadError:
    """Build the error for a file that cannot be opened."""
    return ReadError("readers-cannot-open", where=name, cause=str(error.strerror or error))


def _get_reader(path: Path) -> Reader:
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        suffix = path.suffix.lower() or Message("readers-no-extension")
        raise ReadError("readers-unsupported", suffix=suffix, known=sorted(SUPPORTED))
    return reader


def _describe_error(error: Exception) -> Message | str:
    if isinstance(error, MemoryError):
        return Message("readers-out-of-memory")
    if isinstance(error, RecursionError):
        return Message("readers-nested-deeply")
    text = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__
