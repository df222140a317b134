"""What is written from evidence and checked against it: sentences, answers, verifications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from foundry.records.conflicts import Conflict
from foundry.records.documents import Quote
from foundry.records.kinds import BlockKind, ClaimVerdict, Verdict
from foundry.records.retrieval import DroppedHit, Hit, SearchResult


@dataclass(frozen=True, slots=True)
class Evidence:
    """A hit that is handed to the generator under a number: S1, S2, …"""

    id: str
    hit: Hit


@dataclass(frozen=True, slots=True)
class Sentence:
    """A statement of an answer with what it cites; ``collect_quotes`` carry it, one or more per citation."""

    text: str
    citations: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """One statement as it was written, held against the evidence, before any repair.

    ``supported``: what it cites carries it; ``misattributed``: other evidence does;
    ``partly``: only some of what it says stands there; ``unsupported``: none of it, or
    something else stands there. ``score_claim`` (0–1) is calibrated: of statements with .8,
    four in five are true to their evidence. ``citations`` are those it came with,
    ``carried_by`` those that hold; ``differs`` is what the source says instead.
    """

    sentence: str
    verdict: ClaimVerdict
    score: float
    reason: str
    citations: tuple[str, ...] = ()
    carried_by: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    differs: str | None = None


@dataclass(frozen=True, slots=True)
class GroundingChange:
    """What grounding did to a model's sentence, and why: nothing disappears without one."""

    sentence: str
    action: Literal["reattributed", "regenerated", "removed", "recited"]
    reason: str


@dataclass(frozen=True, slots=True)
class Grounding:
    """A model's text after verification.

    ``attribution_coverage``: sentences with a verified citation over all the
    model's sentences, before removal; ``shown_coverage``: the same over what is
    left. Both None when there is nothing to count.
    """

    sentences: tuple[Sentence, ...]
    changes: tuple[GroundingChange, ...] = ()
    attribution_coverage: float | None = None
    shown_coverage: float | None = None
    refused: bool = False
    checks: tuple[ClaimCheck, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """What the model calls of one operation took. ``cost`` in US dollars, None if unknown."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    cached: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Both together; the cost of one unknown call makes the sum unknown."""
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
    """An entry of an answer's source list: evidence with the quotes that were used."""

    evidence: Evidence
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of ``ask``: never without a verdict, never with an unverified citation."""

    question: str
    language: str
    verdict: Verdict
    confidence: float
    reasons: tuple[str, ...]
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
    notices: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    dropped: tuple[DroppedHit, ...] = ()
    models: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The answer with each sentence followed by its marks: ``Five volts [S1].``"""
        return join_sentences(self.sentences)


def join_sentences(sentences: Sequence[Sentence]) -> str:
    """Sentences as prose; table rows and list items, which have no stop, on lines of their own."""
    parts: list[str] = []
    for at, sentence in enumerate(sentences):
        parts += [
            choose_separator(sentences[at - 1], sentence) if at else "",
            append_citations(sentence),
        ]
    return "".join(parts)


def choose_separator(before: Sentence, sentence: Sentence) -> str:
    """What stands between two sentences: a space, or a line end beside one without a stop."""
    whole = all(one.text.rstrip().endswith((".", "!", "?")) for one in (before, sentence))
    return " " if whole else "\n"


def append_citations(sentence: Sentence) -> str:
    """A sentence followed by its citation marks, before its closing stop."""
    if not sentence.citations:
        return sentence.text
    marks = " ".join(f"[{citation}]" for citation in sentence.citations)
    body = sentence.text.rstrip()
    if body.endswith((".", "!", "?")):
        return f"{body[:-1].rstrip()} {marks}{body[-1]}"
    return f"{body} {marks}"


@dataclass(frozen=True, slots=True)
class Reference:
    """A citation as the text has it: its mark, what the mark stands for, and the source meant.

    ``mark`` is as written ("[^1]"); ``split_words`` name the source ("datasheet.pdf §3.2,
    p. 14"), empty for a mark that is explained nowhere; ``source`` is the path of the
    project's source that they name, or None.
    """

    mark: str
    words: str = ""
    source: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentStatement:
    """A statement of a text as it is checked, and where it stands.

    ``text`` is whole: an item of a list comes with the sentence that opens the list, a
    row of a table with its header. ``start`` and ``end`` span its own words in the
    document's text; ``line`` counts from 1 and is None where the file has no lines.
    ``subject`` is the sentence before it, for one that says "it".
    """

    text: str
    start: int
    end: int
    kind: BlockKind = "paragraph"
    line: int | None = None
    page: int | None = None
    page_label: str | None = None
    heading_path: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    subject: str = ""

    @property
    def section(self) -> str | None:
        """The deepest heading with its number, or None."""
        return self.heading_path[-1] if self.heading_path else None


@dataclass(frozen=True, slots=True)
class SkippedText:
    """A piece of a text that is no statement, and why."""

    text: str
    reason: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """A statement with its verdict; ``hit`` is where it was found, or what comes nearest.

    In ``check``, citations are the paths that the text cites, and ``carried_by`` the
    paths of the sources that carry it.
    """

    claimed: DocumentStatement
    check: ClaimCheck
    hit: Hit | None = None


@dataclass(frozen=True, slots=True)
class Verification:
    """A text held against the sources, whoever wrote it.

    ``coverage`` is the share of statements that are supported; None where there is no
    statement. ``passed``: it reaches ``min_attribution``.
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
    notices: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether enough of it is supported; a text without statements never is."""
        return self.coverage is not None and self.coverage >= self.min_attribution
