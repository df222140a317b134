"""Write small files and read them through ``foundry.readers.read``."""

from __future__ import annotations

from pathlib import Path

from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.records import Document


def read_file(folder: Path, name: str, content: str | bytes, **options: object) -> Document:
    """Write a file and read it; text is encoded as UTF-8 with its line ends unchanged."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_path(path, **options)


def read_path(path: Path, **options: object) -> Document:
    return read(path, ReadOptions(name=path.name, **options))  # type: ignore[arg-type]


def list_blocks(document: Document) -> list[tuple[str, str]]:
    """Return the kind and the words of each block."""
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


def list_headings(document: Document) -> list[tuple[int, str]]:
    """Return the level of each heading and its words in the path."""
    return [
        (block.level, block.heading_path[-1])
        for block in document.blocks
        if block.level is not None
    ]


def find_path(document: Document, words: str) -> tuple[str, ...]:
    """Return the heading path of the first block that contains the words."""
    for block in document.blocks:
        if block.level is None and words in document.text[block.start : block.end]:
            return block.heading_path
    raise AssertionError(f"no block contains {words!r}")
