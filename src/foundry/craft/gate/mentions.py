"""What a question names that the sources, or the passages found, do not have.

These are facts about the text, shown beside the passages. Only an identifier that no source has
refuses a question, and only where the question is about nothing else that a source has.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePosixPath

from foundry.analysis import fold
from foundry.craft.gate.question import Candidate, has_similar_word, is_covered
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import Question
from foundry.text.names import Name, find_long_form, find_names, is_mentioned_in
from foundry.text.periods import Period, compare_periods, find_periods
from foundry.text.quantities import Quantity, find_quantities

_LEXICON = load_shared_lexicon()
_WORDS = _LEXICON.questions

_QUESTION_OPENING = re.compile(
    rf"^\W*(?:(?:\w+ )?{build_alternation(_WORDS.interrogatives)}"
    rf"|{build_alternation(_WORDS.opening_verbs)})\b"
)
# A salutation names whom the question is put to, not what it is about.
_GREETING = re.compile(
    rf"^\W*{build_alternation(_WORDS.greetings)}\b[^,.!?\n]{{0,40}}[,.!]", re.IGNORECASE
)
_CAPITALISES_NAMES_ONLY = frozenset(("nl", "en", "und"))
"""Languages that capitalise names only; German capitalises every noun."""

_MANY_CAPITALS = 0.5
"""From this share of capitalised words on, a text is a title or shouted, and capitals do not
mark names. A guess: half."""

_DUTCH_SUFFIX = re.compile(r"(?:-[^\W\d_A-Z]{3,})+$")
# "Art-Net" and "PowerCon" are written alike in every language; "Vienna" is not.
_COINED_NAME = re.compile(r"[A-Z][a-z]+(?:-?[A-Z][a-z]*)+")
_DECADE = re.compile(r"\d+['’]?s\b")
_TIMES = re.compile(r"\d+x")
_KINDS = frozenset(("number", "version"))
_WORD = re.compile(r"[^\W\d_]{2,}")
_WRITTEN_WORD = re.compile(r"[^\W\d_][\w'’-]+")


def find_unmentioned(
    question: Question, candidates: Sequence[Candidate], *, across: bool
) -> tuple[Name, ...]:
    """The names in the question that occur in no source.

    ``across``: the passages are in another language, so only what languages write alike counts.
    Whole words are looked up in the index, other spellings in the candidates.
    """
    names = _list_sure_names(question)
    if not names:
        return ()
    passages = _Passages(candidates)
    missing = (name for name in names if not passages.has(name, question))
    return tuple(name for name in missing if not across or _is_universal(name))


def join_names(names: Iterable[Name], text: str) -> tuple[str, ...]:
    """The names as written in the text, each once, those that follow each other as one."""
    runs: list[tuple[int, int]] = []
    for name in names:
        end = name.start + len(name.text)
        if runs and not text[runs[-1][1] : name.start].strip():
            runs[-1] = runs[-1][0], end
        else:
            runs.append((name.start, end))
    return tuple(dict.fromkeys(text[start:end] for start, end in runs))


def find_absent_identifier(question: Question, unmentioned: Collection[Name]) -> str | None:
    """The type, part or article number that the question is about, where no source has it.

    None if the question has another such number, or another name that sources have and that does
    not stand beside it: "ZX-9000" and "the Brinkvonk ZX-9000", not "the DX-4 and the ZX-9000".
    """
    names = _list_sure_names(question)
    numbered = {name.text for name in names if _has_digit(name)}
    absent = [name for name in unmentioned if _has_digit(name)]
    if len(numbered) != 1 or not absent:
        return None
    beside = {*unmentioned, *_list_beside(absent[0], names, question.text)}
    others = [name for name in names if name not in beside]
    return None if any(_is_indexed(name, question) for name in others) else absent[0].text


def find_lacking(
    question: Question,
    candidates: Sequence[Candidate],
    unmentioned: Collection[Name],
    *,
    across: bool,
) -> tuple[str, ...]:
    """The names, periods and numbers of the question that sources may have but no candidate has.

    ``across`` as in ``find_unmentioned``, whose names are left out.
    """
    names = [
        name
        for name in _list_sure_names(question)
        if name not in unmentioned and (not across or _is_universal(name))
    ]
    return _Passages(candidates).list_lacking(question, names)


def find_separate(
    question: Question, candidates: Sequence[Candidate], *, across: bool
) -> tuple[str, ...]:
    """The names, periods and numbers of the question that candidates have, but none has them all."""
    names = [name for name in _list_sure_names(question) if not across or _is_universal(name)]
    each = [_Passages([one]).list_lacking(question, names) for one in candidates]
    if not all(each):
        return ()
    asked = _Passages(()).list_lacking(question, names)
    return tuple(item for item in asked if not all(item in lacking for lacking in each))


class _Passages:
    """The text of the candidates, with their titles and headings."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._candidates = candidates
        self._labels = "\n".join(map(_join_labels, candidates))
        contents = (candidate.chunk.content for candidate in candidates)
        self._text = fold("\n".join((self._labels, *contents)))
        self._vocabulary = frozenset(_WORD.findall(self._text))

    def has(self, name: Name, question: Question) -> bool:
        """Whether a source has the name, as far as the index and the candidates tell."""
        read = {fold(word) for word in question.readings}
        return name.key in read or _is_indexed(name, question) or self.has_in_text(name)

    def has_in_text(self, name: Name) -> bool:
        """Whether a candidate has the name: inflected, in a compound, or by its initials."""
        if is_mentioned_in(name, self._text):
            return True
        if _has_digit(name):
            return False
        parts = [part for part in _WORD.findall(name.text) if _is_distinctive_part(part)]
        if not name.text.isalpha() and any(fold(part) in self._vocabulary for part in parts):
            return True
        return has_similar_word(name.key, self._vocabulary) or self._has_long_form(name)

    def list_lacking(self, question: Question, names: Sequence[Name]) -> tuple[str, ...]:
        """The names, and the question's periods and numbers, that no candidate has."""
        lacking = (name.text for name in names if not self.has_in_text(name))
        return tuple(dict.fromkeys((*lacking, *self._list_lacking_values(question))))

    def _has_long_form(self, name: Name) -> bool:
        if find_long_form(name.key, self._labels, self._vocabulary.__contains__):
            return True
        # "mean time between failures" mentions MTBF.
        initials = r"\w*\W+".join(map(re.escape, name.key))
        long = name.identifier and len(name.key) > 2
        return long and re.search(rf"\b{initials}", self._text) is not None

    def _list_lacking_values(self, question: Question) -> Iterator[str]:
        """The periods and numbers of the question that no candidate has."""
        periods = find_periods(question.text, question.language)
        yield from (period.text for period in periods if not self._has_period(period))
        taken = {place for period in periods for place in range(period.start, period.end)}
        asked = find_quantities(question.text, question.language)
        numbers = [q for q in asked if q.start not in taken and _is_number(q, question.text)]
        if numbers:
            known = {value for one in self._candidates for value in _list_values(one)}
            unknown = (q for q in numbers if known.isdisjoint((*q.bare, q.text)))
            yield from (q.text for q in unknown if not self._has_digits(q.text))

    def _has_digits(self, number: str) -> bool:
        """Whether the digits stand somewhere, if only in an identifier: "dx 4" and "DX-4"."""
        return re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d])", self._text) is not None

    def _has_period(self, asked: Period) -> bool:
        """Whether a candidate has the period, a part of it or one around it."""
        said = {
            compare_periods(asked, period)
            for one in self._candidates
            for text in (one.chunk.content, _join_labels(one), PurePosixPath(one.source.path).stem)
            for period in find_periods(text, one.chunk.language)
        }
        return bool(said & {"same", "part", "whole"})


