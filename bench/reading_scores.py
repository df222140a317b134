"""What a person read in a file, what a reader stores of it, and how the two agree."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

from bench.cell_labels import (
    GoldTable,
    LabelledCell,
    Match,
    ReadTable,
    Scores,
    label_words,
    match_page,
)
from foundry.records import Block, Document

_DATES = ("%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%Y-%m-%d", "%m/%d/%Y", "%d/%m/%Y")


@dataclass
class Gold:
    """What a person wrote down about one file."""

    file: str
    tables: list[GoldTable] = field(default_factory=list)
    sentences: list[tuple[int, str]] = field(default_factory=list)
    document: dict[str, Any] | None = None

    @property
    def kind(self) -> str:
        if self.file.startswith("filings/"):
            return "filing"
        small = not self.file.endswith(".pdf") or "/odf/" in self.file
        return "fixture" if small else "form"

    @property
    def pages(self) -> list[int]:
        headings = (self.document or {}).get("headings", ())
        numbers = {table.page for table in self.tables} | {page for page, _ in self.sentences}
        return sorted(numbers | {page for page, _ in headings})


@dataclass
class ReadFile:
    """What one reader gives of a file; a passage is a page and a text kept whole."""

    tables: Sequence[ReadTable] = ()
    passages: Sequence[tuple[int, str]] = ()
    headings: Sequence[tuple[int, str]] = ()
    title: str = ""
    date: str | None = None
    pages: int = 1
    seconds: float = 0.0


def read_gold(folder: Path, only: str = "") -> list[Gold]:
    """Read ``tables.jsonl``, ``prose.jsonl`` and ``documents.jsonl`` of a folder, by file."""
    by_file: dict[str, Gold] = {}

    def lines(name: str) -> Iterator[tuple[dict[str, Any], Gold]]:
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield row, by_file.setdefault(row["file"], Gold(row["file"]))

    for row, gold in lines("tables.jsonl"):
        cells = tuple(
            LabelledCell(tuple(cell["row"]), tuple(cell["column"]), cell["value"])
            for cell in row["cells"]
        )
        table = GoldTable(cells, row["page"], row["title"], row["unit"], row["file"])
        gold.tables.append(table)
    for row, gold in lines("prose.jsonl"):
        gold.sentences.append((row["page"], row["sentence"]))
    for row, gold in lines("documents.jsonl"):
        gold.document = row
    return [gold for gold in by_file.values() if only in {"", half_of(gold.file)}]


def half_of(file: str) -> str:
    """Return "dev" or "held", from the name of the file without its folders."""
    digest = hashlib.sha256(Path(file).name.encode()).digest()
    return "dev" if digest[0] % 2 else "held"


def describe_document(document: Document) -> ReadFile:
    """Return the tables, passages and headings of a document; without pages all is page 1."""
    tables: list[ReadTable] = []
    passages: list[tuple[int, str]] = []
    headings: list[tuple[int, str]] = []
    for block in document.blocks:
        page, text = block.page or 1, document.text[block.start : block.end]
        if block.kind == "heading":
            headings.append((page, text))
        passages.append((page, text))
        if block.kind == "table":
            heading = block.heading_path[-1] if block.heading_path else ""
            tables.append(_get_table(block, page, heading))
    day = document.revision_date
    return ReadFile(tables, passages, headings, document.title, day, document.pages or 1)


def _get_table(block: Block, page: int, heading: str) -> ReadTable:
    table = block.table
    if table is None:
        return ReadTable((), page, heading=heading)
    cells = tuple(LabelledCell(cell.row, cell.column, cell.value) for cell in table.cells)
    return ReadTable(cells, page, table.title or "", heading)


@dataclass
class DocumentScores:
    sentences: int = 0
    whole: int = 0
    titles: int = 0
    titles_right: int = 0
    dates: int = 0
    dates_right: int = 0
    headings: int = 0
    headings_read: int = 0
    headings_right: int = 0

    def add(self, other: DocumentScores) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass
class FileScores:
    gold: Gold
    cells: Scores
    document: DocumentScores
    faults: list[str]


def score_file(gold: Gold, found: ReadFile) -> FileScores:
    """Score what a reader gave of a file; ``faults`` says in words what is missing or wrong."""
    cells, faults = Scores(), []
    by_page: dict[int, list[GoldTable]] = defaultdict(list)
    for table in gold.tables:
        by_page[table.page].append(table)
    for page, tables in by_page.items():
        for table, matches, scores in match_page(tables, found.tables):
            cells.add(scores)
            name = f"{Path(gold.file).name}:{page}: {table.title[:40]!r}"
            faults.append(
                f"{name}: {scores.right:.0f} of {scores.cells:.0f}, wrong {scores.wrong:.0f}"
            )
            faults += [f"{name}: {_explain(match)}" for match in matches if not match.right]
    document = _score_document(gold, found, faults)
    return FileScores(gold, cells, document, faults)


def _explain(match: Match) -> str:
    said = f"{' > '.join(match.gold.row)} | {' > '.join(match.gold.column)} = {match.gold.value}"
    if match.read is None:
        return f"MISSING {said}"
    read_as = f"{' > '.join(match.read.row)} | {' > '.join(match.read.column)}"
    fault = f"WRONG ({', '.join(match.wrong)})" if match.wrong else "FEWER"
    return f"{fault} {said}, read as {read_as}"


def _score_document(gold: Gold, found: ReadFile, faults: list[str]) -> DocumentScores:
    scores = DocumentScores(sentences=len(gold.sentences))
    name = Path(gold.file).name
    for page, sentence in gold.sentences:
        near = (text for at, text in found.passages if at in {page - 1, page})
        if any(plain(sentence) in plain(text) for text in near):
            scores.whole += 1
        else:
            faults.append(f"{name}:{page}: NOT WHOLE {sentence[:90]}")
    if gold.document is None:
        return scores
    scores.titles = scores.dates = 1
    wanted, day = gold.document["title"], gold.document["date"]
    scores.titles_right = int(is_title(wanted, found.title))
    scores.dates_right = int(read_date(day) == read_date(found.date))
    if not scores.titles_right:
        faults.append(f"{name}: TITLE {found.title!r} for {wanted!r}")
    if not scores.dates_right:
        faults.append(f"{name}: DATE {found.date!r} for {day!r}")
    wanted_headings = [(page, label_words(text)) for page, text in gold.document["headings"]]
    pages = {page for page, _ in wanted_headings} or set(gold.pages)
    read_headings = [
        (page, label_words(text))
        for page, text in found.headings
        if page in pages and label_words(text) != label_words(found.title)
    ]
    right = [heading for heading in wanted_headings if heading in read_headings]
    scores.headings, scores.headings_read = len(wanted_headings), len(read_headings)
    scores.headings_right = len(right)
    faults += [
        f"{name}:{page}: HEADING MISSED {' '.join(text)}"
        for page, text in wanted_headings
        if (page, text) not in read_headings
    ]
    faults += [
        f"{name}:{page}: HEADING INVENTED {' '.join(text)}"
        for page, text in read_headings
        if (page, text) not in wanted_headings
    ]
    return scores


def plain(text: str) -> str:
    """Return a text with single spaces and plain quotes, dashes and ligatures."""
    text = unicodedata.normalize("NFKC", text)
    text = re.sub("[‘’]", "'", re.sub("[“”]", '"', text))
    return " ".join(re.sub("[\u2010-\u2015\u2212]", "-", text).split())


def is_title(wanted: str, said: str) -> bool:
    """Whether a title names the document: it has the first two words of the person's title.

    At least four in five of its words must be in the person's title, which may say more than the
    page does: "Intel Corporation Form 10-Q: Quarterly report for …".
    """
    words, whole = label_words(said), label_words(wanted)
    shared = set(words) & set(whole)
    return set(whole[:2]) <= shared and len(shared) >= 0.8 * len(set(words))


def read_date(text: str | None) -> date | str | None:
    """Return a printed date as a date; what is not understood, as it is."""
    for form in _DATES if text else ():
        try:
            return datetime.strptime(str(text), form).date()  # noqa: DTZ007  a day has no zone
        except ValueError:
            continue
    return text
