"""Readers' verdicts on answers → questions: a right answer is expected again, a wrong one waits.

What the log keeps of an answer are its words and the chunks that were found for it; the exact
places are found by holding each sentence against those chunks, as an answer is verified.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from foundry.analysis import detect_query_language, find_sentences
from foundry.craft.grounding import verify_statement
from foundry.errors import UsageError
from foundry.evaluation.questions.importing import ImportReport
from foundry.evaluation.questions.naming import require_set
from foundry.evaluation.questions.reading import Refused
from foundry.journeys.query_log import REDACTED
from foundry.records import (
    EvalQuestion,
    Evidence,
    Expectation,
    Feedback,
    Focus,
    Hit,
    QueryRecord,
    Source,
)
from foundry.workspace import Workspace

FEEDBACK_SET = "feedback"
_ANSWERS = frozenset({"ask", "chat"})
_MARKS = re.compile(r"\s*\[S\d+\]")


def import_feedback(workspace: Workspace, set_name: str = FEEDBACK_SET) -> ImportReport:
    """Questions of everything that readers said; the latest word on an answer counts.

    A question that a person changed or accepted since stays as it is. Raises ``UsageError``
    where nobody said anything.
    """
    require_set(set_name)
    said: dict[str, list[Feedback]] = {}
    for one in workspace.store.evaluation.list_feedback():
        said.setdefault(one.query_id, []).append(one)
    if not said:
        raise UsageError(
            "No reader has said anything of an answer yet.",
            where="feedback",
            fix="Record it with: foundry log feedback QUERY_ID --correct (or --incorrect)",
        )
    importer = _Importer(workspace, set_name)
    for query_id, words in said.items():
        importer.take(query_id, words)
    return importer.finish()


@dataclass
class _Importer:
    workspace: Workspace
    set_name: str
    added: list[EvalQuestion] = field(default_factory=list)
    updated: list[EvalQuestion] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        evaluation = self.workspace.store.evaluation
        self.stored = {one.key: one for one in evaluation.list_questions(self.set_name)}
        self.sources = {one.id: one for one in self.workspace.store.list_sources()}

    def take(self, query_id: str, words: Sequence[Feedback]) -> None:
        """What the words on one answer make of it."""
        record = self.workspace.store.find_query(query_id)
        unusable = _unusable(record)
        if record is None or unusable:
            reason, fix = unusable or ("", "")
            self.refused.append(Refused("feedback", None, reason, fix, query_id))
            return
        question = self._question(record, words[-1])
        stored = self.stored.get(question.key)
        if stored is None:
            self.added.append(question)
        elif stored != question and stored in (self._question(record, one) for one in words[:-1]):
            self.updated.append(question)
        else:
            self.unchanged.append(question.key)
            if stored != question:
                self.notices.append(f"{question.key} was changed since and stays as it is.")

    def finish(self) -> ImportReport:
        written = [*self.added, *self.updated]
        if written:
            self.workspace.store.evaluation.save_questions(written)
        return ImportReport(
            added=tuple(one.key for one in self.added),
            updated=tuple(one.key for one in self.updated),
            unchanged=tuple(self.unchanged),
            refused=tuple(self.refused),
            notices=tuple(dict.fromkeys(self.notices)),
        )

    def _question(self, record: QueryRecord, word: Feedback) -> EvalQuestion:
        text = record.rewritten or record.query
        refused = record.verdict == "no_evidence"
        places = self._places(record) if word.correct and not refused else ()
        answer = _bare(record.answer or "")
        return EvalQuestion(
            id=record.id,
            set=self.set_name,
            text=" ".join(text.split()),
            answerable=not refused if word.correct else None,
            language=detect_query_language(text),
            expected=places,
            answers=(answer,) if word.correct and answer and not refused else (),
            origin="feedback",
            reviewed=word.correct,
            note=word.note,
        )

    def _places(self, record: QueryRecord) -> tuple[Expectation, ...]:
        """The exact places that carry the answer's sentences; else the sources that were found."""
        evidence = self._evidence(record)
        spans: dict[str, set[tuple[int, int]]] = {}
        for sentence, language in _sentences(record):
            for one in evidence:
                found = verify_statement(sentence, [one], language)
                if found.supported:
                    known = spans.setdefault(one.hit.source.path, set())
                    known.update((quote.start, quote.end) for quote in found.quotes)
                    break
        if spans:
            return tuple(Expectation(path, tuple(sorted(pairs))) for path, pairs in spans.items())
        if evidence:
            self.notices.append(
                f"{self.set_name}/{record.id}: the words of the answer were not found again in its "
                "sources; the first of them is expected as a whole."
            )
            return (Expectation(evidence[0].hit.source.path),)
        self.notices.append(
            f"{self.set_name}/{record.id}: what was found for it is no longer in the project; "
            "no source is expected."
        )
        return ()

    def _evidence(self, record: QueryRecord) -> list[Evidence]:
        chunks = self.workspace.store.get_chunks([chunk for chunk, _ in record.chunks])
        scores = dict(record.chunks)
        return [
            Evidence(
                f"S{number}",
                Hit(chunk, self._source(chunk.source_id), Focus(chunk.start, chunk.end),
                    scores[chunk.id], 0.0),
            )
            for number, chunk in enumerate(chunks, 1)
        ]  # fmt: skip

    def _source(self, source_id: str) -> Source:
        return self.sources[source_id]


def _unusable(record: QueryRecord | None) -> tuple[str, str] | None:
    if record is None:
        return "The answer is no longer in the log.", "Ask again, and say it of the new answer."
    if record.kind not in _ANSWERS:
        return (
            f"It is a row of {record.kind}, which asks no question.",
            "Give feedback on answers of ask and chat.",
        )
    if record.query == REDACTED:
        return (
            "The log kept no words of it (log.redact).",
            "Add the question by hand: foundry eval add QUESTION",
        )
    return None


def _sentences(record: QueryRecord) -> Iterator[tuple[str, str]]:
    """The sentences of the answer, without their marks, with its language."""
    text = _MARKS.sub("", record.answer or "")
    language = detect_query_language(text)
    for start, end in find_sentences(text, language):
        yield " ".join(text[start:end].split()), language


def _bare(answer: str) -> str:
    """An answer without its citation marks."""
    return " ".join(_MARKS.sub("", answer).split())
