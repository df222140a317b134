"""The client's document before it has a format: cover, chapters, notes and appendices as blocks.

Every format is written from one ``Plan``, so that all of them say the same. It
decides what stands where and in which words; it knows nothing of pages or files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from foundry import __version__
from foundry.records import Chapter, Conflict, Delivery, UsedSource
from foundry.render.delivery.conflicts import conflict_blocks
from foundry.render.delivery.tree import (
    Block,
    Callout,
    Code,
    Heading,
    Inline,
    Items,
    Paragraph,
    Styled,
    Table,
    Text,
    clean,
    read_inline,
    read_tree,
    words_of,
)
from foundry.render.delivery.words import Words, day, share, words_for

Rows = tuple[tuple[tuple[Inline, ...], ...], ...]
_PRINTED_NUMBER = re.compile(r"(?:§\s*)?(?:\d+|[A-Z])(?:\.\d+)*[.)]?\s")
_LANGUAGE = re.compile("[a-z]{2}")
_HASH_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Part:
    """A chapter or an appendix; ``markdown`` is the chapter's own text, None for an appendix.

    ``language`` is that of its words, an ISO 639-1 code.
    """

    heading: Heading
    blocks: tuple[Block, ...]
    language: str
    markdown: str | None = None
    stale: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class PlannedNote:
    """A note as running text: its place, and the quotes."""

    number: int
    place: tuple[Inline, ...]
    quotes: tuple[tuple[Inline, ...], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What every format shows. ``lines`` stand on the cover, label and value."""

    words: Words
    title: str
    project: str
    maker: str
    lines: tuple[tuple[str, str], ...]
    people: Table
    stale: tuple[Block, ...]
    parts: tuple[Part, ...]
    notes: tuple[PlannedNote, ...]

    def headings(self) -> Iterator[Heading]:
        """The contents: every part, and its sections of level 2."""
        for part in self.parts:
            yield part.heading
            for block in part.blocks:
                if isinstance(block, Heading) and block.level == 2:
                    yield block


def plan_delivery(delivery: Delivery) -> Plan:
    """The document as blocks, every word made safe for every format."""
    words = words_for(delivery.language)
    known = frozenset(note.number for note in delivery.notes)
    chapters = tuple(
        _chapter(number, chapter, known, words)
        for number, chapter in enumerate(delivery.chapters, 1)
    )
    extra = [(clean(label), clean(text)) for label, text in delivery.extra.items()]
    maker = f"Foundry {__version__}"
    lines = [
        (words.project, clean(delivery.project)),
        (words.date, day(delivery.created, words)),
        *extra,
        (words.made_with, maker),
    ]
    stale = _callout(words.stale, words.stale_why, delivery.stale) if delivery.stale else ()
    return Plan(
        words=words,
        title=_one_line(delivery.title),
        project=_one_line(delivery.project),
        maker=f"{words.made_with} {maker}",
        lines=tuple(lines),
        people=_people(delivery.chapters, words),
        stale=stale,
        parts=(*chapters, *_appendices(delivery, words)),
        notes=tuple(
            PlannedNote(note.number, read_inline(note.place), tuple(map(read_inline, note.quotes)))
            for note in delivery.notes
        ),
    )


def _one_line(text: str) -> str:
    return " ".join(clean(text).split())


def _text(words: str) -> tuple[Inline, ...]:
    return (Text(clean(words)),)


def _callout(title: str, why: str, reasons: Sequence[str]) -> tuple[Block, ...]:
    items = Items(tuple((Paragraph(_text(reason)),) for reason in reasons))
    return (Callout(title, (Paragraph(_text(why)), items)),)


def _people(chapters: Sequence[Chapter], words: Words) -> Table:
    head = (words.chapter, words.owner, words.approved, words.accepted)
    rows = (
        (
            f"{number} {_one_line(chapter.title)}",
            chapter.owner or "–",
            _by(chapter.approved_by, day(chapter.approved, words), words),
            _by(chapter.accepted_by, day(chapter.accepted, words), words),
        )
        for number, chapter in enumerate(chapters, 1)
    )
    return Table(_rows(head, *rows), ("left",) * 4, (4, 2, 3, 3))


def _rows(*rows: Sequence[str]) -> Rows:
    return tuple(tuple(_text(cell) for cell in row) for row in rows)


# Chapters


def _chapter(number: int, chapter: Chapter, notes: AbstractSet[int], words: Words) -> Part:
    heading = Heading(1, _text(_one_line(chapter.title)), str(number), f"chapter-{number}")
    blocks = tuple(_numbered(read_tree(chapter.markdown, notes), str(number)))
    stale = _callout(words.stale, words.stale_chapter, chapter.stale) if chapter.stale else ()
    written = chapter.draft.language
    language = written if _LANGUAGE.fullmatch(written) else words.language
    return Part(heading, blocks, language, clean(chapter.markdown), stale)


