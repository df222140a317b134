"""Whether quoted words are found on their pages: ``--data DIR`` with PDFs, beside the example's.

Of each file's blocks some are drawn (by seed), and of each a run of words, or a row of a table. A
quote is *placed* if rectangles were found; they are *right* if the letters and digits on the page
whose middle is inside them are those of the quote. Pages read by OCR are left out.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pypdfium2

from bench.tables import write_head, write_row
from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.readers.pages.characters import PageText, fold_letters, read_characters
from foundry.readers.pages.matching import QuotedBlock, find_quoted
from foundry.records import Block, Box, Document

EXAMPLES = Path(__file__).parents[1] / "examples"
PER_FILE = 400
SEED = 11


@dataclass
class PlacedTally:
    """What became of the quotes, by kind of block, and how long each took."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def measure(data: Path | None) -> Iterator[str]:
    files = sorted({*EXAMPLES.rglob("*.pdf"), *(data.rglob("*.pdf") if data else ())})
    tally = PlacedTally()
    for file in files:
        try:
            document = read(file, ReadOptions(file.name, ocr="off"))
        except ReadError:
            continue
        _measure_file(file, document, tally)
    yield from write_head("blocks", "quotes", "placed", "right of those placed")
    kinds = sorted({kind for kind, _ in tally.counts})
    for kind in (*kinds, "all"):
        quotes, placed, right = (
            sum(n for (k, w), n in tally.counts.items() if w == what and kind in (k, "all"))
            for what in ("quotes", "placed", "right")
        )
        yield write_row(
            kind, quotes, f"{placed / max(1, quotes):.1%}", f"{right / max(1, placed):.1%}"
        )
    seconds = sorted(tally.seconds)
    yield ""
    yield (
        f"One quote takes {1000 * seconds[len(seconds) // 2]:.0f} ms (median), "
        f"{1000 * seconds[int(0.95 * len(seconds))]:.0f} ms (p95), with reading its page."
    )
    yield from tally.faults[:20]


def _measure_file(file: Path, document: Document, tally: PlacedTally) -> None:
    rng = random.Random(f"{SEED}:{file.name}")
    blocks = [block for block in document.blocks if block.box and not block.recognition]
    with pypdfium2.PdfDocument(file) as pdf:
        for block in rng.sample(blocks, min(PER_FILE, len(blocks))):
            quote = _choose_quote(document, block, rng)
            wanted = fold_letters(quote.text[quote.start : quote.end]).text
            if not wanted:
                continue
            pages: dict[int, PageText] = {}
            started = time.perf_counter()
            found = find_quoted(quote, lambda n, p=pages: _read_page(pdf, n, p))  # type: ignore[misc]
            tally.seconds.append(time.perf_counter() - started)
            tally.counts[block.kind, "quotes"] += 1
            where = f"{file.name}, page {block.page}: {quote.text[quote.start : quote.end][:80]!r}"
            if not found:
                tally.faults.append(f"not placed: {where}")
                continue
            tally.counts[block.kind, "placed"] += 1
            shown = ""
            for number, indexes in found.items():
                shown += _read_inside(pages[number], pages[number].outline(indexes))
            if sorted(shown) == sorted(wanted):
                tally.counts[block.kind, "right"] += 1
            else:
                tally.faults.append(f"not right: {where}")


def _choose_quote(document: Document, block: Block, rng: random.Random) -> QuotedBlock:
    text = document.text[block.start : block.end]
    if block.kind == "table":
        lines = text.split("\n")
        row = rng.randrange(len(lines))
        start = sum(len(line) + 1 for line in lines[:row])
        end = start + len(lines[row])
    else:
        words = [i for i in range(len(text)) if i == 0 or text[i - 1].isspace()]
        first = rng.randrange(len(words))
        last = first + rng.randrange(1, 25)
        start, end = words[first], words[last] if last < len(words) else len(text)
    assert block.page
    assert block.box
    return QuotedBlock(text, start, end, block.page, block.box, block.kind)


def _read_page(
    pdf: pypdfium2.PdfDocument, number: int, pages: dict[int, PageText]
) -> PageText | None:
    if number not in pages and 1 <= number <= len(pdf):
        page = pdf[number - 1]
        pages[number] = read_characters(page)
        page.close()
    return pages.get(number)


def _read_inside(page: PageText, boxes: list[Box]) -> str:
    """The letters whose middle is in one of the boxes."""
    inside = {index for box in boxes for index in page.list_inside(box, 0.01)}
    return page.fold(sorted(inside)).text
