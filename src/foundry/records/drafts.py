"""The result of ``generate``: sections with what was found, decided and left out for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from foundry.records.answers import Change, Check, CitedSource, Sentence, Usage
from foundry.records.conflicts import Conflict, each_once
from foundry.records.features import Feature
from foundry.records.kinds import Verdict
from foundry.records.retrieval import DroppedHit, SearchResult

WARN_AT = 0.85
"""Share of the model's window from which a budget is warned about."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a prompt takes of the model's window, in tokens.

    ``chunks`` is ``generation.token_budget``, ``window`` the model's context window, None for a
    writer that has none.
    """

    brief: int
    spec: int
    summaries: int
    chunks: int
    window: int | None
    max_summaries: int = 0

    @property
    def total(self) -> int:
        """Everything that the budget has to hold."""
        return self.brief + self.spec + self.summaries + self.chunks

    @property
    def is_tight(self) -> bool:
        """Whether it takes more of the window than leaves room for the reply (specification §9)."""
        return self.window is not None and self.total > WARN_AT * self.window


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a draft; an empty one says in ``reason`` why nothing stands in it.

    ``conflicts`` are those that touch what is written. ``reused``: it was written by an earlier
    run, and nothing that it depends on changed.
    """

    title: str
    sentences: tuple[Sentence, ...]
    sources: tuple[CitedSource, ...] = ()
    search: SearchResult | None = None
    reason: str | None = None
    attribution_coverage: float | None = None
    shown_coverage: float | None = None
    verdict: Verdict = "answer"
    conflicts: tuple[Conflict, ...] = ()
    dropped: tuple[DroppedHit, ...] = ()
    checks: tuple[Check, ...] = ()
    changes: tuple[Change, ...] = ()
    notices: tuple[str, ...] = ()
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    reused: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """The result of ``generate``, before it is rendered."""

    topic: str
    language: str
    verdict: Verdict
    sections: tuple[Section, ...]
    model: str
    mode: str
    attribution_coverage: float | None
    shown_coverage: float | None
    timings_ms: Mapping[str, float]
    usage: Usage
    created: datetime
    checks: tuple[Check, ...] = ()
    changes: tuple[Change, ...] = ()
    notices: tuple[str, ...] = ()
    feature: Feature | None = None
    budget: Budget | None = None
    models: Mapping[str, str] = field(default_factory=dict)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The conflicts of all sections, each once."""
        return each_once(one for section in self.sections for one in section.conflicts)
