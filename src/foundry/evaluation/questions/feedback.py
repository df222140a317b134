"""Readers' feedback on answers → questions: correct answers are expected again, wrong ones wait.

The log keeps an answer's words and the chunks it came from. Verifying each sentence against those
chunks gives the exact places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from foundry.analysis import detect_query_language, find_sentences
from foundry.craft.grounding import verify_statement
from foundry.errors import UsageError
from foundry.evaluation.questions.fields import require_set
from foundry.evaluation.questions.files import RefusedLine
from foundry.evaluation.questions.imports import ImportReport
from foundry.journeys.query_log import REDACTED
from foundry.messages import Message
from foundry.records import EvalQuestion, Evidence, Expectation, Feedback, Focus, Hit, QueryRecord
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
        refused = record.verdict == "no_evidence"
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
            reviewed=feedback.correct,
            note=feedback.note,
        )

    def _find_places(self, record: QueryRecord) -> tuple[Expectation, ...]:
        """The places that support the answer's sentences, else the first source it came from."""
        evidence = self._load_evidence(record)
        spans: dict[str, set[tuple[int, int]]] = {}
        for sentence, language in _split_answer(record):
            for item in evidence:
                finding = verify_statement(sentence, [item], language)
                if finding.supported:
                    known = spans.setdefault(item.hit.source.path, set())
                    known.update((quote.start, quote.end) for quote in finding.quotes)
                    break
        if spans:
            return tuple(Expectation(path, tuple(sorted(pairs))) for path, pairs in spans.items())
        key = f"{self.set_name}/{record.id}"
        if evidence:
            self.notices.append(Message("eval-feedback-words-gone", key=key))
            return (Expectation(evidence[0].hit.source.path),)
        self.notices.append(Message("eval-feedback-sources-gone", key=key))
        return ()

    def _load_evidence(self, record: QueryRecord) -> list[Evidence]:
        chunks = self.workspace.store.get_chunks([chunk for chunk, _ in record.chunks])
        scores = dict(record.chunks)
        return [
            Evidence(
                f"S{number}",
                Hit(chunk, self.sources[chunk.source_id], Focus(chunk.start, chunk.end),
                    scores[chunk.id], 0.0),
            )
            for number, chunk in enumerate(chunks, 1)
        ]  # fmt: skip


def _find_problem(record: QueryRecord | None) -> Message | None:
    """Why a log row cannot become a question; None if it can."""
    if record is None:
        return Message("eval-feedback-gone")
    if record.kind not in _ANSWERS:
        return Message("eval-feedback-other-kind", kind=record.kind)
    if record.query == REDACTED:
        return Message("eval-feedback-redacted")
    return None


def _split_answer(record: QueryRecord) -> Iterator[tuple[str, str]]:
    """The answer's sentences without citation marks, each with the answer's language."""
    text = _MARKS.sub("", record.answer or "")
    language = detect_query_language(text)
    for start, end in find_sentences(text, language):
        yield " ".join(text[start:end].split()), language
