"""Decides which parts of a PDF are headings, of what level, and which is its title.

A heading stands out in this document: by size, weight or capitals, on lines of its own, with room
above it. The outline comes first, then printed numbers, then the ranks of the styles: larger
before smaller, "Part II" before "Item 3" before "Note 12" before plain words. Captions, units,
amounts and addresses are no headings, however they are printed.

Each bookmark of the outline is looked for on its page. One whose words are not there still opens its
section without a heading, because what follows is not the section above. A part that may belong to
either of two sections comes under the section that contains both.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from foundry.analysis import fold
from foundry.analysis.lexer import HEADING_NUMBER, WEB_ADDRESS, YEAR, has_digit, strip_number
from foundry.lexicon import load_shared_lexicon
from foundry.readers.pdf.blocks import PageBlock
from foundry.readers.pdf.facts import OutlineEntry
from foundry.readers.pdf.tables.columns import is_amount
from foundry.text.dates import find_dates
from foundry.text.headings import CAPTION, HeadingNumber, NumberSeries, find_heading_number
from foundry.text.tables import find_unit_words

LONGEST_HEADING = 120
"""Characters; longer parts are text. A guess: about one and a half lines."""
# Points. Guesses: programs put a bookmark at most three lines from its heading.
_NEAR = 40.0
"""Distance between the place of a bookmark and its heading."""
_LINE = 12.0
"""Error in the place of a bookmark: one line."""


@dataclass(frozen=True, slots=True)
class PdfPart:
    """A block, or a section that opens without one; ``level`` is set for headings and sections.

    A part without block and title closes the sections from ``level`` down.
    """

    block: PageBlock | None
    level: int | None = None
    title: str = ""


def place_outline(parts: list[PdfPart], outline: Sequence[OutlineEntry]) -> list[PdfPart]:
    """Mark the headings that the outline names, and add its sections without a heading."""
    entries: dict[int, list[OutlineEntry]] = defaultdict(list)
    for entry in outline:
        entries[entry.page].append(entry)
    pages: dict[int, list[PdfPart]] = defaultdict(list)
    for part in parts:
        if part.block:
            pages[part.block.page].append(part)
    return [
        part
        for page in sorted(entries.keys() | pages.keys())
        for part in _place_page_outline(pages[page], entries[page])
    ]


def _place_page_outline(parts: list[PdfPart], entries: list[OutlineEntry]) -> list[PdfPart]:
    after = 0
    waiting: list[PdfPart] = []
    for entry in entries:
        match = _find_heading(parts, entry, after)
        section = PdfPart(None, entry.level, entry.title)
        if match:
            index, heading = match
            below = [PdfPart(heading.rest)] if heading.rest else []
            head = PdfPart(heading.head, entry.level)
            parts[index : index + heading.used] = [*waiting, head, *below]
            after = index + len(waiting) + 1
            waiting = []
            continue
        index = _find_section_index(parts, entry, after)
        doubtful = _find_doubtful(parts, entry, after, index)
        if doubtful is not None:
            parts.insert(doubtful, PdfPart(None, entry.level))
            index += 1
        if entry.top is None and doubtful is not None:
            # It starts somewhere before the next heading, so it is open when that comes.
            waiting.append(section)
            after = index
        else:
            parts[index:index] = [*waiting, section]
            after, waiting = index + len(waiting) + 1, []
    return [*parts, *waiting]


def _find_doubtful(parts: list[PdfPart], entry: OutlineEntry, after: int, stop: int) -> int | None:
    """Return the first part that may belong either to the previous section or to the entry's."""
    if entry.top is None:
        return after if any(part.block for part in parts[:after]) else None
    for index in range(after, stop):
        block = parts[index].block
        if block and block.box.y0 + _LINE < entry.top < block.box.y1 - _LINE:
            return index
    return None


@dataclass(frozen=True, slots=True)
class _HeadingMatch:
    """A heading found in ``used`` parts, and the text behind it in the same part."""

    head: PageBlock
    rest: PageBlock | None = None
    used: int = 1


