"""Tables of contents: lines that end in page numbers, in the order of the pages.

They are kept in the document's text, as parts of kind "contents", but are no evidence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.readers.pdf.blocks import PageBlock
from foundry.readers.pdf.lines import Row, surround

_NUMBER = re.compile(r"(?:[A-Z]-)?(\d{1,4})|[ivxl]{1,6}")
_LED = re.compile(r"(?:\.\s?){4,}\s*(\d{1,4}|[ivxl]{1,6})$")
_BARE = re.compile(r"[^\W\d_]{2}.*\s(\d{1,4})$")
_TITLE = re.compile(
    rf"\W*{build_alternation(load_shared_lexicon().headings.contents)}\W*", re.IGNORECASE
)
_MIN_ENTRIES = 3
_MIN_BARE = 6
"""Fewest entries without leaders or a title: fewer may be a table of counts. A guess."""
_APART = 4
"""Most rows between two entries: wrapped titles, headings of parts. A guess."""


def find_contents(rows: Sequence[Row], page: int) -> tuple[list[Row], PageBlock | None]:
    """Return the rows that are no table of contents, and the block of those that are."""
    head = next((i for i, row in enumerate(rows) if _TITLE.fullmatch(row.text)), len(rows))
    entries = {
        i: n for i, row in enumerate(rows) if (n := _read_entry(row, titled=i > head)) is not None
    }
    runs: list[list[int]] = []
    for index in entries:
        if runs and index - runs[-1][-1] <= _APART:
            runs[-1].append(index)
        else:
            runs.append([index])
    longest = max(runs, key=len, default=[])
    titled = any(_TITLE.fullmatch(row.text) for row in rows[: longest[0] if longest else 0][-4:])
    led = sum(rows[i].led or bool(_LED.search(rows[i].text)) for i in longest)
    enough = _MIN_ENTRIES if titled or 2 * led > len(longest) else _MIN_BARE
    numbers = [entries[index] for index in longest]
    rising = sum(low <= high for low, high in pairwise(numbers)) >= 0.9 * (len(numbers) - 1)
    if len(longest) < enough or not rising or not (titled or led or numbers[-1] > page):
        return list(rows), None
    first, end = longest[0], longest[-1] + 1
    chosen = rows[first:end]
    if len(longest) < 0.5 * len(chosen) or (
        enough == _MIN_BARE and any(len(rows[i].segments) != 2 for i in longest)
    ):
        return list(rows), None
    block = PageBlock(
        "contents",
        "\n".join(row.text for row in chosen),
        page,
        surround([row.box for row in chosen]),
        chosen[0].size,
    )
    return [*rows[:first], *rows[end:]], block


def _read_entry(row: Row, *, titled: bool) -> int | None:
    """Return the page number at the end of a row with a title in front of it, 0 if it is Roman."""
    bare = _BARE.search(row.text) if titled else None
    if bare:
        return int(bare[1])
    led = _LED.search(row.text)
    if led:
        return int(led[1]) if led[1].isdigit() else 0
    if len(row.segments) < 2:
        return None
    match = _NUMBER.fullmatch(row.segments[-1].text)
    title = "".join(segment.text for segment in row.segments[:-1])
    if not match or sum(char.isalpha() for char in title) < 3:
        return None
    return int(match[1]) if match[1] else 0
