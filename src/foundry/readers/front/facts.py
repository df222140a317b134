"""Decides what a document is: title, revision, date and status, each from the candidate that is trusted most.

The author's own fields come first, then what the front of the document shows, then what programs keep, then
the names of file and folder. Only for a status does the folder come first: a text that was final when it
was written is put into "archive" later. Two that contradict each other are told to the reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from foundry.analysis import fold
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.messages import Message
from foundry.readers.front.clues import Clues, FactCandidate, list_candidates
from foundry.readers.front.titles import choose_title
from foundry.records import Document, Fact, FactConfidence, FactName, FactOrigin

_TRUST: tuple[FactOrigin, ...] = (
    "front-matter", "control-table", "cover", "running-line", "properties", "heading", "file-name", "folder",
)  # fmt: skip
_CONFIDENCE: dict[FactOrigin, FactConfidence] = {
    "front-matter": "high", "control-table": "high", "cover": "medium", "running-line": "medium",
    "properties": "medium", "heading": "medium", "file-name": "low", "folder": "low",
}  # fmt: skip
_ENDED = frozenset({"archived", "superseded", "withdrawn"})
"""Statuses that a document gets after it was written."""
_NAMES: tuple[FactName, ...] = ("revision", "date", "status")
_WORD = re.compile(
    rf"^\W*(?:document\s*)?{build_alternation(load_shared_lexicon().revisions.words)}?\W*"
    rf"(?:{build_alternation(load_shared_lexicon().revisions.numbers)}\b\W*)?v?\s*"
)


def decide_facts(
    document: Document, clues: Clues, path: str
) -> tuple[tuple[Fact, ...], tuple[Message, ...]]:
    """The facts of the document of the file ``path``, title first, and the contradictions found."""
    title, origin = choose_title(document, clues, path)
    facts = [Fact("title", title, origin, _CONFIDENCE[origin])]
    warnings: list[Message] = []
    candidates = sorted(list_candidates(clues, document, path), key=_rank)
    for name in _NAMES:
        same = [candidate for candidate in candidates if candidate.name == name]
        if same:
            facts.append(_decide(same))
            warnings += _list_contradictions(same)
    return tuple(facts), tuple(warnings)


def _rank(candidate: FactCandidate) -> tuple[bool, int]:
    later = candidate.name == "status" and candidate.origin in {"folder", "file-name"}
    return not (later and candidate.value in _ENDED), _TRUST.index(candidate.origin)


def _decide(candidates: Sequence[FactCandidate]) -> Fact:
    """The first candidate; surer if another place says the same."""
    best = candidates[0]
    agreeing = {one.origin for one in candidates if not _differs(best, one)}
    sure: FactConfidence = "high" if len(agreeing) > 1 else _CONFIDENCE[best.origin]
    # The other place may say it more exactly: a day of the month.
    value = (
        max((one.value for one in candidates if not _differs(best, one)), key=len)
        if best.name == "date"
        else best.value
    )
    return Fact(best.name, value, best.origin, sure)


def _list_contradictions(candidates: Sequence[FactCandidate]) -> Iterator[Message]:
    """What other places say of a revision or status; of a date, which may be of another event, nothing."""
    best = candidates[0]
    for origin, same in groupby(candidates[1:], key=attrgetter("origin")):
        other = next(same)
        if best.name == "date" or origin == best.origin or not _differs(best, other):
            continue
        if best.name == "status" and best.value in _ENDED:
            continue
        yield Message(
            "readers-facts-differ",
            fact=Message(f"source-fact-{best.name}"),
            value=best.value,
            origin=Message(f"source-origin-{best.origin}"),
            other=other.value,
            place=Message(f"source-origin-{origin}"),
        )


def _differs(one: FactCandidate, other: FactCandidate) -> bool:
    if one.name == "revision":
        return _strip(one.value) != _strip(other.value)
    if one.name == "date":
        size = min(len(one.value), len(other.value))
        return one.value[:size] != other.value[:size]
    return one.value != other.value


def _strip(mark: str) -> str:
    """A revision mark without its word: "Rev. B" and "B" are one, "1.0" and "1" too."""
    return re.sub(r"(?:\.0)+$", "", _WORD.sub("", fold(mark)).strip())