def _find_heading(
    parts: list[PdfPart], entry: OutlineEntry, after: int
) -> tuple[int, _HeadingMatch] | None:
    matches: list[tuple[tuple[bool, bool, float], int, _HeadingMatch]] = []
    for index in range(after, len(parts)):
        match = _match_heading(parts, index, entry)
        if match:
            distance = _compute_distance(match.head, entry)
            matches.append(((distance > _NEAR, bool(match.rest), distance), index, match))
    if not matches:
        return None
    _, index, match = min(matches, key=lambda item: item[0])
    return index, match


def _match_heading(parts: list[PdfPart], index: int, entry: OutlineEntry) -> _HeadingMatch | None:
    block = parts[index].block
    if block is None or parts[index].level or block.kind in {"code", "table"}:
        return None
    if _says(block.text, entry.title):
        return _HeadingMatch(block)
    joined = _join_next(parts, index)
    if joined and _says(joined.text, entry.title):
        return _HeadingMatch(joined, used=2)
    # Find a heading on the line of the text below it.
    number = HEADING_NUMBER.match(block.text)
    for start in (0, number.end() if number else 0):
        end = find_prefix_end(block.text[start:], entry.title)
        if end is None or len(fold_letters(entry.title)) < 3:
            continue
        # Prose may start with the same words; a heading is where the outline says.
        if start == 0 and _compute_distance(block, entry) > _NEAR:
            continue
        head = replace(block, text=block.text[: start + end].strip())
        return _HeadingMatch(head, replace(block, text=block.text[start + end :].strip()))
    return None


def _says(text: str, title: str) -> bool:
    """Whether a text is a title; a number that only one of the two has is ignored."""
    if len(text) > 2 * len(title) + 20:
        return False
    if fold_letters(text) == fold_letters(title):
        return True
    bare = fold_letters(strip_number(title))
    return bool(bare) and bare in (fold_letters(text), fold_letters(strip_number(text)))


def _join_next(parts: list[PdfPart], index: int) -> PageBlock | None:
    """Join two neighbouring parts, because a heading may take two lines."""
    first = parts[index].block
    second = parts[index + 1].block if index + 1 < len(parts) else None
    if not first or not second or len(first.text) + len(second.text) > 2 * LONGEST_HEADING:
        return None
    return None if second.table else replace(first, text=f"{first.text} {second.text}")


def _compute_distance(block: PageBlock, entry: OutlineEntry) -> float:
    if entry.top is None or block.box.y0 <= entry.top <= block.box.y1:
        return 0.0
    return min(abs(block.box.y0 - entry.top), abs(block.box.y1 - entry.top))


def _find_section_index(parts: list[PdfPart], entry: OutlineEntry, after: int) -> int:
    if entry.top is None:
        return after
    for index in range(after, len(parts)):
        block = parts[index].block
        if block and block.box.y0 >= entry.top - 2:
            return index
    return len(parts)


_NO_LETTERS = dict.fromkeys(code for code in range(128) if not chr(code).isalnum())


def fold_letters(text: str) -> str:
    """Reduce a text to its letters and digits, without case and ligatures."""
    if text.isascii():
        return text.lower().translate(_NO_LETTERS)
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def find_prefix_end(text: str, words: str) -> int | None:
    """Return where ``words`` end if ``text`` starts with them as whole words, else None."""
    wanted = fold_letters(words)
    # A fast check first: most texts do not start with them.
    if not wanted or not fold_letters(text[: 2 * len(words) + 20]).startswith(wanted):
        return None
    taken = 0
    for position, char in enumerate(text):
        taken += len(fold_letters(char))
        if taken >= len(wanted):
            after = text[position + 1 : position + 2]
            return position + 1 if taken == len(wanted) and not after.isalnum() else None
    return None


_LARGER = 1.12
"""Size of a heading that is not bold, relative to the text. A guess: 10 and 11.5 points."""
_PARTIAL = "(•*–—-"
"""With these begin items, notes and parts of a caption, no headings."""
_MAX_WORDS = 18
_MAX_LINES = 3
_CROWDED = 0.4
"""Share of a page's letters in headings from which size means something else: covers, slides."""
_REPEATED = 8
"""A line that stands out so often is a label of the form, not a heading. A guess."""
_WORDS = load_shared_lexicon()
_NAMED = re.compile(r"([^\W\d_]{3,})\s+(?:\d{1,3}[A-Z]?|[IVXLC]{1,6}|[A-Z])\b")
_SENTENCE = re.compile(r"[a-z]{2,}[.!?]\s+[A-Z]")


