"""Finds the status of a document: draft, proposal, final, superseded, archived or withdrawn.

Only places that describe the whole document count: a labelled line, a line of its own on the cover, and
the names of the file and its folders. Running text never does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import cast, get_args

from foundry.analysis import detect_language, fold
from foundry.analysis.lexer import LETTERS
from foundry.lexicon import build_alternation, load_lexicons, load_shared_lexicon
from foundry.records import DocumentStatus

_LEXICON = load_shared_lexicon()
_WORDS = _LEXICON.statuses
_STATUSES: Mapping[str, DocumentStatus] = {
    word: cast("DocumentStatus", status)
    for status in get_args(DocumentStatus)
    for word in getattr(_WORDS, status)
}
_FOLDERS: Mapping[str, DocumentStatus] = {
    **{word: status for word, status in _STATUSES.items() if status != "final"},
    **dict.fromkeys(_WORDS.archives, "archived"),
}
_STATUS = re.compile(rf"(?<![^\W_]){build_alternation(_STATUSES)}(?![^\W_])")
# Guesses: in some 1,900 files the first decided no status, and the second one, rightly.
_LABELLED = re.compile(
    rf"(?:(?:document|doc)\s*)?{build_alternation(_WORDS.labels)}\s*(?:[:|]\s*|\s{{2,}}|\t\s*)(?P<value>\S.{{1,60}})",
    re.IGNORECASE,
)
_SET_APART = re.compile(
    r"\S\s*[(\[](?P<end>[^()\[\]]{4,30})[)\]]$|^(?P<start>[^\W\d_]{4,12}):\s+\S"
)
_LABELLED_LINES, _TITLE_LINES = 40, 12
"""Lines at the top with a label, and those of the title."""
_SAMPLE = 4000
"""Characters whose language is that of the document."""
_NOT_YET = frozenset({"draft", "proposal"})


def read_status(value: str) -> DocumentStatus | None:
    """Return the status in a value: "Draft for review" → draft; None for other words."""
    folded = fold(value).replace("_", " ")
    found = _STATUS.search(folded)
    before = LETTERS.findall(folded[: found.start()]) if found else []
    if not found or not _WORDS.negations.isdisjoint(before):
        return None
    return _STATUSES[" ".join(found[0].split())]


def find_line_status(text: str, body: str) -> DocumentStatus | None:
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
    found = _STATUS.search(fold(said)) if said else None
    if found is None or _is_foreign(found[0], body):
        return None
    status = _STATUSES[" ".join(found[0].split())]
    return None if status == "final" or (whole and status not in _NOT_YET) else status


def find_name_status(stem: str, body: str) -> DocumentStatus | None:
    """Return the status at the start or end of a file name that has other words too."""
    words = LETTERS.findall(fold(stem).replace("_", " "))
    last, first = (words[-1], words[0]) if len(words) > 1 else ("", "")
    if last in _STATUSES and not _is_foreign(last, body):
        return _STATUSES[last]
    # "Old bridges.pdf" is about old bridges.
    early = _STATUSES.get(first) in _NOT_YET and not _is_foreign(first, body)
    return _STATUSES[first] if early else None


def find_folder_status(path: str, body: str) -> DocumentStatus | None:
    """Return the status given by the innermost folder that names one: "archive", "old"."""
    for folder in reversed(PurePosixPath(fold(path)).parts[:-1]):
        for word in LETTERS.findall(folder.replace("_", " ")):
            status = _FOLDERS.get(word)
            if status and not _is_foreign(word, body):
                return status
    return None


def _is_foreign(word: str, body: str) -> bool:
    """Whether a word has another meaning in the language of a text, as "concept" in English."""
    if word not in _WORDS.homographs:
        return False
    known = load_lexicons().get(detect_language(body[:_SAMPLE]))
    return known is None or word not in known.statuses.homographs
