"""Rows that are not prose: running headers and footers, tables of contents, and code.

A line is running if only running lines are outside of it, if it is set apart from the text, and if
at least three pages close to each other have the same words (apart from the page number) in its
place. Lines of tables stay, however alike they are, and so does what a page says once. A table of
contents, lines that end in page numbers, is no evidence. Code is what is set apart in letters of one
width, in a document that is printed in others, and is written with signs that prose has no use for;
its lines stay as they are printed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from foundry.analysis import fold
from foundry.analysis.lexer import LETTERS, LETTERS_AND_DIGITS
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.readers.pdf.blocks import PageBlock, find_pitch
from foundry.readers.pdf.lines import Row, Segment, surround
from foundry.readers.pdf.tables.cells import PageTable
from foundry.readers.pdf.tables.columns import has_values

# Lines on two pages may be alike by chance; on three they are a pattern. The others are guesses.
_MIN_PAGES = 3
REACH = 2
"""Pages between two running lines: left and right pages may differ."""
_DRIFT = 4.0
"""Points by which the place of a running line may differ between pages."""
_OUTERMOST = 3
"""Lines at each edge that may be running."""
_CLEAR = 0.9
"""Smallest gap between a running line and the text, as a share of the line's height."""
_LEAST = 6
"""Fewest characters by which a part of a line is recognised."""
_WORDS = load_shared_lexicon().documents
_OF = build_alternation(_WORDS.page_of)
_WORDED_NUMBER = re.compile(
    rf"\W*{build_alternation(_WORDS.page_labels)}\.?\s*(\w+)(?:\s*(?:{_OF}|/)\s*\w+)?\W*|"
    rf"\W*(\d+)\s*(?:{_OF}|/)\s*\d+\W*",
    re.IGNORECASE,
)


@dataclass(slots=True)
class PageRows:
    """The rows of a page from top to bottom; ``label`` is its printed number, if the file has it."""

    number: int
    rows: list[Row]
    label: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _EdgeLine:
    """A line near an edge: ``depth`` lines from it, ``gap`` points from the next line inwards.

    ``keys`` are its words with # for the page number; ``cell_keys`` are those of its segments.
    """

    page: int
    row: Row
    top: bool
    depth: int
    gap: float
    keys: frozenset[str]
    cell_keys: tuple[frozenset[str], ...]
    numbered: bool


@dataclass(slots=True)
class RunningLines:
    """Removes running lines from the pages of one document, some pages at a time."""

    offsets: Counter[int] = field(default_factory=Counter)
    """Printed page numbers minus page indexes, as far as lines consist of a number."""

    def remove(self, pages: Sequence[PageRows], chosen: range) -> None:
        """Remove the running lines from the ``chosen`` pages; the others are their neighbours."""
        for page in pages:
            if page.number in chosen:
                self._count_offsets(page)
        offset = self._find_offset()
        lines = [line for page in pages for line in _find_edge_lines(page, offset)]
        running: dict[int, dict[int, list[Segment]]] = defaultdict(dict)
        for line, segments in _find_running(lines):
            running[line.page][id(line.row)] = segments
        for page in pages:
            if page.number in chosen:
                _cut_page(page, running[page.number])

    def _count_offsets(self, page: PageRows) -> None:
        for row in [*page.rows[:_OUTERMOST], *page.rows[-_OUTERMOST:]]:
            number = row.text.strip(" -–—|")
            if number.isascii() and number.isdigit() and len(number) <= 5:
                self.offsets[int(number) - page.number] += 1

    def _find_offset(self) -> int | None:
        if not self.offsets:
            return None
        offset, count = self.offsets.most_common(1)[0]
        return offset if count >= _MIN_PAGES else None


def _find_edge_lines(page: PageRows, offset: int | None) -> list[_EdgeLine]:
    numbers = {str(page.number)}
    if page.label:
        numbers.add(page.label.casefold())
    if offset is not None:
        numbers.add(str(page.number + offset))
    lines = []
    half = (len(page.rows) + 1) // 2
    for top in (True, False):
        inwards = page.rows if top else page.rows[::-1]
        for depth, row in enumerate(inwards[: min(_OUTERMOST, half)]):
            after = inwards[depth + 1] if depth + 1 < len(inwards) else None
            lines.append(_build_edge_line(page.number, row, after, numbers, top=top, depth=depth))
    return lines


def _build_edge_line(
    page: int, row: Row, after: Row | None, numbers: set[str], *, top: bool, depth: int
) -> _EdgeLine:
    tokens = LETTERS_AND_DIGITS.findall(row.text.casefold())
    numbered = bool(tokens) and (tokens[0] in numbers or tokens[-1] in numbers)
    worded = _WORDED_NUMBER.fullmatch(row.text)
    if worded and (worded[1] or worded[2]).casefold() in numbers:
        numbered = True
    keys = _build_keys(tokens, numbers)
    cells = [keys]
    if len(row.segments) > 1:
        texts = (segment.text.casefold() for segment in row.segments)
        cells = [_build_keys(LETTERS_AND_DIGITS.findall(text), numbers) for text in texts]
    cell_keys = tuple(
        frozenset([key for key in cell if len(key) >= _LEAST or key == "#"]) for cell in cells
    )
    gap = float("inf")
    if after and not _are_cells(row, after):
        gap = after.top - row.bottom if top else row.top - after.bottom
    elif after:
        gap = 0.0
    return _EdgeLine(page, row, top, depth, gap, keys, cell_keys, numbered)


