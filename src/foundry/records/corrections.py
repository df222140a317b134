"""Corrections of what a reader made of a source: an overlay, whose originals are kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from foundry.messages import Message
from foundry.roles import Confidentiality

CorrectionKind = Literal["words", "row", "heading", "header", "columns", "span", "split", "merge"]
NOT_A_HEADING = "text"
"""What a block that is no heading is or becomes, where a heading has its level."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction of a block, for every source whose file has the bytes of ``content_hash``.

    ``block`` is the block's number from 1 as the reader made it, ``block_hash`` the SHA-256 of its
    text; ``start`` and ``end`` span ``words`` in that text. ``before`` and ``after`` depend on the
    kind. "words": the words as read, and as printed. "row": the same of rows of a table, one a line;
    "" leaves them out. "heading": the level 1–6 or "text". Rows of a table have numbers from 1 in
    their block, columns letters. "header": how many first rows name the columns, or which ("3-4").
    "columns": how many first columns name the rows. "span": cells that are one ("B1:D1,E1:F1").
    "split": the row that begins another table. "merge": the first row of the next table, which
    goes on with this one. ``path`` and ``confidentiality`` are those of the source for which it was
    made.
    """

    id: str
    path: str
    content_hash: str
    confidentiality: Confidentiality
    kind: CorrectionKind
    block: int
    block_hash: str
    start: int
    end: int
    words: str
    before: str
    after: str
    reason: str
    author: str
    created: datetime


@dataclass(frozen=True, slots=True)
class CorrectedPart:
    """What of a source's text is corrected, from ``start`` to ``end``; ``id`` is the correction's."""

    id: str
    kind: CorrectionKind
    start: int
    end: int
    before: str
    after: str
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectionState:
    """A correction, and why it is not applied; ``reason`` is None if it is."""

    correction: Correction
    reason: Message | None = None
