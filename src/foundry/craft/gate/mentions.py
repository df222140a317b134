"""What a question names that the sources, or the passages found, do not have.

These are facts about the text, shown beside the passages. Only an identifier that no source has
refuses a question, and only where the question is about nothing else that a source has.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from foundry.analysis import fold
from foundry.analysis.lexer import has_digit
from foundry.craft.gate.signals import Candidate, has_similar_word
from foundry.records import Name, Period, Question
from foundry.text.names import find_long_form, is_mentioned_in
from foundry.text.periods import compare_periods, find_periods
from foundry.text.quantities import find_quantities

# "Art-Net" and "PowerCon" are written alike in every language; "Vienna" is not.
_COINED_NAME = re.compile(r"[A-Z][a-z]+(?:-?[A-Z][a-z]*)+")
_WORD = re.compile(r"[^\W\d_]{2,}")


def find_unmentioned(
    question: Question, candidates: Sequence[Candidate], *, across: bool
) -> tuple[Name, ...]:
    """The names in the question that occur in no source.

    ``across``: the passages are in another language, so only what languages write alike counts.
    Whole words are looked up in the index, other spellings in the candidates.
    """
    names = _list_expected(question, across=across)
    passages = _Passages(candidates if names else ())
    return tuple(name for name in names if not passages.has(name, question))


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
    names = question.expected
    numbered = {name.text for name in names if has_digit(name.text)}
    absent = [name for name in unmentioned if has_digit(name.text)]
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
    names = [n for n in _list_expected(question, across=across) if n not in unmentioned]
    return _Passages(candidates).list_lacking(question, names)


def find_separate(
    question: Question, candidates: Sequence[Candidate], *, across: bool
) -> tuple[str, ...]:
    """The names, periods and numbers of the question that candidates have, but none has them all."""
    names = _list_expected(question, across=across)
    each = [_Passages([one]).list_lacking(question, names) for one in candidates]
    if not all(each):
        return ()
    asked = _Passages(()).list_lacking(question, names)
    return tuple(item for item in asked if not all(item in lacking for lacking in each))


class _Passages:
    """The text of the candidates, with their titles and headings."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._candidates = candidates
        self._labels = "\n".join(one.join_labels() for one in candidates)
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
        if has_digit(name.text):
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
        yield from (period.text for period in question.periods if not self._has_period(period))
        if question.numbers:
            known = {value for one in self._candidates for value in _list_values(one)}
            for text, bare in question.numbers:
                if known.isdisjoint((*bare, text)) and not self._has_digits(text):
                    yield text

    def _has_digits(self, number: str) -> bool:
        """Whether the digits stand somewhere, if only in an identifier: "dx 4" and "DX-4"."""
        return re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d])", self._text) is not None

    def _has_period(self, asked: Period) -> bool:
        """Whether a candidate has the period, a part of it or one around it."""
        said = {
            compare_periods(asked, period)
            for one in self._candidates
            for text in (one.chunk.content, one.join_labels(), PurePosixPath(one.source.path).stem)
            for period in find_periods(text, one.chunk.language)
        }
        return bool(said & {"same", "part", "whole"})


def _list_values(candidate: Candidate) -> Iterator[float | str]:
    text = f"{candidate.join_labels()}\n{candidate.chunk.content}"
    for quantity in find_quantities(text, candidate.chunk.language):
        yield quantity.text
        yield from quantity.bare


def _list_expected(question: Question, *, across: bool) -> list[Name]:
    """The names to look for in passages; a side's documents were chosen by theirs."""
    chosen = {word for side in question.subject.sides for word in side.name.split()}
    return [
        name
        for name in question.expected
        if name.text not in chosen
        and (not across or has_digit(name.text) or _COINED_NAME.fullmatch(name.text))
    ]


def _list_beside(name: Name, names: Sequence[Name], text: str) -> Iterator[Name]:
    """The names with nothing but spaces between them and this one."""
    for other in names:
        first, second = sorted((name, other), key=lambda one: one.start)
        if not text[first.start + len(first.text) : second.start].strip():
            yield other


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
            return question.is_covered(word)
        whole = (term for term in word.terms if term.replace("_", "") == squeezed)
        return any(question.frequencies.get(term, 0) for term in whole)
    return False
