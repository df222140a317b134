"""Pieces of a document on their way from an office format to blocks, and tables as text.

A table is one block with a row a line and its cells set apart by " | "; a merged cell
stands once, and leaves its other places empty so that columns stay in line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from foundry.readers.building import DocumentBuilder
from foundry.readers.revisions import find_revision
from foundry.records import BlockKind

CELL_BREAK = " | "
CHECK_EMPTY = "Open it in its own program; if it shows text, save it again or export it as a PDF."
"""What to do about a document without text."""
_ENDS = frozenset(".:;,!?•–|")
_HEAD_PIECES = 60


@dataclass(frozen=True, slots=True)
class Piece:
    """A block to be: a heading has a ``level``; a table's text is its rows."""

    kind: BlockKind
    text: str
    level: int | None = None


def add_pieces(
    builder: DocumentBuilder,
    pieces: Iterable[Piece],
    *,
    page: int | None = None,
    page_label: str | None = None,
) -> None:
    """Put pieces into a document; lines of code that follow each other are one block."""
    for is_code, run in groupby(pieces, key=lambda piece: piece.kind == "code"):
        if is_code:
            lines = "\n".join(piece.text for piece in run)
            builder.add("code", lines, page=page, page_label=page_label)
            continue
        for piece in run:
            if piece.level is not None:
                builder.heading(piece.text, piece.level, page=page, page_label=page_label)
            else:
                builder.add(piece.kind, piece.text, page=page, page_label=page_label)


def revision_in(pieces: Sequence[Piece], extra: str = "") -> tuple[str | None, str | None]:
    """The printed revision mark and date near the top, else in ``extra`` (page headers)."""
    head = "\n".join(piece.text for piece in pieces[:_HEAD_PIECES])
    # "Version | 1.2" in a table says the same as "Version 1.2".
    mark, date = find_revision(head.replace(CELL_BREAK, "  "))
    more_mark, more_date = find_revision(extra) if extra else (None, None)
    return mark or more_mark, date or more_date


def first_heading(pieces: Iterable[Piece]) -> str | None:
    """The text of the first heading, or None."""
    return next((piece.text for piece in pieces if piece.level is not None), None)


def write_row(cells: Iterable[str]) -> str:
    """A table row on one line; empty cells at its end are left out."""
    flat = [" ".join(cell.split()) for cell in cells]
    while flat and not flat[-1]:
        flat.pop()
    return CELL_BREAK.join(flat)


def write_table(rows: Iterable[Iterable[str]]) -> str:
    """A table's rows as lines; rows without any text are left out."""
    lines = (write_row(row) for row in rows)
    return "\n".join(line for line in lines if line)


def write_cell(pieces: Iterable[Piece]) -> str:
    """What stands in one cell, on one line: paragraphs set apart by ";" where no mark does."""
    text = ""
    for piece in pieces:
        words = " ".join(_inline(piece).split())
        if words:
            text += (" " if text[-1:] in _ENDS else "; ") + words if text else words
    return text


def _inline(piece: Piece) -> str:
    if piece.kind != "table":
        return piece.text
    rows = [re.sub(r"(?:\s*\|\s*)+", ", ", line).strip(", ") for line in piece.text.split("\n")]
    return f"({'; '.join(rows)})"
