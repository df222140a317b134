"""The title of a document, from its file's properties, its first page or its file name.

Programs fill a file's title field with file names and with their own name: those are skipped,
and so are "Contents", "Page 1 of 8" and "1. Intent", which readers take for a title. A form names its party and its period in several lines ("FORM 10-Q", "For the quarterly period ended
…", a name above "(Exact name of registrant …)"): its title is all three. A document whose reader
found no title gets the heading or the line in capitals or in bold with which it begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise, takewhile
from pathlib import Path
from urllib.parse import unquote

from foundry.analysis import fold
from foundry.analysis.lexer import FILE_SUFFIX, WORD, has_digit
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.readers.front.document_names import find_front, is_organisation
from foundry.readers.grids import CELL_BREAK
from foundry.readers.metadata import find_period, starts_with_date
from foundry.records import Document
from foundry.text.headings import find_heading_number, is_administrative, is_generic
from foundry.text.markdown import read_inline

_LEXICON = load_shared_lexicon()
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
_FRONT_BLOCKS = 80
_OPENING = 4
"""Blocks at the top among which a title is looked for. A guess."""
_MOST_WORDS = 14
"""Words of a line that may be a title without being a heading. A guess."""


@dataclass(frozen=True, slots=True)
class TitleCandidates:
    """What a reader found that may be the title, by its origin.

    ``stated`` is that of the file's properties, ``printed`` what a title style, a subject or the
    largest print says, ``heading`` the first heading.
    """

    stated: str | None = None
    printed: str | None = None
    heading: str | None = None


def choose_title(document: Document, found: TitleCandidates, name: str) -> str:
    """The title of the document of the file ``name``: the first of these that means something.

    Party, number and period of a form; what the properties state; what is printed as the title; the
    first heading; a line at the top that stands out; the name of the file. A stated title of which
    the first pages say nothing comes behind the printed one.
    """
    form = _compose_form_title(document)
    if form:
        return form
    titles = [found.stated, found.printed, found.heading]
    if found.stated and found.printed and not is_printed(found.stated, _read_front(document)):
        titles[:2] = titles[1::-1]
    path = Path(name)
    for candidate in chain(titles, _find_opening(document)):
        words = read_inline((candidate or "").lstrip("# "))
        named = words in {path.stem, write_file_name(path)}
        if words and len(words) <= _MAX_TITLE_CHARS and not named and not is_meaningless(words):
            return words
    return write_file_name(path)


def _read_front(document: Document) -> str:
    """The text of the first two pages, or of as much."""
    end = [block.end for block in document.blocks[:_FRONT_BLOCKS] if (block.page or 1) <= 2]
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


def is_meaningless(words: str) -> bool:
    """Whether words cannot be the title of a document: "Contents", "Page 1 of 8", "1. Intent"."""
    if len(words) < 3 or sum(map(str.isalpha, words)) <= 0.3 * len(words):
        return True
    number = find_heading_number(words)
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


def _find_opening(document: Document) -> Iterator[str]:
    """What may be the title among the first blocks, best first."""
    texts = [document.text[block.start : block.end] for block in document.blocks[: _OPENING + 1]]
    for number, block in enumerate(document.blocks[:_OPENING]):
        line, _, rest = texts[number].partition("\n")
        after = "\n".join([*([rest] if rest else []), *texts[number + 1 :]])
        if block.kind == "heading":
            yield block.heading_path[-1]
            return
        if block.kind == "table" and _PAGE.search(texts[number]):
            # The head of the page names the document beside the page number.
            yield line.split(CELL_BREAK)[0]
        elif _is_bold(line):
            yield " ".join(takewhile(_is_bold, (text.strip() for text in texts[number:])))
        elif block.kind == "paragraph" and _is_title_line(line, after):
            yield line
        if not (is_meaningless(line) or line.startswith("<")):
            return


def _is_bold(line: str) -> bool:
    """Whether Markdown shows a whole line in bold."""
    return len(line) > 4 and line[:2] == line[-2:] and line[:2] in {"**", "__"}


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
