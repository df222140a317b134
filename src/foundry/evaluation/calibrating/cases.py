"""The project's labelled questions as the gate met them: every signal, before any constants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foundry.craft.gate import Candidate, GateFeatures, extract_features
from foundry.errors import FoundryError
from foundry.journeys.search import require_query, retrieve
from foundry.ports import Progress, Step
from foundry.records import EvalQuestion, Expectation, Filters, SearchMode
from foundry.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled question with what the gate read of it.

    ``holding`` says of each judged candidate whether it may hold the answer: where the expected
    source is known and was found, only its chunks may. Cases of one ``group`` stay together.
    """

    question: EvalQuestion
    language: str
    reading: GateFeatures
    holding: tuple[bool, ...]
    group: str

    @property
    def answerable(self) -> bool:
        return bool(self.question.answerable)


@dataclass(frozen=True, slots=True)
class Failure:
    """A question that could not be searched, and why."""

    key: str
    error: str


def read_cases(
    workspace: Workspace,
    questions: Sequence[EvalQuestion],
    mode: SearchMode,
    progress: Progress,
) -> tuple[list[Case], list[Failure]]:
    """Each question through the real retrieval; one that fails is told, and the rest goes on."""
    cases: list[Case] = []
    failures: list[Failure] = []
    for number, question in enumerate(questions, start=1):
        try:
            cases.append(_read(workspace, question, mode))
        except FoundryError as error:
            failures.append(Failure(question.key, error.message))
        progress(Step("search", number, len(questions), "questions"))
    return cases, failures


def _read(workspace: Workspace, question: EvalQuestion, mode: SearchMode) -> Case:
    top_k = workspace.config.retrieval.top_k
    found = retrieve(workspace, require_query(question.text), Filters(), mode, top_k)
    reading = extract_features(found.question, found.candidates)
    judged = found.candidates[: len(reading.signals)]
    holding = tuple(_may_hold(candidate, question.expected) for candidate in judged)
    if not question.answerable or not any(holding):
        holding = (True,) * len(judged)
    first = question.expected[0].source if question.expected else question.key
    return Case(question, found.question.language, reading, holding, first)


def _may_hold(candidate: Candidate, expected: Sequence[Expectation]) -> bool:
    return any(
        place.source == candidate.source.path
        and (not place.spans or any(_overlaps(candidate, span) for span in place.spans))
        for place in expected
    )


def _overlaps(candidate: Candidate, span: tuple[int, int]) -> bool:
    return candidate.chunk.start < span[1] and span[0] < candidate.chunk.end
