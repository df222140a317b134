"""Questions drafted by rule: what a table lists, what a section says, and near misses.

The words of the source are quoted, not turned into grammar, so each question reads well in Dutch
and English. It also repeats the source's words: such questions are easier to search for than what
people ask, and they say little about search by meaning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from foundry.analysis import fold
from foundry.evaluation.questions.proposals import DraftedQuestion, SkippedDraft, Span
from foundry.messages import Message
from foundry.records import Chunk, Source
from foundry.text.headings import is_administrative, is_generic, strip_number
from foundry.text.lines import UNIT_LABELS
from foundry.text.passages import Passage, find_passages, label_cells
from foundry.workspace import Workspace

HEADING = "heading"
"""The kind of questions about a section; they come last."""

_LISTED = {
    "en": 'What is listed under "{column}" for "{row}"?',
    "nl": 'Wat staat er onder "{column}" bij "{row}"?',
}
_SAID = {
    "en": 'What does "{title}" say about "{heading}"?',
    "nl": 'Wat zegt "{title}" over "{heading}"?',
}
_MARKUP = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}|^#+\s*|^[-•*]\s+")
_NO_VALUE = re.compile(r"[\s\-–—.?*/]*|n/?a|nvt|n\.v\.t\.?|none|geen", re.IGNORECASE)
_NUMBER = re.compile(r"[-+−±]?\d[\d.,\s]*%?")
_VALUE_LIKE = re.compile(r"\d\s?[A-Za-zµ%°]|_|\d\.\d")
_OPTION = re.compile(r"[A-Za-z][.)]\s")
_ODD_HEADING = re.compile(r"\d{4}|[?!:|{}\[\]<>]|^\w+ [\d.]+$|^[a-z]")
_IDENTIFIER_WORD = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])[\w.,/+-]+")
_MAX_LABEL, _MAX_NAME, _MAX_VALUE = 40, 60, 90
_MAX_WORDS = 8
"""Longer cells and headings are sentences, not names; limits chosen by reading drafts."""

_MIN_LETTERS = 4
"""Of a heading: shorter ones are codes and abbreviations."""

_COMMON_HEADING = 3
"""A heading in so many sources ("Author", "Improve this page") belongs to a template."""

_IDENTIFIER = re.compile(
    r"(?<![\w.-])(?=[\w.-]*[A-Za-z])[A-Z][A-Za-z]*[-.]?\d{1,4}(?:[-.][A-Z\d]+)?(?![\w-])"
)
_DESCRIBED = re.compile(r"^\s*\([^)]*\)")
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 300, 500)


@dataclass
class SourceDrafts:
    """What a source gave: questions in reading order, and what gave none."""

    questions: list[DraftedQuestion] = field(default_factory=list)
    skipped: list[SkippedDraft] = field(default_factory=list)


def draft_from_sources(workspace: Workspace, sources: Sequence[Source]) -> Iterator[SourceDrafts]:
    """The questions of each source's tables and sections, source by source; one per place."""
    chunks = {source.id: workspace.store.source_chunks(source.id) for source in sources}
    seen = Counter(
        heading
        for source in sources
        for heading in {_fold_heading(path[-1]) for path in _list_paths(chunks[source.id])}
    )
    common = frozenset(heading for heading, times in seen.items() if times >= _COMMON_HEADING)
    for source in sources:
        yield _draft_from_source(source, chunks[source.id], common)


def draft_near_misses(
    questions: Sequence[DraftedQuestion], corpus: str, number: int
) -> Iterator[DraftedQuestion]:
    """At most ``number`` questions about things that occur nowhere in ``corpus``, all the text.

    Each is a drafted question with another number in its identifier, such as E06 for E05; every
    identifier is used once before any is used again. No model is asked: none could promise that
    no source has the answer.
    """
    known = corpus.casefold()
    used: set[str] = set()
    made = 0
    for again in (False, True):
        for question in questions:
            match = _IDENTIFIER.search(question.text)
            if made == number or match is None or (match[0] in used) is not again:
                continue
            other = _find_absent(match[0], known)
            if other is None:
                continue
            used.add(match[0])
            made += 1
            # A description in brackets fits only the thing that exists.
            rest = _DESCRIBED.sub("", question.text[match.end() :])
            text = f"{question.text[: match.start()]}{other}{rest}"
            yield DraftedQuestion(question.source, text, "", (), question.language, "near_miss")


def _find_absent(identifier: str, known: str) -> str | None:
    """The identifier with another number that occurs nowhere, with or without what follows it."""
    digits = next(iter(re.finditer(r"\d+", identifier)))
    for step in _STEPS:
        number = str(int(digits[0]) + step).zfill(len(digits[0]))
        stem = f"{identifier[: digits.start()]}{number}"
        other = f"{stem}{identifier[digits.end() :]}"
        if other.casefold() not in known and stem.casefold() not in known:
            return other
    return None


def _draft_from_source(
    source: Source, chunks: Sequence[Chunk], common: frozenset[str]
) -> SourceDrafts:
    questions: dict[tuple[Span, ...], DraftedQuestion] = {}
    skipped: Counter[Message] = Counter()
    for chunk in chunks:
        language = chunk.language if chunk.language in _LISTED else source.language
        if language not in _LISTED:
            skipped[Message("eval-draft-no-template", language=language)] += 1
            continue
        passages = find_passages(chunk)
        for question in (
            *_ask_rows(source, chunk, passages, language, skipped),
            *_ask_headings(source, passages, language, common),
        ):
            # Chunks overlap, so the same place may come twice.
            questions.setdefault(question.spans, question)
    notes = [
        SkippedDraft(source.path, Message("eval-draft-passages", n=n), reason)
        for reason, n in skipped.items()
    ]
    if not questions and not notes:
        what, why = Message("eval-draft-everything"), Message("eval-draft-nothing-to-ask")
        notes = [SkippedDraft(source.path, what, why)]
    return SourceDrafts(list(questions.values()), notes)