def _is_number(quantity: Quantity, text: str) -> bool:
    """Whether it is a number in digits or a version, not a decade ("50s")."""
    is_decade = _DECADE.match(text, quantity.start) is not None
    return quantity.kind in _KINDS and quantity.text[0].isdigit() and not is_decade


def _list_values(candidate: Candidate) -> Iterator[float | str]:
    text = f"{_join_labels(candidate)}\n{candidate.chunk.content}"
    for quantity in find_quantities(text, candidate.chunk.language):
        yield quantity.text
        yield from quantity.bare


def _join_labels(candidate: Candidate) -> str:
    source = candidate.source
    own = (word for name in source.names for word in (name.name, *name.aliases))
    return "\n".join((source.title, source.path, *own, *candidate.chunk.heading_path))


def find_question_names(text: str) -> tuple[Name, ...]:
    """The names in a question, without a Dutch noun joined to one: "DX-4-regelaar" gives DX-4.

    A period, such as FY2022 or Q4, is not a name: sources may write it in another way.
    """
    periods = [(period.start, period.end) for period in find_periods(text)]
    names = (replace(name, text=_DUTCH_SUFFIX.sub("", name.text)) for name in find_names(text))
    return tuple(
        name
        for name in names
        if name.text and not any(start <= name.start < end for start, end in periods)
    )


