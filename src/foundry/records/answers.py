"""Evidence, what is written from it, and what was checked against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from foundry.doc import HIDDEN, Doc
from foundry.messages import Message
from foundry.records.conflicts import Conflict
from foundry.records.documents import Quote
from foundry.records.kinds import BlockKind, ClaimVerdict, Notices, Score, Verdict
from foundry.records.retrieval import DroppedHit, Evidence, Hit, SearchResult


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer with its citations; each citation has one or more ``quotes``.

    ``computed`` are its values that no source has, with the calculation: ``982 - 969 = 13``.
    ``verified`` is false for a sentence that the rules cannot settle and no judge has read, and for one
    that a judge accepts although the rules see an exact difference, the ``objection``.
    """

    text: str
    citations: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    computed: tuple[str, ...] = ()
    verified: bool = True
    objection: Message | None = None


@dataclass(frozen=True, slots=True)
class ExcerptLine:
    """A sentence, row, list item or line of code of an excerpt, or what stands above it.

    ``text`` is made readable: one line without bullets and Markdown marks. ``cells`` are those of a
    table row as (label, value), its name first. ``context`` lines are not next to the others:
    the sentence that opens a list. ``nearest`` marks the line that is nearest to what was asked,
    ``continues`` a further sentence of the list item before it.
    """

    text: str
    quotes: tuple[Quote, ...]
    kind: BlockKind = "paragraph"
    cells: tuple[tuple[str, str], ...] = ()
    context: bool = False
    nearest: bool = False
    continues: bool = False


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Consecutive lines of one passage, shown as they are in their source.

    ``headings`` are those above it, the deepest last; ``table`` is the title of its table.
    ``score`` (0-1) says how near it is to what was asked, and only orders. ``same`` is the other
    evidence that says it in nearly the same words.
    """

    evidence: Evidence
    lines: tuple[ExcerptLine, ...]
    headings: tuple[str, ...] = ()
    table: str = ""
    score: float = 0.0
    same: tuple[Evidence, ...] = ()

    @property
    def quotes(self) -> tuple[Quote, ...]:
        """The exact words of all lines."""
        return tuple(quote for line in self.lines for quote in line.quotes)

    @property
    def nearest(self) -> ExcerptLine | None:
        """The line nearest to what was asked, or None."""
        return next((line for line in self.lines if line.nearest), None)


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """One statement as it was written, checked against the evidence before any repair.

    By rules: ``exact``: one sentence or row of the evidence it cites says it; ``contradicted``: one
    says the same of another value, name or polarity; ``unsupported``: it has a number that no source
    has; ``unclear``: none of these, so a reader decides.
    By a judge: ``supported``, ``partly``, ``unsupported``. ``misattributed``: exact or supported, by
    other evidence than it cites.
    """

    sentence: Annotated[str, Doc("as it was written, before any repair")]
    verdict: ClaimVerdict
    score: Annotated[Score, Doc("nearness in words, 0 to 1; it only orders")]
    reason: Message
    citations: Annotated[tuple[str, ...], Doc("as written")] = ()
    carried_by: Annotated[tuple[str, ...], Doc("evidence that says it")] = ()
    quotes: Annotated[tuple[Quote, ...], HIDDEN] = ()
    differs: Annotated[str | None, Doc("what the source says instead")] = None
    computed: Annotated[tuple[str, ...], Doc("values calculated from the evidence")] = ()
    shared: Annotated[
        tuple[str, ...], Doc("word, name or value that the nearest sentence has too")
    ] = ()
    missing: Annotated[
        tuple[str, ...], Doc("word, name or value that the nearest sentence lacks")
    ] = ()


@dataclass(frozen=True, slots=True)
class GroundingChange:
    """What grounding did to a sentence of the model, and why; no change goes unrecorded."""

    sentence: str
    action: Literal["reattributed", "regenerated", "removed", "recited"]
    reason: Message


@dataclass(frozen=True, slots=True)
class Grounding:
    """A model's text after grounding.

    ``attribution_coverage`` is the share of the model's sentences, before removal, that have
    a verified citation; ``shown_coverage`` the same share of the sentences that are left.
    Both are None if there are no sentences. ``beside`` are supported sentences that are not about
    what was asked and so not shown. ``unanswered`` is the part of the question that the judge found
    no statement on; ``complete`` if it read every sentence that is shown, and every part has one.
    """

    sentences: tuple[Sentence, ...]
    changes: tuple[GroundingChange, ...] = ()
    attribution_coverage: float | None = None
    shown_coverage: float | None = None
    refused: bool = False
    checks: tuple[ClaimCheck, ...] = ()
    beside: tuple[Sentence, ...] = ()
    unanswered: str = ""
    complete: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """The model calls of one operation."""

    calls: Annotated[int, Doc("calls of a language model")] = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: Annotated[float | None, Doc("US dollars; null if unknown")] = 0.0
    cached: Annotated[int, Doc("calls answered from the cache")] = 0

    def __add__(self, other: Usage) -> Usage:
        """The sum of both; its cost is unknown if either is."""
        known = self.cost is not None and other.cost is not None
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cost=(self.cost or 0.0) + (other.cost or 0.0) if known else None,
            cached=self.cached + other.cached,
        )


@dataclass(frozen=True, slots=True)
class CitedSource:
    """An entry in an answer's list of sources: evidence with the quotes used from it."""

    evidence: Evidence
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of ``ask``: always with a verdict, never with an unverified citation.

    ``passages`` are shown instead of sentences where no model writes, or none of its text held.
    ``id`` is that of its row in the query log, None if it could not be logged.
    """

    question: str
    language: str
    verdict: Verdict
    confidence: float
    reasons: tuple[Message, ...]
    sentences: tuple[Sentence, ...]
    sources: tuple[CitedSource, ...]
    model: str
    mode: str
    attribution_coverage: float | None
    shown_coverage: float | None
    timings_ms: Mapping[str, float]
    usage: Usage
    search: SearchResult
    checks: tuple[ClaimCheck, ...] = ()
    changes: tuple[GroundingChange, ...] = ()
    notices: tuple[Message, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    dropped: tuple[DroppedHit, ...] = ()
    models: Mapping[str, str] = field(default_factory=dict)
    passages: tuple[Excerpt, ...] = ()
    id: str | None = None

    @property
    def text(self) -> str:
        """The answer with citation marks after each sentence: ``Five volts. [S1]``"""
        return join_sentences(self.sentences)


_CLOSING = "\"'”’»*_ \t\n"


def join_sentences(sentences: Sequence[Sentence]) -> str:
    """Sentences as prose; those without a full stop (table rows, items) get their own lines."""
    parts: list[str] = []
    for index, sentence in enumerate(sentences):
        parts += [
            choose_separator(sentences[index - 1], sentence) if index else "",
            append_citations(sentence),
        ]
    return "".join(parts)


def choose_separator(before: Sentence, sentence: Sentence) -> str:
    """The separator of two sentences: a space, or a newline if either has no full stop."""
    return " " if is_closed(before.text) and is_closed(sentence.text) else "\n"


def is_closed(text: str, stops: str = ".!?…") -> bool:
    """Whether a text ends with a stop, also before closing quotation marks: ``It says "go."``"""
    return text.rstrip(_CLOSING)[-1:] in set(stops)


def append_citations(sentence: Sentence) -> str:
    """The sentence, then its citation marks: after the full stop, where there is one."""
    marks = [f"[{citation}]" for citation in sentence.citations]
    return " ".join([sentence.text.rstrip(), *marks]) if marks else sentence.text


@dataclass(frozen=True, slots=True)
class Reference:
    """A citation as written in a text, and the source it refers to.

    ``mark`` is as written ("[^1]"); ``words`` describe the source ("datasheet.pdf §3.2, p. 14")
    and are empty for an undefined mark; ``source`` is the path of the project's source that
    they name, or None.
    """

    mark: str
    words: str = ""
    source: str | None = None


@dataclass(frozen=True, slots=True)
class TextRegion:
    """A place in a file of lines, from 1; the end column is that after the last character."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class DocumentStatement:
    """A statement of a text under verification, with its position.

    ``text`` is self-contained: a list item includes the sentence that introduces the list, a
    table row its header. ``start`` and ``end`` span ``words``, its own, in the document's text;
    ``region`` is where they are, and None for files without lines, as ``line`` is. ``subject`` is the previous
    sentence, for a statement that says "it".
    """

    text: str
    start: int
    end: int
    kind: BlockKind = "paragraph"
    page: int | None = None
    page_label: str | None = None
    heading_path: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    subject: str = ""
    words: str = ""
    region: TextRegion | None = None

    @property
    def line(self) -> int | None:
        """The line of its first word, from 1; None for files without lines."""
        return self.region.line if self.region else None

    @property
    def section(self) -> str | None:
        """The deepest heading with its number, or None."""
        return self.heading_path[-1] if self.heading_path else None