def _ask_rows(
    source: Source,
    chunk: Chunk,
    passages: Sequence[Passage],
    language: str,
    skipped: Counter[Message],
) -> Iterator[DraftedQuestion]:
    """One question per table row, each row about another column."""
    rows = [passage for passage in passages if passage.kind == "table"]
    names = Counter(_get_row_name(row, chunk) for row in rows)
    for number, row in enumerate(rows):
        if any(is_administrative(heading) for heading in row.place.heading_path):
            skipped[Message("eval-draft-administrative")] += 1
        elif names[_get_row_name(row, chunk)] > 1:
            skipped[Message("eval-draft-same-rows")] += 1
        elif not (cells := list(_list_cells(row, chunk))):
            skipped[Message("eval-draft-unnamed-row")] += 1
        else:
            name, column, answer = cells[number % len(cells)]
            text = _LISTED[language].format(column=column, row=name)
            vague = not any(_IDENTIFIER_WORD.fullmatch(word) for word in name.split())
            yield _place_question(
                source, row, text, answer=answer, language=language, kind="table", vague=vague
            )


def _list_cells(row: Passage, chunk: Chunk) -> Iterator[tuple[str, str, str]]:
    """The row's name with each column that can be asked about: (name, column, value)."""
    columns = [
        (_strip_markup(label), _strip_markup(cell)) for label, cell in label_cells(row, chunk)
    ]
    if row.cut or len(columns) < 2 or not all(_is_header(label) for label, _ in columns):
        return
    name, rest = columns[0][1], columns[1:]
    if not _is_name(name):
        return
    unit = next((cell for label, cell in rest if fold(label) in UNIT_LABELS), "")
    for label, cell in rest:
        if fold(label) in UNIT_LABELS or _NO_VALUE.fullmatch(cell) or len(cell) > _MAX_VALUE:
            continue
        yield name, label, f"{cell} {unit}" if unit and _NUMBER.fullmatch(cell) else cell


def _ask_headings(
    source: Source, passages: Sequence[Passage], language: str, common: frozenset[str]
) -> Iterator[DraftedQuestion]:
    """A question about each section, whose place is the section's first sentence."""
    asked: set[tuple[str, ...]] = set()
    for passage in passages:
        path = passage.place.heading_path
        if passage.kind != "paragraph" or passage.cut or not path or path in asked:
            continue
        asked.add(path)
        heading = _strip_markup(strip_number(path[-1])).strip(" .:")
        if _is_subject(heading, path, source.title) and _fold_heading(path[-1]) not in common:
            text = _SAID[language].format(title=source.title, heading=heading)
            yield _place_question(source, passage, text, answer="", language=language, kind=HEADING)


def _place_question(
    source: Source,
    passage: Passage,
    text: str,
    *,
    answer: str,
    language: str,
    kind: str,
    vague: bool = False,
) -> DraftedQuestion:
    path = passage.place.heading_path
    return DraftedQuestion(
        source, text, answer, passage.spans, language, kind, passage.place.page,
        path[-1] if path else None, vague,
    )  # fmt: skip


def _get_row_name(row: Passage, chunk: Chunk) -> tuple[tuple[Span, ...], str]:
    """Which table a row belongs to, and its first cell."""
    start, end = row.cells[0] if row.cells else (chunk.start, chunk.start)
    words = chunk.text[start - chunk.start : end - chunk.start]
    return row.header, " ".join(words.split()).casefold()


def _is_header(label: str) -> bool:
    """A few words, not a value: the first row of a drawing or a form is not a header."""
    letters = sum(letter.isalpha() for letter in label)
    words = label.split()
    return (
        letters >= 2
        and len(label) <= _MAX_LABEL
        and len(words) <= 4
        and not label.endswith(":")
        and not _IDENTIFIER_WORD.fullmatch(words[0])
        and not _VALUE_LIKE.search(label)
    )


def _is_name(name: str) -> bool:
    """The name of a thing: not a number, an option of a list or a sentence."""
    return (
        any(letter.isalpha() for letter in name)
        and len(name) <= _MAX_NAME
        and len(name.split()) <= _MAX_WORDS
        and not name[0].isdigit()
        and not name.endswith(("?", "!", ".", ":"))
        and not (_OPTION.match(name) or _NUMBER.fullmatch(name))
    )


def _is_subject(heading: str, path: Sequence[str], title: str) -> bool:
    """Whether a heading names something that a reader could ask about."""
    return (
        len(heading.split()) <= _MAX_WORDS
        and sum(letter.isalpha() for letter in heading) >= _MIN_LETTERS
        and not _ODD_HEADING.search(heading)
        and not is_generic(heading)
        and not any(is_administrative(part) for part in path)
        and heading.casefold() not in title.casefold()
    )


def _list_paths(chunks: Sequence[Chunk]) -> Iterator[tuple[str, ...]]:
    for chunk in chunks:
        yield from (block.heading_path for block in chunk.blocks if block.heading_path)


def _fold_heading(heading: str) -> str:
    return fold(strip_number(heading))


def _strip_markup(text: str) -> str:
    return " ".join(_MARKUP.sub("", text).split())
