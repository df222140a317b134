"""Writing a small file and reading it through the public face."""

from __future__ import annotations

from pathlib import Path

from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.records import Document


def read_file(folder: Path, name: str, content: str | bytes, **options: object) -> Document:
    """The document of a file with this content; text is written as UTF-8, line ends unchanged."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_path(path, **options)


def read_path(path: Path, **options: object) -> Document:
    return read(path, ReadOptions(name=path.name, **options))  # type: ignore[arg-type]


def pieces(document: Document) -> list[tuple[str, str]]:
    """Each block as its kind and its words."""
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


def headings(document: Document) -> list[tuple[int, str]]:
    """Each heading as its level and its words in the path."""
    return [
        (block.level, block.heading_path[-1])
        for block in document.blocks
        if block.level is not None
    ]


def path_of(document: Document, words: str) -> tuple[str, ...]:
    """The heading path of the first block with these words in it."""
    for block in document.blocks:
        if block.level is None and words in document.text[block.start : block.end]:
            return block.heading_path
    raise AssertionError(f"no block holds {words!r}")
