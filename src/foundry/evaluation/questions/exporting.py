"""Questions as JSON Lines, for git and for other projects: importing them again changes nothing.

Beside its spans a place carries their words, by which they are found again in another revision
of the source.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from foundry.evaluation.questions.matching import KnownSources
from foundry.records import EvalQuestion, Expectation
from foundry.workspace import Workspace


def questions_as_lines(workspace: Workspace, questions: Iterable[EvalQuestion]) -> str:
    """One JSON object a line, each with its line end."""
    places = KnownSources(workspace)
    rows = (question_as_row(one, places) for one in questions)
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def question_as_row(question: EvalQuestion, places: KnownSources) -> dict[str, Any]:
    """All that is kept of a question, in the names that an import reads."""
    return {
        "id": question.id,
        "set": question.set,
        "text": question.text,
        "language": question.language,
        "answerable": question.answerable,
        "expected": [dict(_place(one, places)) for one in question.expected],
        "answers": list(question.answers),
        "tags": list(question.tags),
        "origin": question.origin,
        "reviewed": question.reviewed,
        "note": question.note,
    }


def _place(expected: Expectation, places: KnownSources) -> Iterator[tuple[str, Any]]:
    yield "source", expected.source
    if expected.page is not None:
        yield "page", expected.page
    if expected.section is not None:
        yield "section", expected.section
    if expected.spans:
        yield "spans", [list(span) for span in expected.spans]
        source, _ = places.find(expected.source)
        if source is not None:
            text = places.text(source)
            yield "quotes", [text[start:end] for start, end in expected.spans]
    if expected.relevance != 1:
        yield "relevance", expected.relevance
