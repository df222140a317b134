"""A conflict as the appendix tells it: both places, what differs, and what decided."""

from __future__ import annotations

from collections.abc import Sequence

from foundry.records import Conflict, ConflictSide
from foundry.render.delivery.tree import (
    Block,
    Heading,
    Inline,
    Items,
    Paragraph,
    Styled,
    Text,
    clean,
)
from foundry.render.delivery.words import Words
from foundry.render.places import describe


def conflict_blocks(conflict: Conflict, found_in: Sequence[str], words: Words) -> tuple[Block, ...]:
    """The sections it was found in with the reason, the two sides, and the decision."""
    heading = Heading(3, (Text(_line("; ".join(found_in))),))
    reason = Paragraph((Text(_line(conflict.reason)),))
    sides = zip((conflict.a, conflict.b), conflict.values, strict=True)
    items = tuple((_side(side, value),) for side, value in sides)
    return (heading, reason, Items(items), Paragraph((Text(_decision(conflict, words)),)))


def _side(side: ConflictSide, value: str) -> Paragraph:
    place = ", ".join(part for part in (side.source, describe(side.quote)) if part)
    revision = ", ".join(part for part in (side.revision, side.revision_date) if part)
    shown = _line(f"{place} ({revision})" if revision else place)
    inner: tuple[Inline, ...] = (Text(f"{shown}: “{_line(side.quote.text)}”"),)
    if _line(value):
        inner = (Styled("strong", (Text(_line(value)),)), Text(" – "), *inner)
    return Paragraph(inner)


def _decision(conflict: Conflict, words: Words) -> str:
    if conflict.holds is None:
        return words.undecided
    first = conflict.holds == "a"
    side, value = (conflict.a if first else conflict.b), conflict.values[0 if first else 1]
    kept = _line(value) or _line(side.source)
    told = words.superseded if conflict.superseded else words.holds
    return told.format(value=kept, rule=_line(conflict.rule or "–"))


def _line(text: str) -> str:
    return " ".join(clean(text).split())
