"""Chooses the title, revision, date and status of a document from the most trusted candidates.

Fields written by the author come first, then the front of the document, then properties kept by programs,
then the names of the file and its folders. A status such as "archived" is the exception: there the folder
comes first, since a text that was final when written is archived later. Contradictions are reported.
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
    "front-matter", "control-table", "cover", "watermark", "running-line", "properties", "heading", "file-name", "folder",
)  # fmt: skip
_CONFIDENCE: dict[FactOrigin, FactConfidence] = {
    "front-matter": "high", "control-table": "high", "cover": "medium", "watermark": "medium",
    "running-line": "medium",
    "properties": "medium", "heading": "medium", "file-name": "low", "folder": "low",
}  # fmt: skip
_ENDED = frozenset({"archived", "superseded", "withdrawn"})
"""Statuses that a document is given after it was written."""
_NAMES: tuple[FactName, ...] = ("revision", "date", "status")
_WORD = re.compile(
    rf"^\W*(?:document\s*)?{build_alternation(load_shared_lexicon().revisions.words)}?\W*"
    rf"(?:{build_alternation(load_shared_lexicon().revisions.numbers)}\b\W*)?v?\s*"
)


def decide_facts(
    document: Document, clues: Clues, path: str
) -> tuple[tuple[Fact, ...], tuple[Message, ...]]:
    """Return the facts of the document in the file ``path``, title first, and the contradictions found."""
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
    """Return the first candidate as a fact; its confidence is high if another place agrees."""
    best = candidates[0]
    agreeing = {one.origin for one in candidates if not _differs(best, one)}
    sure: FactConfidence = "high" if len(agreeing) > 1 else _CONFIDENCE[best.origin]
    # Another place may be more exact and give the day.
    value = (
        max((one.value for one in candidates if not _differs(best, one)), key=len)
        if best.name == "date"
        else best.value
    )
    return Fact(best.name, value, best.origin, sure)


def _list_contradictions(candidates: Sequence[FactCandidate]) -> Iterator[Message]:
    """Yield a warning for each place with another revision or status. Dates may be of other events."""
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
    """Return a revision mark without its word or trailing zeros: "Rev. B" equals "B", "1.0" equals "1"."""
    return re.sub(r"(?:\.0)+$", "", _WORD.sub("", fold(mark)).strip())