@dataclass(frozen=True, slots=True)
class SkippedText:
    """Text that is not a statement, with the reason."""

    text: str
    reason: Message
    line: int | None = None


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """A statement with its verdict; ``hit`` supports it, or is the nearest passage.

    In ``check``, ``citations`` are the paths that the text cites, and ``carried_by`` the paths
    of the sources that support it. ``nearest`` are the passages to read for an ``unclear`` one.
    """

    claimed: DocumentStatement
    check: ClaimCheck
    hit: Hit | None = None
    nearest: tuple[Excerpt, ...] = ()


@dataclass(frozen=True, slots=True)
class Verification:
    """A text checked against the sources, whoever wrote it.

    ``exact`` is the share of statements that one sentence or row says, ``judged`` that of those that
    a judge found supported, ``coverage`` their sum; all None without statements. ``judge`` is the
    model that judged, None without one; ``unjudged`` counts the statements it did not decide on.
    ``content_hash`` is the SHA-256 of the file as it was read.
    ``passed`` is true if ``coverage`` reaches ``min_attribution``.
    """

    file: str
    language: str
    statements: tuple[CheckedStatement, ...]
    skipped: tuple[SkippedText, ...]
    counts: Mapping[str, int]
    coverage: float | None
    min_attribution: float
    timings_ms: Mapping[str, float]
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Message, ...] = ()
    exact: float | None = None
    judged: float | None = None
    judge: str | None = None
    unjudged: int = 0
    content_hash: str = ""

    @property
    def passed(self) -> bool:
        """True if enough is supported; false for a text without statements."""
        return self.coverage is not None and self.coverage >= self.min_attribution


