"""Reads RTF documents into blocks: headings, lists with their printed numbers, tables, notes.

RTF keeps every automatic number as text beside its paragraph, so numbers are those that
the program printed. Headers, footers, comments, pictures, hidden and deleted text are
left out. A text stripper would keep the words, but not which of them are headings, cells
or printed numbers, and those are what a citation names.
"""

from __future__ import annotations

from pathlib import Path

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers.archive import name_kind
from foundry.readers.document_builder import (
    CHECK_EMPTY,
    DocumentBuilder,
    add_blocks,
    find_block_revision,
    find_first_heading,
)
from foundry.readers.metadata import choose_title
from foundry.readers.office.rtf_document import RtfDocument
from foundry.readers.office.rtf_syntax import read_tokens
from foundry.records import Document


def read_rtf(path: Path, options: ReadOptions) -> Document:
    """Read an RTF file; raises ``ReadError`` when it is none, or has no text."""
    data = path.read_bytes()
    if not data.lstrip()[:5].lower().startswith(b"{\\rtf"):
        raise ReadError(
            f"This is {name_kind(data[:2048]) or 'binary data'}, not an RTF document.",
            fix="Give the file the extension of what it is.",
        )
    document = RtfDocument()
    for token in read_tokens(data.lstrip()):
        document.feed(token)
    pieces = document.finish()
    builder = DocumentBuilder("rtf")
    add_blocks(builder, pieces)
    if document.is_cut:
        builder.warn("The file ends in the middle: it may not be complete.")
    if document.deleted:
        builder.warn("Tracked changes: insertions were kept and deletions left out.")
    if document.hidden:
        builder.warn("Hidden text was left out.")
    offers = (document.property_title, document.title, find_first_heading(pieces))
    title = choose_title(offers, Path(options.name))
    return builder.build(title, None, *find_block_revision(pieces), fix=CHECK_EMPTY)