def _numbered(blocks: Sequence[Block], chapter: str) -> Iterator[Block]:
    """The blocks with numbered sections; a heading that has a number of its own keeps that."""
    counts: list[int] = []
    at = 0
    for block in blocks:
        if not isinstance(block, Heading):
            yield block
            continue
        at += 1
        # A level that was left out counts as none: "1.2" follows "1.1" whatever lies between.
        depth = min(max(block.level, 2) - 1, len(counts) + 1)
        counts = [*counts[: depth - 1], (counts[depth - 1] if len(counts) >= depth else 0) + 1]
        printed = _PRINTED_NUMBER.match(words_of(block.inner)) or depth > 2
        number = "" if printed else ".".join((chapter, *map(str, counts)))
        anchor = f"section-{chapter}-{at}"
        yield replace(block, level=min(depth + 1, 6), number=number, anchor=anchor)


# Appendices


def _appendices(delivery: Delivery, words: Words) -> tuple[Part, ...]:
    titled = (
        (words.sources, _register(delivery.register, words)),
        (words.coverage, _coverage(delivery, words)),
        (words.approvals, _approvals(delivery.chapters, words)),
    )
    return tuple(
        Part(Heading(1, _text(title), letter, f"appendix-{letter.lower()}"), blocks, words.language)
        for letter, (title, blocks) in zip("ABC", titled, strict=True)
    )


def _register(register: Sequence[UsedSource], words: Words) -> tuple[Block, ...]:
    head = _rows((words.path, words.title, words.revision, words.date, "SHA-256"))
    rows = tuple(
        (
            (Code(clean(source.path)),),
            _text(source.title),
            _text(source.revision or "–"),
            _text(source.revision_date or "–"),
            (Code(clean(source.content_hash), clean(source.content_hash)[:_HASH_SHOWN]),),
        )
        for source in register
    )
    table = Table((*head, *rows), ("left",) * 5, (50, 50, 19, 19, 25))
    return (Paragraph(_text(words.sources_why)), table)


def _coverage(delivery: Delivery, words: Words) -> tuple[Block, ...]:
    blocks: list[Block] = [Paragraph(_text(words.coverage_why))]
    for number, chapter in enumerate(delivery.chapters, 1):
        heading = Heading(
            2, _text(f"{number} {_one_line(chapter.title)}"), "", f"coverage-{number}"
        )
        blocks += [heading, _coverage_table(chapter, words)]
    blocks.append(Heading(2, _text(words.conflicts), "", "conflicts"))
    found = tuple(_conflicts(delivery.chapters, words))
    return (*blocks, *(found or (Paragraph(_text(words.no_conflicts)),)))


def _conflicts(chapters: Sequence[Chapter], words: Words) -> Iterator[Block]:
    """Each conflict once, with every section that it was found in; superseded revisions last."""
    found: dict[Conflict, list[str]] = {}
    for chapter in chapters:
        for section in chapter.draft.sections:
            for conflict in section.conflicts:
                where = f"{_one_line(chapter.title)}: {_one_line(section.title)}"
                found.setdefault(conflict, []).append(where)
    for conflict in sorted(found, key=lambda one: one.superseded):
        yield from conflict_blocks(conflict, found[conflict], words)


def _coverage_table(chapter: Chapter, words: Words) -> Table:
    draft = chapter.draft
    rows = [(words.section, words.sentences, words.supported, words.shown, words.remark)]
    for section in draft.sections:
        measured = (share(section.attribution_coverage), share(section.shown_coverage))
        title, sentences = _one_line(section.title), str(section.sentences)
        rows.append((title, sentences, *measured, section.reason or ""))
    whole = (share(draft.attribution_coverage), share(draft.shown_coverage))
    total = str(sum(section.sentences for section in draft.sections))
    *cells, last = _rows(*rows, (words.chapter, total, *whole, ""))
    bold = tuple((Styled("strong", cell),) for cell in last)
    # The last column is shown where anything stands in it.
    columns = 5 if any(row[4] for row in rows[1:]) else 4
    return Table(
        tuple(row[:columns] for row in (*cells, bold)),
        ("left", "right", "right", "right", "left")[:columns],
        (9, 3, 5, 4, 8)[:columns],
    )


def _approvals(chapters: Sequence[Chapter], words: Words) -> tuple[Block, ...]:
    blocks: list[Block] = [Paragraph(_text(words.approvals_why))]
    for number, chapter in enumerate(chapters, 1):
        draft = chapter.draft
        title = f"{number} {_one_line(chapter.title)}"
        blocks.append(Heading(2, _text(title), "", f"approval-{number}"))
        facts = [
            (words.owner, chapter.owner or "–"),
            (words.approved, _by(chapter.approved_by, day(chapter.approved, words), words)),
            (words.written, _by(draft.model, day(draft.created, words), words)),
            (words.accepted, _by(chapter.accepted_by, day(chapter.accepted, words), words)),
            (words.path, draft.path),
        ]
        if draft.review and draft.review.note:
            facts.append((words.note, draft.review.note))
        items = tuple((Paragraph(_text(f"{label}: {text}")),) for label, text in facts)
        blocks.append(Items(items))
    return tuple(blocks)


def _by(who: str, when: str, words: Words) -> str:
    # A date that is parted over two lines is hard to read.
    return words.by_on.format(by=who, date=when.replace(" ", "\u00a0"))
