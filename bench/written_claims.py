"""Sentences as models write them, with the errors that models make, and the passages they cite.

``DIR/written/claims.jsonl`` has the sentences, half of them false, and ``passages.jsonl`` what they
cite. A passage knows what its chunk knew: title, file, headings and the names on the first page; its
tables are read from bars.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.evidence import Passage, make_evidence
from bench.tables import Row, read_rows
from bench.written import find_group
from foundry.readers.front.document_names import find_document_names
from foundry.records import DocumentName, Evidence


@dataclass(frozen=True)
class WrittenClaim:
    """``group`` is that of the cited passage's document; the cited passage comes first."""

    id: str
    text: str
    language: str
    kind: str
    label: bool
    group: str
    path: str
    evidence: tuple[Evidence, ...]

    @property
    def crosses(self) -> bool:
        """Whether a passage is in another language."""
        known = {self.language, "und"}
        return any(item.hit.chunk.language not in known for item in self.evidence)


def read_written_claims(data: Path) -> list[WrittenClaim]:
    """The labelled sentences with their passages as evidence; each passage is built once."""
    folder = data / "written"
    rows = read_rows(folder / "passages.jsonl")
    names = _find_names(rows)
    passages = {row["id"]: _make_passage(row, names.get(row["file"], ())) for row in rows}
    return [
        WrittenClaim(
            row["id"], row["sentence"], row["language"], row["kind"], row["supported"],
            find_group(passages[row["cited"]].hit.source.path),
            passages[row["cited"]].hit.source.path,
            tuple(passages[one] for one in row["passages"]),
        )
        for row in read_rows(folder / "claims.jsonl")
    ]  # fmt: skip


def read_passages(data: Path) -> list[Evidence]:
    """The passages alone, as evidence."""
    rows = read_rows(data / "written/passages.jsonl")
    names = _find_names(rows)
    return [_make_passage(row, names.get(row["file"], ())) for row in rows]


def _find_names(rows: Sequence[Row]) -> dict[str, tuple[DocumentName, ...]]:
    """The names on each document's first page, where a passage has it."""
    found: dict[str, tuple[DocumentName, ...]] = {}
    for row in rows:
        pages, path = row["pages"], str(row["file"])
        if isinstance(pages, list) and 1 in pages and path not in found:
            chunk = _make_passage(row, ()).hit.chunk
            found[path] = find_document_names(chunk.text, chunk.blocks, str(row["title"]))
    return found


def _make_passage(row: Row, names: tuple[DocumentName, ...]) -> Evidence:
    path, headings = str(row["file"]), row["headings"]
    passage = Passage(str(row["text"]), str(row["language"]), path, str(row["title"]))
    evidence = make_evidence(passage, str(row["id"]))
    known = tuple(map(str, headings)) if isinstance(headings, list) else ()
    chunk = replace(evidence.hit.chunk, heading_path=known)
    source = replace(evidence.hit.source, names=names)
    return replace(evidence, hit=replace(evidence.hit, chunk=chunk, source=source))
