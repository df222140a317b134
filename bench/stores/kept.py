"""What is kept of a generated project, for searches by other libraries, and what is asked.

Nothing of Foundry is imported here: another interpreter may read it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

MOST, SOME, THREE = "most", "some", "three"
"""Tags of 90 % of the sources, of 10 %, and of one with three chunks."""


@dataclass(frozen=True, slots=True)
class Query:
    """The analysed terms of a question, and its vector."""

    terms: tuple[str, ...]
    vector: Any


@dataclass(frozen=True, slots=True)
class Kept:
    """``ids``, ``tags`` and ``terms`` have an entry for each chunk; its analysed terms are one text.

    ``wholes`` is float32 of shape (n, dimension), ``windows`` float16 of (n, windows, dimension).
    """

    ids: list[str]
    tags: list[str]
    terms: list[str]
    wholes: Any
    windows: Any


def read_queries(folder: Path) -> list[Query]:
    asked = json.loads((folder / "queries.json").read_text())
    vectors = np.load(folder / "queries.npy")
    return [Query(tuple(words), vector) for words, vector in zip(asked, vectors, strict=True)]


def read_kept(folder: Path) -> Kept:
    """The chunks; the vectors stay on disk until they are used."""
    rows = [line.split("\t") for line in (folder / "chunks.tsv").read_text().splitlines()]
    ids, tags, terms = (list(column) for column in zip(*rows, strict=True))
    wholes = np.load(folder / "wholes.npy", mmap_mode="r")
    windows = np.load(folder / "windows.npy", mmap_mode="r")
    return Kept(ids, tags, terms, wholes, windows)
