"""Deliveries made by hand for the tests of the exports."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from foundry.records import (
    Chapter,
    CitationNote,
    Conflict,
    ConflictSide,
    Delivery,
    DraftRecord,
    Quote,
    Review,
    SectionSummary,
    UsedSource,
)

WHEN = datetime(2026, 3, 5, 12, 30, tzinfo=UTC)
SOURCE = UsedSource("sources/datasheet.pdf", "DX-4 datasheet", "a1" * 32, "B", "2026-02-01")
MARKDOWN = """## Supply

The supply is 12 V DC.[^1] The fuse is *slow*, **3.15 A**.[^2][^1]

- First
- Second
  1. Inner

| Part | Rating |
|------|-------:|
| Fuse | 3.15 A[^2] |

## Care

> Keep it dry.

    code  here

See <https://example.org/a?b=1&c=2> and `x_y`.
"""
NOTES = (
    CitationNote(1, "datasheet.pdf §3.1, p. 2", ("The controller runs on 12 V DC.",)),
    CitationNote(2, 'manual.md "Fuses"', ("Fuse: 3.15 A slow.", "Replace it cold.")),
)


def side(value: str, source: str) -> ConflictSide:
    return ConflictSide("chk_1", source, Quote("S1", f"It draws {value}.", 0, 9, page=2), "B", None)


CONFLICT = Conflict(
    "number", side("2.5 A", "sources/a.pdf"), side("3 A", "sources/b.pdf"), ("2.5 A", "3 A"),
    "The current differs", "a", "source hierarchy: a.pdf before b.pdf",
)  # fmt: skip


def record(**changes: object) -> DraftRecord:
    whole = DraftRecord(
        path="output/supply.md", topic="Supply", created=WHEN, content_hash="c0", feature="supply",
        feature_hash="f0", verdict="answer", language="en", model="builtin/extractive",
        mode="offline", attribution_coverage=0.97, shown_coverage=1.0,
        sections=(
            SectionSummary("Supply", 4, 0.96, 1.0, None, (CONFLICT,)),
            SectionSummary("Care", 0, None, None, "Nothing was found."),
        ),
        sources=(SOURCE,), review=Review("R. Viewer", WHEN, "c0", "Fine."),
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]


def chapter(markdown: str = MARKDOWN, **changes: object) -> Chapter:
    whole = Chapter(
        feature="supply", title="Power supply", owner="O. Wner", markdown=markdown,
        approved_by="A. Prover", approved=WHEN, accepted_by="R. Viewer", accepted=WHEN,
        draft=record(),
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]


def delivery(*chapters: Chapter, **changes: object) -> Delivery:
    """A document of the chapters given, or of one."""
    whole = Delivery(
        title="DX-4 handbook", project="DX-4", language="en", created=WHEN,
        chapters=chapters or (chapter(),), notes=NOTES, register=(SOURCE,),
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]