@dataclass(frozen=True, order=True, slots=True)
class _Style:
    """What ranks headings: smaller comes first."""

    size: float
    italic: bool
    plain: bool
    small: bool
    unnamed: int


def mark_headings(
    blocks: Sequence[PageBlock], outline: Sequence[OutlineEntry], contents: set[int]
) -> list[PdfPart]:
    """Return the parts of a document in order, with headings and sections marked."""
    parts = [PdfPart(block) for block in blocks]
    if outline:
        parts = place_outline(parts, outline)
    body = find_body_style(blocks)
    found = _find_candidates(parts, body, contents)
    levels = _rank(parts, found, has_outline=bool(outline))
    marked = [
        PdfPart(part.block, levels[index]) if index in levels else part
        for index, part in enumerate(parts)
    ]
    # Replace parts that only close sections by opening the section around them again.
    open_sections: list[tuple[int, str]] = []
    reopened: list[PdfPart] = []
    for part in marked:
        if not part.level:
            reopened.append(part)
            continue
        open_sections = [section for section in open_sections if section[0] < part.level]
        if part.block or part.title:
            open_sections.append((part.level, part.block.text if part.block else part.title))
            reopened.append(part)
        elif open_sections:
            level, title = open_sections[-1]
            reopened.append(PdfPart(None, level, title))
    return reopened


@dataclass(frozen=True, slots=True)
class BodyStyle:
    """The size and weight in which most of a document is printed."""

    size: float
    bold: bool


