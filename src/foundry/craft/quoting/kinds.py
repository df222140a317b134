"""What kind of value a question asks for, in lower case, and whether a sentence has one."""

from __future__ import annotations

import re
from collections.abc import Callable

from foundry.analysis import fold
from foundry.craft.quoting.candidates import QuoteCandidate
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.text.names import find_identifiers, find_names
from foundry.text.quantities import Quantity

_WORDS = load_shared_lexicon().answers
_NUMBER = re.compile(
    rf"\b(?:{build_alternation(_WORDS.amount_questions)}"
    rf"|{build_alternation(_WORDS.what_is)} (?:\w+ ){{0,3}}{build_alternation(_WORDS.measures)})\b"
)
_TIME = re.compile(rf"\b{build_alternation(_WORDS.time_questions)}\b")
_PERSON = re.compile(rf"\b{build_alternation(_WORDS.person_questions)}\b")
_PLACE = re.compile(rf"\b{build_alternation(_WORDS.place_questions)}\b")
_REASON = re.compile(rf"\b{build_alternation(_WORDS.reason_questions)}\b")
_BECAUSE = re.compile(rf"\b{build_alternation(_WORDS.reasons)}\b")
_WHICH = re.compile(rf"\b{build_alternation(_WORDS.which_questions)}\b")


def has_asked_kind(asked: str, candidate: QuoteCandidate) -> bool | None:
    """Whether it has the number, time, person or reason asked for; None for another question.

    "Which fuse is F1" asks for any value that the question does not have.
    """
    for pattern, holds in _KINDS:
        if pattern.search(asked):
            return holds(asked, candidate)
    if _WHICH.search(asked) and find_identifiers(asked):
        return _has_news(asked, candidate)
    return None


def asks_for_value(asked: str) -> bool:
    """Whether a number, time, person, place or reason is asked for, which no list answers."""
    return any(one.search(asked) for one in (_NUMBER, _TIME, _PERSON, _PLACE, _REASON))


def asks_for_reason(asked: str) -> bool:
    """Whether the question asks why, and nothing that ``has_asked_kind`` finds first."""
    first = next((pattern for pattern, _ in _KINDS if pattern.search(asked)), None)
    return first is _REASON


def holds_asked_value(asked: str, candidate: QuoteCandidate) -> bool:
    """Whether it has the date, person or amount asked for.

    Other questions may ask for an identifier; a year or the number of a note is no amount.
    """
    for pattern, holds in ((_TIME, _has_time), (_PERSON, _has_person)):
        if pattern.search(asked):
            return holds(asked, candidate)
    names = find_names(candidate.text)
    return any(_is_amount(quantity) for quantity in candidate.quantities) or any(
        name.identifier and name.key not in _split(asked) for name in names
    )


def _split(asked: str) -> set[str]:
    return {word for part in asked.split() for word in (part, part.strip("?.,;:!()\"'"))}


def _has_number(_: str, candidate: QuoteCandidate) -> bool:
    return any(quantity.kind == "number" for quantity in candidate.quantities)


def _has_time(_: str, candidate: QuoteCandidate) -> bool:
    kinds = {quantity.kind for quantity in candidate.quantities}
    years = any(re.fullmatch(r"[12]\d{3}", quantity.text) for quantity in candidate.quantities)
    return bool(kinds & {"date", "clock"}) or years


def _has_person(asked: str, candidate: QuoteCandidate) -> bool:
    names = [name for name in find_names(candidate.text) if name.key not in _split(asked)]
    return any(not name.identifier for name in names)


def _has_reason(_: str, candidate: QuoteCandidate) -> bool:
    return _BECAUSE.search(fold(candidate.text)) is not None


def _has_news(asked: str, candidate: QuoteCandidate) -> bool:
    """Whether it has a number or a name that the question lacks, beyond the word that opens it."""
    names = (name for name in find_names(candidate.text) if not name.initial)
    return any(quantity.text not in asked for quantity in candidate.quantities) or any(
        name.key not in asked for name in names
    )


_KINDS: tuple[tuple[re.Pattern[str], Callable[[str, QuoteCandidate], bool]], ...] = (
    (_NUMBER, _has_number),
    (_TIME, _has_time),
    (_PERSON, _has_person),
    (_REASON, _has_reason),
)


def _is_amount(quantity: Quantity) -> bool:
    return quantity.kind == "number" and bool(
        quantity.dimension or re.search(r"\d[.,]\d", quantity.text)
    )