def _list_sure_names(question: Question) -> tuple[Name, ...]:
    """The names in the question, without the opening word of a sentence and whom it greets."""
    greeting = _GREETING.match(question.text)
    begin = greeting.end() if greeting else 0
    return tuple(
        name
        for name in find_question_names(question.text)
        if name.start >= begin and _is_sure(name, question)
    )


def _is_sure(name: Name, question: Question) -> bool:
    if _has_digit(name):
        is_number = _DECADE.fullmatch(name.text) or _TIMES.fullmatch(name.text)
        return name.identifier and not is_number
    opening = _QUESTION_OPENING.match(fold(_GREETING.sub("", question.text)))
    is_question = opening is not None or question.text.rstrip().endswith("?")
    marks_names = question.language in _CAPITALISES_NAMES_ONLY and not _has_title_case(
        question.text
    )
    is_ordinary = name.key in _LEXICON.general.stop_words or (name.initial and not name.identifier)
    return is_question and marks_names and not is_ordinary


@lru_cache(maxsize=16)
def _has_title_case(text: str) -> bool:
    """Whether most words are capitalised. A hyphenated name is one word; identifiers do not count."""
    words: list[str] = _WRITTEN_WORD.findall(text)[1:]
    plain = [word for word in words if not any(character.isdigit() for character in word)]
    capitalised = sum(word[0].isupper() for word in plain)
    return capitalised > 1 and capitalised >= _MANY_CAPITALS * len(plain)


def _list_beside(name: Name, names: Sequence[Name], text: str) -> Iterator[Name]:
    """The names with nothing but spaces between them and this one."""
    for other in names:
        first, second = sorted((name, other), key=lambda one: one.start)
        if not text[first.start + len(first.text) : second.start].strip():
            yield other


def _has_digit(name: Name) -> bool:
    return any(character.isdigit() for character in name.text)


def _is_universal(name: Name) -> bool:
    return _has_digit(name) or bool(_COINED_NAME.fullmatch(name.text))


def _is_distinctive_part(part: str) -> bool:
    """Whether a part is a name by itself: "Vlonder" or "DMX", but neither half of "Art-Net"."""
    least = 3 if part.isupper() else 4
    return part[0].isupper() and len(part) >= least


def _is_indexed(name: Name, question: Question) -> bool:
    """Whether the index has the name as one word; its parts alone do not count."""
    squeezed = re.sub(r"[\W_]+", "", fold(name.text))
    for word in question.words:
        if re.sub(r"[\W_]+", "", fold(word.word)) != squeezed:
            continue
        if name.text.isalpha():
            return is_covered(question, word)
        whole = (term for term in word.terms if term.replace("_", "") == squeezed)
        return any(question.frequencies.get(term, 0) for term in whole)
    return False
