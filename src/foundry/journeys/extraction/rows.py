"""The rows of a table: sources, or their sections.

A section is what stands under one path of headings, without what stands under deeper ones. Text before
the first heading is in no section; a source without headings is one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from foundry.messages import Message
from foundry.records import Answer, Block, Excerpt, Quote, RowKind, Source, make_row
from foundry.workspace import Workspace

Section = tuple[str, ...]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class AskedRow:
    """A source, or a section of it with the spans of its text."""

    source: Source
    section: Section = ()
    spans: tuple[Span, ...] = ()

    @property
    def key(self) -> str:
        return make_row(self.source.id, self.section)


def list_table_rows(
    workspace: Workspace, sources: Sequence[Source], by: RowKind
) -> Iterator[AskedRow]:
    """The rows that these sources make, in reading order."""
    for source in sources:
        found = _find_sections(workspace, source.id) if by == "section" else {}
        for section, spans in found.items() or [((), [])]:
            yield AskedRow(source, section, tuple(spans))


def list_sections(workspace: Workspace, source_id: str) -> list[Section]:
    """The heading paths of a source that have text of their own."""
    return list(_find_sections(workspace, source_id))


def _find_sections(workspace: Workspace, source_id: str) -> dict[Section, list[Span]]:
    """The sections in reading order, each with the spans of its blocks, of its heading too."""
    blocks = list(workspace.store.source_blocks(source_id))
    sections: dict[Section, list[Span]] = {
        one.heading_path: [] for one in blocks if _is_content(one)
    }
    for one in blocks:
        if one.heading_path in sections:
            sections[one.heading_path].append((one.start, one.end))
    return sections


def _is_content(block: Block) -> bool:
    return block.kind != "heading" and bool(block.heading_path)


def limit_answer(row: AskedRow, answer: Answer) -> Answer:
    """The answer with what the section says alone: a passage may reach into the next one."""
    if not row.section:
        return answer
    sentences = tuple(one for one in answer.sentences if _are_inside(one.quotes, row.spans))
    passages = tuple(filter(None, (_cut_passage(one, row.spans) for one in answer.passages)))
    if answer.verdict == "no_evidence" or sentences or passages:
        return replace(answer, sentences=sentences, passages=passages)
    beside = Message("table-outside-section")
    return replace(answer, verdict="no_evidence", sentences=(), passages=(), reasons=(beside,))


def _cut_passage(passage: Excerpt, spans: Sequence[Span]) -> Excerpt | None:
    lines = tuple(line for line in passage.lines if _are_inside(line.quotes, spans))
    return replace(passage, lines=lines) if lines else None


def _are_inside(quotes: Sequence[Quote], spans: Sequence[Span]) -> bool:
    return all(any(start <= one.start < end for start, end in spans) for one in quotes)
