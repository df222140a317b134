"""Corrections of what a reader made of a source: an overlay, whose originals are kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from foundry.messages import Message
from foundry.roles import Confidentiality

CorrectionKind = Literal["words", "heading", "header"]
NOT_A_HEADING = "text"
"""What a block that is no heading is or becomes, where a heading has its level."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction of a block, for every source whose file has the bytes of ``content_hash``.

    ``block`` is the block's number from 1 as the reader made it, ``block_hash`` the SHA-256 of its
    text; ``start`` and ``end`` span ``words`` in that text. ``before`` and ``after`` depend on the
    kind. "words": the words as read, and as printed. "heading": the level 1–6 or "text". "header":
    how many rows of the table name its columns. ``path`` and ``confidentiality`` are those of the
    source for which it was made.
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
