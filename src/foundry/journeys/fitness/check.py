"""Whether a model is fit to write and to judge: a check of about a minute, with the product's own steps.

The writer answers questions in English and Dutch from passages that are given (``cases.toml``), with
the prompts and the verification of an answer; to one question in each language the passages have no
answer. The judge reads statements about the same passages, some with an error that was planted.
Requests are charged like all others. The bounds of "fit" are plain choices: so few cases show who
fails, not how good the others are.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Generator as Pieces
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from foundry.analysis import detect_query_language
from foundry.config import Config
from foundry.doc import HIDDEN, Doc
from foundry.errors import ModelError, ModelTimeout
from foundry.journeys.writing import (
    DoubtfulStatement,
    LlmJudge,
    Written,
    open_judge,
    write_with_model,
)
from foundry.messages import Message
from foundry.ports import ChatMessage, Classifier, Generator, Reply, run_to_end
from foundry.records import Block, Chunk, Evidence, Focus, Hit, Source
from foundry.records.kinds import Language
from foundry.workspace import Workspace, reconfigure

PlantedError = Literal["number", "unit", "negation", "subject", "condition"]

_WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)
_TOKENS = 50
"""The approximate size of a passage; prompts count their own tokens."""


@dataclass(frozen=True, slots=True)
class CheckQuestion:
    """A question, and the passage and values of its answer; none of both if there is none."""

    text: str
    language: str
    evidence: tuple[Evidence, ...]
    passage: str | None
    expected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckStatement:
    """A statement about a passage."""

    text: str
    language: Language
    evidence: Annotated[tuple[Evidence, ...], HIDDEN]
    error: Annotated[PlantedError | None, Doc("what is wrong with it; null if it is true")]


@cache
def load_questions() -> tuple[CheckQuestion, ...]:
    """The questions, in turns by language: one of each, then the next."""
    rows = [
        [
            CheckQuestion(
                question["text"],
                part["code"],
                _build_evidence(part),
                question.get("passage"),
                tuple(question.get("expected", ())),
            )
            for question in part["question"]
        ]
        for part in _load()
    ]
    return tuple(question for turn in zip(*rows, strict=True) for question in turn)


@cache
def load_statements() -> tuple[tuple[CheckStatement, ...], ...]:
    """The statements by language. The passage of each comes first in its evidence."""
    return tuple(
        tuple(
            CheckStatement(
                row["text"],
                part["code"],
                tuple(sorted(_build_evidence(part), key=lambda item: item.id != row["passage"])),
                row.get("error"),
            )
            for row in part["statement"]
        )
        for part in _load()
    )


def _load() -> Sequence[Mapping[str, Any]]:
    text = Path(__file__).with_name("cases.toml").read_text(encoding="utf-8")
    parts: Sequence[Mapping[str, Any]] = tomllib.loads(text)["language"]
    return parts


def _build_evidence(part: Mapping[str, Any]) -> tuple[Evidence, ...]:
    return tuple(_build_passage(row, part["code"]) for row in part["passage"])


def _build_passage(row: Mapping[str, Any], language: str) -> Evidence:
    text, path, size = row["text"], (row["heading"],), len(row["text"])
    name = f"check_{language}_{row['id']}"
    chunk = Chunk(
        id=f"chk_{name}", source_id=f"src_{name}", position=0, start=0, end=size, text=text,
        content=text, tokens=_TOKENS, language=language, heading_path=path, headings=path,
        blocks=(Block("paragraph", 0, size, path),),
    )  # fmt: skip
    source = Source(
        id=f"src_{name}", path=f"{row['title']}.md", content_hash="", title=row["title"],
        type="md", language=language, size=size, modified=_WRITTEN, ingested=_WRITTEN,
    )  # fmt: skip
    return Evidence(row["id"], Hit(chunk, source, Focus(0, size), 1.0, 1.0))


CHECK_S = 60.0
"""For the questions and the statements together, after the model is loaded."""
_WRITER_S = 35.0
_CALL_S = 30.0
_MOST_TOKENS = 400
"""Of an answer, four times what it takes: a model that goes on and on is stopped sooner."""
_BATCH = 3
"""Statements in one call of the judge: a slow model's reply on more takes longer than ``_CALL_S``."""
_MOST_WRONG = 1
"""Of the answers, of the planted errors and of the true statements, so many may go wrong."""

