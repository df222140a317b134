"""Texts of data sets as evidence, and their sentences, for the measurements of the verifier."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from zlib import crc32

from bench.plain_texts import read_barred_table
from foundry.records import Block, Chunk, Evidence, Focus, Hit, Source
from foundry.text.periods import find_periods
from foundry.text.tables import split_caption

_LEFT = re.compile(r"\s+([,.;:!?%)\]]|''|'s\b|n't\b)")
_RIGHT = re.compile(r"(``|[(\[])\s+")
_DASHED = re.compile(r"(?<=\w) - (?=\w)")
# Lines with bars, or one line.
_LINES = re.compile(
    r"(?P<rows>\S[^\n]*\|[^\n]*(?:\n[^\n]*\|[^\n]*\S)+|[^\s|][^\n]*\|[^\n]*\|[^\n]*)|\S[^\n]*"
)
_LINES_ABOVE = 8
"""Before a table, that may say its unit, title and columns; a guess. Those of the table before count
if there are none."""

_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Passage:
    """A text that sentences are verified against; passages of one ``group`` stay in one half."""

    text: str
    language: str
    group: str
    title: str = ""

    @property
    def held_back(self) -> bool:
        """Whether its article is in the half that was not used for tuning."""
        return crc32(self.group.encode()) % 2 == 1


def make_evidence(passage: Passage, name: str = "S1") -> Evidence:
    """A passage as evidence."""
    return as_evidence(
        passage.text, passage.language, name, path=passage.group, title=passage.title
    )


def detokenise(text: str) -> str:
    """Tokenised text as people write it: no blanks before punctuation."""
    joined = _RIGHT.sub(r"\1", _LEFT.sub(r"\1", text))
    return _DASHED.sub("-", joined).replace("``", '"').replace("''", '"')


def sentences(text: str) -> list[str]:
    """Whole sentences of five to sixty words, split at full stops before a capital."""
    parts = re.split(r"(?<=[a-z\d)\"%][.!?])\s+(?=[A-Z\"'])|\n+", text)
    parts = [re.sub(r"^[*•#-]+\s+", "", part).strip() for part in parts]
    return [text for text in parts if 5 <= len(text.split()) <= 60 and text[-1] in '.!"']


def as_evidence(
    text: str, language: str, name: str = "S1", *, path: str = "", title: str = ""
) -> Evidence:
    """A plain text as evidence: its lines are headings, list items, paragraphs and rows of tables."""
    size = len(text)
    chunk = Chunk(
        id=f"chk_{name}", source_id=f"src_{name}", position=0, start=0, end=size,
        text=text, content=text, tokens=size // 4, language=language, blocks=tuple(_split(text)),
    )  # fmt: skip
    source = Source(
        id=f"src_{name}", path=path, content_hash="", title=title, type="txt",
        language=language, size=size, modified=_EPOCH, ingested=_EPOCH,
    )  # fmt: skip
    return Evidence(name, Hit(chunk, source, Focus(0, size), 0.8, 0.03))


def _split(text: str) -> Iterator[Block]:
    path: tuple[str, ...] = ()
    above: list[str] = []
    named: list[str] = []
    for match in _LINES.finditer(text):
        words = match[0].lstrip("#*-• ")
        start = match.end() - len(words)
        if not words:
            continue
        if match["rows"]:
            if not any(find_periods(line) for line in above):
                above = [*named, *above]
            named = above[-_LINES_ABOVE:]
            table = read_barred_table(match[0], match.start(), named)
            if table is not None:
                title, unit = split_caption(named, (), (table.corner,))
                table = replace(table, title=title, unit=unit)
            yield Block("table", match.start(), match.end(), path, table=table)
            above = [*named, *match[0].splitlines()] if table is None else []
            continue
        above.append(words)
        if match[0].startswith("#"):
            path = (words,)
            yield Block("heading", start, match.end(), path, 1)
        else:
            is_item = match[0].startswith(("* ", "- ", "• "))
            yield Block("list_item" if is_item else "paragraph", start, match.end(), path)
