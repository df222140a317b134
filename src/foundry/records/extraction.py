"""Extraction tables: questions put to every source, one cell for each pair, and what people decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from foundry.doc import HIDDEN, Doc
from foundry.ids import hash_text
from foundry.messages import Message
from foundry.options import SearchMode
from foundry.records.documents import Quote
from foundry.records.kinds import Score
from foundry.roles import Confidentiality

CellState = Literal["answered", "low_confidence", "quoted", "passage", "nothing", "failed"]
"""What a cell is: a model's verified answer, one that is in doubt, the source's own row or sentence
where no model writes, a passage to read, nothing found, or a question that failed and is asked again."""

CellVerdict = Literal["approved", "corrected", "rejected"]
RowKind = Literal["source", "section"]
"""What a row of a table is."""
SourceFate = Literal["same", "changed", "gone"]
"""What became of a cell's source since its answer was made."""


@dataclass(frozen=True, slots=True)
class CellAnswer:
    """What one source says to one question.

    ``quotes`` are its exact words; the id of each is that of its chunk. ``key`` is a hash of all that the
    answer depends on: an equal one need not be asked again.
    """

    state: CellState
    value: Annotated[str, Doc("empty for a passage, for nothing, and if it failed")]
    quotes: tuple[Quote, ...]
    reasons: tuple[Message, ...]
    confidence: Annotated[Score, Doc("the gate's score, 0 to 1")]
    model: Annotated[str, Doc("who wrote it")]
    made: datetime
    content_hash: Annotated[str, Doc("of the source's file then")]
    line: Annotated[str, Doc("of a passage: its nearest row or sentence, readable")] = ""
    key: Annotated[str, HIDDEN] = ""
    answer_id: Annotated[str | None, Doc("in the query log; null if it was not logged")] = None

    @property
    def words(self) -> str:
        """What a reader sees: its value, or else the words to read."""
        return self.value or self.line

    @property
    def version(self) -> Annotated[str, Doc("a hash of state, value and quotations")]:
        """A hash of what a reader sees: of equal ones none has changed."""
        return hash_text("\0".join((self.state, self.value, *(one.text for one in self.quotes))))[
            :16
        ]

    def says_same(self, other: CellAnswer) -> bool:
        """Whether another answer has the same state, value and quotations."""
        return self.version == other.version


@dataclass(frozen=True, slots=True)
class CellReview:
    """What a person decided on a cell; ``value`` holds from then on, whatever later runs find."""

    verdict: CellVerdict
    by: str
    time: datetime
    value: Annotated[str, Doc("what holds; empty if rejected")]
    seen: Annotated[CellAnswer, Doc("the answer that was decided on")]


@dataclass(frozen=True, slots=True)
class ExtractionCell:
    """A question put to a source: its latest answer, the one before if that said otherwise, its reviews.

    ``run`` is the number of the table's run that last changed what it says.
    """

    source_id: str
    source: Annotated[str, Doc("path of the source")]
    title: Annotated[str, Doc("title of the source")]
    question: str
    confidentiality: Confidentiality
    answer: CellAnswer
    run: int
    fate: Annotated[SourceFate, Doc("of its source since the answer was made")] = "same"
    before: Annotated[CellAnswer | None, Doc("what it said before that run; null if nothing")] = (
        None
    )
    reviews: Annotated[tuple[CellReview, ...], Doc("oldest first; the last one holds")] = ()
    section: Annotated[
        tuple[str, ...], Doc("heading path of the section; empty for a whole source")
    ] = ()

    @property
    def row(self) -> Annotated[str, Doc("id of the row: of its source, or of a section of it")]:
        """The key of its row."""
        return make_row(self.source_id, self.section)

    @property
    def column(self) -> str:
        """The key of its question."""
        return make_column(self.question)

    @property
    def review(self) -> CellReview | None:
        """The decision that holds, or None."""
        return self.reviews[-1] if self.reviews else None

    @property
    def value(self) -> Annotated[str, Doc("what holds: a person's decision, else the answer's")]:
        """What holds: a person's decision, or else the answer's value."""
        return self.review.value if self.review else self.answer.value

    @property
    def changed_since(self) -> Annotated[bool, Doc("the answer differs from the one reviewed")]:
        """Whether the answer says otherwise than the one that a person decided on."""
        return self.review is not None and not self.answer.says_same(self.review.seen)


def make_row(source_id: str, section: Sequence[str] = ()) -> str:
    """The key of a row in a table: the id of its source, with a hash of the section's headings."""
    return f"{source_id}#{hash_text(chr(0).join(section))[:16]}" if section else source_id


def make_column(question: str) -> str:
    """The key of a question in a table."""
    return hash_text(question)[:16]


@dataclass(frozen=True, slots=True)
class ExtractionTable:
    """A kept table; ``role`` is that of its maker, and ``filters`` are written as ``type=pdf``.

    Its confidentiality is that of its strictest source. A run that was broken off has no ``finished``.
    """

    name: str
    questions: tuple[str, ...]
    filters: tuple[str, ...]
    mode: SearchMode | None
    confidentiality: Confidentiality
    created: datetime
    started: Annotated[datetime, Doc("the last run")]
    runs: int = 1
    finished: Annotated[datetime | None, Doc("null while it runs, or if it was broken off")] = None
    rows: Annotated[int, Doc("of the last run")] = 0
    by: Annotated[RowKind, Doc("what a row is")] = "source"
    role: Annotated[Confidentiality, HIDDEN] = "secret"


@dataclass(frozen=True, slots=True)
class ExtractionRow:
    """A source, or a section of it, with its cells in the order of the questions; None for one that is not asked yet."""

    source_id: str
    source: Annotated[str, Doc("path")]
    title: str
    cells: tuple[ExtractionCell | None, ...]
    section: Annotated[tuple[str, ...], Doc("heading path; empty for a whole source")] = ()

    @property
    def row(self) -> Annotated[str, Doc("id of the row, for a review")]:
        """The key of the row."""
        return make_row(self.source_id, self.section)

    @property
    def name(self) -> str:
        """Its title, with the headings of its section."""
        return " › ".join((self.title, *self.headings))

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of its section below the title, which is often the first of them."""
        same = len(self.section) > 1 and self.section[0] == self.title
        return self.section[1:] if same else self.section


@dataclass(frozen=True, slots=True)
class ExtractionRun:
    """What a run did, in cells: ``gone`` are those whose source was removed or replaced meanwhile."""

    table: ExtractionTable
    asked: int
    reused: Annotated[int, Doc("source, question, model and settings are the same as before")]
    changed: Annotated[int, Doc("say otherwise than before")]
    states: Annotated[Mapping[str, int], Doc("state → number of cells")]
    failed: int = 0
    gone: Annotated[int, Doc("the source was removed or replaced meanwhile")] = 0
    seconds: Annotated[float, Doc(digits=3)] = 0.0
    notices: Annotated[tuple[Message, ...], Doc("such as: a question was there twice")] = ()
