"""What a writer hands back, whoever wrote: verified sentences with their cost and notices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from foundry.config import BUILTIN_GENERATOR
from foundry.ports import Generator
from foundry.records import Change, Check, Grounding, Sentence, Usage

_QUOTED = "it is the source's own words"


@dataclass(frozen=True, slots=True)
class Written:
    """Verified sentences with who wrote them, at what cost, and what had to be said about it."""

    grounding: Grounding
    model: str
    usage: Usage = field(default_factory=Usage)
    notices: tuple[str, ...] = ()


def composed(sentences: Sequence[Sentence]) -> Written:
    """Sentences of the built-in writer: each is a quote, so all are supported."""
    coverage = 1.0 if sentences else None
    checks = (
        Check(one.text, "supported", 1.0, _QUOTED, one.citations, one.citations, one.quotes)
        for one in sentences
    )
    grounding = Grounding(
        sentences=tuple(sentences),
        attribution_coverage=coverage,
        shown_coverage=coverage,
        checks=tuple(checks),
    )
    return Written(grounding, BUILTIN_GENERATOR)


def model_name(generator: Generator | None) -> str:
    """Who writes, as the result names it."""
    return generator.model if generator else BUILTIN_GENERATOR


def removed(changes: Sequence[Change]) -> tuple[str, ...]:
    """A reason for the verdict where sentences were removed."""
    count = sum(1 for change in changes if change.action == "removed")
    return (f"{count} sentence(s) were removed: no source carries them.",) if count else ()