def find_body_style(blocks: Iterable[PageBlock]) -> BodyStyle:
    """Return the style of most letters in texts, else in tables."""
    styles: Counter[tuple[float, bool]] = Counter()
    for block in blocks:
        weight = len(block.text)
        if block.table:
            sizes = sorted(row.size for row in block.table.rows)
            styles[round(sizes[len(sizes) // 2], 1), False] += weight // 4
        elif len(block.text.split()) > 8:
            styles[round(block.size, 1), block.bold] += weight
        else:
            styles[round(block.size, 1), block.bold] += weight // 10
    size, bold = styles.most_common(1)[0][0] if styles else (10.0, False)
    return BodyStyle(size, bold)


def _find_candidates(
    parts: Sequence[PdfPart], body: BodyStyle, contents: set[int]
) -> dict[int, HeadingNumber | None]:
    """Return the indexes of parts that look like headings, with their printed numbers."""
    series = NumberSeries()
    found: dict[int, HeadingNumber | None] = {}
    for index, part in enumerate(parts):
        block = part.block
        number = find_heading_number(block.text) if block and not block.table else None
        if part.level:
            if number:
                series.accepts(number)
            continue
        if block is None or block.page in contents or not _stands_out(block, body):
            continue
        if number and not number.series and not series.accepts(number):
            continue
        if _is_plausible(block, number):
            found[index] = number
    return _drop_labels(parts, _thin_pages(parts, found))


def _stands_out(block: PageBlock, body: BodyStyle) -> bool:
    if block.table or block.kind in {"code", "contents"}:
        return False
    if block.size >= _LARGER * body.size:
        return True
    if block.size < 0.93 * body.size:
        return False
    if block.bold and not body.bold:
        return True
    if block.italic and block.gap > 0.5 * block.size and _is_titled(block.text):
        return True
    apart = " " in block.text and block.gap > 0.5 * block.size
    return apart and _is_in_capitals(block.text)


def _is_in_capitals(text: str) -> bool:
    letters = list(filter(str.isalpha, text))
    return len(letters) > 5 and all(map(str.isupper, letters))


def _is_titled(text: str) -> bool:
    """Whether a short text has capitals like a title and does not end like a sentence."""
    words = [word for word in text.split() if len(word) > 3 or word.isupper()]
    capitals = sum(word[:1].isupper() for word in words)
    return 0 < len(words) <= 10 and capitals >= 0.75 * len(words) and text[-1] not in ".:,;"


def _is_plausible(block: PageBlock, number: HeadingNumber | None) -> bool:
    text = block.text.strip()
    words = text.split()
    letters = sum(char.isalpha() for char in text)
    if len(words) > _MAX_WORDS or len(text) > LONGEST_HEADING + 40 or block.lines > _MAX_LINES:
        return False
    if letters < 3 or letters <= 0.5 * len(fold_letters(text)):
        return False
    if text[-1] in ",;" or (text[-1] == "." and len(words) > 5 and not number):
        return False
    if text[0] in _PARTIAL or text[:1].islower() or _SENTENCE.search(text):
        return False
    priced = is_amount(words[-1]) and any(char in "$€£¥" for char in words[-1])
    if priced or _is_aside(text):
        return False
    return not is_amount(text) and find_unit_words(text) != text.strip(" ()[]:")


def _is_aside(text: str) -> bool:
    """Whether a line is an address, a caption or a date."""
    caption, words = CAPTION.match(text), text.strip(": ")
    if "@" in text or WEB_ADDRESS.search(text) or (caption and caption["end"] is not None):
        return True
    dates = find_dates(words, "und") if has_digit(words) else []
    dated = any(date.text == words and YEAR.search(words) for date in dates)
    return dated or YEAR.fullmatch(words) is not None


def _thin_pages(
    parts: Sequence[PdfPart], found: dict[int, HeadingNumber | None]
) -> dict[int, HeadingNumber | None]:
    """Keep one heading on pages that consist of large print: covers and slides."""
    letters: Counter[int] = Counter()
    large: Counter[int] = Counter()
    pages: dict[int, list[int]] = defaultdict(list)
    for index, part in enumerate(parts):
        if part.block:
            size = len(fold_letters(part.block.text))
            letters[part.block.page] += size
            if index in found:
                large[part.block.page] += size
                pages[part.block.page].append(index)
    kept = dict(found)
    for page, indexes in pages.items():
        front = page == 1 and len(indexes) > 3 and _is_front(parts, indexes)
        if large[page] > _CROWDED * letters[page] or front:
            sizes = {index: _get_block(parts, index).size for index in indexes}
            first = max(indexes, key=lambda index: (round(sizes[index]), -index))
            for index in indexes:
                # What follows the front matter is a heading like those on other pages.
                if index != first and not (front and found[index]):
                    del kept[index]
    return kept


def _is_front(parts: Sequence[PdfPart], indexes: Sequence[int]) -> bool:
    """Whether headings on the first page mostly follow each other: title, authors, addresses."""
    stacked = 0
    for before, after in pairwise(indexes):
        between = [part.block for part in parts[before + 1 : after] if part.block]
        stacked += len(between) <= 1 and not any(b.table or b.lines > 1 for b in between)
    return stacked > 0.6 * (len(indexes) - 1)


def _get_block(parts: Sequence[PdfPart], index: int) -> PageBlock:
    block = parts[index].block
    assert block is not None
    return block


def _drop_labels(
    parts: Sequence[PdfPart], found: dict[int, HeadingNumber | None]
) -> dict[int, HeadingNumber | None]:
    """Leave out lines that stand out again and again with the same words."""
    names = {index: fold_letters(_get_block(parts, index).text) for index in found}
    repeated = Counter(names.values())
    # The name of a company above the title of each of its statements.
    above = Counter(names[index] for index in found if index + 1 in found)
    return {
        index: number
        for index, number in found.items()
        if repeated[names[index]] <= _REPEATED
        and not (above[names[index]] > 2 and above[names[index]] == repeated[names[index]])
    }


def _rank(
    parts: Sequence[PdfPart], found: dict[int, HeadingNumber | None], *, has_outline: bool
) -> dict[int, int]:
    """Return the levels of headings by their indexes."""
    series = _count_series(parts, found)
    styles = {index: _describe(_get_block(parts, index), series) for index in found}
    placed = [index for index, part in enumerate(parts) if part.level and part.block]
    known: dict[_Style, Counter[int]] = defaultdict(Counter)
    shifts: Counter[int] = Counter()
    for index in placed:
        block, level = _get_block(parts, index), parts[index].level or 1
        known[_describe(block, series)][level] += 1
        number = find_heading_number(block.text)
        if number:
            shifts[level - number.level] += 1
    shift = shifts.most_common(1)[0][0] if shifts else 0
    for index, number in found.items():
        if number and not number.series:
            known[styles[index]][max(1, number.level + shift)] += 1
    fixed = {style: counts.most_common(1)[0][0] for style, counts in known.items()}
    ranks = _rank_styles(set(styles.values()), fixed)
    levels: dict[int, int] = {}
    for index, number in found.items():
        if number and not number.series:
            levels[index] = min(6, max(1, number.level + shift))
        elif not has_outline or styles[index] in fixed or number:
            levels[index] = min(6, ranks[styles[index]])
    return levels


def _rank_styles(styles: set[_Style], fixed: dict[_Style, int]) -> dict[_Style, int]:
    """Return the levels of styles; those of numbered headings and of the outline are fixed."""
    ranks: dict[_Style, int] = {}
    level = 0
    for style in sorted(styles | set(fixed)):
        level = fixed.get(style, level + 1)
        ranks[style] = level
    return ranks


def _count_series(parts: Sequence[PdfPart], found: Iterable[int]) -> Counter[str]:
    """Count headings like "Note 12" by their first word."""
    counts: Counter[str] = Counter()
    for index in found:
        match = _NAMED.match(_get_block(parts, index).text)
        if match:
            counts[match[1].casefold()] += 1
    return counts


def _describe(block: PageBlock, series: Counter[str]) -> _Style:
    match = _NAMED.match(block.text)
    count = series[match[1].casefold()] if match else 0
    letters = [char for char in block.text if char.isalpha()]
    capitals = bool(letters) and all(char.isupper() for char in letters)
    # Named headings rank among each other: the fewer, the higher.
    unnamed = count if count > 1 else 10_000
    return _Style(
        -round(block.size),
        block.italic and not block.bold,
        not block.bold and count < 2,
        not capitals and not count,
        unnamed,
    )


_LONGEST = 200
"""Characters; longer texts in large print are no titles. A guess."""
_TITLE = 1.15
"""Size of a title that is not bold, relative to the text. A guess."""
_NEXT = 0.7
"""Size of a title below a number in larger print, relative to that. A guess."""
_EDGES = " .:;,-–—|*#"
_ADMINISTRATIVE = (
    _WORDS.headings.contents | _WORDS.headings.administrative | _WORDS.headings.generic
)


def find_printed_title(blocks: Sequence[PageBlock], body: BodyStyle) -> str | None:
    """Return the largest text of the first page, or None if none stands out."""
    first = [block for block in blocks if block.page == 1]
    named = [block for block in first if _may_be_title(block)]
    if not named:
        return None
    # "FORM 10-Q" is printed large on every form; the name of this one is near it.
    worded = [block for block in named if not _is_code(block.text)]
    # Watermarks and values of form fields have no size.
    largest = max(block.size for block in named)
    if not largest:
        return None
    if worded and max(block.size for block in worded) > _NEXT * largest:
        named = worded
        largest = max(block.size for block in named)
    heads = [block for block in named if block.size > 0.97 * largest]
    if largest < _TITLE * body.size and not (heads[0].bold and not body.bold):
        return None
    head = heads[0]
    words = [head.text]
    start = next(i for i, block in enumerate(first) if block is head)
    for above, block in pairwise(first[start:]):
        near = block.box.y0 - above.box.y1 < 0.8 * largest
        alike = block.size > 0.97 * largest and block.bold == head.bold
        if not (near and alike and _may_be_title(block)):
            break
        words.append(block.text)
    title = " ".join(words)
    return title if len(title) <= _LONGEST else words[0][:_LONGEST]


def _is_code(text: str) -> bool:
    """Whether a text has no more words than numbers."""
    words = text.split()
    return 2 * sum(any(char.isdigit() for char in word) for word in words) >= len(words)


def _may_be_title(block: PageBlock) -> bool:
    text = block.text
    letters = sum(char.isalpha() for char in text)
    return (
        block.table is None
        and block.kind != "contents"
        and letters >= 3
        and text[0] not in _PARTIAL
        and len(text) <= _LONGEST
        and block.lines <= 4
        and not is_amount(text)
        and fold(text).strip(_EDGES) not in _ADMINISTRATIVE
        and "@" not in text
    )