_IGNORED_FORM = {"models-schema-ignored", "models-asked-twice", "models-second-try"}


@dataclass(frozen=True, slots=True)
class WriterCase:
    """A question to the writer, what it wrote, and what is wrong with that."""

    question: str
    language: Language
    answerable: Annotated[bool, Doc("false if the passages have no answer")]
    said: Annotated[str, Doc("what the model wrote, as far as it could be read")]
    flaws: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class WriterFitness:
    """How the writer did on the questions that were asked in time."""

    model: str
    cases: tuple[WriterCase, ...]
    questions: Annotated[int, Doc("to ask; cases has those that were answered in time")]
    problem: Annotated[Message | None, Doc("why it ended early")] = None

    @property
    def fit(self) -> Annotated[bool, Doc()]:
        """Whether all questions were asked, no answer was invented, and at most one is flawed."""
        invented = any(case.flaws for case in self.cases if not case.answerable)
        flawed = sum(1 for case in self.cases if case.flaws)
        return self.problem is None and not invented and flawed <= _MOST_WRONG

    @property
    def verdict(self) -> Annotated[Message, Doc()]:
        """The same in words."""
        if self.problem is not None and not self.cases:
            return Message("fitness-writer-failed", model=self.model, cause=self.problem)
        answered = [case for case in self.cases if case.answerable]
        return Message(
            "fitness-writer-fit" if self.fit else "fitness-writer-unfit",
            model=self.model,
            right=sum(1 for case in answered if not case.flaws),
            answerable=len(answered),
            refused=sum(1 for case in self.cases if not case.answerable and not case.flaws),
            unanswerable=len(self.cases) - len(answered),
        )


@dataclass(frozen=True, slots=True)
class JudgeFitness:
    """How the judge did on the statements that it read in time."""

    model: str
    missed: Annotated[tuple[CheckStatement, ...], Doc("those that it took for true")]
    rejected: Annotated[tuple[CheckStatement, ...], Doc("those that it did not support")]
    errors: Annotated[int, Doc("statements with a planted error that it read")]
    truths: Annotated[int, Doc("true statements that it read")]
    problem: Annotated[Message | None, Doc("why it ended early")] = None

    @property
    def fit(self) -> Annotated[bool, Doc()]:
        """Whether it read all, and missed or rejected at most one each."""
        wrong = max(len(self.missed), len(self.rejected))
        return self.problem is None and wrong <= _MOST_WRONG

    @property
    def verdict(self) -> Annotated[Message, Doc()]:
        """The same in words."""
        if self.problem is not None and not self.errors + self.truths:
            return Message("fitness-judge-failed", model=self.model, cause=self.problem)
        return Message(
            "fitness-judge-fit" if self.fit else "fitness-judge-unfit",
            model=self.model,
            caught=self.errors - len(self.missed),
            errors=self.errors,
            kept=self.truths - len(self.rejected),
            truths=self.truths,
        )


@dataclass(frozen=True, slots=True)
class Fitness:
    """The writer and the judge, None where no model writes or judges."""

    writer: WriterFitness | None
    judge: JudgeFitness | None

    @property
    def fit(self) -> bool:
        """Whether a model writes, and it and the judge, if there is one, are fit."""
        judge = self.judge is None or self.judge.fit
        return self.writer is not None and self.writer.fit and judge


def check_fitness(workspace: Workspace, *, seconds: float = CHECK_S) -> Fitness:
    """Check the models that write and judge in the current mode.

    Nothing is cached. A model that fails, is too slow or reaches a limit of spending is unfit, with
    the reason. Raises ``ConfigError`` and ``KeyMissing`` for models that cannot be used.
    """
    with_judge = reconfigure(workspace, _configure(workspace.config, judge=True))
    alone = reconfigure(workspace, _configure(workspace.config, judge=False))
    started = time.monotonic()
    writer = _check_writer(alone, min(_WRITER_S, seconds)) if alone.generator else None
    judge = _check_judge(with_judge, max(0.0, started + seconds - time.monotonic()))
    return Fitness(writer, judge)


def _configure(config: Config, *, judge: bool) -> Config:
    """One short reply for each question: without cache, retries and repair, or without the judge."""
    timeout = min(config.models.timeout_s, _CALL_S)
    models = config.models.model_copy(
        update={"cache": False, "max_retries": 0, "timeout_s": timeout}
    )
    changes: dict[str, Any] = {"on_unsupported": "remove"}
    if not judge:
        changes["verifier"] = "none"
    validation = config.validation.model_copy(update=changes)
    length = min(config.generation.max_tokens, _MOST_TOKENS)
    generation = config.generation.model_copy(update={"max_tokens": length})
    return config.model_copy(
        update={"models": models, "validation": validation, "generation": generation}
    )


