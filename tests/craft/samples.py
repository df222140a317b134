"""Hand-made evidence for the tests of ``craft``: blocks as a reader would mark them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from bench.plain_texts import read_barred_table
from foundry.craft.question import read_question
from foundry.records import (
    Block,
    BlockKind,
    Chunk,
    Evidence,
    Focus,
    Hit,
    QueryTerm,
    Question,
    Source,
)

WHEN = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)


def make_chunk(
    text: str, *, language: str = "en", source: str = "manual.md", start: int = 0
) -> Chunk:
    """A chunk whose blocks follow the text's own marks: # heading, - item, a|b row, `> ` cue."""
    blocks: list[Block] = []
    path: tuple[str, ...] = ()
    at = start
    for part in text.split("\n"):
        kind = _kind(part)
        words = part.lstrip("#> ")
        if kind == "heading":
            path = (words,)
        if words and not (kind == "table" and blocks and blocks[-1].kind == "table"):
            first = at + len(part) - len(words)
            speaker, time = (None, None) if kind != "cue" else ("Anna", float(len(blocks)))
            blocks.append(
                Block(kind, first, at + len(part), path, 1 if kind == "heading" else None,
                      time_start=time, speaker=speaker)
            )  # fmt: skip
        elif words:
            last = blocks.pop()
            words = text[last.start - start : at + len(part) - start]
            table = read_barred_table(words, last.start)
            blocks.append(Block("table", last.start, at + len(part), path, table=table))
        at += len(part) + 1
    return Chunk(
        id=f"chk_{source}_{start}", source_id=f"src_{source}", position=0, start=start,
        end=start + len(text), text=text, content=text, tokens=max(1, len(text) // 4),
        language=language, blocks=tuple(blocks),
    )  # fmt: skip


def make_hit(
    text: str,
    *,
    language: str = "en",
    source: str = "manual.md",
    relevance: float = 0.8,
    start: int = 0,
    title: str = "Manual",
    type: str = "txt",  # noqa: A002  the record's own word
) -> Hit:
    """A hit on a new chunk."""
    chunk = make_chunk(text, language=language, source=source, start=start)
    known = Source(
        id=f"src_{source}", path=source, content_hash="c0ffee", title=title, type=type,
        language=language, size=len(text), modified=WHEN, ingested=WHEN,
    )  # fmt: skip
    return Hit(chunk, known, Focus(chunk.start, chunk.end), relevance, 0.03)


def make_evidence(text: str, id: str = "S1", **place: object) -> Evidence:  # noqa: A002
    """Numbered evidence; the keywords are those of ``make_hit``."""
    return Evidence(id, make_hit(text, **place))  # type: ignore[arg-type]


def make_doubtful(text: str, *values: str) -> Evidence:
    """Evidence with tables in which the labels of some values are in doubt."""
    evidence = make_evidence(text)
    chunk = evidence.hit.chunk
    blocks = tuple(_doubt(block, values) for block in chunk.blocks)
    return replace(evidence, hit=replace(evidence.hit, chunk=replace(chunk, blocks=blocks)))


def _doubt(block: Block, values: Sequence[str]) -> Block:
    if block.table is None:
        return block
    cells = tuple(replace(c, certain=c.value not in values) for c in block.table.cells)
    return replace(block, table=replace(block.table, cells=cells))


def _kind(line: str) -> BlockKind:
    if line.startswith("#"):
        return "heading"
    if line.startswith(("- ", "* ")):
        return "list_item"
    if line.startswith("> "):
        return "cue"
    return "table" if "|" in line else "paragraph"


def make_question(
    text: str,
    language: str,
    words: tuple[QueryTerm, ...],
    frequencies: Mapping[str, int],
    chunks: int,
    *,
    languages: frozenset[str] = frozenset(),
) -> Question:
    """A question read from its text, with its words as the sources of a test have them."""
    return replace(
        read_question(text, language),
        words=words,
        frequencies=frequencies,
        chunks=chunks,
        languages=languages,
    )
