"""A question with what stands at its places now: the source may have changed since."""

from __future__ import annotations

from dataclasses import dataclass

from foundry.evaluation.questions.matching import KnownSources
from foundry.evaluation.questions.naming import get_question
from foundry.records import CitedSpan, EvalQuestion
from foundry.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Shown:
    """A question, the words of its spans, and its sources that the project does not hold."""

    question: EvalQuestion
    quotes: tuple[CitedSpan, ...] = ()
    unknown: tuple[str, ...] = ()


def show_question(workspace: Workspace, name: str) -> Shown:
    """The question of this ``set/id`` or id, with its words. Raises ``UsageError``."""
    question = get_question(workspace, name)
    places = KnownSources(workspace)
    quotes, unknown = [], []
    for one in question.expected:
        source, _ = places.find(one.source)
        if source is None:
            unknown.append(one.source)
            continue
        text = places.text(source)
        quotes += [CitedSpan(one.source, *span, text=text[slice(*span)]) for span in one.spans]
    return Shown(question, tuple(quotes), tuple(unknown))
