"""Questions that no source answers: of a thing whose name stands in none of them.

A question that a source answers is asked of another identifier, one letter or digit away, that
occurs nowhere in the project. No model is asked: none could promise that no source answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from foundry.evaluation.questions.drafting.proposals import Proposal

_IDENTIFIER = re.compile(
    r"(?<![\w.-])(?=[\w.-]*[A-Za-z])[A-Z][A-Za-z]*[-.]?\d{1,4}(?:[-.][A-Z\d]+)?(?![\w-])"
)
_DESCRIBED = re.compile(r"^\s*\([^)]*\)")
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 300, 500)


def near_misses(proposals: Sequence[Proposal], corpus: str, number: int) -> Iterator[Proposal]:
    """At most ``number`` of them, one for each identifier first; ``corpus`` is all text there is.

    They have no spans and no answer.
    """
    known = corpus.casefold()
    used: set[str] = set()
    made = 0
    for again in (False, True):
        for one in proposals:
            match = _IDENTIFIER.search(one.text)
            if made == number or match is None or (match[0] in used) is not again:
                continue
            other = _absent(match[0], known)
            if other is None:
                continue
            used.add(match[0])
            made += 1
            # What stands in brackets describes the thing that there is.
            rest = _DESCRIBED.sub("", one.text[match.end() :])
            text = f"{one.text[: match.start()]}{other}{rest}"
            yield Proposal(one.source, text, "", (), one.language, "near_miss")


def _absent(identifier: str, known: str) -> str | None:
    """The identifier with another number, such that neither stands anywhere."""
    digits = next(iter(re.finditer(r"\d+", identifier)))
    for step in _STEPS:
        number = str(int(digits[0]) + step).zfill(len(digits[0]))
        other = f"{identifier[: digits.start()]}{number}{identifier[digits.end() :]}"
        if (
            other.casefold() not in known
            and f"{identifier[: digits.start()]}{number}".casefold() not in known
        ):
            return other
    return None
