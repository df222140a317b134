"""Are tables of every structure read as drawn, and is what may be wrong in doubt?

``tables_drawn`` draws them. A cell counts as right with all its labels; one that is not is wrong without
doubt if nothing marks it. A stored cell of no drawn one, such as a unit taken for a row, is foreign.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bench.cell_labels import GoldTable, LabelledCell, Match, ReadTable, label_words, match_page
from bench.reading_scores import describe_document
from bench.tables import write_head, write_row
from bench.tables_drawn import KINDS, draw_file
from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.records import Document, TableCell

_MARK = re.compile("(?<=.)(?:[*†‡¹²³⁴-⁹]| ?[ᵃ-ᵛᶜᶠᶻ])+$")
"""A mark behind a value that no one takes for a digit of it. The drawn value is without it."""
_FIRST = {"dev": 0, "held": 6000}
"""The first seed of each half; that of the half left out was never looked at."""


def measure(*, only: str = "", verbose: bool = False, files: int = 40) -> Iterator[str]:
    """The figures of each structure, and of all."""
    total: Counter[str] = Counter()
    yield from write_head(
        "structure", "half", "cells", "right", "missing", "wrong without doubt",
        "foreign without doubt", "right but in doubt", "titles", "units",
    )  # fmt: skip
    for half in ("dev", "held") if not only else (only,):
        for kind in KINDS:
            counts, faults = _measure_kind(kind, half, files)
            yield _show(kind, half, counts)
            total += counts
            if verbose:
                yield from (f"<!-- {fault} -->" for fault in faults)
        yield _show("**all**", half, total)
        total.clear()


def _show(kind: str, half: str, counts: Counter[str]) -> str:
    cells = max(counts["cells"], 1)
    names = ("right", "missing", "wrong", "foreign", "doubted")
    shares = (f"{counts[name] / cells:.3f}" for name in names)
    titles = f"{counts['titles']}/{counts['titled']}"
    return write_row(
        kind, half, counts["cells"], *shares, titles, f"{counts['units']}/{counts['united']}"
    )


def _measure_kind(kind: str, half: str, files: int) -> tuple[Counter[str], list[str]]:
    counts: Counter[str] = Counter()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(_FIRST[half], _FIRST[half] + files):
            path, gold = draw_file(kind, seed, Path(folder), held=half == "held")
            document = read(path, ReadOptions(name=path.name))
            counts += score(document, gold, f"{kind} {seed}", faults)
    return counts, faults


def score(
    document: Document, gold: Sequence[GoldTable], name: str, faults: list[str]
) -> Counter[str]:
    """Count what a document has of drawn tables."""
    counts: Counter[str] = Counter()
    tables = [_strip_marks(table) for table in describe_document(document).tables]
    sure = _list_sure(document, tables)
    pages: dict[int, list[GoldTable]] = defaultdict(list)
    for table in gold:
        pages[table.page].append(table)
    used: set[int] = set()
    for drawn in pages.values():
        for table, matches, _ in match_page(drawn, tables):
            used |= {id(match.read) for match in matches if match.read}
            counts += _count(matches, sure, name, faults)
            counts += _count_names(table, matches, document, name, faults)
    stored = [cell for table in tables for cell in table.cells]
    foreign = [cell for cell in stored if id(cell) not in used and id(cell) in sure]
    counts["foreign"] = len(foreign)
    faults += [f"{name}: FOREIGN {cell}" for cell in foreign]
    return counts


def _strip_marks(table: ReadTable) -> ReadTable:
    cells = (replace(cell, value=_MARK.sub("", cell.value)) for cell in table.cells)
    return replace(table, cells=tuple(cells))


def _list_sure(document: Document, tables: Sequence[ReadTable]) -> set[int]:
    """The cells that nothing puts in doubt, by their ``id``."""
    records = [block.table for block in document.blocks if block.kind == "table"]
    return {
        id(cell)
        for table, record in zip(tables, records, strict=True)
        if record
        for cell, own in zip(table.cells, record.cells, strict=True)
        if own.certain
    }


def _count(matches: Sequence[Match], sure: set[int], name: str, faults: list[str]) -> Counter[str]:
    counts = Counter(cells=len(matches))
    for match in matches:
        if match.read is None:
            counts["missing"] += 1
        elif match.right:
            counts["right"] += 1
            counts["doubted"] += id(match.read) not in sure
        else:
            counts["wrong"] += id(match.read) in sure
        if not match.right:
            faults.append(f"{name}: {match.gold} READ AS {match.read} {match.wrong}")
    return counts


def _count_names(
    gold: GoldTable, matches: Sequence[Match], document: Document, name: str, faults: list[str]
) -> Counter[str]:
    """Count whether the title and unit are those of the table that has most of the cells."""
    near = Counter(
        number
        for number, block in enumerate(document.blocks)
        if block.table and block.page in {gold.page, None}
        for match in matches
        if match.read and _has(block.table.cells, match.read)
    )
    found = document.blocks[near.most_common(1)[0][0]].table if near else None
    counts = Counter(titled=bool(gold.title), united=bool(gold.unit))
    for key, wanted, said in (
        ("titles", gold.title, found and found.title),
        ("units", gold.unit, found and found.unit),
    ):
        words, read_words = label_words(wanted), label_words(said or "")
        # "in mV" is the unit of "All values in mV".
        whole = key == "units" and words[-1:] == read_words[-1:] and set(read_words) <= set(words)
        right = bool(wanted) and (whole or set(words) <= set(read_words))
        counts[key] += right
        if wanted and not right:
            faults.append(f"{name}: {key.upper()} {wanted!r} READ AS {said!r}")
    return counts


def _has(cells: Sequence[TableCell], cell: LabelledCell) -> bool:
    return any(
        (one.row, one.column, _MARK.sub("", one.value)) == (cell.row, cell.column, cell.value)
        for one in cells
    )
