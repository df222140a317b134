"""Readers' feedback on answers → questions: correct answers are expected again, wrong ones wait.

The log keeps the quotes that were shown with an answer: they are the places of the question. Where
passages were shown, the place waits for a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from foundry.analysis import detect_query_language
from foundry.errors import UsageError
from foundry.evaluation.questions.fields import require_set
from foundry.evaluation.questions.files import RefusedLine
from foundry.evaluation.questions.imports import ImportReport
from foundry.evaluation.questions.places import find_quote
from foundry.journeys.query_log import REDACTED
from foundry.messages import Message
from foundry.records import EvalQuestion, Expectation, Feedback, QueryRecord, Source
from foundry.workspace import Workspace

FEEDBACK_SET = "feedback"
_ANSWERS = frozenset({"ask", "chat"})
_MARKS = re.compile(r"\s*\[S\d+\]")


def import_feedback(workspace: Workspace, set_name: str = FEEDBACK_SET) -> ImportReport:
    """Store a question for each answer with feedback; the latest feedback on an answer counts.

    A question that a person has changed or accepted since is left alone. Raises ``UsageError``
    if there is no feedback.
    """
    require_set(set_name)
    by_query: dict[str, list[Feedback]] = {}
    for feedback in workspace.maintenance().evaluation.list_feedback():
        by_query.setdefault(feedback.query_id, []).append(feedback)
    if not by_query:
        raise UsageError("eval-no-feedback", where="feedback")
    batch = _FeedbackBatch(workspace, set_name)
    for query_id, history in by_query.items():
        batch.add(query_id, history)
    return batch.save()


@dataclass
class _FeedbackBatch:
    workspace: Workspace
    set_name: str
    added: list[EvalQuestion] = field(default_factory=list)
    updated: list[EvalQuestion] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    refused: list[RefusedLine] = field(default_factory=list)
    notices: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.evaluation = self.workspace.maintenance().evaluation
        stored = self.evaluation.list_questions(self.set_name)
        self.stored = {question.key: question for question in stored}
        self.sources = {source.id: source for source in self.workspace.store.list_sources()}

    def add(self, query_id: str, history: Sequence[Feedback]) -> None:
        """Add the question of one answer; ``history`` is its feedback, the latest last."""
        record = self.workspace.store.find_query(query_id)
        problem = _find_problem(record)
        if record is None or problem:
            gone = Message("eval-feedback-gone")
            self.refused.append(RefusedLine("feedback", None, problem or gone, query_id))
            return
        question = self._build_question(record, history[-1])
        stored = self.stored.get(question.key)
        if stored is None:
            self.added.append(question)
        elif stored != question and stored in (
            self._build_question(record, feedback) for feedback in history[:-1]
        ):
            self.updated.append(question)
        else:
            self.unchanged.append(question.key)
            if stored != question:
                self.notices.append(Message("eval-feedback-changed", key=question.key))

    def save(self) -> ImportReport:
        """Store the new and changed questions, and report them."""
        changed = [*self.added, *self.updated]
        if changed:
            self.evaluation.save_questions(changed)
        return ImportReport(
            added=tuple(question.key for question in self.added),
            updated=tuple(question.key for question in self.updated),
            unchanged=tuple(self.unchanged),
            refused=tuple(self.refused),
            notices=tuple(dict.fromkeys(self.notices)),
        )

    def _build_question(self, record: QueryRecord, feedback: Feedback) -> EvalQuestion:
        text = record.rewritten or record.query
        refused, answered = record.verdict == "no_evidence", record.verdict != "passages"
        places = self._find_places(record) if feedback.correct and not refused else ()
        answer = " ".join(_MARKS.sub("", record.answer or "").split())
        return EvalQuestion(
            id=record.id,
            set=self.set_name,
            text=" ".join(text.split()),
            answerable=not refused if feedback.correct else None,
            language=detect_query_language(text),
            expected=places,
            answers=(answer,) if feedback.correct and answer and not refused else (),
            origin="feedback",
            reviewed=feedback.correct and answered,
            note=feedback.note,
        )

    def _find_places(self, record: QueryRecord) -> tuple[Expectation, ...]:
        """The quotes that were shown with the answer, else the first source it came from."""
        key = f"{self.set_name}/{record.id}"
        if places := self._find_quoted(record):
            return places
        chunks = self.workspace.store.get_chunks([chunk for chunk, _ in record.chunks])
        if not chunks:
            self.notices.append(Message("eval-feedback-sources-gone", key=key))
            return ()
        shown = record.verdict == "passages"
        code = "eval-feedback-passages" if shown else "eval-feedback-words-gone"
        self.notices.append(Message(code, key=key))
        return (Expectation(self.sources[chunks[0].source_id].path),)

    def _find_quoted(self, record: QueryRecord) -> tuple[Expectation, ...]:
        """Where the sources of now have the words that were shown with the answer's sentences."""
        shown = record.shown
        if shown is None:
            return ()
        named = {source.id: source.source_id for source in shown.sources}
        spans: dict[str, set[tuple[int, int]]] = {}
        for quote in (quote for sentence in shown.sentences for quote in sentence.quotes):
            source = self.sources.get(named.get(quote.evidence_id, ""))
            found = find_quote(self._read_text(source), quote.text) if source else []
            if source and found:
                # Text before it may have changed since: of several places the nearest one.
                nearest = min(found, key=lambda span: abs(span[0] - quote.start))
                spans.setdefault(source.path, set()).add(nearest)
        return tuple(Expectation(path, tuple(sorted(pairs))) for path, pairs in spans.items())

    def _read_text(self, source: Source) -> str:
        return self.workspace.store.source_text(source.id)


def _find_problem(record: QueryRecord | None) -> Message | None:
    """Why a log row cannot become a question; None if it can."""
    if record is None:
        return Message("eval-feedback-gone")
    if record.kind not in _ANSWERS:
        return Message("eval-feedback-other-kind", kind=record.kind)
    if record.query == REDACTED:
        return Message("eval-feedback-redacted")
    return None
