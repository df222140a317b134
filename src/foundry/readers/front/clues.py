"""Collects what may be facts of a document, from its properties, cover, page headers, tables and path.

Only places that describe the whole document give its status: draft, proposal, final, superseded, archived
or withdrawn. Those are a labelled line, a line of its own on the cover, the line of the revision mark, and
the names of the file and its folders; running text never does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import PurePosixPath
from typing import Any, cast, get_args

from foundry.analysis import detect_language, fold
from foundry.analysis.lexer import LETTERS, has_digit
from foundry.lexicon import build_alternation, load_lexicons, load_shared_lexicon
from foundry.readers.front.document_names import FRONT_BLOCKS, find_front
from foundry.readers.front.titles import find_revision
from foundry.records import Document, DocumentStatus, FactName, FactOrigin
from foundry.text.headings import is_administrative

_WORDS, _STATUS = load_shared_lexicon().revisions, load_shared_lexicon().statuses
_FILLERS = _WORDS.fillers | _WORDS.numbers
_UPDATED = ("updated", "last_updated", "lastmod", "last-modified", "modified", "revised", "revdate")
_LETTERS = 2
"""Letters of a revision mark without a number: "B", "AA"."""
_LONGEST = 60
"""Characters of a value; longer ones are sentences. A guess."""
_KEYWORD = re.compile(r"\$\w+:\s*(.*?)\s*\$")
# A guess: in some 1,900 files (text, reStructuredText, Markdown, HTML and PDF, 22 DOCX) it decided nothing.
_NAME_MARK = re.compile(
    rf"(?<![^\W_])(?P<mark>(?:{build_alternation(_WORDS.plain_words)}[\s._-]*(?:[a-z]|\d+(?:\.\d+)*[a-z]?)"
    r"|v\d+(?:\.\d+)*[a-z]?))(?![^\W_])"
)
_NAME_DATE = re.compile(r"(?<![\d.])((?:19|20)\d\d)([-_.]?)([01]\d)\2([0-3]\d)(?![\d.]*\d)")
_PAPER = frozenset(
    {"pdf", "docx", "doc", "odt", "rtf", "pptx", "ppt", "odp", "xlsx", "xls", "xlsm", "xlsb", "ods"}
)
"""Kinds of files that people rename for each revision. Text under version control keeps its name:
"oauth-v2.md" is about version 2."""


@dataclass(frozen=True, slots=True)
class Clues:
    """What a reader found at the front of a file.

    ``properties`` are by folded name; they are ``written`` if the author keeps them in the text (front matter,
    docinfo) rather than a program. ``printed`` is what a title style, a subject or the largest print says,
    ``heading`` the first heading, ``cover`` the lines at the top, ``running`` those of page headers,
    ``watermarks`` what is laid over the pages.
    """

    properties: Mapping[str, Any] = field(default_factory=dict)
    written: bool = False
    printed: str | None = None
    heading: str | None = None
    cover: str = ""
    running: str = ""
    watermarks: tuple[str, ...] = ()

    @property
    def title(self) -> str | None:
        """The title that the properties state."""
        stated = self.properties.get("title")
        return str(stated) if isinstance(stated, str | int | float) else None


@dataclass(frozen=True, slots=True)
class FactCandidate:
    """A possible fact of the document, and where it was found."""

    name: FactName
    value: str
    origin: FactOrigin


def list_candidates(clues: Clues, document: Document, path: str) -> Iterator[FactCandidate]:
    """Yield every possible revision, date and status of the document in the file ``path``."""
    yield from _read_properties(clues.properties, "front-matter" if clues.written else "properties")
    yield from _read_tables(document)
    yield from _read_lines(clues.cover, "cover", document)
    yield from _read_lines(clues.running, "running-line", document)
    for mark in clues.watermarks:
        if status := read_status(mark):
            yield FactCandidate("status", status, "watermark")
    yield from _read_path(path, document)


def _name_fact(label: str) -> FactName | None:
    """Return which fact a label or property name stands for: "Document version", "Versienummer"."""
    words = [word for word in LETTERS.findall(fold(label)) if word not in _FILLERS]
    word = words[0].removeprefix("document").removesuffix("nummer") if len(words) == 1 else ""
    if word in _WORDS.plain_words:
        return "revision"
    if word in _STATUS.labels:
        return "status"
    dates = [part for part in words if part in _WORDS.date_labels]
    own = all(part in _WORDS.own_dates or part in _WORDS.date_labels for part in words)
    return "date" if dates and own else None


def _read_properties(properties: Mapping[str, Any], origin: FactOrigin) -> Iterator[FactCandidate]:
    # A file may say when it was made and when it was last changed.
    for key in sorted(properties, key=lambda key: key not in _UPDATED):
        value = properties[key]
        if value is True and (status := read_status(key)):
            yield FactCandidate("status", status, origin)
        name = "date" if key in _UPDATED else _name_fact(key)
        if name and isinstance(value, str | int | float | date) and value is not True:
            words = " ".join(_KEYWORD.sub(r"\1", str(value)).split())
            marked = has_digit(words) or len(words) <= _LETTERS or find_revision(words)[0] == words
            mark = words if marked else ""
            if len(words) <= _LONGEST:
                yield from _read_value(name, words, mark, origin)


def _read_value(
    name: FactName, value: str, mark: str, origin: FactOrigin
) -> Iterator[FactCandidate]:
    """Yield the facts in a value; ``mark`` is the revision mark with its word, as shown to readers."""
    status = read_status(value) if name != "date" else None
    if name == "revision" and mark:
        yield FactCandidate("revision", mark, origin)
    if status:
        yield FactCandidate("status", status, origin)
    if name == "date" and (day := find_revision(f"date: {value}")[1]):
        yield FactCandidate("date", day, origin)


def _read_tables(document: Document) -> Iterator[FactCandidate]:
    """Yield the facts in tables at the front, and those in the newest row of a revision history."""
    front = find_front(document.blocks)
    for block in document.blocks[:FRONT_BLOCKS]:
        history = bool(block.heading_path) and is_administrative(block.heading_path[-1])
        if block.kind != "table" or not (history or block in front) or (block.page or 1) > 3:
            continue
        lines = document.text[block.start : block.end].splitlines()
        rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
        for cells in rows:
            for label, value in zip(cells[::2], cells[1::2], strict=False):
                yield from _read_cell(label, value)
        if history:
            yield from _read_history(rows)


def _read_cell(label: str, value: str) -> Iterator[FactCandidate]:
    name = _name_fact(label.rstrip(" :"))
    if name and len(value) <= _LONGEST:
        mark = find_revision(f"{label.rstrip(' :')} {value}")[0] if name == "revision" else ""
        yield from _read_value(name, value, mark or "", "control-table")


def _read_history(rows: Sequence[Sequence[str]]) -> Iterator[FactCandidate]:
    """Yield the mark and date of the newest revision in a table."""
    names = [_name_fact(cell) for cell in rows[0]] if rows else []
    if "revision" not in names or "date" not in names:
        return
    mark, day = names.index("revision"), names.index("date")
    dated = [
        (find_revision(f"date: {row[day]}")[1], row[mark])
        for row in rows[1:]
        if len(row) == len(names)
    ]
    newest = max(((day, mark) for day, mark in dated if day and mark), default=None)
    if newest:
        yield FactCandidate("date", newest[0], "control-table")
        yield from _read_cell(rows[0][mark], newest[1])


def _read_lines(text: str, origin: FactOrigin, document: Document) -> Iterator[FactCandidate]:
    mark, day = find_revision(_KEYWORD.sub(r"\1", text))
    if mark:
        yield FactCandidate("revision", mark, origin)
    if day:
        yield FactCandidate("date", day, origin)
    if status := _find_line_status(text, document.text):
        yield FactCandidate("status", status, origin)


def _read_path(path: str, document: Document) -> Iterator[FactCandidate]:
    stem = PurePosixPath(path).stem
    marks = list(_NAME_MARK.finditer(fold(stem)))
    if marks and len(fold(stem)) == len(stem) and document.type in _PAPER:
        mark = stem[marks[-1].start() : marks[-1].end()]
        yield FactCandidate("revision", re.sub(r"[\s_-]+", " ", mark), "file-name")
    if found := _NAME_DATE.search(stem):
        try:
            day = date(int(found[1]), int(found[3]), int(found[4]))
        except ValueError:
            pass
        else:
            yield FactCandidate("date", day.isoformat(), "file-name")
    kept = document.type in _PAPER or marks or found
    if kept and (status := _find_name_status(stem, document.text)):
        yield FactCandidate("status", status, "file-name")
    if status := _find_folder_status(path, document.text):
        yield FactCandidate("status", status, "folder")


_STATUSES: Mapping[str, DocumentStatus] = {
    word: cast("DocumentStatus", status)
    for status in get_args(DocumentStatus)
    for word in getattr(_STATUS, status)
}
_FOLDERS: Mapping[str, DocumentStatus] = {
    **{word: status for word, status in _STATUSES.items() if status != "final"},
    **dict.fromkeys(_STATUS.archives, "archived"),
}
_STATUS_WORD = re.compile(rf"(?<![^\W_]){build_alternation(_STATUSES)}(?![^\W_])")
# Guesses: in some 1,900 files the first decided no status, and the second one, rightly.
_LABELLED = re.compile(
    rf"(?:(?:document|doc)\s*)?{build_alternation(_STATUS.labels)}\s*(?:[:|]\s*|\s{{2,}}|\t\s*)(?P<value>\S.{{1,60}})",
    re.IGNORECASE,
)
_SET_APART = re.compile(
    r"\S\s*[(\[](?P<end>[^()\[\]]{4,30})[)\]]$|^(?P<start>[^\W\d_]{4,12}):\s+\S"
)
_LABELLED_LINES, _TITLE_LINES = 40, 12
"""Lines at the top with a label, and those of the title."""
_SHORT = 8
"""Words of a line of the title block that tells the revision and the status. A guess."""
_SAMPLE = 4000
"""Characters whose language is that of the document."""
_NOT_YET = frozenset({"draft", "proposal"})


def read_status(value: str) -> DocumentStatus | None:
    """Return the status in a value: "Draft for review" → draft; None for other words."""
    folded = fold(value).replace("_", " ")
    found = _STATUS_WORD.search(folded)
    before = LETTERS.findall(folded[: found.start()]) if found else []
    if not found or not _STATUS.negations.isdisjoint(before):
        return None
    return _STATUSES[" ".join(found[0].split())]


def _find_line_status(text: str, body: str) -> DocumentStatus | None:
    """Return the status in the lines at the top; ``body`` is the text of the document."""
    lines = [line.strip(" #*_>\t\r") for line in text.split("\n")]
    lines = [line for line in lines if line][:_LABELLED_LINES]
    for line in lines:
        labelled = _LABELLED.fullmatch(line)
        if labelled and (status := read_status(labelled["value"])):
            return status
    for line in lines[:_TITLE_LINES]:
        if status := _read_title_line(line, body):
            return status
    return None


def _read_title_line(line: str, body: str) -> DocumentStatus | None:
    """Return the status in a title line: "CONCEPT", "Version 0.3 (draft)", "Draft: parking rules"."""
    apart = _SET_APART.search(line)
    whole = line if line.isupper() and len(line.split()) == 1 else ""
    said = whole or (apart and (apart["end"] or apart["start"])) or ""
    if not said and len(line.split()) <= _SHORT and find_revision(line)[0]:
        whole = said = line
    found = _STATUS_WORD.search(fold(said)) if said else None
    if found is None or _is_foreign(found[0], body):
        return None
    status = _STATUSES[" ".join(found[0].split())]
    # "Old bridges, Rev. B" is about old bridges.
    return None if status == "final" or (whole and status not in _NOT_YET) else status


def _find_name_status(stem: str, body: str) -> DocumentStatus | None:
    """Return the status at the start or end of a file name that has other words too."""
    words = LETTERS.findall(fold(stem).replace("_", " "))
    last, first = (words[-1], words[0]) if len(words) > 1 else ("", "")
    if last in _STATUSES and not _is_foreign(last, body):
        return _STATUSES[last]
    # "Old bridges.pdf" is about old bridges.
    early = _STATUSES.get(first) in _NOT_YET and not _is_foreign(first, body)
    return _STATUSES[first] if early else None


def _find_folder_status(path: str, body: str) -> DocumentStatus | None:
    """Return the status given by the innermost folder that names one: "archive", "old"."""
    for folder in reversed(PurePosixPath(fold(path)).parts[:-1]):
        for word in LETTERS.findall(folder.replace("_", " ")):
            status = _FOLDERS.get(word)
            if status and not _is_foreign(word, body):
                return status
    return None


def _is_foreign(word: str, body: str) -> bool:
    """Whether a word has another meaning in the language of a text, as "concept" in English."""
    if word not in _STATUS.homographs:
        return False
    known = load_lexicons().get(detect_language(body[:_SAMPLE]))
    return known is None or word not in known.statuses.homographs
