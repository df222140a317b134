"""Documents for the tests of chunking, summaries and focus, built block by block."""

from __future__ import annotations

import re
from collections.abc import Iterable

from foundry.craft.chunking import chunk_document
from foundry.records import Block, BlockKind, Chunk, Document

BOUNDS, OVERLAP = (70, 100), (10, 15)
Part = tuple[BlockKind, int | None, str]


def count(text: str) -> int:
    """Words and marks: a counter that adds up."""
    return len(re.findall(r"\w+|[^\w\s]", text))


def heading(level: int, words: str) -> Part:
    return "heading", level, words


def paragraph(name: str, sentences: int = 1) -> Part:
    """Sentences of ten tokens, each different from all others of another name."""
    words = " ".join(
        f"{name.capitalize()} says in sentence {n} that it stands there." for n in range(sentences)
    )
    return "paragraph", None, words


def build(parts: Iterable[Part], between: str = "\n\n", title: str = "Title") -> Document:
    """A document of these parts, with heading paths and pages of five blocks."""
    text, path, blocks = "", list[tuple[int, str]](), list[Block]()
    for at, (kind, level, words) in enumerate(parts):
        text += between if text else ""
        start, text = len(text), text + words
        if level is not None:
            path = [*(entry for entry in path if entry[0] < level), (level, words)]
        names = tuple(name for _, name in path)
        blocks.append(Block(kind, start, len(text), names, level, page=1 + at // 5))
    return Document(text, tuple(blocks), "md", title)


def speech(turns: Iterable[tuple[str | None, str]]) -> Document:
    """A subtitle file: one cue of four seconds for each (speaker, words)."""
    text, blocks = "WEBVTT\n", list[Block]()
    for at, (speaker, words) in enumerate(turns):
        text += f"\n00:{at * 4 // 60:02}:{at * 4 % 60:02}.000 --> 00:59:59.000\n"
        start, text = len(text), f"{text}{words}\n"
        times = {"time_start": at * 4.0, "time_end": at * 4.0 + 4}
        blocks.append(Block("cue", start, start + len(words), speaker=speaker, **times))
    return Document(text, tuple(blocks), "vtt", "Talk")


def chunks_of(
    document: Document,
    bounds: tuple[int, int] = BOUNDS,
    overlap: tuple[int, int] = OVERLAP,
    language: str = "en",
) -> list[Chunk]:
    return chunk_document(
        document,
        source_id="src_x",
        language=language,
        title=document.title,
        count=count,
        bounds=bounds,
        overlap=overlap,
    )
