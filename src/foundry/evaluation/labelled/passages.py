"""A plain text as evidence, as a source's chunk would be: its headings, list items, paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from foundry.records import Block, Chunk, Evidence, Focus, Hit, Source

_WHEN = datetime(2026, 1, 1, tzinfo=UTC)


def as_evidence(
    text: str, language: str, name: str = "S1", *, path: str = "", title: str = ""
) -> Evidence:
    """Evidence ``name`` with one block a line; ``path`` and ``title`` are its source's."""
    size = len(text)
    chunk = Chunk(
        id=f"chk_{name}", source_id=f"src_{name}", position=0, start=0, end=size,
        text=text, content=text, tokens=size // 4, language=language, blocks=tuple(_blocks(text)),
    )  # fmt: skip
    source = Source(
        id=f"src_{name}", path=path, content_hash="", title=title, type="txt",
        language=language, size=size, modified=_WHEN, ingested=_WHEN,
    )  # fmt: skip
    return Evidence(name, Hit(chunk, source, Focus(0, size), 0.8, 0.03))


def _blocks(text: str) -> Iterator[Block]:
    path: tuple[str, ...] = ()
    for match in re.finditer(r"\S[^\n]*", text):
        words = match[0].lstrip("#*-• ")
        start = match.end() - len(words)
        if not words:
            continue
        if match[0].startswith("#"):
            path = (words,)
            yield Block("heading", start, match.end(), path, 1)
        else:
            listed = match[0].startswith(("* ", "- ", "• "))
            yield Block("list_item" if listed else "paragraph", start, match.end(), path)
