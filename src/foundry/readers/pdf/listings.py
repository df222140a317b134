"""Rows that are not prose: tables of contents, and code.

A table of contents, lines that end in page numbers, is no evidence. Code is what is set apart in
letters of one width, in a document that is printed in others, and is written with signs that prose
has no use for; its lines stay as they are printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from foundry.analysis import fold
from foundry.analysis.lexer import LETTERS
from foundry.lexicon import load_shared_lexicon
from foundry.readers.pdf.blocks import PageBlock, find_pitch
from foundry.readers.pdf.lines import Row, surround
from foundry.readers.pdf.tables.cells import PageTable
from foundry.readers.pdf.tables.columns import has_values

_NUMBER = re.compile(r"(?:[A-Z]-)?(\d{1,4})|[ivxl]{1,6}")
_LED = re.compile(r"(?:\.\s?){4,}\s*(\d{1,4}|[ivxl]{1,6})$")
_BARE = re.compile(r"[^\W\d_]{2}.*\s(\d{1,4})$")
_CONTENTS = load_shared_lexicon().headings.contents
_MIN_ENTRIES = 3
_MIN_BARE = 6
"""Fewest entries without leaders or a title: fewer may be a table of counts. A guess."""
_NEAR = 4
"""Most rows between two entries: wrapped titles, headings of parts. A guess."""


def find_contents(rows: Sequence[Row], page: int) -> tuple[list[Row], PageBlock | None]:
    """Return the rows that are no table of contents, and the block of those that are."""
    head = next((i for i, row in enumerate(rows) if _is_title(row)), len(rows))
    entries = {
        i: n for i, row in enumerate(rows) if (n := _read_entry(row, titled=i > head)) is not None
    }
    runs: list[list[int]] = []
    for index in entries:
        if runs and index - runs[-1][-1] <= _NEAR:
            runs[-1].append(index)
        else:
            runs.append([index])
    longest = max(runs, key=len, default=[])
    titled = any(_is_title(row) for row in rows[: longest[0] if longest else 0][-4:])
    led = sum(rows[i].led or bool(_LED.search(rows[i].text)) for i in longest)
    enough = _MIN_ENTRIES if titled or 2 * led > len(longest) else _MIN_BARE
    numbers = [entries[index] for index in longest]
    rising = sum(low <= high for low, high in pairwise(numbers)) >= 0.9 * (len(numbers) - 1)
    if len(longest) < enough or not rising or not (titled or led or numbers[-1] > page):
        return list(rows), None
    first, end = longest[0], longest[-1] + 1
    chosen = rows[first:end]
    if len(longest) < 0.5 * len(chosen) or (
        enough == _MIN_BARE and any(len(rows[i].segments) > 3 for i in longest)
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


def _is_title(row: Row) -> bool:
    return fold(" ".join(LETTERS.findall(row.text))) in _CONTENTS


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


_CODE = re.compile(
    r"[{}\[\]<>=;\\|]|\w\(|\w_\w|[a-z][A-Z]|\w\.[A-Za-z]|[A-Za-z_]/[A-Za-z_.]+/|^--?[A-Za-z]"
)
_CODED = 0.12
"""Share of the words of code with such signs: help texts of programs have .15. A guess."""
_APART = 1.15
"""Distance of code from the lines around it, relative to that of other lines. Manuals have 1.23."""
_INDENTED = 0.8
"""Indentation of code without a gap around it, relative to the size of print. A guess."""
_BLANK = 3.3
"""Distance of lines of code with two empty ones between them, relative to the size. A guess."""


def split_code(
    parts: Sequence[Row | PageTable], page: int
) -> list[PageBlock | list[Row | PageTable]]:
    """Return the code among the parts of a page from top to bottom, and what is between it."""
    found: list[PageBlock | list[Row | PageTable]] = []
    rest: list[Row | PageTable] = []
    start = 0
    pitch = find_pitch([part for part in parts if isinstance(part, Row)])
    while start < len(parts):
        run = _take_run(parts, start)
        end = start + max(1, len(run))
        neighbours = (parts[start - 1] if start else None, *parts[end : end + 1])
        if run and _is_code(run, neighbours, pitch):
            found += [rest, _build_code(run, page)] if rest else [_build_code(run, page)]
            rest = []
        else:
            rest += parts[start:end]
        start = end
    return [*found, rest] if rest else found


def _take_run(parts: Sequence[Row | PageTable], start: int) -> list[Row]:
    """The rows from a place on that are all in letters of one width."""
    run: list[Row] = []
    for part in parts[start:]:
        if not isinstance(part, Row) or not all(word.font.mono for word in part.words):
            break
        if run and part.base - run[-1].base > _BLANK * part.size:
            break
        run.append(part)
    return run


def _is_code(
    run: Sequence[Row], neighbours: Iterable[Row | PageTable | None], pitch: float
) -> bool:
    tokens = [token for row in run for token in row.text.split()]
    if sum(bool(_CODE.search(token)) for token in tokens) < _CODED * len(tokens):
        return False
    if 2 * sum(map(has_values, run)) > len(run):
        return False
    return all(
        _is_apart(run, edge, row, pitch)
        for row, edge in zip(neighbours, (run[0], run[-1]), strict=False)
        if isinstance(row, Row)
    )


def _is_apart(run: Sequence[Row], edge: Row, row: Row, pitch: float) -> bool:
    """Whether code, from ``edge`` on, is no part of the paragraph to which ``row`` belongs."""
    if abs(edge.base - row.base) > _APART * pitch * min(edge.size, row.size):
        return True
    return min(line.x0 for line in run) > row.x0 + _INDENTED * row.size


def _build_code(run: Sequence[Row], page: int) -> PageBlock:
    widths = [(word.x1 - word.x0) / len(word.text) for row in run for word in row.words]
    width = median(widths) or 1.0
    left = min(row.x0 for row in run)
    pitch = min([low.base - high.base for high, low in pairwise(run)], default=1.0) or 1.0
    lines = []
    for above, row in zip((None, *run), run, strict=False):
        if above:
            lines += [""] * (round((row.base - above.base) / pitch) - 1)
        lines.append(_write_line(row, left, width))
    return PageBlock(
        "code",
        "\n".join(lines),
        page,
        surround([row.box for row in run]),
        max(row.size for row in run),
        lines=len(run),
    )


def _write_line(row: Row, left: float, width: float) -> str:
    """The line with as many spaces as its words are apart."""
    line = ""
    for word in row.words:
        place = max(round((word.x0 - left) / width), len(line) + bool(line))
        line = line.ljust(place) + word.text
    # At the end of a line pdfium takes a minus for a hyphen.
    return line + "-" * row.segments[-1].broken
