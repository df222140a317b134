"""Whether a passage, with its document, is about what a question names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from foundry.analysis import UNKNOWN, fold
from foundry.craft.subjects.subject import AskedName, Subject
from foundry.messages import Message
from foundry.records import Chunk, Source, SubjectFit
from foundry.text.names import Name, is_mentioned_in
from foundry.text.periods import Fit, find_periods, judge_periods

MENTIONED_SHARE = 0.1
"""A source that has a name in more of its chunks may be about it too: what it is about is then
unknown. A guess: a competitor or customer is named on few pages."""


def judge_passage(subject: Subject, source: Source, chunk: Chunk) -> SubjectFit:
    """Whether a passage is about the question's names and periods, in its text or its document.

    It is about another thing if that is sure of its document for every name, or of its periods.
    """
    names = _judge_names(subject, source, chunk)
    if names == "other":
        lacking = (name for name in subject.names if source.id not in name.sources)
        asked = tuple(dict.fromkeys(name.text for name in lacking))
        reason = Message("subject-other-document", title=source.title, names=asked)
        return SubjectFit("other", reason)
    periods = _judge_periods(subject, source, chunk)
    if periods == "other":
        asked = tuple(dict.fromkeys(period.text for period in subject.periods))
        return SubjectFit("other", Message("subject-other-period", periods=asked))
    sure = "fits" in (names, periods) and (names == "fits" or not subject.names)
    return SubjectFit("fits" if sure else "unknown")


PUT_BACK = 3
"""By how much a rank grows where a passage is of another period: a table of several years may name
only the first. A guess; 1 and 1000 were worse or equal on 146 questions about quarterly reports."""


def order_by_fit(fits: Sequence[SubjectFit]) -> list[int]:
    """The places of a ranking in a better order: passages about other things come last."""

    def find_place(place: int) -> tuple[bool, int]:
        reason = fits[place].reason
        if fits[place].verdict != "other" or reason is None:
            return False, place + 1
        other = reason.code == "subject-other-document"
        return other, (place + 1) * (1 if other else PUT_BACK)

    return sorted(range(len(fits)), key=find_place)


def _judge_names(subject: Subject, source: Source, chunk: Chunk) -> Fit:
    """Another one only if document and passage have next to nothing of the names they lack."""
    if source.id in subject.sources:
        return "fits"
    lacking = [name for name in subject.names if source.id not in name.sources]
    across = UNKNOWN in (subject.language, chunk.language) or subject.language != chunk.language
    for name in lacking:
        # A plain word has another form in another language.
        if across and not name.sure:
            return "unknown"
        if name.shares.get(source.id, 0.0) > MENTIONED_SHARE or _has_name(name, chunk):
            return "unknown"
    return "other" if lacking else "unknown"


def _has_name(name: AskedName, chunk: Chunk) -> bool:
    text = fold("\n".join((*chunk.heading_path, chunk.content)))
    return is_mentioned_in(Name(name.text, 0, identifier=False), text)


def _judge_periods(subject: Subject, source: Source, chunk: Chunk) -> Fit:
    """The passage's own periods decide; those of its document where it has none."""
    if not subject.periods:
        return "unknown"
    place = "\n".join((*chunk.heading_path, chunk.content))
    own = judge_periods(subject.periods, find_periods(place, chunk.language))
    if own == "fits":
        return own
    label = f"{source.title}\n{PurePosixPath(source.path).stem}"
    document = judge_periods(subject.periods, find_periods(label, source.language), label=True)
    if own == "other":
        return "other" if document != "fits" else "unknown"
    return document
