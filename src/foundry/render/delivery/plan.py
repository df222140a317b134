"""The client's document before it has a format: cover, chapters, notes and appendices as blocks.

Every format is written from one ``DeliveryPlan``, so that all of them say the same. The plan
decides the order and the words; it knows nothing of pages or files.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime

from foundry import __version__
from foundry.analysis.lexer import HEADING_NUMBER
from foundry.messages import Message, Words, choose_language
from foundry.records import Chapter, Conflict, ConflictSide, Delivery, DraftRecord, UsedSource
from foundry.render.delivery.tree import (
    BlockNode,
    Callout,
    Code,
    Heading,
    Inline,
    ListBlock,
    Paragraph,
    Styled,
    TableBlock,
    Text,
    clean,
    extract_text,
    read_inline,
    read_tree,
)
from foundry.render.places import describe_status, format_location, format_revision

TableRows = tuple[tuple[tuple[Inline, ...], ...], ...]
_LANGUAGE = re.compile("[a-z]{2}")
_HASH_SHOWN = 12
"""Digits of a hash in print: enough to tell files apart, and it fits a table."""


@dataclass(frozen=True, slots=True)
class DeliveryPart:
    """A chapter or an appendix, in ``language`` (ISO 639-1).

    ``markdown`` is the text of a chapter, None for an appendix.
    """

    heading: Heading
    blocks: tuple[BlockNode, ...]
    language: str
    markdown: str | None = None
    stale: tuple[BlockNode, ...] = ()


@dataclass(frozen=True, slots=True)
class PlannedNote:
    """A note as running text: the place and the quotes."""

    number: int
    place: tuple[Inline, ...]
    quotes: tuple[tuple[Inline, ...], ...]


@dataclass(frozen=True, slots=True)
class DeliveryPlan:
    """What every format shows. ``lines`` are the label and value of each line on the cover."""

    words: Words
    title: str
    project: str
    maker: str
    lines: tuple[tuple[str, str], ...]
    people: TableBlock
    stale: tuple[BlockNode, ...]
    parts: tuple[DeliveryPart, ...]
    notes: tuple[PlannedNote, ...]

    def list_headings(self) -> Iterator[Heading]:
        """The entries of the contents: every part, and its sections of level 2."""
        for part in self.parts:
            yield part.heading
            for block in part.blocks:
                if isinstance(block, Heading) and block.level == 2:
                    yield block


def plan_delivery(delivery: Delivery) -> DeliveryPlan:
    """The document as blocks, with all text cleaned for every format."""
    words = Words(choose_language(delivery.language))
    known = frozenset(note.number for note in delivery.notes)
    chapters = tuple(
        _build_chapter(number, chapter, known, words)
        for number, chapter in enumerate(delivery.chapters, 1)
    )
    extra = [(clean(label), clean(text)) for label, text in delivery.extra.items()]
    maker = f"Foundry {__version__}"
    lines = [
        (words("document-project"), clean(delivery.project)),
        (words("document-date"), _format_day(delivery.created, words)),
        *extra,
        (words("document-made-with"), maker),
    ]
    stale = _build_callout(words, "document-stale-why", delivery.stale) if delivery.stale else ()
    return DeliveryPlan(
        words=words,
        title=_clean_line(delivery.title),
        project=_clean_line(delivery.project),
        maker=" ".join((words("document-made-with"), maker)),
        lines=tuple(lines),
        people=_build_people(delivery.chapters, words),
        stale=stale,
        parts=(*chapters, *_build_appendices(delivery, words)),
        notes=tuple(
            PlannedNote(note.number, read_inline(note.place), tuple(map(read_inline, note.quotes)))
            for note in delivery.notes
        ),
    )


def _clean_line(text: str) -> str:
    return " ".join(clean(text).split())


def _build_text(words: str) -> tuple[Inline, ...]:
    return (Text(clean(words)),)


def _build_callout(
    words: Words, why: str, reasons: Sequence[Message | str]
) -> tuple[BlockNode, ...]:
    items = ListBlock(tuple((Paragraph(_build_text(words.format(reason))),) for reason in reasons))
    return (Callout(words("document-stale"), (Paragraph(_build_text(words(why))), items)),)


def _build_people(chapters: Sequence[Chapter], words: Words) -> TableBlock:
    head = [words(f"document-{name}") for name in ("chapter", "owner", "approved", "accepted")]
    rows = (
        (
            f"{number} {_clean_line(chapter.title)}",
            chapter.owner or "–",
            _format_by(chapter.approved_by, chapter.approved, words),
            _format_by(chapter.accepted_by, chapter.accepted, words),
        )
        for number, chapter in enumerate(chapters, 1)
    )
    return TableBlock(_build_rows(head, *rows), ("left",) * 4, (4, 2, 3, 3))


def _build_rows(*rows: Sequence[str]) -> TableRows:
    return tuple(tuple(_build_text(cell) for cell in row) for row in rows)


# Chapters


def _build_chapter(
    number: int, chapter: Chapter, notes: AbstractSet[int], words: Words
) -> DeliveryPart:
    heading = Heading(1, _build_text(_clean_line(chapter.title)), str(number), f"chapter-{number}")
    blocks = tuple(_number_headings(read_tree(chapter.markdown, notes), str(number)))
    stale = _build_callout(words, "document-stale-chapter", chapter.stale) if chapter.stale else ()
    written = chapter.draft.language
    language = written if _LANGUAGE.fullmatch(written) else words.language
    return DeliveryPart(heading, blocks, language, clean(chapter.markdown), stale)


def _number_headings(blocks: Sequence[BlockNode], chapter: str) -> Iterator[BlockNode]:
    """The blocks with numbered sections; a heading that is already numbered keeps its number."""
    counts: list[int] = []
    index = 0
    for block in blocks:
        if not isinstance(block, Heading):
            yield block
            continue
        index += 1
        # A skipped level does not count: "1.2" follows "1.1" whatever lies between.
        depth = min(max(block.level, 2) - 1, len(counts) + 1)
        counts = [*counts[: depth - 1], (counts[depth - 1] if len(counts) >= depth else 0) + 1]
        printed = HEADING_NUMBER.match(extract_text(block.inner)) or depth > 2
        number = "" if printed else ".".join((chapter, *map(str, counts)))
        anchor = f"section-{chapter}-{index}"
        yield replace(block, level=min(depth + 1, 6), number=number, anchor=anchor)


# Appendices


def _build_appendices(delivery: Delivery, words: Words) -> tuple[DeliveryPart, ...]:
    titled = (
        (words("document-sources"), _build_register(delivery.register, words)),
        (words("document-coverage"), _build_coverage(delivery, words)),
        (words("document-approvals"), _build_approvals(delivery.chapters, words)),
    )
    return tuple(
        DeliveryPart(
            Heading(1, _build_text(title), letter, f"appendix-{letter.lower()}"),
            blocks,
            words.language,
        )
        for letter, (title, blocks) in zip("ABC", titled, strict=True)
    )


def _build_register(register: Sequence[UsedSource], words: Words) -> tuple[BlockNode, ...]:
    names = ("path", "title", "revision", "date")
    head = _build_rows((*(words(f"document-{name}") for name in names), "SHA-256"))
    rows = tuple(
        (
            (Code(clean(source.path)),),
            _build_text(_name_source(source, words)),
            _build_text(source.revision or "–"),
            _build_text(source.revision_date or "–"),
            (Code(clean(source.content_hash), clean(source.content_hash)[:_HASH_SHOWN]),),
        )
        for source in register
    )
    table = TableBlock((*head, *rows), ("left",) * 5, (50, 50, 19, 19, 25))
    return (Paragraph(_build_text(words("document-sources-why"))), table)


def _name_source(source: UsedSource, words: Words) -> str:
    status = describe_status(source.status)
    return f"{source.title} ({words.format(status)})" if status else source.title


def _build_coverage(delivery: Delivery, words: Words) -> tuple[BlockNode, ...]:
    blocks: list[BlockNode] = [Paragraph(_build_text(words("document-coverage-why")))]
    for number, chapter in enumerate(delivery.chapters, 1):
        heading = Heading(
            2, _build_text(f"{number} {_clean_line(chapter.title)}"), "", f"coverage-{number}"
        )
        blocks += [heading, _build_coverage_table(chapter, words)]
    blocks.append(Heading(2, _build_text(words("document-conflicts")), "", "conflicts"))
    conflicts = tuple(_build_conflicts(delivery.chapters, words))
    return (*blocks, *(conflicts or (Paragraph(_build_text(words("document-no-conflicts"))),)))


def _build_conflicts(chapters: Sequence[Chapter], words: Words) -> Iterator[BlockNode]:
    """Each conflict once, with all sections that have it; superseded revisions last."""
    sections: dict[Conflict, list[str]] = {}
    for chapter in chapters:
        for section in chapter.draft.sections:
            for conflict in section.conflicts:
                where = f"{_clean_line(chapter.title)}: {_clean_line(section.title)}"
                sections.setdefault(conflict, []).append(where)
    for conflict in sorted(sections, key=lambda conflict: conflict.superseded):
        yield from _build_conflict(conflict, sections[conflict], words)


def _build_conflict(
    conflict: Conflict, sections: Sequence[str], words: Words
) -> tuple[BlockNode, ...]:
    """The sections with the conflict, its reason, the two sides, and the decision."""
    heading = Heading(3, (Text(_clean_line("; ".join(sections))),))
    reason = Paragraph((Text(_clean_line(words.format(conflict.reason))),))
    sides = zip((conflict.a, conflict.b), conflict.values, strict=True)
    items = tuple((_build_side(side, value, words),) for side, value in sides)
    return (
        heading,
        reason,
        ListBlock(items),
        Paragraph((Text(_format_decision(conflict, words)),)),
    )


def _build_side(side: ConflictSide, value: str, words: Words) -> Paragraph:
    place = format_location(side.source, side.quote)
    revision = format_revision(side, words.format)
    shown = _clean_line(f"{place} ({revision})" if revision else place)
    inner: tuple[Inline, ...] = (Text(f"{shown}: “{_clean_line(side.quote.text)}”"),)
    if _clean_line(value):
        inner = (Styled("strong", (Text(_clean_line(value)),)), Text(" – "), *inner)
    return Paragraph(inner)


def _format_decision(conflict: Conflict, words: Words) -> str:
    if conflict.holds is None:
        return words("document-undecided")
    first = conflict.holds == "a"
    side, value = (conflict.a if first else conflict.b), conflict.values[0 if first else 1]
    kept = _clean_line(value) or _clean_line(side.source)
    code = "document-superseded" if conflict.superseded else "document-holds"
    return words(code, value=kept, rule=_clean_line(words.format(conflict.rule or "–")))


def _build_coverage_table(chapter: Chapter, words: Words) -> TableBlock:
    draft = chapter.draft
    names = ("section", "sentences", "supported", "shown", "remark")
    rows = [tuple(words(f"document-{name}") for name in names)]
    for section in draft.sections:
        measured = (
            format_share(section.attribution_coverage),
            format_share(section.shown_coverage),
        )
        title, sentences = _clean_line(section.title), str(section.sentences)
        rows.append((title, sentences, *measured, words.format(section.reason or "")))
    count = sum(section.sentences for section in draft.sections)
    # What a model wrote counts among the sentences already.
    own = {text for section in draft.sections for text in section.unverified}
    accepted = draft.review.unchecked if draft.review else ()
    unchecked, shown = sum(one not in own for one in accepted), draft.shown_coverage
    if unchecked:
        rows.append((words("document-unverified"), str(unchecked), "–", format_share(0.0), ""))
        shown = (shown or 0.0) * count / (count + unchecked)
    whole = (format_share(draft.attribution_coverage), format_share(shown))
    total = str(count + unchecked)
    *cells, last = _build_rows(*rows, (words("document-chapter"), total, *whole, ""))
    bold = tuple((Styled("strong", cell),) for cell in last)
    # The last column is shown only if it has a value.
    columns = 5 if any(row[4] for row in rows[1:]) else 4
    return TableBlock(
        tuple(row[:columns] for row in (*cells, bold)),
        ("left", "right", "right", "right", "left")[:columns],
        (9, 3, 5, 4, 8)[:columns],
    )


def _build_approvals(chapters: Sequence[Chapter], words: Words) -> tuple[BlockNode, ...]:
    blocks: list[BlockNode] = [Paragraph(_build_text(words("document-approvals-why")))]
    for number, chapter in enumerate(chapters, 1):
        draft = chapter.draft
        title = f"{number} {_clean_line(chapter.title)}"
        blocks.append(Heading(2, _build_text(title), "", f"approval-{number}"))
        facts = [
            (words("document-topic"), draft.topic),
            *_name_origin(draft, words),
            (words("document-owner"), chapter.owner or "–"),
            (words("document-approved"), _format_by(chapter.approved_by, chapter.approved, words)),
            (words("document-written"), _format_by(draft.model, draft.created, words)),
            (words("document-accepted"), _format_by(chapter.accepted_by, chapter.accepted, words)),
            (words("document-path"), draft.path),
        ]
        if draft.review and draft.review.note:
            facts.append((words("document-note"), draft.review.note))
        unchecked = draft.review.unchecked if draft.review else ()
        facts += [(words("document-unverified"), f"“{_clean_line(one)}”") for one in unchecked]
        items = tuple((Paragraph(_build_text(f"{label}: {text}")),) for label, text in facts)
        blocks.append(ListBlock(items))
    return tuple(blocks)


def _name_origin(draft: DraftRecord, words: Words) -> Iterator[tuple[str, str]]:
    """The specification and the agent that the text was written for and by."""
    if draft.feature:
        digest = clean(draft.feature_hash or "")[:_HASH_SHOWN]
        yield (
            words("document-specification"),
            words("document-hashed", path=f"features/{draft.feature}.md", hash=digest),
        )
    if draft.agent:
        yield words("document-agent"), draft.agent


def _format_by(who: str, when: datetime | None, words: Words) -> str:
    if when is None:
        return "–"
    # A date that is split over two lines is hard to read.
    day = _format_day(when, words).replace(" ", "\u00a0")
    return words("document-by-on", by=who, date=day)


def _format_day(when: datetime, words: Words) -> str:
    """``5 March 2026``, in the time zone of ``when``."""
    return words("document-day", date=when.date())


def format_share(value: float | None) -> str:
    """``98%``, rounded down so that 100% means all; a dash for None."""
    return "–" if value is None else f"{math.floor(value * 100 + 1e-9)}%"
