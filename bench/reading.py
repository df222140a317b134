"""What the readers store of real pages, against what a person read there.

Cells with their labels (``cell_labels`` says when two are the same), sentences found whole inside
one block, titles, dates and headings of documents. Filings and forms count twice, the small DOCX,
HTML and ODF fixtures once. ``--only dev`` or ``held`` takes half of the files by a hash of their names.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.cell_labels import Scores
from bench.reading_scores import (
    DocumentScores,
    FileScores,
    ReadFile,
    describe_document,
    half_of,
    read_gold,
    score_file,
)
from bench.tables import write_head, write_row
from foundry.ports import ReadOptions
from foundry.readers import read

WEIGHTS = {"filing": 2.0, "form": 2.0, "fixture": 1.0}


def measure(data: Path, *, only: str = "", verbose: bool = False) -> Iterator[str]:
    """The tables of cells, files and documents of ``DIR/tables`` and the files that it names."""
    golds = read_gold(data / "tables", only)
    seen = [_read(data / gold.file) for gold in golds]
    scored = [score_file(gold, found) for gold, found in zip(golds, seen, strict=True)]
    yield from _show_cells(scored)
    yield ""
    yield from _show_files(scored)
    yield ""
    yield from _show_document(scored)
    pages, seconds = sum(found.pages for found in seen), sum(found.seconds for found in seen)
    yield ""
    yield f"{pages} pages in {seconds:.1f} s: {pages / seconds:.0f} a CPU second."
    if verbose:
        yield ""
        yield from (f"- {fault}" for file in scored for fault in file.faults)


def _read(path: Path) -> ReadFile:
    started = time.process_time()
    document = read(path, ReadOptions(name=path.name))
    seconds = time.process_time() - started
    found = describe_document(document)
    found.seconds = seconds
    return found


def _show_cells(scored: Sequence[FileScores]) -> Iterator[str]:
    """A line for each kind of file, and one for all with the weights."""
    kinds: dict[str, Scores] = defaultdict(Scores)
    total = Scores()
    for file in scored:
        kinds[file.gold.kind].add(file.cells)
        total.add(file.cells, WEIGHTS[file.gold.kind])
    yield from write_head(
        "part", "cells", "found", "row right", "column right", "wrong label", "precision",
        "recall", "F1",
    )  # fmt: skip
    for kind, scores in {**kinds, "**all, weighted**": total}.items():
        found = max(scores.found, 1)
        shares = (
            scores.found / max(scores.cells, 1), scores.rows / found, scores.columns / found,
            scores.wrong_share, scores.precision, scores.recall, scores.f1,
        )  # fmt: skip
        yield write_row(kind, f"{scores.cells:.0f}", *(f"{share:.3f}" for share in shares))


def _show_files(scored: Sequence[FileScores]) -> Iterator[str]:
    yield from write_head(
        "file", "half", "cells", "found", "right", "wrong", "F1", "sentences", "headings P / R"
    )
    for file in scored:
        cells, said, name = file.cells, file.document, file.gold.file
        counts = (f"{one:.0f}" for one in (cells.cells, cells.found, cells.right, cells.wrong))
        sentences, right = f"{said.whole}/{said.sentences}", said.headings_right
        headings = f"{right}/{said.headings_read} / {right}/{said.headings}"
        yield write_row(
            Path(name).name, half_of(name), *counts, f"{cells.f1:.2f}", sentences, headings
        )


def _show_document(scored: Sequence[FileScores]) -> Iterator[str]:
    yield from write_head(
        "sentences whole", "titles", "dates", "headings precision", "headings recall"
    )
    total = DocumentScores()
    for file in scored:
        total.add(file.document)
    precision = total.headings_right / max(total.headings_read, 1)
    recall = total.headings_right / max(total.headings, 1)
    counts = (
        f"{total.whole}/{total.sentences}", f"{total.titles_right}/{total.titles}",
        f"{total.dates_right}/{total.dates}",
    )  # fmt: skip
    yield write_row(*counts, f"{precision:.2f}", f"{recall:.2f}")
