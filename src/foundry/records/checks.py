"""What verifying a text gives: its statements with their verdicts, and what was no statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from foundry.records.answers import Check, Usage
from foundry.records.kinds import BlockKind
from foundry.records.retrieval import Hit


@dataclass(frozen=True, slots=True)
class Reference:
    """A citation as the text has it: its mark, what the mark stands for, and the source meant.

    ``mark`` is as written ("[^1]"); ``words`` name the source ("datasheet.pdf §3.2,
    p. 14"), empty for a mark that is explained nowhere; ``source`` is the path of the
    project's source that they name, or None.
    """

    mark: str
    words: str = ""
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Claimed:
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
class Skipped:
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

    claimed: Claimed
    check: Check
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
    skipped: tuple[Skipped, ...]
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
