"""Texts of data sets as evidence, and their sentences, for the measurements of the verifier."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zlib import crc32

from foundry.records import Block, Chunk, Evidence, Focus, Hit, Source

_WHEN = datetime(2026, 1, 1, tzinfo=UTC)
_LEFT = re.compile(r"\s+([,.;:!?%)\]]|''|'s\b|n't\b)")
_RIGHT = re.compile(r"(``|[(\[])\s+")
_DASHED = re.compile(r"(?<=\w) - (?=\w)")


@dataclass(frozen=True)
class Passage:
    """A text that sentences are verified against; passages of one ``group`` stay in one half."""

    text: str
    language: str
    group: str
    title: str = ""

    @property
    def held_back(self) -> bool:
        """Whether its article is in the half that nobody looked at while tuning."""
        return crc32(self.group.encode()) % 2 == 1


def make_evidence(passage: Passage, name: str = "S1") -> Evidence:
    """Evidence with one block a paragraph, headings and lists as their marks say."""
    blocks = tuple(_blocks(passage.text))
    size = len(passage.text)
    chunk = Chunk(
        id=f"chk_{name}", source_id=f"src_{name}", position=0, start=0, end=size,
        text=passage.text, content=passage.text, tokens=size // 4, language=passage.language,
        blocks=blocks,
    )  # fmt: skip
    source = Source(
        id=f"src_{name}", path=passage.group, content_hash="", title=passage.title, type="txt",
        language=passage.language, size=size, modified=_WHEN, ingested=_WHEN,
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


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def untokenised(text: str) -> str:
    """A text whose words and marks were set apart by blanks, as people write it."""
    joined = _RIGHT.sub(r"\1", _LEFT.sub(r"\1", text))
    return _DASHED.sub("-", joined).replace("``", '"').replace("''", '"')


def sentences(text: str) -> list[str]:
    """Whole sentences of five to sixty words; cut at full stops before a capital, no cleverer."""
    parts = re.split(r"(?<=[a-z\d)\"%][.!?])\s+(?=[A-Z\"'])|\n+", text)
    found = [re.sub(r"^[*•#-]+\s+", "", part).strip() for part in parts]
    return [one for one in found if 5 <= len(one.split()) <= 60 and one[-1] in '.!"']