RewriteMethod = Literal["as typed", "rewritten by the model", "words carried over"]


@dataclass(frozen=True, slots=True)
class StandaloneQuestion:
    """A question as asked of the sources, and how it was derived from what was typed."""

    question: Annotated[str, Doc("what is asked of the sources")]
    how: RewriteMethod = "as typed"
    carried: Annotated[tuple[str, ...], Doc("word taken from the question before")] = ()
    usage: Annotated[Usage, HIDDEN] = field(default_factory=Usage)
    notices: Notices = ()


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    """An earlier question of a conversation with its answer: the context of a follow-up.

    ``question`` is self-contained, ``answer`` is "" if the sources had none, ``language`` is
    the answer's; ``id`` is that of its row in the log, if there is one.
    """

    question: str
    answer: str
    language: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """What was typed, the question asked of the sources, and the answer.

    ``number`` is its place in the conversation, from 1.
    """

    number: int
    typed: str
    standalone: StandaloneQuestion
    answer: Answer

    def as_earlier(self) -> EarlierTurn:
        """What later questions of the conversation need of this turn."""
        answer = self.answer
        return EarlierTurn(self.standalone.question, answer.text, answer.language, answer.id)


Event = StandaloneQuestion | SearchResult | Sentence | Excerpt
"""What happens before an answer is complete: the question as understood (in a conversation), what
was found, then each sentence as soon as it is verified, or without a model each passage."""
