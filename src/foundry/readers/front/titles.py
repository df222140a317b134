"""The title, revision mark and date of a document, from its properties, first page or file name.

Programs fill a file's title field with file names and with their own name: those are skipped,
and so are "Contents", "Page 1 of 8" and "1. Intent", which readers take for a title. A form names
its party and its period in several lines ("FORM 10-Q", "For the quarterly period ended …", a name
above "(Exact name of registrant …)"): its title is all three.

A revision mark must plainly belong to the document itself: "Rev. B" on its own line or after a
separator counts, "needs Bluetooth v5.0" does not. A missing mark is better than a wrong one, and the
day of a date is never made up: "2026-03" stays a month.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import date
from itertools import chain, pairwise
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from foundry.analysis import fold
from foundry.analysis.lexer import FILE_SUFFIX, LETTERS, WORD, YEAR, has_digit
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.readers.front.document_names import FRONT_BLOCKS, find_front, is_organisation
from foundry.readers.grids import CELL_BREAK
from foundry.records import Document, FactOrigin
from foundry.text.dates import Date, find_dates
from foundry.text.headings import find_heading_number, is_administrative, is_generic

if TYPE_CHECKING:
    from foundry.readers.front.clues import Clues

_LEXICON = load_shared_lexicon()
# Large enough for a title page with a revision table, small enough to leave out the body.
_LINES = 40
_CHARS = 4000
_SHORT = 12
"""Words; a longer line is prose. A guess."""

_NUMBER = r"\d{1,4}(?:\.\d{1,4}){0,3}[a-z]?"
_BEFORE = r"(?P<before>^|[,;:|()\[\]–—•·]\s*|\s[-/]\s+|\s{2,}|\t)"
_WORDS = _LEXICON.revisions
_FOLLOWING = (
    *(_WORDS.date_prepositions | _WORDS.own_dates | _WORDS.date_labels),
    *chain.from_iterable(_LEXICON.dates.months.values()),
    *chain.from_iterable(
        getattr(_LEXICON.statuses, entry.name) for entry in fields(_LEXICON.statuses)
    ),
)
"""Words in lower case behind a mark: its date, its status. Others make it running text: "Version 2.0 (the …". What follows a colon is what a numbered issue is about."""
_AFTER = (
    r"(?=$|[\s,;:|()\[\]–—•·])"
    rf"(?!\s*\(?(?!{build_alternation(_FOLLOWING)}\b)(?-i:[a-z]{{2,}}))"
    r"(?!\s*:\s*[^\W\d])"
)
_MARK_NUMBER = rf"(?:[A-Z]{{1,2}}\d{{0,3}}|v?{_NUMBER})"
_WORDED = re.compile(
    rf"{_BEFORE}(?:document\s*)?(?P<mark>{build_alternation(_WORDS.words)}\b\.?"
    rf"(?:\s*{build_alternation(_WORDS.numbers)}\b\.?)?\s*[:#]?\s*{_MARK_NUMBER}){_AFTER}",
    re.IGNORECASE,
)
_BARE = re.compile(rf"{_BEFORE}(?P<mark>v\s?{_NUMBER}){_AFTER}", re.IGNORECASE)
_TRAILING = re.compile(
    rf"\s(?P<mark>{build_alternation(word.capitalize() for word in _WORDS.plain_words)}\.?"
    rf"\s*{_MARK_NUMBER})$"
)
# "Datasheet v2" is a revision, "Bluetooth v2" is not: the word before must name a document type.
_TITLED = re.compile(
    rf"\b{build_alternation(_WORDS.document_types)}\s+"
    rf"(?P<mark>(?:{build_alternation(_WORDS.plain_words)}\.?\s*{_MARK_NUMBER}|v\s?{_NUMBER}))$",
    re.IGNORECASE,
)
_TITLE_LINES = 5
"""Lines at the top whose words name the kind of document. A guess."""
_TITLE_BLOCK = 12
"""Lines at the top among which a bare date may be the document's. A guess."""
_DATE_WORDS = tuple(sorted(_WORDS.date_labels, key=len, reverse=True))
_OWN_WORDS = frozenset(_WORDS.own_dates | _WORDS.document_types | _WORDS.words | _WORDS.date_labels)
_OTHER_DATE = re.compile(rf"\b{build_alternation(_WORDS.other_dates)}\b", re.IGNORECASE)
_LABEL = re.compile(
    rf"(?:(?<=\s)|(?<![^\W]))(?P<of>(?:[^\W\d_]+\s+)?)"
    rf"(?P<label>\w*{build_alternation(_WORDS.date_labels)})\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(rf"\b{build_alternation(_WORDS.period_labels)}\b", re.IGNORECASE)
_ISO_MONTH = re.compile(rf"(?<![\w.-])({YEAR.pattern})-(\d\d)(?![\w-])")
_BEFORE_DATE = re.compile(
    rf"[\s:|.–—*_-]*(?:{build_alternation(_WORDS.date_prepositions)}\s+)?", re.IGNORECASE
)
_SPAN = re.compile(rf"\s*(?:[-–—]|{build_alternation(_LEXICON.numbers.to)}\b)\s*\d", re.IGNORECASE)
"""What makes a date the first of two."""
_TIME = re.compile(
    r"(?:[\s,@T]*\d{1,2}[:.h]\d\d(?P<second>[:.]\d\d)?(?:\s*[AaPp]\.?[Mm]\.?)?)?(?P<rest>(?:\s+[A-Z]{2,4})?\W*)"
)


def find_revision(text: str) -> tuple[str | None, str | None]:
    """Find the revision mark and the date near the top of ``text``; None for what is missing.

    The mark is returned as printed ("Rev. B"), the date in ISO 8601 as a day or a month
    ("2026-03-12", "2026-03").
    """
    lines = [line.strip(" #*_>\t\r") for line in text[:_CHARS].split("\n")]
    lines = [line for line in lines if line][:_LINES]
    mark, row = _find_mark(lines)
    return mark, _find_date(lines, row)


def _find_mark(lines: list[str]) -> tuple[str | None, int | None]:
    for row, line in enumerate(lines):
        if len(line.split()) > _SHORT:
            continue
        patterns = [_WORDED]
        if row < 5:
            patterns += [_BARE, _TRAILING, _TITLED]
        for pattern in patterns:
            match = pattern.search(line)
            if match:
                return re.sub(r"\s+", " ", match["mark"]).strip(), row
    return None, None


def _find_date(lines: list[str], mark_row: int | None) -> str | None:
    """The date of the document: beside its mark, said to be its own, or alone under its title."""
    marked = [] if mark_row is None else lines[mark_row : mark_row + 1]
    for line in marked:
        day = _find_line_date(line)
        if day and not _OTHER_DATE.search(line):
            return day
    for line in lines:
        folded = fold(line)
        for period in _PERIOD.finditer(folded):
            if day := _read_date_at(folded, period.end()):
                return day
        for label in _LABEL.finditer(line):
            day = _read_date_at(line, label.end())
            above = (other for other in lines[:_TITLE_LINES] if other != line)
            if day and _is_own(label, LETTERS.findall(fold(" ".join(above)))):
                return day
    return _find_title_date(lines)


def _is_own(label: re.Match[str], title: Sequence[str]) -> bool:
    """Whether a label such as "Report date" is about the document and not about something in it."""
    # "Invoice date" on an invoice, "factuurdatum" on a "Factuur".
    whole = fold(label["label"])
    ending = next(word for word in _DATE_WORDS if whole.endswith(word))
    words = [*LETTERS.findall(fold(label["of"])), *filter(None, [whole.removesuffix(ending)])]
    return all(word in _OWN_WORDS or word in title for word in words)


def find_period(line: str) -> str | None:
    """What a line says of the period that a document is about, up to its last day, or None."""
    folded = fold(line)
    for period in _PERIOD.finditer(folded):
        found = _find_date_at(folded, period.end())
        # Folding may change lengths: then the places do not fit the line.
        if found and len(folded) == len(line):
            words = line[: found.end].split()
            return " ".join(word for word in words if any(char.isalnum() for char in word))
    return None


def starts_with_date(text: str) -> bool:
    """Whether the first line of a text is a date and nothing else."""
    return _is_date_line(text.partition("\n")[0].strip())


def _is_date_line(line: str) -> bool:
    """Whether a line is a date, with a weekday or place before it and a time behind it."""
    dates = _list_dates(line)
    if len(dates) != 1:
        return False
    before, time = line[: dates[0].start], _TIME.fullmatch(line, dates[0].end)
    words = before.replace(",", " ").split()
    return bool(time) and len(words) <= 2 and all(map(str.isalpha, words))


def _find_title_date(lines: list[str]) -> str | None:
    """A date on a line of its own, or a printed moment, or the only day, above the first prose."""
    days: set[str] = set()
    several = False
    for line in lines[:_TITLE_BLOCK]:
        if len(line.split()) > _SHORT:
            return None
        dates, other = _list_dates(line), _OTHER_DATE.search(line)
        if dates and not other:
            time = _TIME.match(line, dates[0].end)
            moment = time and time["second"]
            if (moment or _is_date_line(line)) and (day := _find_line_date(line)):
                return day
        several = several or len(dates) > 1 or bool(dates and other)
        days.update(filter(None, map(_write_date, dates)))
    (day,) = days if len(days) == 1 and not several else ("",)
    return day if len(day) == len("2025-05-01") else None


def _find_date_at(line: str, start: int) -> Date | None:
    """The date right behind a label, unless a time span begins with it."""
    before = _BEFORE_DATE.match(line, start)
    end = before.end() if before else start
    found = next((one for one in _list_dates(line) if one.start == end), None)
    return None if found and _SPAN.match(line, found.end) else found


def _read_date_at(line: str, start: int) -> str | None:
    found = _find_date_at(line, start)
    return _write_date(found) if found else None


def _find_line_date(line: str) -> str | None:
    return next(filter(None, map(_write_date, _list_dates(line))), None)


def _list_dates(line: str) -> list[Date]:
    """The dates of a line that name their year in full, days and months."""
    if not has_digit(line):
        return []
    dates = [found for found in find_dates(line, "und") if YEAR.search(found.text)]
    for month in _ISO_MONTH.finditer(line):
        reading = (int(month[1]), int(month[2]), 0)
        dates.append(Date(*month.span(), month[0], frozenset({reading})))
    return sorted(dates, key=attrgetter("start"))


def _write_date(found: Date) -> str | None:
    """A date in ISO 8601; None for one that can be read in two ways: 03/04/2026."""
    if len(found.readings) != 1:
        return None
    ((year, month, day),) = found.readings
    try:
        whole = date(year, month, day or 1)
    except ValueError:
        return None
    return whole.isoformat() if day else f"{year:04d}-{month:02d}"


_MEANINGLESS = re.compile(
    rf"(?:{build_alternation(_LEXICON.documents.placeholder_titles)}"
    r"|new microsoft .*|microsoft word|layout|print)[\s_-]*\d*|microsoft \w+ - .*|[a-z]:\\.*",
    re.IGNORECASE,
)
_MAX_TITLE_CHARS = 300
"""Longer "titles" are abstracts or whole paragraphs. A guess."""
_FORM = re.compile(rf"{build_alternation(_LEXICON.documents.form_words)}\s+\S*\d\S*", re.IGNORECASE)
_PARTY_CAPTION = re.compile(
    rf"\W*{build_alternation(_LEXICON.names.party_captions)}\b.*", re.IGNORECASE
)
_PAGE = re.compile(rf"\b{build_alternation(_LEXICON.documents.page_labels)}\s+\d+", re.IGNORECASE)
_UNSAID = 0.34
"""Share of the words of a title in the properties that the first pages may leave out. A guess."""
_OPENING = 4
"""Blocks at the top among which a title is looked for. A guess."""
_MOST_WORDS = 14
"""Words of a line that may be a title without being a heading. A guess."""


def choose_title(document: Document, clues: Clues, name: str) -> tuple[str, FactOrigin]:
    """The title of the document of the file ``name``, and where it is: the first that means something.

    Party, number and period of a form; what the properties state; what is printed as the title; the
    first heading; a line at the top that stands out; the name of the file. A stated title of which
    the first pages say nothing comes behind the printed one.
    """
    form = _compose_form_title(document)
    if form:
        return form, "cover"
    stated: FactOrigin = "front-matter" if clues.written else "properties"
    titles: list[tuple[str | None, FactOrigin]] = [(clues.title, stated), (clues.printed, "cover")]
    if clues.title and clues.printed and not is_printed(clues.title, _read_front(document)):
        titles.reverse()
    titles.append((clues.heading, "heading"))
    path = Path(name)
    # A page of a book says its number both in its properties and above its text.
    numbered = bool(clues.title) and clues.title == clues.heading
    for candidate, origin in chain(titles, _find_opening(document)):
        words = " ".join((candidate or "").split())
        named = words in {path.stem, write_file_name(path)}
        if (
            words
            and len(words) <= _MAX_TITLE_CHARS
            and not named
            and not is_meaningless(words, numbered=numbered)
        ):
            return words, origin
    return write_file_name(path), "file-name"


def _read_front(document: Document) -> str:
    """The text of the first two pages, or of as much."""
    end = [block.end for block in document.blocks[:FRONT_BLOCKS] if (block.page or 1) <= 2]
    return document.text[: max(end, default=0)]


def is_printed(title: str, front: str) -> bool:
    """Whether the first pages of a document say its title: all its numbers and most of its words.

    A title in a file's properties may say when it was filed, or be left from another document.
    """
    said = set(WORD.findall(fold(front)))
    words = WORD.findall(fold(title))
    missing = [word for word in words if word not in said]
    return len(missing) <= _UNSAID * len(words) and not any(map(has_digit, missing))


def write_file_name(path: Path) -> str:
    """A file name as words: ``LC-512_datasheet.pdf`` → "LC-512 datasheet"."""
    name = FILE_SUFFIX.sub("", path.stem)
    return " ".join(unquote(name).replace("_", " ").split()) or path.stem


def is_meaningless(words: str, *, numbered: bool = False) -> bool:
    """Whether words cannot be the title of a document: "Contents", "Page 1 of 8", "1. Intent".

    The last one can if it may be ``numbered``.
    """
    if len(words) < 3 or sum(map(str.isalpha, words)) <= 0.3 * len(words):
        return True
    number = None if numbered else find_heading_number(words)
    if number and (number.series or "." in words.split(maxsplit=1)[0]):
        return True
    return bool(
        _MEANINGLESS.fullmatch(words)
        or FILE_SUFFIX.search(words)
        or _PAGE.search(words)
        or is_generic(words)
        or is_administrative(words)
    )


def _compose_form_title(document: Document) -> str | None:
    """Party, number and period of a form, or None for other documents."""
    blocks = find_front(document.blocks)
    lines = [line for b in blocks for line in document.text[b.start : b.end].split("\n")]
    lines = [line for line in lines if any(char.isalnum() for char in line)]
    form = next((line for line in lines if _FORM.fullmatch(line)), None)
    party = next(
        (above for above, line in pairwise(lines) if _PARTY_CAPTION.match(line)),
        None,
    ) or next(filter(is_organisation, lines), None)
    if not form or not party:
        return None
    period = next(filter(None, map(find_period, lines)), "")
    return f"{party.strip()} {form}" + (f": {period}" if period else "")


def _find_opening(document: Document) -> Iterator[tuple[str, FactOrigin]]:
    """What may be the title among the first blocks, best first."""
    texts = [document.text[block.start : block.end] for block in document.blocks[: _OPENING + 1]]
    for number, block in enumerate(document.blocks[:_OPENING]):
        line, _, rest = texts[number].partition("\n")
        after = "\n".join([*([rest] if rest else []), *texts[number + 1 :]])
        if block.kind == "heading":
            yield block.heading_path[-1], "heading"
            return
        if block.kind == "table" and _PAGE.search(texts[number]):
            # The head of the page names the document beside the page number.
            yield line.split(CELL_BREAK)[0], "cover"
        elif block.kind == "paragraph" and _is_title_line(line, after):
            yield line, "cover"
        if not is_meaningless(line):
            return


def _is_title_line(line: str, after: str) -> bool:
    """Whether a line at the top stands out: in capitals, or with a date in it or under it."""
    words = [word for word in line.split() if word[0].isalpha()]
    if (
        not after
        or "|" in line
        or len(words) > _MOST_WORDS
        or line.endswith((".", ",", ";", ":", "?", "!"))
    ):
        return False
    dated = starts_with_date(after) or re.search(r"\b(?:19|20)\d\d\b", line)
    named = [word for word in words if fold(word) not in _LEXICON.general.stop_words]
    opens = words[:1] == named[:1] or fold(words[0]) in _LEXICON.general.articles
    capitals = opens and len(named) > 1 and all(word[0].isupper() for word in named)
    return bool(words and (capitals or dated))