@dataclass
class _TimedGenerator:
    """A model that gets no further request after its time."""

    generator: Generator
    until: float
    model: str = field(init=False)
    local: bool = field(init=False)

    def __post_init__(self) -> None:
        self.model, self.local = self.generator.model, self.generator.local

    def generate(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        if time.monotonic() > self.until:
            raise ModelTimeout("fitness-no-time", where=self.model, model=self.model)
        return self.generator.generate(messages, schema=schema, max_tokens=max_tokens)

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Pieces[str, None, Reply]:
        return self.generator.stream(messages, schema=schema, max_tokens=max_tokens)

    def window(self) -> int:
        return self.generator.window()


def _check_writer(workspace: Workspace, seconds: float) -> WriterFitness:
    assert workspace.generator is not None
    generator = _TimedGenerator(workspace.generator, time.monotonic() + seconds)
    questions, cases = load_questions(), []
    problem = None
    for question in questions:
        try:
            writing = write_with_model(
                workspace, generator, question.text, question.evidence, question.language
            )
            cases.append(_judge_answer(question, run_to_end(writing)))
        except ModelError as error:
            problem = error.problem
            break
    return WriterFitness(generator.model, tuple(cases), len(questions), problem)


def _judge_answer(question: CheckQuestion, written: Written) -> WriterCase:
    return WriterCase(
        question=question.text,
        language=question.language,
        answerable=question.passage is not None,
        said=" ".join(check.sentence for check in written.grounding.checks),
        flaws=tuple(_find_flaws(question, written)),
    )


def _find_flaws(question: CheckQuestion, written: Written) -> Iterator[Message]:
    checks = written.grounding.checks
    said = " ".join(check.sentence for check in checks)
    if any(notice.code in _IGNORED_FORM for notice in written.notices):
        yield Message("fitness-flaw-form")
    if question.passage is None:
        if checks:
            yield Message("fitness-flaw-invented")
        return
    if not checks:
        yield Message("fitness-flaw-silent")
        return
    if detect_query_language(said) not in (question.language, "und"):
        yield Message("fitness-flaw-language")
    wrong = any(check.verdict == "contradicted" for check in checks)
    if wrong or not any(value in said for value in question.expected):
        yield Message("fitness-flaw-value")
    if any(check.citations != (question.passage,) for check in checks):
        yield Message("fitness-flaw-citation")


def _check_judge(workspace: Workspace, seconds: float) -> JudgeFitness | None:
    judge = open_judge(workspace)
    if judge is None:
        return None
    if not isinstance(judge.generator, Classifier):
        judge.generator = _TimedGenerator(judge.generator, time.monotonic() + seconds)
    judge.controlled = False
    read: list[tuple[CheckStatement, bool]] = []
    problem = None
    for batch in _split_batches():
        rejected = _judge_batch(judge, batch)
        failed = next((one for one in judge.notices if one.code == "writing-judge-failed"), None)
        cause = failed.params["cause"] if failed else None
        problem = cause if isinstance(cause, Message) else failed
        if problem is not None:
            break
        read += zip(batch, rejected, strict=True)
    errors = sum(1 for one, _ in read if one.error)
    return JudgeFitness(
        judge.generator.model,
        missed=tuple(one for one, rejected in read if one.error and not rejected),
        rejected=tuple(one for one, rejected in read if not one.error and rejected),
        errors=errors,
        truths=len(read) - errors,
        problem=problem,
    )


def _split_batches() -> Iterator[Sequence[CheckStatement]]:
    for statements in load_statements():
        for start in range(0, len(statements), _BATCH):
            yield statements[start : start + _BATCH]


def _judge_batch(judge: LlmJudge, batch: Sequence[CheckStatement]) -> list[bool]:
    """Whether it rejects each statement. Without a verdict it neither catches nor keeps one."""
    doubtful = [DoubtfulStatement(one.text, one.evidence, 1, one.language) for one in batch]
    return [
        one.error is None if judgement is None else judgement.verdict != "supported"
        for one, judgement in zip(batch, judge.judge(doubtful), strict=True)
    ]