def _are_cells(row: Row, after: Row) -> bool:
    """Whether two lines are rows of one table: two or more of their cells line up."""
    if min(len(row.segments), len(after.segments)) < 2:
        return False
    edges = [s.x0 for s in after.segments] + [s.x1 for s in after.segments]
    hits = sum(any(abs(x - e) < 1 for e in edges for x in (s.x0, s.x1)) for s in row.segments)
    return hits >= 2


def _build_keys(tokens: list[str], numbers: set[str]) -> frozenset[str]:
    numbered = " ".join(["#" if token in numbers else token for token in tokens])
    return frozenset((numbered, " ".join(tokens)))


def _find_running(lines: list[_EdgeLine]) -> list[tuple[_EdgeLine, list[Segment]]]:
    """Return the running lines, each with the segments of it to remove."""
    same: dict[tuple[bool, str], list[_EdgeLine]] = defaultdict(list)
    for line in lines:
        for key in line.keys.union(*line.cell_keys):
            if key:
                same[line.top, key].append(line)
    repeated: dict[int, set[str]] = defaultdict(set)
    for (_, key), group in same.items():
        for line_id in _find_repeated(group):
            repeated[line_id].add(key)
    # A header with the chapter's title changes, but has the page number in the same place.
    numbered = [line for line in lines if line.numbered]
    sure = {id(line) for line in numbered if _WORDED_NUMBER.fullmatch(line.row.text)}
    for line_id in _find_repeated(numbered) | sure:
        repeated[line_id].add("")
    # The number of the page alone at its foot needs no other page.
    for line in numbered:
        if line.depth == 0 and not line.top and line.gap > 2 * line.row.size and "#" in line.keys:
            repeated[id(line)].add("")
    outermost = _select_outermost([line for line in lines if id(line) in repeated])
    return [(line, _list_segments(line, repeated[id(line)])) for line in outermost]


def _list_segments(line: _EdgeLine, repeated: set[str]) -> list[Segment]:
    segments = line.row.segments
    if line.keys & repeated or "" in repeated:
        return segments
    # A title beside a running name appears once, and stays.
    both = zip(segments, line.cell_keys, strict=True)
    return [segment for segment, keys in both if keys & repeated]


def _select_outermost(lines: list[_EdgeLine]) -> list[_EdgeLine]:
    """Keep the lines with only running lines outside of them, and a clear gap to the text."""
    sides: dict[tuple[int, bool], dict[int, _EdgeLine]] = defaultdict(dict)
    for line in lines:
        sides[line.page, line.top][line.depth] = line
    outermost = []
    for side in sides.values():
        chain: list[_EdgeLine] = []
        while len(chain) in side:
            chain.append(side[len(chain)])
        # Paragraphs may start alike on every page, but without a gap.
        while chain and chain[-1].gap < _CLEAR * chain[-1].row.size:
            chain.pop()
        outermost += chain
    return outermost


def _find_repeated(group: Sequence[_EdgeLine]) -> set[int]:
    """Return the ids of lines with two others in their place on pages close by."""
    pages: dict[int, list[_EdgeLine]] = defaultdict(list)
    for line in group:
        pages[line.page].append(line)
    return {id(line) for line in group if _is_in_run(line, pages)}


def _is_in_run(line: _EdgeLine, pages: Mapping[int, Sequence[_EdgeLine]]) -> bool:
    # Three pages in a run are at most twice the reach apart.
    reach = range(line.page - 2 * REACH, line.page + 2 * REACH + 1)
    alike = [page for page in reach if any(_is_level(line, item) for item in pages.get(page, ()))]
    here = alike.index(line.page)
    count = 1
    for step in (1, -1):
        position = here
        while 0 <= position + step < len(alike) and (
            abs(alike[position + step] - alike[position]) <= REACH
        ):
            position += step
            count += 1
    return count >= _MIN_PAGES


def _is_level(line: _EdgeLine, other: _EdgeLine) -> bool:
    """Whether two lines have the same place: from the edge of the page, or from the other lines.

    Browsers print the last line of a page below its text, wherever that ends.
    """
    if line.top != other.top:
        return False
    if abs(other.row.base - line.row.base) <= _DRIFT:
        return True
    middles = (row.x0 + row.x1 for row in (line.row, other.row))
    left, right = middles
    return line.depth == other.depth and abs(left - right) <= _DRIFT


def _cut_page(page: PageRows, running: Mapping[int, list[Segment]]) -> None:
    rows = []
    for row in page.rows:
        removed = running.get(id(row))
        if not removed:
            rows.append(row)
            continue
        kept = [segment for segment in row.segments if segment not in removed]
        if kept:
            rows.append(Row(kept, row.led))
    # If nothing else is left, the lines are the text of the page.
    page.rows = rows or page.rows


_NUMBER = re.compile(r"(?:[A-Z]-)?(\d{1,4})|[ivxl]{1,6}")
_LED = re.compile(r"(?:\.\s?){4,}\s*(\d{1,4}|[ivxl]{1,6})$")
_BARE = re.compile(r"[^\W\d_]{2}.*\s(\d{1,4})$")
_CONTENTS = load_shared_lexicon().headings.contents
_CONTENTS_STARTS = {title.partition(" ")[0] for title in _CONTENTS}
_ROMAN = frozenset("ivxl")
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
    first = LETTERS.search(row.text)
    # A fast check first: most lines begin with another word.
    return (
        first is not None
        and fold(first[0]) in _CONTENTS_STARTS
        and fold(" ".join(LETTERS.findall(row.text))) in _CONTENTS
    )


def _read_entry(row: Row, *, titled: bool) -> int | None:
    """Return the page number at the end of a row with a title in front of it, 0 if it is Roman."""
    if not (row.text[-1:].isdecimal() or row.text[-1:] in _ROMAN):
        return None
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
